// SPDX-License-Identifier: LGPL-2.1-only
// The result that a collective must have: fills the inputs of all ranks on values (on_values.h), and compares their
// outputs. For example, an allreduce of 3 ranks gives {0, 1, 2} in each element of each output.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#include "collectives/schedules/collective.h"
#include "tests/collectives/schedules/on_values.h"

namespace strata::collectives {

/// The elements that a rank puts in and gets out, as the MPI standard says (MPI 4.0, chapter 6).
class Checked {
 public:
  explicit Checked(const Collective& call) : call_(call), p_(call.ranks), m_(call.count) {}

  std::int64_t elements() const {
    return std::max<std::int64_t>({4, p_ * m_, std::accumulate(call_.counts.begin(), call_.counts.end(), 0L)});
  }

  void put(OnValues& machine) const {
    for (int r = 0; r < p_; ++r) {
      const Operation o = call_.operation;
      if (o == Operation::kBcast) {
        if (r == call_.root) fill(machine, r, Buffer::kOutput, 0, m_, 0);
        continue;
      }
      if (o == Operation::kBarrier || (o == Operation::kScatter && r != call_.root)) continue;
      const bool everywhere = o != Operation::kReduce && o != Operation::kGather && o != Operation::kScatter;
      const bool in_output = call_.in_place && (everywhere || r == call_.root) && o != Operation::kScatter;
      std::int64_t place = 0;
      if (in_output && (o == Operation::kGather || o == Operation::kAllgather)) place = r * m_;
      if (in_output && o == Operation::kAllgatherv) place = before(r);
      if (in_output) machine.put_in_place(r, place);
      fill(machine, r, in_output ? Buffer::kOutput : Buffer::kInput, place, put_by(r), 0);
    }
  }

  void expect(OnValues& machine) const {
    for (int r = 0; r < p_; ++r) {
      switch (call_.operation) {
        case Operation::kBcast:
          check(machine, r, 0, m_, 0, {call_.root});
          break;
        case Operation::kReduce:
          if (r == call_.root) check(machine, r, 0, m_, 0, up_to(p_));
          break;
        case Operation::kAllreduce:
          check(machine, r, 0, m_, 0, up_to(p_));
          break;
        case Operation::kGather:
          if (r != call_.root) break;
          [[fallthrough]];
        case Operation::kAllgather:
          for (int from = 0; from < p_; ++from) check(machine, r, from * m_, m_, 0, {from});
          break;
        case Operation::kAllgatherv:
          for (int from = 0; from < p_; ++from) {
            check(machine, r, before(from), call_.counts[from], 0, {from});
          }
          break;
        case Operation::kScatter:
          if (!(call_.in_place && r == call_.root)) check(machine, r, 0, m_, r * m_, {call_.root});
          break;
        case Operation::kAlltoall:
          for (int from = 0; from < p_; ++from) check(machine, r, from * m_, m_, r * m_, {from});
          break;
        case Operation::kAlltoallv: {
          std::int64_t place = 0;
          for (int from = 0; from < p_; ++from) {
            const std::int64_t* row = &call_.counts[from * p_];
            check(machine, r, place, row[r], std::accumulate(row, row + r, 0L), {from});
            place += row[r];
          }
          break;
        }
        case Operation::kReduceScatter:
          check(machine, r, 0, call_.counts[r], before(r), up_to(p_));
          break;
        case Operation::kReduceScatterBlock:
          check(machine, r, 0, m_, r * m_, up_to(p_));
          break;
        case Operation::kScan:
          check(machine, r, 0, m_, 0, up_to(r + 1));
          break;
        case Operation::kExscan:
          if (r > 0) check(machine, r, 0, m_, 0, up_to(r));
          break;
        default:
          break;
      }
    }
  }

 private:
  static std::vector<int> up_to(int end) {
    std::vector<int> ranks(end);
    std::iota(ranks.begin(), ranks.end(), 0);
    return ranks;
  }
  // The elements of the ranks before this one.
  std::int64_t before(int rank) const { return std::accumulate(call_.counts.begin(), call_.counts.begin() + rank, 0L); }
  std::int64_t put_by(int rank) const {
    switch (call_.operation) {
      case Operation::kAllgatherv:
        return call_.counts[rank];
      case Operation::kScatter:
      case Operation::kAlltoall:
      case Operation::kReduceScatterBlock:
        return p_ * m_;
      case Operation::kReduceScatter:
        return std::accumulate(call_.counts.begin(), call_.counts.end(), 0L);
      case Operation::kAlltoallv:
        return std::accumulate(&call_.counts[rank * p_], &call_.counts[rank * p_] + p_, 0L);
      default:
        return m_;
    }
  }
  static void fill(OnValues& machine, int rank, Buffer in, std::int64_t first, std::int64_t count, std::int64_t index) {
    for (std::int64_t i = 0; i < count; ++i) machine.memory(rank, in)[first + i] = {index + i, {rank}};
  }
  void check(OnValues& machine, int rank, std::int64_t first, std::int64_t count, std::int64_t index,
             const std::vector<int>& ranks) const {
    for (std::int64_t i = 0; i < count; ++i) {
      Value got = machine.memory(rank, Buffer::kOutput)[first + i];
      if (call_.commutative) std::sort(got.ranks.begin(), got.ranks.end());
      ASSERT_EQ(got.index, index + i) << "rank " << rank << ", element " << first + i;
      ASSERT_EQ(got.ranks, ranks) << "rank " << rank << ", element " << first + i;
    }
  }

  const Collective& call_;
  std::int64_t p_, m_;
};

inline bool has_in_place(Operation o) { return o != Operation::kBcast && o != Operation::kBarrier; }

/// MPI_Alltoallv in place: both ranks of a pair have as many elements for each other.
inline void make_symmetric(Collective& call) {
  if (call.operation != Operation::kAlltoallv) return;
  for (int r = 0; r < call.ranks; ++r) {
    for (int s = 0; s < r; ++s) call.counts[r * call.ranks + s] = call.counts[s * call.ranks + r];
  }
}

/// Runs `append(rank, steps)` of all ranks.
template <class Append>
void expect_right(const Collective& call, const Append& append) {
  std::vector<std::vector<Step>> schedule;
  for (int r = 0; r < call.ranks; ++r) {
    Steps steps;
    append(r, steps);
    schedule.push_back(steps.list());
  }
  const Checked checked(call);
  OnValues machine(call.ranks, checked.elements());
  checked.put(machine);
  ASSERT_EQ(machine.run(schedule), "");
  checked.expect(machine);
}

}  // namespace strata::collectives
