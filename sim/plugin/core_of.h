// SPDX-License-Identifier: LGPL-2.1-only
// Which core a host of SimGrid is: MachineZone makes one host for each core, in the order of Topology::cores(), before
// it makes anything else, so that SimGrid numbers them alike.
#pragma once

#include <simgrid/kernel/routing/NetPoint.hpp>
#include <simgrid/s4u/Host.hpp>

namespace strata::sim {

/// Its index in Topology::cores().
inline int core_of(const simgrid::kernel::routing::NetPoint& point) { return static_cast<int>(point.id()); }
inline int core_of(const simgrid::s4u::Host& host) { return core_of(*host.get_netpoint()); }

}  // namespace strata::sim
