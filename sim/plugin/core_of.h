// SPDX-License-Identifier: LGPL-2.1-only
// Maps a SimGrid host to a core: MachineZone makes one host for each core, in the order of Topology::cores(), before it
// makes anything else, so both have the same numbers.
#pragma once

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u/Host.hpp>

namespace strata::sim {

/// Its index in Topology::cores().
inline int core_of(const simgrid::kernel::routing::NetPoint& point) { return static_cast<int>(point.id()); }
inline int core_of(const simgrid::s4u::Host& host) { return core_of(*host.get_netpoint()); }

}  // namespace strata::sim
