// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/mappings.h"

#include <fmt/format.h>

#include <fstream>
#include <limits>

#include "base/error.h"

namespace strata::sim {
namespace {

// The simulator's own: libraries, the heap, and mappings that malloc makes for large blocks. An empty program has 240.
constexpr long kSimulator = 1000;
// A stack and its protected page.
constexpr long kStack = 2;
// Segments of a copy, as the linker makes them: headers, code, constants, relocated constants, variables, and variables
// that are zero at the start. Merged: all that can be executed, all that can be written.
constexpr long kSegments = 6, kMergedSegments = 2;

long needed(long ranks, long copies, Mappings mappings) {
  const long of_copy = mappings.merged ? kMergedSegments : kSegments;
  return kSimulator + ranks * (copies * of_copy + (mappings.guards ? kStack : 0));
}

}  // namespace

std::optional<Mappings> choose_mappings(long ranks, long copies, long most) {
  for (const Mappings mappings : {Mappings{false, true}, Mappings{true, true}, Mappings{true, false}}) {
    if (needed(ranks, copies, mappings) <= most) return mappings;
  }
  return std::nullopt;
}

long fewest_mappings(long ranks, long copies) { return needed(ranks, copies, {.merged = true, .guards = false}); }

long most_mappings() {
  long most = 0;
  std::ifstream in("/proc/sys/vm/max_map_count");
  return in >> most ? most : std::numeric_limits<long>::max();
}

Mappings mappings_for(const char* where, long ranks, long copies) {
  const long most = most_mappings();
  if (const std::optional<Mappings> chosen = choose_mappings(ranks, copies, most)) return *chosen;
  const long least = fewest_mappings(ranks, copies);
  throw InputError(
      where, fmt::format("{} ranks need at least {} memory mappings, and this system allows {}", ranks, least, most),
      fmt::format("as root do: sysctl -w vm.max_map_count={}", 2 * least));
}

}  // namespace strata::sim
