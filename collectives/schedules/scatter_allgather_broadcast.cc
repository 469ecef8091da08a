// SPDX-License-Identifier: LGPL-2.1-only
// Broadcast by a scatter along a binomial tree, then an allgather by recursive doubling or around a ring. Of 8 blocks
// and ranks:
//
//   scatter                  allgather by recursive doubling      around the ring
//   0 -> 4  blocks 4..7      0 <-> 1, 2 <-> 3, ...  1 block       rank r sends blocks r, r - 1, ... to r + 1
//   0 -> 2, 4 -> 6   2       0 <-> 2, 1 <-> 3, ...  2
//   0 -> 1, ...      1       0 <-> 4, 1 <-> 5, ...  4
//
// If the number of ranks is not a power of two, ranks without a partner in a round get the blocks from one that has
// them. In Open MPI, vectors with fewer elements than ranks take the linear broadcast. MPICH divides bytes, not
// elements. Cost: 2 m (p - 1) / p bytes for each rank; 2 log2 p or log2 p + p - 1 messages one after the other. Source:
// ompi_coll_base_bcast_intra_scatter_allgather(_ring), coll_base_bcast.c, Open MPI 4.1.4; MPII_Scatter_for_bcast,
// bcast_utils.c, bcast_intra_scatter_recursive_doubling_allgather.c and bcast_intra_scatter_ring_allgather.c, MPICH
// 4.0.2; R. Thakur, R. Rabenseifner, W. Gropp, Optimization of Collective Communication Operations in MPICH, IJHPCA
// 19(1), 2005.
#include <algorithm>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/late_ranks.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {
namespace {

// Blocks of the vector by numbers of ranks, counted from the root on.
struct Parts {
  const Collective& call;
  bool are_bytes = false;
  std::int64_t total = are_bytes ? call.count * call.element_bytes : call.count;
  std::int64_t block = (total + call.ranks - 1) / call.ranks;

  int rank(int number) const { return (number + call.root) % call.ranks; }
  // Of `number` blocks from `first` on. Empty beyond the end of the vector.
  Range range(int first, int number) const {
    Range range = {Buffer::kOutput, std::min(total, first * block)};
    range.count = std::min(total, (first + std::int64_t{number}) * block) - range.first;
    range.is_bytes = are_bytes;
    return range;
  }
};

// Returns the number of the rank.
int scatter(const Parts& parts, int rank, Steps& steps) {
  const Collective& call = parts.call;
  const int v = (rank - call.root + call.ranks) % call.ranks;
  int bit = 1;
  while (bit < call.ranks && (v & bit) == 0) bit *= 2;
  if (v > 0) {
    const Range mine = parts.range(v, bit);
    if (mine.count > 0) steps.receive(parts.rank(v - bit), mine);
  }
  for (bit /= 2; bit > 0; bit /= 2) {
    if (v + bit >= call.ranks) continue;
    const Range theirs = parts.range(v + bit, bit);
    if (theirs.count > 0) steps.send(parts.rank(v + bit), theirs);
  }
  return v;
}

// In the round of `bit`, ranks v and v ^ bit exchange the blocks of their groups of `bit` ranks.
void recursive_doubling(const Parts& parts, int v, Steps& steps) {
  const int p = parts.call.ranks;
  for (int bit = 1; bit < p; bit *= 2) {
    const int partner = v ^ bit;
    const Range blocks = parts.range(v / bit * bit, bit), others = parts.range(partner / bit * bit, bit);
    if (partner < p) steps.send_receive(parts.rank(partner), blocks, parts.rank(partner), others);
    serve_late_ranks(
        v, p, bit, [&](int other) { steps.send(parts.rank(other), others); },
        [&](int other) { steps.receive(parts.rank(other), others); });
  }
}

void ring(const Parts& parts, int v, Steps& steps) {
  const int p = parts.call.ranks;
  for (int round = 0; round + 1 < p; ++round) {
    steps.send_receive(parts.rank((v + 1) % p), parts.range((v - round + p) % p, 1), parts.rank((v - 1 + p) % p),
                       parts.range((v - round - 1 + p) % p, 1));
  }
}

}  // namespace

void scatter_allgather_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count < call.ranks) return linear_broadcast(call, settings, rank, steps);
  const Parts parts{call};
  recursive_doubling(parts, scatter(parts, rank, steps), steps);
}

void scatter_ring_broadcast(const Collective& call, const Settings& settings, int rank, Steps& steps) {
  if (call.count < call.ranks) return linear_broadcast(call, settings, rank, steps);
  const Parts parts{call};
  ring(parts, scatter(parts, rank, steps), steps);
}

void scatter_doubling_broadcast(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Parts parts{call, true};
  recursive_doubling(parts, scatter(parts, rank, steps), steps);
}

void scatter_byte_ring_broadcast(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Parts parts{call, true};
  ring(parts, scatter(parts, rank, steps), steps);
}

}  // namespace strata::collectives
