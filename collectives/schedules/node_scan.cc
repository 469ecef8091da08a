// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Scan on each node, then between nodes: the first rank of a node gets the reduction of the whole node from its
// last rank, scans with the first ranks of the other nodes, and passes the result to the next node, where it is
// broadcast and combined. For nodes {0, 1}, {2, 3}:
//
//   scans on 0, 1 and on 2, 3; 1 -> 0, 3 -> 2; scan on 0, 2; 0 -> 2: the reduction of ranks 0 and 1; 2 -> 3
//
// Before that broadcast, a rank tells the others on its node by an int whether there is one.
// The ranks of a node are consecutive. Source: MPIR_Scan_intra_smp, scan_intra_smp.c, and
// MPIDI_Scan_intra_composition_alpha, ch4_coll_impl.h, MPICH 4.0.2.
#include "collectives/schedules/mpich_algorithms.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {
namespace {

constexpr Buffer kBefore = Buffer::kThird, kNode = Buffer::kFourth, kUpToNode = Buffer::kFifth;
constexpr std::int64_t kInt = 4;  // B: MPI_INT

}  // namespace

void node_scan(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  const Nodes nodes(call, rank);
  const std::vector<int>& here = nodes.here();
  const auto all = [&](Buffer in) { return Range{in, 0, call.count}; };
  append_part(settings, part_of(call, Operation::kScan, 0, call.in_place), here, rank, {}, steps);
  if (nodes.is_alone() && !call.in_place) steps.copy(all(Buffer::kInput), all(Buffer::kOutput));
  const bool is_first = nodes.is_first(rank);
  if (!nodes.is_alone() && is_first) steps.receive(here.back(), all(kNode));
  if (!nodes.is_alone() && rank == here.back()) steps.send(here.front(), all(Buffer::kOutput));
  const int node = nodes.node_of(rank);
  if (is_first) {
    const Buffer of_node = nodes.is_alone() ? Buffer::kOutput : kNode;
    if (nodes.firsts().size() == 1) {  // a scan of one rank copies its input twice, too
      steps.copy(all(of_node), all(kUpToNode));
      steps.copy(all(kUpToNode), all(kBefore));
    }
    append_part(settings, part_of(call, Operation::kScan), nodes.firsts(), rank, {of_node, kUpToNode}, steps);
    if (node + 1 < static_cast<int>(nodes.firsts().size())) steps.send(nodes.firsts()[node + 1], all(kUpToNode));
    if (node > 0) steps.receive(nodes.firsts()[node - 1], all(kBefore));
  }
  append_part(settings, {.operation = Operation::kBcast, .count = kInt}, here, rank, {kUpToNode, kUpToNode, true},
              steps);
  if (node == 0) return;
  append_part(settings, part_of(call, Operation::kBcast), here, rank, {kBefore, kBefore}, steps);
  steps.combine(all(kBefore), all(Buffer::kOutput));
}

}  // namespace strata::collectives
