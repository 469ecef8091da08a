// SPDX-License-Identifier: LGPL-2.1-only
// The collectives of Open MPI's component HAN (hierarchical autotuned), which divides a communicator twice: `low` are
// the ranks of a node, and `up` the ranks with the same number on their nodes. For example, a barrier of ranks 0 to 3
// on nodes {0, 1}, {2, 3}:
//
//   barriers of {0, 1} and of {2, 3};  barrier of {0, 2};  barriers of {0, 1} and of {2, 3}
//
// The component tuned chooses the algorithms of these parts (Settings::part). In broadcasts, reductions and allreduces,
// libnbc does those between the nodes, for one segment of the vector while another one is on the nodes (han_tasks.h).
#pragma once

#include <cstdint>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

/// Segments of its broadcasts, reductions and allreduces (han_bcast_segsize, ..., coll_han_component.c).
inline constexpr std::int64_t kHanSegmentBytes = 65536;

/// Whether HAN, with its default parameters and a priority above tuned's, does this call: there are several nodes, with
/// several ranks each, and the same number on all nodes (a barrier and an allreduce do not look at this). Reductions
/// need an operation that is commutative. Source: mca_coll_han_comm_query, coll_han_module.c, mca_coll_han_comm_create,
/// coll_han_subcomms.c, and mca_coll_han_topo_init, coll_han_topo.c, Open MPI 5.0.7.
bool han_does(const Collective& call);

/// Whether Settings::segment_bytes is looked at.
bool han_has_segments(Operation operation);

/// Null: HAN has no such operation. The nodes of the ranks that have the same number must be in the order of the first
/// ranks; in another order, HAN itself mixes up the blocks.
Generator find_han(Operation operation);

}  // namespace strata::collectives
