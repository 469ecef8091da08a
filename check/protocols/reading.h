// SPDX-License-Identifier: LGPL-2.1-only
// A second implementation of the hierarchy's definition, for a few ranks: directly from RR-9077, Section 3.2, using
// only parents in the tree and a loop over all vertices. The library's own is mpi_ext/hierarchy/split.h.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "check/protocols/expect.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/placement_file.h"

namespace strata::check::protocols {

/// The machine and the placement of its ranks. Read only once, because under SMPI all ranks are in one process.
inline const PlacementFile& world() {
  static const auto& file = *new PlacementFile(read_placement_file(std::getenv(words::kPlacement)));
  return file;
}

/// Whether `v` is `below` or one of its ancestors.
inline bool covers(int v, int below) {
  while (below > v) below = world().topology->parent(below);
  return below == v;
}

/// The deepest vertex that covers the bindings of these ranks of MPI_COMM_WORLD.
inline int cover_of(const std::vector<int>& ranks) {
  int deepest = 0;
  for (int v = 0; v < world().topology->num_vertices(); ++v) {
    const bool all = std::all_of(ranks.begin(), ranks.end(), [&](int r) { return covers(v, world().vertex[r]); });
    if (all && world().topology->depth(v) > world().topology->depth(deepest)) deepest = v;
  }
  return deepest;
}

/// A rank's arguments of a split: whether it takes part, and its key.
struct Wish {
  bool takes_part = true;
  int key = 0;
};

/// The result of one split on one rank.
struct Level {
  std::vector<int> members = {};  // in the communicator's order; empty for MPI_COMM_NULL
  std::vector<int> roots = {};    // rank 0 of the communicator and of its siblings, in the parent's order
  int num_comms = 0, index = 0;
  std::string name = {};
};

/// Splits the communicator with members `parent`, and returns the result on `rank`. There is a communicator for each
/// child of the deepest vertex that covers all members. It contains the members whose bindings are below that child.
/// `wishes` are by rank of MPI_COMM_WORLD.
inline Level read_split(const std::vector<int>& parent, int rank, const std::vector<Wish>& wishes) {
  Level level;
  for (int child : world().topology->children(cover_of(parent))) {
    std::vector<int> members;
    for (int r : parent) {
      if (wishes[r].takes_part && covers(child, world().vertex[r])) members.push_back(r);
    }
    if (members.empty()) continue;
    std::stable_sort(members.begin(), members.end(), [&](int a, int b) { return wishes[a].key < wishes[b].key; });
    if (std::find(members.begin(), members.end(), rank) != members.end()) {
      level.members = members;
      level.index = level.num_comms;
      level.name = world().topology->name(cover_of(members));
    }
    level.roots.push_back(members.front());
    ++level.num_comms;
  }
  const auto position = [&](int r) { return std::find(parent.begin(), parent.end(), r); };
  std::sort(level.roots.begin(), level.roots.end(), [&](int a, int b) { return position(a) < position(b); });
  return level;
}

}  // namespace strata::check::protocols
