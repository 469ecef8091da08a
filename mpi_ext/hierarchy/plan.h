// SPDX-License-Identifier: LGPL-2.1-only
// The result of a split before communicators are made: the new communicator of each rank, and the groups.
//
// Under SMPI all ranks of MPI_COMM_WORLD share one address space (unless globals are privatised), and every rank's plan
// of the same split is the same: it is computed once and shared while any rank uses it, groups included, so that memory
// and work are O(P) over all ranks, except each rank's list of the members' ranks in MPI_COMM_WORLD, which finds the
// shared plan. In a real MPI process, or where nothing is shared, the plan is the process's own.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "mpi_ext/hierarchy/guided.h"
#include "mpi_ext/hierarchy/members.h"
#include "mpi_ext/hierarchy/resource.h"
#include "mpi_ext/hierarchy/split.h"

namespace strata::mpix {

/// The request of the members, the same on all.
struct Request {
  enum class Kind {
    kTopology,  // down the tree
    kResource,  // by the instances of `resource`
    kTogether,  // all who take part in one communicator (mpi://WORLD)
    kAlone,     // each in one of its own (mpi://SELF)
    kNobody,    // nothing
  };
  Kind kind = Kind::kTopology;
  std::optional<LevelHint> hint;         // of kTopology
  std::optional<ResourceType> resource;  // of kResource
  int max_levels = 1;                    // of kTopology
  std::string text;                      // of what is asked for: the same text asks for the same
};

/// Immutable, except the groups, which are made when needed. Thread-safe.
class Plan {
 public:
  Plan(MPI_Comm comm, CommonTree tree, Hierarchy hierarchy, bool whole);
  ~Plan();
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;

  const Hierarchy& hierarchy() const { return hierarchy_; }
  /// Whether all members know all of the hierarchy; the same on all. Else each knows that of its own node, and of the
  /// first level how many and who are the roots.
  bool whole() const { return whole_; }
  /// all_consecutive of the hierarchy, as far as the caller knows it.
  bool consecutive() const { return consecutive_; }
  /// The name of a communicator of the caller's.
  std::string name(const Communicator& c) const { return c.cover < 0 ? "" : tree_.name(c.cover); }

  /// The group of a communicator (an index into the hierarchy's), that of the roots of a family, and that of its
  /// bridge: its roots and its stragglers. They belong to the plan. Throw ReportedByMpi.
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

/// A group of ranks of `all`, in this order. Local. Throws ReportedByMpi. As ranges, because SMPI compares all pairs of
/// listed ranks.
MPI_Group group_of(MPI_Group all, const std::vector<int>& ranks);

/// Collective over `comm` unless `everywhere` (all members read the same placement file) and not `with_wishes` (one is
/// not the default): then local. Otherwise one MPI_Allgather of 48 bytes a process; and one more of 8 where not all are
/// on one node and a level is hinted. `mine` is the caller's place. Nothing where a
/// member is not in MPI_COMM_WORLD and its place thus not known, on all members. Throws ReportedByMpi.
std::shared_ptr<const Plan> make_plan(MPI_Comm comm, const Request& request, const Where& mine, bool everywhere,
                                      bool with_wishes, const Wish& wish);

/// The plan of cutting `comm` into blocks (split_into_blocks), which are not named. Local. Throws ReportedByMpi.
std::shared_ptr<const Plan> plan_blocks(MPI_Comm comm, const std::vector<int>& groups);

}  // namespace strata::mpix
