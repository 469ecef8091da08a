// SPDX-License-Identifier: LGPL-2.1-only
// Facts that the members of a communicator need about each other before they split it, and the cost of learning them.
//
// *Agreement*: one MPI_Allreduce of a few integers finds what all members ask for and whether any member has an error,
// so that all return the same error and no member is left waiting. *Places*: where all members read the same placement
// file each knows every place already, and no message is sent; elsewhere an MPI_Allgather of 48 bytes a process
// follows, as it does where members ask for keys that reorder them or for MPI_UNDEFINED.
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

/// Values that the members compare, and the error that they share: one MPI_Allreduce.
class Agreement {
 public:
  /// Makes `error` the result of all members. If they differ, the greatest class counts.
  void fail(int error);
  /// Adds a value that members must give alike, those that give one. Returns its number, the same on all members.
  size_t add(std::optional<std::int64_t> value);
  /// Collective. Throws ReportedByMpi.
  void reach(MPI_Comm comm);

  int error() const { return error_; }
  /// Whether any member gave a value.
  bool given(size_t i) const { return greatest_[2 * i] != kNothing; }
  /// Whether all members that gave a value gave the same. True if none did.
  bool same(size_t i) const { return !given(i) || greatest_[2 * i] == ~greatest_[2 * i + 1]; }
  /// The greatest value, where given.
  std::int64_t value(size_t i) const { return greatest_[2 * i]; }

 private:
  static constexpr std::int64_t kNothing = INT64_MIN;
  int error_ = MPI_SUCCESS;
  std::vector<std::int64_t> greatest_;  // of each value, and of its complement
};

/// An agreement that is also about the members' places.
class PlacedAgreement : public Agreement {
 public:
  /// Local. Says on stderr why the caller's place is not known, where it is not.
  PlacedAgreement();
  /// Whether the caller knows its place.
  bool placed() const { return mine_.has_value(); }
  /// Whether every member does.
  bool all_placed() const { return !given(unplaced_); }
  /// Whether all have read the same placement file, so that each knows every place.
  bool everywhere() const { return same(world_) && value(world_) != 0; }
  /// The caller's place. To be asked for only where placed().
  const Where& mine() const { return *mine_; }

 private:
  std::optional<Where> mine_;
  size_t unplaced_, world_;
};

/// The value to compare instead of a text.
std::int64_t digest(const std::string& text);

/// The tree that the members of a communicator share, and where each is on it: the machine, where all know it. Else a
/// switch with a vertex for each node in the order of their first members, which in the place of the caller's node has
/// what the caller knows of its inside.
struct CommonTree {
  std::shared_ptr<const Topology> topology;  // the caller's
  std::vector<int> own_parents;              // where the tree is not the topology's
  int node_vertex = -1;                      // there, of the caller's node
  int machine_vertex = -1;                   // the same in the topology
  bool inside_known = false;                 // what is below them is the same
  std::vector<int> vertices;                 // by member
  bool whole = true;                         // every member knows the same tree

  std::span<const int> parents() const {
    return own_parents.empty() ? topology->parents() : std::span<const int>(own_parents);
  }
  /// The name of a vertex; "Machine" for one of another node, of which nothing else is known.
  const std::string& name(int v) const;
};

/// The tree of members of which only their places are known; `mine` is the caller's. Pure.
CommonTree join(const Where& mine, std::span<const Place> places);

/// Data that a member sends to the others.
struct Entry {
  Place place;
  std::int64_t instance = -1;         // of the resource type that is asked for: a vertex of its topology, -1 for none
  std::int64_t instance_is_node = 0;  // 1: it is the node itself, even if its inside is known
  Wish wish;
};

/// Everybody's entry, by rank. Collective: one MPI_Allgather. Throws ReportedByMpi.
std::vector<Entry> exchange(MPI_Comm comm, const Entry& mine);

/// The ranks in MPI_COMM_WORLD of `ranks` of `comm`, or of all its ranks; MPI_UNDEFINED for who is in another world.
/// Local. Throws ReportedByMpi.
std::vector<int> world_ranks_of(MPI_Comm comm, const std::vector<int>& ranks);
std::vector<int> world_ranks_of(MPI_Comm comm);

}  // namespace strata::mpix
