// SPDX-License-Identifier: LGPL-2.1-only
// Recursive doubling between ranks whose number is not a power of two: in the round of a bit, the last group may have
// fewer ranks than the one beside it, and some of these have no partner. They get the data from the ranks of their own
// group that had one, along a binomial tree. For 5 ranks in the round of bit 4: 0 <-> 4, then 0 -> 2, then 0 -> 1 and
// 2 -> 3.
#pragma once

namespace strata::collectives {

/// Calls `send(other)` or `receive(other)` for the messages of `rank` to late ranks of its group in this round, and
/// returns whether it has received.
template <class Send, class Receive>
bool serve_late_ranks(int rank, int ranks, int bit, const Send& send, const Receive& receive) {
  const int here = rank / bit * bit, there = (rank ^ bit) / bit * bit;  // where the groups begin
  if (there + bit <= ranks) return false;
  const int served = ranks - here - bit;  // the ranks of the group that had a partner
  bool received = false;
  for (int half = bit / 2; half > 0; half /= 2) {
    const int other = rank ^ half;
    const int have = rank / (2 * half) * (2 * half) + served;  // ranks below have the data
    if (other > rank && rank < have && other >= have) {
      send(other);
    } else if (other < rank && other < have && rank >= have) {
      receive(other);
      received = true;
    }
  }
  return received;
}

}  // namespace strata::collectives
