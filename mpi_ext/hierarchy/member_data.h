// SPDX-License-Identifier: LGPL-2.1-only
// Data that the members of a communicator need about each other before they split it, and the cost of getting it.
//
// *Agreement*: one MPI_Allreduce of a few integers checks whether all members request the same and whether any has an
// error, so that all return the same error and no member waits forever. *Places*: if all members have read the same
// placement file, each knows every place, and no message is sent. Otherwise an MPI_Allgather of 48 bytes a process
// follows. It also follows if members pass keys that reorder them or MPI_UNDEFINED.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "mpi_ext/hierarchy/guided.h"
#include "mpi_ext/provider/provider.h"

namespace strata::mpix {

/// Values that the members compare, and their common error: one MPI_Allreduce.
class Agreement {
 public:
  /// Makes `error` the result on all members. If errors differ, the greatest class wins.
  void fail(int error);
  /// Adds a value that must be the same on all members that give one. Returns its index, which is the same on all
  /// members.
  size_t add(std::optional<std::int64_t> value);
  /// Collective. Throws ReportedByMpi.
  void reach(MPI_Comm comm);

  int error() const { return error_; }
  /// Whether any member gave a value.
  bool given(size_t i) const { return greatest_[2 * i] != kNothing; }
  /// Whether all members that gave a value gave the same one; true if no member did.
  bool same(size_t i) const { return !given(i) || greatest_[2 * i] == ~greatest_[2 * i + 1]; }
  /// The greatest value; requires given(i).
  std::int64_t value(size_t i) const { return greatest_[2 * i]; }

 private:
  static constexpr std::int64_t kNothing = INT64_MIN;
  int error_ = MPI_SUCCESS;
  std::vector<std::int64_t> greatest_;  // of each value, and of its complement
};

/// An agreement that includes the members' places.
class PlacedAgreement : public Agreement {
 public:
  /// Local. If the caller's place is unknown, prints the reason on stderr.
  PlacedAgreement();
  /// Whether the caller knows its place.
  bool placed() const { return mine_.has_value(); }
  /// Whether every member knows its place.
  bool all_placed() const { return !given(unplaced_); }
  /// Whether all members have read the same placement file, so that each knows every place.
  bool everywhere() const { return same(world_) && value(world_) != 0; }
  /// The caller's place. Requires placed().
  const Where& mine() const { return *mine_; }

 private:
  std::optional<Where> mine_;
  size_t unplaced_, world_;
};

/// A number to compare instead of a text.
std::int64_t digest(const std::string& text);

/// The tree that the members of a communicator share, and each member's place in it. If all members know the machine,
/// it is the machine. Otherwise it is a switch with a vertex for each node in the order of their first members; the
/// caller's own node also has the inside that the caller knows.
struct CommonTree {
  std::shared_ptr<const Topology> topology;  // the caller's
  std::vector<int> own_parents;              // if the tree is not the topology's
  int node_vertex = -1;                      // of the caller's node, in own_parents
  int machine_vertex = -1;                   // of the caller's node, in the topology
  bool inside_known = false;                 // the trees below these two vertices are the same
  std::vector<int> vertices;                 // by member
  bool whole = true;                         // every member knows the same tree

  std::span<const int> parents() const {
    return own_parents.empty() ? topology->parents() : std::span<const int>(own_parents);
  }
  /// The name of a vertex; "Machine" for that of another node, whose inside is unknown.
  const std::string& name(int v) const;
};

/// The tree of members of which only the places are known; `mine` is the caller's. Pure.
CommonTree join(const Where& mine, std::span<const Place> places);

/// Data that a member sends to the others.
struct Entry {
  Place place;
  std::int64_t instance = -1;         // of the requested resource type: a vertex of its topology, -1 for none
  std::int64_t instance_is_node = 0;  // 1: the instance is the node itself, even if the inside of the node is known
  Wish wish;
};

/// The entries of all ranks. Collective: one MPI_Allgather. Throws ReportedByMpi.
std::vector<Entry> exchange(MPI_Comm comm, const Entry& mine);

/// The ranks in MPI_COMM_WORLD of `ranks` of `comm`, or of all its ranks; MPI_UNDEFINED for a process that is in
/// another world. Local. Throws ReportedByMpi.
std::vector<int> world_ranks_of(MPI_Comm comm, const std::vector<int>& ranks);
std::vector<int> world_ranks_of(MPI_Comm comm);

}  // namespace strata::mpix
