// SPDX-License-Identifier: LGPL-2.1-only
// The cost of the split tree's levels on the cores where its threads really are: the model (split_tree.h) shares each
// level evenly among the communication cores, a placement need not. The tree is stated again here, message by message.
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

/// All messages of one way, by level from the leaves. t.nodes must be 1; t.direction is not looked at. O(n log n).
/// Throws std::invalid_argument.
std::vector<TreeMessage> tree_messages(const SplitTree& t, int root, Direction way);

/// One level one way, in the order in which a collective goes through them. Loads are in messages or, where these grow
/// with the subtree, in blocks: those that there are, also of a subtree that the number of ranks cuts off.
struct LevelLoad {
  int level = 0;  // from the leaves, from 1
  Direction way = Direction::kAllToOne;
  long messages = 0;
  int core = 0;          // the busiest; of equals the one of the lowest rank that receives
  double load = 0;       // of it, its ranks' copies of their own blocks included
  double own = 0;        // of these, the copies of own blocks
  double even_load = 0;  // what the model counts: level_times
};

/// The core with the most work on each level: `core_of_rank[r]` is any number that names the core on which what rank r
/// receives is copied. `root` is where the tree begins; t.nodes must be 1, t.cores is those of the ranks and of their
/// threads. A rank that gathers or scatters for others copies its own block too, on level 1, which Eq. 8 does not
/// count. O(n log n). Throws std::invalid_argument.
std::vector<LevelLoad> level_loads(const SplitTree& t, int root, std::span<const int> core_of_rank);

/// The split tree as it is placed.
struct Folded {
  std::vector<LevelLoad> application;    // the S lowest levels (each way), each rank on a core of its own
  std::vector<LevelLoad> communication;  // the others, on the threads' cores

  double application_time() const;    // in messages or blocks
  double communication_time() const;  // one level after another, as in Eq. 6
};

/// `core_of_thread[r]` is the core of rank r's progress thread, none of which runs a rank. With ranks = cores all
/// levels are the application's.
Folded folded(const SplitTree& t, int steps, int root, std::span<const int> core_of_thread);

/// Eq. 7 with these times.
double overlapped_time(const Folded& f, double computation);

/// The split tree carried out on its cores, as it is placed: whoever has what it needs goes on, whether or not others
/// have done their part of a level, and what is at the same time on a core shares it evenly. Exact where messages cost
/// nothing but copies; the levels' sum may be more where the busiest core is another one on each level (a broadcast to
/// 62 ranks by two cores: 32 by Eq. 6, 31 carried out).
struct PlacedTree {
  SplitTree tree;
  int root = 0;
  std::vector<int> core_of_rank;    // any numbers
  std::vector<int> core_of_thread;  // by rank; may be those of ranks: then the computation shares them too
};

/// When the last rank has done its computation and its part of the collective; all begin at 0. Of an all-to-one
/// collective the S lowest levels are before the computation, of a one-to-all after it (Section 6.3). In messages or
/// blocks. O(n^2). Throws std::invalid_argument.
double placed_time(const PlacedTree& placed, int steps, double computation);

/// The level on which the busiest core is furthest above the even share, own blocks aside; null where none is.
const LevelLoad* most_uneven(const std::vector<LevelLoad>& levels);

}  // namespace strata::models
