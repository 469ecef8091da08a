// SPDX-License-Identifier: LGPL-2.1-only
// Ranks on a machine by the objects they are on: which share a node, a package, ..., and what they send each other
// there and across.
#pragma once

#include <string>
#include <vector>

#include "mpi_ext/reorder/mapping.h"
#include "mpi_ext/reorder/place_tree.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "platforms/topology.h"
#include "records/matrix/pattern.h"

namespace strata::command {

/// The objects of one level that hold ranks.
struct RankGroups {
  std::string level;       // "Switch", "Machine" (a node), "Package", ...
  std::vector<int> group;  // by rank; numbered from 0 in the order of the tree
  int groups = 0;
};

/// "node" for "Machine", other names unchanged.
std::string level_text(const std::string& level);

/// By the objects of a level: node, numa, package, l3, l2, core, or as `strata topo` calls one. Throws InputError that
/// blames `option` where a rank's core lies in no object of that level.
RankGroups groups_by(const Topology& topology, const std::vector<Binding>& ranks, const std::string& level,
                     const std::string& option);

/// Every level that has more than one group, outermost first, without those that divide the ranks as the one before
/// them does, and those on which all are alone, unless there is no other.
std::vector<RankGroups> all_groups(const Topology& topology, const std::vector<Binding>& ranks);

/// A matrix between the groups.
Pattern between_groups(const Pattern& pattern, const std::vector<int>& group, int groups);

/// Bytes within groups, to oneself included, and across.
struct InsideAndAcross {
  double inside = 0, across = 0;
};
InsideAndAcross inside_and_across(const Pattern& pattern, const std::vector<int>& group);

/// Ranks in the order of their cores in the tree; of one core by rank. position[rank] is a place in this order.
std::vector<int> positions_by_place(const std::vector<Binding>& ranks);

/// Values by old rank, as the application's ranks have them: `process_of` is the inverse of a mapping's new_rank.
template <typename T>
std::vector<T> by_application(const std::vector<T>& by_process, const std::vector<int>& process_of) {
  std::vector<T> result;
  result.reserve(process_of.size());
  for (const int process : process_of) result.push_back(by_process[process]);
  return result;
}

/// By the application's rank, the process that takes it over.
std::vector<int> processes_by_mapping(const Machine& machine, const std::vector<Binding>& ranks, const Pattern& pattern,
                                      mpix::MapMethod method);

/// The places of the ranks' cores, for mappings.
mpix::PlaceTree place_tree_of(const Topology& topology, const std::vector<Binding>& ranks);

}  // namespace strata::command
