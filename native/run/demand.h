// SPDX-License-Identifier: LGPL-2.1-only
// Memory, processes and open files that the ranks of a run need of this computer, and whether it has them. They are
// checked before anything starts, because a computer whose memory is full ends some process, and not always ours:
//
//   -n 16384: the ranks of Open MPI need about 708 GB of memory, and 22 GB are available here; give at most -n
//   2292, or use a computer with more memory
//
// The data of the program comes on top: only the program knows it.
#pragma once

#include <filesystem>
#include <string>

#include "native/launch/library.h"

namespace strata::native {

struct Demand {
  double bytes = 0;  // of memory, with the kernel's own for the processes
  long tasks = 0;    // processes and their threads, as the kernel counts them
  long files = 0;    // that this process has open
};
/// With ranks that do not hold any data of their own.
Demand demand_of(Library::Kind library, int ranks);

struct Capacity {
  double bytes = 0;
  long tasks = 0, files = 0;
};
/// Free now, by this computer and the control groups (versions 1 and 2) and limits of this process. `root`: for tests,
/// the folder in which proc/ and sys/ are.
Capacity capacity_here(const std::filesystem::path& root = "/");

/// The most ranks for which there is room.
int most_ranks(Library::Kind library, const Capacity& capacity);

/// Throws InputError if there is no room for these ranks.
void require_room(Library::Kind library, int ranks, const Capacity& capacity);

/// "9.1 GB".
std::string gigabytes(double bytes);

}  // namespace strata::native
