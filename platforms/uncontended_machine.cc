// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/uncontended_machine.h"

namespace strata {
namespace {

// So much that no share of it is below what a message or a core gets alone.
Figure unlimited() { return {1e30, "B/s", "assumed: no contention", 1e30}; }

}  // namespace

Machine uncontended_machine(const Machine& machine) {
  Machine m = machine;
  for (LevelCosts& c : m.levels) {
    c.link_bandwidth = unlimited();
    c.duplex_bandwidth.reset();
    c.gap.reset();
  }
  if (m.fabric) {
    m.fabric->injection = unlimited();
    for (Figure& link : m.fabric->links) link = unlimited();
  }
  if (m.ports) m.ports->bandwidth = unlimited();
  if (m.memory) {
    m.memory->bandwidth = unlimited();
    m.memory->stated_combine_bandwidth = unlimited();
    m.memory->shared_cache_bandwidth.reset();
  }
  return m;
}

}  // namespace strata
