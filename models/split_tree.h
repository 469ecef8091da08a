// SPDX-License-Identifier: LGPL-2.1-only
// The model of the split-tree algorithm (IJHPCA'19, Section 6.2): closed forms, in units of one message of the
// collective's buffer. See split_tree.cc for the two errata of the paper's text.
//
// p is the number of cores (N_proc in the paper), n the number of ranks (N), S the number of the tree's lowest levels
// that application cores do. p - n cores communicate, P(N) in the paper. A message is a copy by the core of its
// receiver. Beyond the paper: m-nomial trees, a tree of node's leaders above those of k equal nodes, an allreduce.
//
// All functions are pure and thread-safe, and throw std::invalid_argument where a SplitTree says what cannot be: p or k
// below 1, n not from 1 to p, m below 2, a combination that is not
// from 0 to 1 and to `network`, several nodes with doubling messages.
#pragma once

#include <functional>
#include <vector>

namespace strata::models {

/// Whose messages are the same on all levels, and whose grow with the subtree: of level i m^(i-1) blocks, doubling in
/// the paper's binomial tree (Eq. 8 and 9).
enum class Weight { kConstant, kDoubling };

/// Which way messages go. On a level of an m-nomial tree an all-to-one collective's ranks receive up to m - 1 messages
/// each, a one-to-all's at most one.
enum class Direction {
  kAllToOne,      // reduce, gather
  kOneToAll,      // bcast, scatter
  kThereAndBack,  // allreduce: a reduce, then a bcast; S counts levels of each
};

struct SplitTree {
  int cores = 0;  // p, of each node
  int ranks = 0;  // n, of each node, 1 to p
  int arity = 2;  // m of the m-nomial tree
  Weight weight = Weight::kConstant;
  Direction direction = Direction::kAllToOne;
  int nodes = 1;       // k; the first ranks of the nodes form a tree above the nodes' own
  double network = 1;  // what a message between nodes takes, in messages within one
  double combine = 0;  // of kThereAndBack: the part of a message there that is its combination, which none back has
};

/// H(N) = ceil(log_m N).
int height(int ranks, int arity = 2);

/// F(N, i), Eq. 5 corrected: the messages on level i (from 1) of the tree. O(i).
long messages_on_level(int ranks, int level, int arity = 2);

/// How long one level takes on either kind of cores, in messages (in blocks, where they double).
struct LevelTimes {
  double application = 0;    // all ranks' cores at once: as many messages as one rank receives
  double communication = 0;  // the p - n cores, evenly loaded; where there is none, as `application`
};

/// By level, from the leaves; the levels between nodes last. As many as `steps` can count.
std::vector<LevelTimes> level_times(const SplitTree& t);

/// The collective's times, in units of one message (of one block where messages double). More steps
/// than there are levels are all of them. Each O(log n).
double blocking_time(const SplitTree& t);                // Eq. 3
double nonblocking_time(const SplitTree& t, int steps);  // Eq. 6, 8; with no core left, the blocking time
/// Eq. 4 corrected: each rank's, if the computation on all cores is as long as the blocking collective on all.
double balanced_computation(const SplitTree& t);
/// Eq. 7, 9; `computation` on each rank, in the same units.
double overlapped_time(const SplitTree& t, int steps, double computation);
/// The parts of nonblocking_time: what communication cores do, what cannot be overlapped.
double on_communication_cores(const SplitTree& t, int steps);
double on_application_cores(const SplitTree& t, int steps);

/// The S with the least overlapped time, the smallest of equals. O(log^2 n).
int best_steps(const SplitTree& t, double computation);

/// How long a rank computes when n ranks (of a node) share the work, in units of one message.
using Computation = std::function<double(int ranks)>;

struct Choice {
  int ranks = 0;
  int steps = 0;
  double time = 0;  // overlapped, and the rest where there is one
};

/// For each n from `least_ranks` to cores the best S, and the time; t.ranks is not looked at. `rest` is computation
/// with no communication beside it, which has no more cores than the other (no function: none). O(cores log^2 cores).
std::vector<Choice> choices(SplitTree t, const Computation& computation, const Computation& rest = {},
                            int least_ranks = 1);

/// The least time of choices(); of equals the one with the most ranks, then the smallest S.
Choice best_choice(const SplitTree& t, const Computation& computation, const Computation& rest = {},
                   int least_ranks = 1);

/// Eq. 1: the position in its NUMA node, of N cores with n ranks evenly spread, of the core on which the progress
/// thread of the rank on core M runs. M from 0 to N - 1; M itself where all cores have ranks.
int numa_core(int cores, int ranks, int core);

/// Eq. 2: the core of the progress thread of rank r, of n on p cores, n < p. Throws std::invalid_argument where p - n
/// does not divide p, for which the paper has no form.
int odd_even_core(int cores, int ranks, int rank);

}  // namespace strata::models
