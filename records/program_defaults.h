// SPDX-License-Identifier: LGPL-2.1-only
// Default options of the catalog's programs, and the sizes of their elements. Used by the programs (scenarios/programs)
// and by models of them.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>

namespace strata::programs {

inline constexpr int kElementBytes = 4;  // RR-9077, Section 7: elements are four-byte integers
inline constexpr int kDoubleBytes = 8;   // the elements of ncartperf

struct CollectiveOptions {
  std::string collective = "bcast", algorithm = "linear", variant = "native";
  int elements = 1, root = 0;
  int segment_bytes = 0;  // 0: not segmented
};

struct VectorsOptions {
  std::string hierarchy = "topo";
  int elements = 1;
};

struct SummaOptions {
  std::string variant = "simple";
  int block = 8;  // rows and columns
};

struct NbcOptions {
  std::string collective = "ireduce", steps = "auto", tree = "flat";
  int bytes = 0, root = 0, arity = 2;
};

struct PairsOptions {
  int pairs = 1, bytes = 0;
};

/// For all programs that create a Cartesian mesh.
struct MeshOptions {
  std::string dims = {};  // "16x8x8"; empty: MPI_Dims_create's, in `ndims` dimensions
  int ndims = 2;
  std::string periods = {};         // "0x0x1": which dimensions are periodic; empty: none
  std::string comm = "cart";        // world, cart or nodecart
  std::string method = "nodecart";  // for `nodecart`: the paper's method
};

struct NcartperfOptions {
  int n = 1024;  // doubles for each neighbour
  int sweeps = 32, repeats = 1;
};

/// The size in bytes of one of the option's `elements`. No value for programs without this option, and for users'
/// programs, where it may have any meaning.
inline std::optional<int> element_bytes_of(std::string_view program) {
  constexpr std::array<std::string_view, 5> kPrograms = {"collective", "overhead", "reorder_allgather",
                                                         "reorder_collective", "vectors"};
  for (const std::string_view name : kPrograms) {
    if (name == program) return kElementBytes;
  }
  return std::nullopt;
}

}  // namespace strata::programs
