// SPDX-License-Identifier: LGPL-2.1-only
// Broadcasts in which each node gets the data once: a broadcast between the first ranks of the nodes, and one on each
// node, as the library chooses them. For root 1 on nodes {0, 1}, {2, 3}:
//
//   short vectors     1 -> 0 (the first of its node); 0 -> 2; 0 -> 1, 2 -> 3
//   medium vectors    the root's node first: 1 -> 0; 0 -> 2; the other nodes: 2 -> 3
//
// MPICH's own choice between them, if it is forced to: short below 12 KiB or 8 ranks, medium below 512 KiB on a power
// of two of ranks, and otherwise a scatter and ring that does not look at nodes. Source:
// MPIDI_Bcast_intra_composition_alpha and _beta, ch4_coll_impl.h, and MPIR_Bcast_intra_smp, bcast_intra_smp.c,
// MPICH 4.0.2.
#include <bit>

#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {
namespace {

// Source: src/mpi/coll/cvars.txt, MPICH 4.0.2.
constexpr std::int64_t kShortBytes = 12288;  // B: MPIR_CVAR_BCAST_SHORT_MSG_SIZE
constexpr std::int64_t kLongBytes = 524288;  // B: MPIR_CVAR_BCAST_LONG_MSG_SIZE
constexpr int kFewRanks = 8;                 // MPIR_CVAR_BCAST_MIN_PROCS

void broadcast(const Collective& call, const Settings& settings, const std::vector<int>& members, int root, int rank,
               Steps& steps) {
  append_part(settings, part_of(call, Operation::kBcast, root), members, rank, {}, steps);
}

}  // namespace

void first_rank_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Nodes nodes(call, rank);
  const Range all = {Buffer::kOutput, 0, call.count};
  const int first = nodes.firsts()[nodes.node_of(call.root)];
  if (first != call.root) {
    if (rank == call.root) steps.send(first, all);
    if (rank == first) steps.receive(call.root, all);
  }
  if (nodes.is_first(rank)) broadcast(call, settings, nodes.firsts(), nodes.node_of(call.root), rank, steps);
  broadcast(call, settings, nodes.here(), 0, rank, steps);
}

void root_node_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Nodes nodes(call, rank);
  const int node = nodes.node_of(call.root);
  const bool begins_here = nodes.node_of(rank) == node && nodes.firsts()[node] != call.root;
  if (begins_here) broadcast(call, settings, nodes.here(), place_in(nodes.here(), call.root), rank, steps);
  if (nodes.is_first(rank)) broadcast(call, settings, nodes.firsts(), node, rank, steps);
  if (!begins_here) broadcast(call, settings, nodes.here(), 0, rank, steps);
}

void node_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const std::int64_t bytes = call.count * call.element_bytes;
  if (bytes < kShortBytes || call.ranks < kFewRanks) return first_rank_broadcast(call, settings, rank, steps);
  if (bytes < kLongBytes && std::has_single_bit(static_cast<unsigned>(call.ranks))) {
    return root_node_broadcast(call, settings, rank, steps);
  }
  scatter_byte_ring_broadcast(call, settings, rank, steps);
}

}  // namespace strata::collectives
