// SPDX-License-Identifier: LGPL-2.1-only
// Barriers, by empty messages. For 8 ranks:
//
//   linear               all send to rank 0, which then sends to all
//   double ring          0 -> 1 -> 2 -> ... -> 7 -> 0, twice
//   recursive doubling   0 <-> 1, 2 <-> 3, ...; 0 <-> 2, ...; 0 <-> 4, ...
//   Bruck                r -> r + 1; r -> r + 2; r -> r + 4
//   tree                 1 -> 0, 3 -> 2, ...; 2 -> 0, 6 -> 4; 4 -> 0; and back
//   two ranks            0 <-> 1
//
// The root of the linear one receives from any source, so the order of its receives is not the schedule's. Source:
// ompi_coll_base_barrier_intra_*, coll_base_barrier.c, Open MPI 4.1.4.
#include <bit>

#include "collectives/schedules/algorithms.h"

namespace strata::collectives {
namespace {

constexpr Range kNothing = {Buffer::kOutput, 0, 0};

void exchange(int to, int from, Steps& steps) { steps.send_receive(to, kNothing, from, kNothing); }

}  // namespace

void linear_barrier(const Collective& call, const Settings&, int rank, Steps& steps) {
  if (rank > 0) {
    steps.send(0, kNothing);
    return steps.receive(0, kNothing);
  }
  std::vector<int> requests;
  for (int from = 1; from < call.ranks; ++from) requests.push_back(steps.start_receive(from, kNothing));
  for (const int request : requests) steps.wait(request);
  for (int to = 1; to < call.ranks; ++to) steps.send(to, kNothing);
}

void double_ring_barrier(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int left = (rank + call.ranks - 1) % call.ranks, right = (rank + 1) % call.ranks;
  for (const bool second : {false, true}) {
    if (rank > 0) steps.receive(left, kNothing);
    steps.wait(second ? steps.start_synchronous_send(right, kNothing) : steps.start_send(right, kNothing));
    if (rank == 0) steps.receive(left, kNothing);
  }
}

void recursive_doubling_barrier(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int power = static_cast<int>(std::bit_floor(static_cast<unsigned>(call.ranks)));
  if (rank >= power) return exchange(rank - power, rank - power, steps);
  const bool has_other = rank < call.ranks - power;  // a rank that takes no part
  if (has_other) steps.receive(rank + power, kNothing);
  for (int bit = 1; bit < power; bit *= 2) exchange(rank ^ bit, rank ^ bit, steps);
  if (has_other) steps.wait(steps.start_synchronous_send(rank + power, kNothing));
}

void bruck_barrier(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int p = call.ranks;
  for (int distance = 1; distance < p; distance *= 2) {
    exchange((rank + distance) % p, (rank + p - distance) % p, steps);
  }
}

void two_rank_barrier(const Collective&, const Settings&, int rank, Steps& steps) {
  exchange(1 - rank, 1 - rank, steps);
}

void tree_barrier(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int depth = static_cast<int>(std::bit_ceil(static_cast<unsigned>(call.ranks)));
  const auto partner = [&](int jump) {  // -1: none in this round
    const int other = rank ^ jump;
    return (other & (jump - 1)) == 0 && other < call.ranks ? other : -1;
  };
  for (int jump = 1; jump < depth; jump *= 2) {
    const int other = partner(jump);
    if (other > rank) steps.receive(other, kNothing);
    if (other >= 0 && other < rank) steps.send(other, kNothing);
  }
  for (int jump = depth / 2; jump > 0; jump /= 2) {
    const int other = partner(jump);
    if (other > rank) steps.send(other, kNothing);
    if (other >= 0 && other < rank) steps.receive(other, kNothing);
  }
}

}  // namespace strata::collectives
