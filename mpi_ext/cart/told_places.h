// SPDX-License-Identifier: LGPL-2.1-only
// Where the processes of a communicator are, as they know it of each other: from the placement file that all have read,
// or from what each tells of itself.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mpi_ext/cart/paths.h"
#include "mpi_ext/provider/provider.h"

namespace strata::mpix {

/// The place of a process as it is sent to the others: plain bytes.
struct Told {
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

Told told_of(const Where& mine);

/// The paths of processes who have told this, a Told each; what is said of the network is not known. Of a node that its
/// processes see different parts of nothing but itself is known.
std::vector<Path> paths_told(std::span<const std::byte> all);

/// The vertices of the members of `comm`, by rank; nothing where one is not in MPI_COMM_WORLD and its place thus not
/// known. Local. Throws ReportedByMpi.
std::vector<int> vertices_in(const World& world, MPI_Comm comm);

}  // namespace strata::mpix
