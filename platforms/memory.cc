// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/memory.h"

namespace strata {

Figure memory_combine_bandwidth(const MemoryCosts& memory) {
  if (memory.stated_combine_bandwidth) return *memory.stated_combine_bandwidth;
  constexpr double kMoreThanCopies = kMovedByCombine / kMovedByCopy;
  Figure f = memory.bandwidth;
  f.value *= kMoreThanCopies;
  f.si *= kMoreThanCopies;
  f.source = "assumed: 1.5 times bandwidth, for a copy also reads the lines that it writes";
  return f;
}

Figure cache_bandwidth(const Machine& machine) {
  if (machine.memory && machine.memory->cache_bandwidth) return *machine.memory->cache_bandwidth;
  Figure f = machine.combine_bandwidth();
  f.value *= kMovedByCombine;
  f.si *= kMovedByCombine;
  f.source = "assumed: 3 times core.combine_bandwidth, as from memory";
  return f;
}

}  // namespace strata
