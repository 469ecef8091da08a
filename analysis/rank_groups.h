// SPDX-License-Identifier: LGPL-2.1-only
// Groups ranks on a machine by the objects that they share (node, package, ...), and computes what they send within
// groups and between them.
#pragma once

#include <string>
#include <vector>

#include "platforms/placement.h"
#include "platforms/topology.h"
#include "records/matrix/pattern.h"

namespace strata::analysis {

/// The objects of one level that have ranks.
struct RankGroups {
  std::string level;       // "Switch", "Machine" (a node), "Package", ...
  std::vector<int> group;  // by rank; numbered from 0 in the order of the tree
  int groups = 0;
};

/// "node" for "Machine"; other names are unchanged.
std::string level_text(const std::string& level);

/// Groups ranks by the objects of a level: node, numa, package, l3, l2, core, or a name printed by `strata topo`.
/// Throws InputError for `option` if a rank's core is in no object of that level.
RankGroups groups_by(const Topology& topology, const std::vector<Binding>& ranks, const std::string& level,
                     const std::string& option);

/// All levels with more than one group, outermost first. Levels with the same groups as the previous one are left out,
/// and also levels with one rank per group, unless there is no other.
std::vector<RankGroups> all_groups(const Topology& topology, const std::vector<Binding>& ranks);

/// The matrix between groups.
Pattern between_groups(const Pattern& pattern, const std::vector<int>& group, int groups);

/// Bytes within groups (including messages of a rank to itself) and between groups.
struct InsideAndAcross {
  double inside = 0, across = 0;
};
InsideAndAcross inside_and_across(const Pattern& pattern, const std::vector<int>& group);

/// Sorts ranks by the order of their cores in the tree, and on the same core by rank: position[rank] in this order.
std::vector<int> positions_by_place(const std::vector<Binding>& ranks);

/// Reorders values from old ranks to the application's ranks. `process_of`: the inverse of a mapping's new_rank.
template <typename T>
std::vector<T> by_application(const std::vector<T>& by_process, const std::vector<int>& process_of) {
  std::vector<T> result;
  result.reserve(process_of.size());
  for (const int process : process_of) result.push_back(by_process[process]);
  return result;
}

}  // namespace strata::analysis
