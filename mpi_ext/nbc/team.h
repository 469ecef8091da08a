// SPDX-License-Identifier: LGPL-2.1-only
// State of the nonblocking collectives for a communicator: how its ranks are reached, its tags, and the places of its
// processes and their progress threads.
//
// With progress threads, all communicators share the lanes that MPIX_Progress_start has made, and messages are
// distinguished by their tags, which encode the communicator's id and the number of the collective on it. Without
// progress threads, each communicator has its own lane.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

#include "mpi_ext/adapter/transport.h"
#include "mpi_ext/context/context.h"
#include "mpi_ext/nbc/ids.h"
#include "mpi_ext/nbc/session.h"

namespace strata::mpix {

class Process;

class Team {
 public:
  /// Collective over `comm`. Throws ReportedByMpi; Unreported on all members: MPI_ERR_OTHER (the place of one is
  /// unknown, or no id is left), MPI_ERR_COMM (a member is not in the application; members that are progress threads do
  /// not make this call).
  Team(MPI_Comm comm, Process& process);
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  const std::shared_ptr<Session>& session() const { return session_; }
  bool has_thread() const { return session_ != nullptr && session_->used; }
  /// The lane of the application's threads.
  Lane& lane() { return session_ != nullptr ? *session_->lane : *own_lane_; }
  int lane_rank(int rank) const { return lane_ranks_.empty() ? rank : lane_ranks_[rank]; }
  /// A number for each node, by rank; empty if all ranks are on one node.
  const std::vector<int>& node_of_rank() const { return node_of_rank_; }
  /// The largest number of members on a node; and the number of cores that run members' progress threads but no rank,
  /// on the node with the fewest and on all nodes together.
  int most_ranks_on_a_node() const { return most_ranks_on_a_node_; }
  int fewest_communication_cores() const { return fewest_communication_cores_; }
  int communication_cores() const { return communication_cores_; }

  /// The tag of the next collective. Throws Unreported: MPI_ERR_OTHER, with a line on stderr, if too many are in
  /// flight.
  int next_tag();
  /// Releases the tag of a collective that is complete.
  void release(int tag);

  /// The user's communicator; MPI_COMM_NULL once it is freed.
  MPI_Comm comm;

 private:
  void agree_on_id(MPI_Comm context, int obstacle);
  Ids::Turn common_turn(MPI_Comm context);
  void find_nodes(MPI_Comm context, std::uint64_t node_key);

  std::shared_ptr<Session> session_;
  OwnComm own_comm_;
  std::optional<Lane> own_lane_;
  std::vector<int> lane_ranks_;
  int rank_, size_;
  OwnId id_;
  int first_tag_ = 0;
  std::mutex mutex_;             // of the two below: one thread may start a collective while another completes one
  std::vector<bool> in_flight_;  // by tag - first_tag_
  int next_ = 0;
  std::vector<int> node_of_rank_;
  int most_ranks_on_a_node_ = 1, fewest_communication_cores_ = 0, communication_cores_ = 0;
};

/// The team of `comm`. Collective at the first call on it after progress threads were started or stopped, local later.
/// Throws as Team.
std::shared_ptr<Team> team_of(MPI_Comm comm);

}  // namespace strata::mpix
