// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/level_reading.h"

#include <algorithm>
#include <map>

namespace strata::check {
namespace {

using mpix::LevelTree;

// On each level, the participants form groups of `arity` neighbours, and all give to the first of their group, until
// one participant is left. Returns the next level.
int play(std::vector<int> participants, int arity, int level, std::vector<LevelTree>& all) {
  for (; participants.size() > 1; ++level) {
    std::vector<int> left;
    for (size_t i = 0; i < participants.size(); ++i) {
      const int rank = participants[i];
      if (i % arity == 0) {
        left.push_back(rank);
        continue;
      }
      all[rank].parent = left.back();
      all[rank].parent_level = level;
      all[left.back()].children.push_back({level, rank, all[rank].subtree});
      all[left.back()].subtree += all[rank].subtree;
    }
    participants = left;
  }
  return level;
}

std::vector<int> from_root(std::vector<int> ranks, int root) {
  std::rotate(ranks.begin(), std::find(ranks.begin(), ranks.end(), root), ranks.end());
  return ranks;
}

}  // namespace

std::vector<LevelTree> play_levels(int ranks, int root, int arity) {
  return play_levels_over_nodes(std::vector<int>(ranks, 0), root, arity);
}

std::vector<LevelTree> play_levels_over_nodes(std::span<const int> node_of_rank, int root, int arity) {
  std::vector<LevelTree> all(node_of_rank.size());
  std::map<int, std::vector<int>> nodes;
  std::vector<int> names = {node_of_rank[root]};  // in the order of the upper tree
  for (int rank = 0; rank < std::ssize(node_of_rank); ++rank) {
    nodes[node_of_rank[rank]].push_back(rank);
    if (std::ranges::find(names, node_of_rank[rank]) == names.end()) names.push_back(node_of_rank[rank]);
  }
  int above = 1;
  std::vector<int> roots;
  for (const int name : names) {
    const auto& ranks = nodes[name];
    roots.push_back(name == names.front() ? root : ranks.front());
    above = std::max(above, play(from_root(ranks, roots.back()), arity, 1, all));
  }
  const int height = play(roots, arity, above, all) - 1;
  for (auto& tree : all) tree.height = height;
  return all;
}

bool same_tree(const LevelTree& a, const LevelTree& b) {
  const auto same_child = [](const LevelTree::Child& c, const LevelTree::Child& d) {
    return c.level == d.level && c.rank == d.rank && c.subtree == d.subtree;
  };
  return a.height == b.height && a.parent == b.parent && a.parent_level == b.parent_level && a.subtree == b.subtree &&
         std::ranges::equal(a.children, b.children, same_child);
}

}  // namespace strata::check
