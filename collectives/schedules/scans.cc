// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Scan and MPI_Exscan: the result of a rank is the reduction of the ranks up to it, or before it. For 8 ranks:
//
//   linear               0 -> 1 -> 2 -> ... -> 7: each combines what it receives and passes it on
//   recursive doubling   0 <-> 1, 2 <-> 3, ...; 0 <-> 2, ...; 0 <-> 4, ...: two ranks exchange the reductions of
//                        their groups, and the upper one combines the lower group's into its result
//
// Cost: p - 1 messages one after the other, or ceil(log2 p), of m bytes each. The order of operands is that of ranks.
// If it matters and the other group is the upper one, Open MPI's two buffers change places, and MPICH copies.
// Source: coll_base_scan.c and coll_base_exscan.c, Open MPI 4.1.4; MPIR_Scan_intra_recursive_doubling,
// scan_intra_recursive_doubling.c, and MPIR_Exscan_intra_recursive_doubling, exscan_intra_recursive_doubling.c, MPICH
// 4.0.2.
#include <utility>

#include "collectives/schedules/algorithms.h"
#include "collectives/schedules/mpich_algorithms.h"

namespace strata::collectives {
namespace {

Range whole(const Collective& call, Buffer in) { return {in, 0, call.count}; }

enum class Upper { kSwapped, kCopied };

// Calls `lower(inbox)` when the reduction of a group below this rank has arrived.
template <class Lower>
void exchange_groups(const Collective& call, int rank, Upper upper, const Lower& lower, Steps& steps) {
  Range group = whole(call, Buffer::kFirst), inbox = whole(call, Buffer::kSecond);
  for (int bit = 1; bit < call.ranks; bit *= 2) {
    const int partner = rank ^ bit;
    if (partner >= call.ranks) continue;
    steps.send_receive(partner, group, partner, inbox);
    if (rank > partner) lower(inbox);
    if (rank > partner || call.commutative) {
      steps.combine(inbox, group);
    } else {
      steps.combine(group, inbox);
      if (upper == Upper::kCopied) {
        steps.copy(inbox, group);
      } else {
        std::swap(group, inbox);
      }
    }
  }
}

void doubling_scan(const Collective& call, int rank, Upper upper, Steps& steps) {
  const Range result = whole(call, Buffer::kOutput);
  if (!call.in_place) steps.copy(whole(call, Buffer::kInput), result);
  steps.copy(result, whole(call, Buffer::kFirst));
  exchange_groups(
      call, rank, upper, [&](const Range& inbox) { steps.combine(inbox, result); }, steps);
}

void doubling_exscan(const Collective& call, int rank, Upper upper, Steps& steps) {
  const Range result = whole(call, Buffer::kOutput);
  steps.copy(whole(call, call.in_place ? Buffer::kOutput : Buffer::kInput), whole(call, Buffer::kFirst));
  bool is_first = true;
  const auto lower = [&](const Range& inbox) {
    if (is_first) {
      steps.copy(inbox, result);
    } else {
      steps.combine(inbox, result);
    }
    is_first = false;
  };
  exchange_groups(call, rank, upper, lower, steps);
}

}  // namespace

void linear_scan(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Range result = whole(call, Buffer::kOutput), inbox = whole(call, Buffer::kFirst);
  if (!call.in_place) steps.copy(whole(call, Buffer::kInput), result);
  if (rank > 0) {
    steps.receive(rank - 1, inbox);
    steps.combine(inbox, result);
  }
  if (rank + 1 < call.ranks) steps.send(rank + 1, result);
}

void recursive_doubling_scan(const Collective& call, const Settings&, int rank, Steps& steps) {
  doubling_scan(call, rank, Upper::kSwapped, steps);
}

void copying_doubling_scan(const Collective& call, const Settings&, int rank, Steps& steps) {
  doubling_scan(call, rank, Upper::kCopied, steps);
}

void linear_exscan(const Collective& call, const Settings&, int rank, Steps& steps) {
  const Range input = whole(call, call.in_place ? Buffer::kOutput : Buffer::kInput);
  const Range result = whole(call, Buffer::kOutput), sum = whole(call, Buffer::kFirst);
  if (rank == 0) return steps.send(1, input);
  if (rank == call.ranks - 1) return steps.receive(rank - 1, result);
  steps.copy(input, sum);
  steps.receive(rank - 1, result);
  steps.combine(result, sum);
  steps.send(rank + 1, sum);
}

void recursive_doubling_exscan(const Collective& call, const Settings&, int rank, Steps& steps) {
  doubling_exscan(call, rank, Upper::kSwapped, steps);
}

void copying_doubling_exscan(const Collective& call, const Settings&, int rank, Steps& steps) {
  doubling_exscan(call, rank, Upper::kCopied, steps);
}

}  // namespace strata::collectives
