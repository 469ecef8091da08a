// SPDX-License-Identifier: LGPL-2.1-only
// A nonblocking collective as libnbc runs it: in rounds. The messages of a round are started together. The next round
// begins when all of them are complete and the rank is in MPI, also if it waits there for something else. For example,
// rank 1 of an MPI_Ibcast along a binomial tree of 8 ranks:
//
//   round 0    receive from 0
//   round 1    send to 3, send to 5
//
// Source: NBC_Start_round and NBC_Progress, ompi/mca/coll/libnbc/nbc.c, Open MPI 4.1.4; the same in 5.0.7.
#pragma once

#include <vector>

#include "collectives/schedules/steps.h"

namespace strata::collectives {

class Rounds {
 public:
  void send(int to, const Range& data) { rounds_.back().start_send(to, data); }
  void receive(int from, const Range& into) { rounds_.back().start_receive(from, into); }
  void copy(const Range& from, const Range& to) { rounds_.back().copy(from, to); }
  void combine(const Range& from, const Range& to) { rounds_.back().combine(from, to); }
  /// The next messages belong to the next round.
  void end_round() { rounds_.emplace_back(); }

  /// The same with ranges `moved(range)`, between the ranks `rank_of(peer)`.
  template <class Moved, class RankOf>
  Rounds placed(const Moved& moved, const RankOf& rank_of) const {
    Rounds result;
    result.rounds_.clear();
    for (const Steps& round : rounds_) result.rounds_.emplace_back().append(round, moved, rank_of);
    return result;
  }

  /// By round: what it starts and computes. No round waits for its own messages.
  const std::vector<Steps>& list() const { return rounds_; }

 private:
  std::vector<Steps> rounds_ = std::vector<Steps>(1);
};

}  // namespace strata::collectives
