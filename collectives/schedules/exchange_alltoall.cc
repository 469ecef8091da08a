// SPDX-License-Identifier: LGPL-2.1-only
// All-to-all in p - 1 rounds after a copy of the own block: if p is a power of two, rank r exchanges blocks with rank
// r xor i in round i; if not, it sends to r + i and receives from r - i. For 4 ranks, rank 1: with 0, then 3, then 2.
//
// Cost: p - 1 messages of m bytes one after the other. Source: MPIR_Alltoall_intra_pairwise, alltoall_intra_pairwise.c,
// MPICH 4.0.2.
#include <bit>

#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {

void exchange_alltoall(const Collective& call, const Settings&, int rank, Steps& steps) {
  const int p = call.ranks;
  const auto block = [&](Buffer in, int of) { return Range{in, of * call.count, call.count}; };
  const bool is_power = std::has_single_bit(static_cast<unsigned>(p));
  steps.copy(block(Buffer::kInput, rank), block(Buffer::kOutput, rank));
  for (int round = 1; round < p; ++round) {
    const int to = is_power ? rank ^ round : (rank + round) % p;
    const int from = is_power ? to : (rank - round + p) % p;
    steps.send_receive(to, block(Buffer::kInput, to), from, block(Buffer::kOutput, from));
  }
}

}  // namespace strata::collectives
