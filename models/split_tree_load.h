// SPDX-License-Identifier: LGPL-2.1-only
// The cost of the split tree's levels on the actual cores of its threads: the model (split_tree.h) distributes each
// level evenly over the communication cores, but a placement may not. The tree is built independently here, message by
// message.
#pragma once

#include <span>
#include <vector>

#include "models/split_tree.h"

namespace strata::models {

/// One message of the tree.
struct TreeMessage {
  int level;  // from the leaves, from 1
  int from, to;
  double amount;  // 1, or the blocks of a subtree
};

/// All messages in one direction, by level from the leaves. t.nodes must be 1; t.direction is ignored. O(n log n).
/// Throws std::invalid_argument.
std::vector<TreeMessage> tree_messages(const SplitTree& t, int root, Direction way);

/// One level in one direction, in the order in which a collective goes through them. Loads are in messages or, if these
/// grow with the subtree, in blocks; only existing ones count if the number of ranks cuts a subtree off.
struct LevelLoad {
  int level = 0;  // from the leaves, from 1
  Direction way = Direction::kAllToOne;
  long messages = 0;
  int core = 0;          // the busiest; ties go to that of the lowest receiving rank
  double load = 0;       // its load, including its ranks' copies of their own blocks
  double own = 0;        // the copies of own blocks within it
  double even_load = 0;  // the load in the model: level_times
};

/// The core with the most work on each level. `core_of_rank[r]` is any number that identifies the core that copies the
/// messages to rank r. `root` is the root of the tree; t.nodes must be 1; t.cores is the number of cores of the ranks
/// and their threads. A rank that gathers or scatters for others copies its own block too, on level 1, which Eq. 8 does
/// not count. O(n log n). Throws std::invalid_argument.
std::vector<LevelLoad> level_loads(const SplitTree& t, int root, std::span<const int> core_of_rank);

/// The split tree with a given placement.
struct Folded {
  std::vector<LevelLoad> application;    // the S lowest levels (in each direction), each rank on its own core
  std::vector<LevelLoad> communication;  // the others, on the threads' cores

  double application_time() const;    // in messages or blocks
  double communication_time() const;  // one level after another, as in Eq. 6
};

/// `core_of_thread[r]` is the core of rank r's progress thread; no rank runs on these cores. If ranks = cores, all
/// levels belong to the application.
Folded folded(const SplitTree& t, int steps, int root, std::span<const int> core_of_thread);

/// Eq. 7 with these times.
double overlapped_time(const Folded& f, double computation);

/// The split tree executed on its cores with a given placement: a rank continues as soon as it has its inputs, even if
/// others have not finished their part of a level, and simultaneous work on a core shares it evenly. Exact if messages
/// cost only copies. The sum over the levels may be larger if the busiest core differs between levels (a broadcast to
/// 62 ranks by two cores: 32 by Eq. 6, 31 executed).
struct PlacedTree {
  SplitTree tree;
  int root = 0;
  std::vector<int> core_of_rank;    // any numbers
  std::vector<int> core_of_thread;  // by rank; may be those of ranks: then the computation shares them too
};

/// When the last rank has finished its computation and its part of the collective; all begin at 0. In an all-to-one
/// collective the S lowest levels precede the computation, in a one-to-all collective they follow it (Section 6.3). In
/// messages or blocks. O(n^2). Throws std::invalid_argument.
double placed_time(const PlacedTree& placed, int steps, double computation);

/// The level on which the busiest core exceeds the even share most, own blocks excluded; null if none does.
const LevelLoad* most_uneven(const std::vector<LevelLoad>& levels);

}  // namespace strata::models
