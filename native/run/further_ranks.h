// SPDX-License-Identifier: LGPL-2.1-only
// The places of ranks that a run's ranks start (MPI_Comm_spawn): the next free ones of the run's mapping, or those on
// the nodes that the info key "host" names. For example with room on node0, node1, node0:
//
//   further.admit({.parent = 0, .programs = {{.words = {"./worker"}, .count = 2}}}, job)   ranks on node0 and node1
//
// Ranks that have ended make room for others.
//
// They get the next slots of the board, and run from then on: time stands still until they have come as far as
// MPI_Init.
#pragma once

#include <string>
#include <vector>

#include "native/board/board.h"
#include "native/launch/places.h"
#include "native/launch/spawn_order.h"
#include "platforms/machine.h"
#include "platforms/placement.h"

namespace strata::native {

class FurtherRanks {
 public:
  /// `room`: the places. `cannot`: why ranks cannot be started in this run; empty:
  /// they can. `board` and `nodes` must outlive this.
  FurtherRanks(Board& board, const Machine& machine, const std::vector<NodePlace>& nodes, std::vector<Binding> room,
               std::string cannot);

  /// See JobRequest::admit. Called in the launcher's thread while the rank that asks is running, so that the
  /// coordinator does not look at slots.
  Admission admit(const SpawnOrder& order, const std::string& job);

  /// Those that have been started, in the order of ranks. Only when no rank runs any more.
  const std::vector<Binding>& started() const { return started_; }

 private:
  void take_back();
  int next_on(const std::vector<std::string>& hosts) const;

  Board& board_;
  const std::vector<NodePlace>& nodes_;
  std::vector<Binding> room_;
  std::vector<int> cores_;  // of room_: indexes into Topology::cores()
  std::vector<bool> taken_;
  int first_ = 0;              // of the ranks that have been started
  std::vector<int> place_of_;  // of them: in room_; -1: it has ended
  std::string cannot_;
  std::vector<Binding> started_;
};

}  // namespace strata::native
