// SPDX-License-Identifier: LGPL-2.1-only
// How many ranks fit into one process. Linux allows a process 65,530 memory mappings (vm.max_map_count), and each rank
// has some: its stack and the protected page below it, and the segments of its copy of the program and of each library
// of its own. If they do not all fit, ranks get along with fewer:
//
//   choose_mappings(4096, 1, 65530)    {.merged = false, .guards = true}     8 mappings a rank
//   choose_mappings(12000, 1, 65530)   {.merged = true, .guards = true}      4: segments are merged
//   (toolchain/loader.cc) choose_mappings(16384, 1, 65530)   {.merged = true, .guards = false}     2: stacks have no
//   protected page, and merge choose_mappings(40000, 1, 65530)   nothing
#pragma once

#include <optional>

namespace strata::sim {

struct Mappings {
  bool merged = false;  // the segments of a rank's copies: one that can be executed, and one that can be written
  bool guards = true;   // a protected page below each stack
};

/// For `ranks` ranks with `copies` files each, of which each rank has its own copy; 0 if they share the program's file.
/// `most` is the system's limit. The first that fits of the above, or nothing.
std::optional<Mappings> choose_mappings(long ranks, long copies, long most);

/// The number of mappings with the fewest a rank.
long fewest_mappings(long ranks, long copies);

/// This system's limit. A very large number if it has none.
long most_mappings();

/// The same for this system. Throws InputError at `where`, which names the number of ranks, if nothing fits.
Mappings mappings_for(const char* where, long ranks, long copies);

}  // namespace strata::sim
