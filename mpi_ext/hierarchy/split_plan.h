// SPDX-License-Identifier: LGPL-2.1-only
// The result of a split before communicators are made: each rank's new communicator, and the groups.
//
// Under SMPI all ranks of MPI_COMM_WORLD share one address space (unless globals are privatised), and all ranks' plans
// of one split are the same. The plan is computed once and shared, including its groups, while any rank uses it. Memory
// and work are then O(P) over all ranks, except for each rank's list of the members' ranks in MPI_COMM_WORLD, which is
// used to find the shared plan. In a real MPI process, or if no plan can be shared, each process has its own.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mpi_ext/hierarchy/guided.h"
#include "mpi_ext/hierarchy/member_data.h"
#include "mpi_ext/hierarchy/resource.h"
#include "mpi_ext/hierarchy/split.h"

namespace strata::mpix {

/// The members' request, the same on all.
struct Request {
  enum class Kind {
    kTopology,  // down the tree
    kResource,  // by the instances of `resource`
    kTogether,  // all members that take part, in one communicator (mpi://WORLD)
    kAlone,     // each member in its own communicator (mpi://SELF)
    kNobody,    // no communicators
  };
  Kind kind = Kind::kTopology;
  std::optional<LevelHint> hint;         // of kTopology
  std::optional<ResourceType> resource;  // of kResource
  int max_levels = 1;                    // of kTopology
  std::string text;                      // describes the request: equal texts mean equal requests
};

/// Immutable, except for the groups, which are made on demand. Thread-safe.
class Plan {
 public:
  Plan(MPI_Comm comm, CommonTree tree, Hierarchy hierarchy, bool whole);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const Hierarchy& hierarchy() const { return hierarchy_; }
  /// Whether all members know the whole hierarchy; the same on all. Otherwise each knows that of its own node, and of
  /// the first level only the number of communicators and the roots.
  bool whole() const { return whole_; }
  /// all_consecutive of the hierarchy, as far as the caller knows the hierarchy.
  bool consecutive() const { return consecutive_; }
  /// The name of one of the caller's communicators.
  std::string name(const Communicator& c) const { return c.cover < 0 ? "" : tree_.name(c.cover); }

  /// The groups of a communicator (an index into the hierarchy's), of the roots of a family, and of its bridge (its
  /// roots and its stragglers). They belong to the plan. Throw ReportedByMpi.
  MPI_Group comm_group(int comm) const;
  MPI_Group roots_group(int family) const;
  MPI_Group bridge_group(int family) const;

 private:
  MPI_Group group(MPI_Group& kept, const std::vector<int>& ranks) const;

  CommonTree tree_;
  Hierarchy hierarchy_;
  bool whole_, consecutive_;
  MPI_Group all_ = MPI_GROUP_NULL;
  mutable std::mutex mutex_;
  mutable std::vector<MPI_Group> comm_groups_, roots_groups_, bridge_groups_;
};

/// A group of ranks of `all`, in this order. Local. Throws ReportedByMpi. Uses ranges, because SMPI compares all pairs
/// of listed ranks.
MPI_Group group_of(MPI_Group all, const std::vector<int>& ranks);

/// Local if `everywhere` (all members have read the same placement file) and not `with_wishes` (a member's wish is not
/// the default). Otherwise collective over `comm`: one MPI_Allgather of 48 bytes a process, and another of 8 if not all
/// are on one node and the request has a level hint. `mine` is the caller's place. Empty on all members if one is not
/// in MPI_COMM_WORLD, because its place is then unknown. Throws ReportedByMpi.
std::shared_ptr<const Plan> make_plan(MPI_Comm comm, const Request& request, const Where& mine, bool everywhere,
                                      bool with_wishes, const Wish& wish);

/// The plan that cuts `comm` into blocks (split_into_blocks), which have no names. Local. Throws ReportedByMpi.
std::shared_ptr<const Plan> plan_blocks(MPI_Comm comm, const std::vector<int>& groups);

}  // namespace strata::mpix
