// SPDX-License-Identifier: LGPL-2.1-only
// A second reading of the hierarchy's definition, for a handful of ranks: straight from RR-9077, Section 3.2, using
// only the parents in the tree and a look at every vertex. The library's own is mpi_ext/hierarchy/split.h.
#pragma once

#include <algorithm>
#include <cstdlib>
#include <string>
#include <vector>

#include "check/protocols/expect.h"
#include "records/exchange/placement_file.h"
#include "records/exchange/words.h"

namespace strata::check::protocols {

/// The machine and the ranks on it. Read once: under SMPI all ranks are in one process.
inline const PlacementFile& world() {
  static const auto& file = *new PlacementFile(read_placement_file(std::getenv(words::kPlacement)));
  return file;
}

/// Whether `v` is `below` or above it.
inline bool covers(int v, int below) {
  while (below > v) below = world().topology->parent(below);
  return below == v;
}

/// The deepest vertex that covers the bindings of ranks of MPI_COMM_WORLD.
inline int cover_of(const std::vector<int>& ranks) {
  int deepest = 0;
  for (int v = 0; v < world().topology->num_vertices(); ++v) {
    const bool all = std::all_of(ranks.begin(), ranks.end(), [&](int r) { return covers(v, world().vertex[r]); });
    if (all && world().topology->depth(v) > world().topology->depth(deepest)) deepest = v;
  }
  return deepest;
}

/// What a rank asks for: whether to be in a communicator, and where in it.
struct Wish {
  bool takes_part = true;
  int key = 0;
};

/// What one split gives to one rank.
struct Level {
  std::vector<int> members = {};  // in the communicator's order; none for MPI_COMM_NULL
  std::vector<int> roots = {};    // rank 0 of it and its siblings, in the order of the parent
  int num_comms = 0, index = 0;
  std::string name = {};
};

/// Of the communicator with these members, by what each of them (by rank of MPI_COMM_WORLD) wishes: a communicator for
/// each child of the deepest vertex that covers all members, of those whose bindings lie in it.
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
