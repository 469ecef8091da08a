// SPDX-License-Identifier: LGPL-2.1-only
// Reduction over the communicator hierarchy: a loop over the levels, innermost first, that runs one algorithm on each
// bridge; its leader contributes the result to the level above. For root 5 on nodes {0, 1, 2, 3}, {4, 5, 6, 7}, linear:
//
//   3 -> 0  2 -> 0  1 -> 0,  7 -> 4  6 -> 4  5 -> 4      on the nodes
//   4 -> 0                                               between the nodes
//   0 -> 5                                               rank 0 sends the result to the root
//
// The allreduce is this reduction to rank 0 and a broadcast from it. If an operation does not commute, each bridge has
// the in-order binary tree or the linear algorithm; if the bridges are not ranges of ranks, one in-order binary tree
// over all ranks replaces them.
//
// Cost, linear: the sum over the levels of (p_i - 1)(alpha_i + m beta_i + m gamma). Source: RR-9077, section 7.2;
// reduce_over, mpi_ext/coll/reduce_hierarchical.cc, and allreduce_hierarchical.cc.
#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/bridges.h"
#include "collectives/schedules/own_algorithms.h"

namespace strata::collectives {
namespace {

Generator in_order(const Collective& call, Generator algorithm) {
  return call.commutative || algorithm == linear_reduce ? algorithm : in_order_binary_reduce;
}

// The result of the call is in `result` of rank 0.
void up(const Collective& call, const Settings& settings, Generator on_bridge, Buffer result, int rank, Steps& steps) {
  const Bridges bridges(call, rank);
  const Buffer sum = rank == 0 ? result : Buffer::kFifth;
  Buffer input = Buffer::kInput;
  for (auto at = bridges.of_rank().rbegin(); at != bridges.of_rank().rend(); ++at) {
    // After the first level, the leader's own data are in the sum.
    const bool in_place = input == sum || (call.in_place && rank == 0 && result == Buffer::kOutput);
    append_on(**at, in_order(call, on_bridge), part_of(call, Operation::kReduce, 0, in_place), settings, rank,
              {input, sum}, steps);
    if ((*at)->front() == rank) input = sum;
  }
}

void over_all(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  Steps own;
  in_order_binary_reduce(part_of(call, Operation::kReduce, call.root, call.in_place), in_whole_elements(settings, call),
                         rank, own);
  steps.append(own, PartBuffers{});
}

}  // namespace

void hierarchical_reduce(const Collective& call, const Settings& settings, Generator on_bridge, int rank,
                         Steps& steps) {
  if (call.count == 0) return;
  if (!call.commutative && !Bridges(call, rank).keep_order()) return over_all(call, settings, rank, steps);
  Collective to_0 = call;
  to_0.in_place = call.in_place && call.root == 0;
  const Buffer result = call.root == 0 ? Buffer::kOutput : Buffer::kFifth;
  up(to_0, settings, on_bridge, result, rank, steps);
  if (call.root == 0) return;
  if (rank == 0) steps.send(call.root, {result, 0, call.count});
  if (rank == call.root) steps.receive(0, {Buffer::kOutput, 0, call.count});
}

void hierarchical_allreduce(const Collective& call, const Settings& settings, Generator reduce, Generator broadcast,
                            int rank, Steps& steps) {
  if (call.count == 0) return;
  if (call.commutative || Bridges(call, rank).keep_order()) {
    up(call, settings, reduce, Buffer::kOutput, rank, steps);
  } else {
    over_all(call, settings, rank, steps);
  }
  hierarchical_broadcast(call, settings, broadcast, rank, steps);
}

}  // namespace strata::collectives
