// SPDX-License-Identifier: LGPL-2.1-only
// The places of a communicator's processes, from the placement file that all have read, or from the data that each
// process sends about itself.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi_ext/cart/tree_paths.h"
#include "mpi_ext/provider/provider.h"

namespace strata::mpix {

/// A process's place in the form in which it is sent to the others: plain bytes.
struct WirePlace {
  static constexpr size_t kLevels = 12;  // inside a node; hwloc knows 13 types of objects, few nodes have half of them
  static constexpr size_t kNameLength = 12;  // "NUMANode", "Package", "Group0", "L3"
  struct Level {
    std::array<char, kNameLength> name{};
    std::int32_t instance = 0;
  };
  std::uint64_t node = 0, tree = 0;
  std::int64_t levels = 0;
  std::array<Level, kLevels> level{};
};

WirePlace wire_place_of(const Where& mine);

/// The paths of processes from their data, one WirePlace each. The network is unknown. If processes see different parts
/// of a node, only the node itself is known.
std::vector<Path> paths_told(std::span<const std::byte> all);

/// The vertices of the members of `comm`, by rank; empty if a member is not in MPI_COMM_WORLD, because its place is
/// then unknown. Local. Throws ReportedByMpi.
std::vector<int> vertices_in(const World& world, MPI_Comm comm);

}  // namespace strata::mpix
