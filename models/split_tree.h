// SPDX-License-Identifier: LGPL-2.1-only
// The model of the split-tree algorithm (IJHPCA'19, Section 6.2): closed forms, in units of one message of the
// collective's buffer. See split_tree.cc for the two errata of the paper's text.
//
// p is the number of cores (N_proc in the paper), n the number of ranks (N), S the number of the tree's lowest levels
// that application cores do. p - n cores communicate, P(N) in the paper. A message is a copy by the core of its
// receiver. Beyond the paper: m-nomial trees, a tree of node's leaders above those of k equal nodes, an allreduce.
// All functions are pure and thread-safe, and throw std::invalid_argument for an impossible SplitTree: p or k below 1,
// n not from 1 to p, m below 2, a combination that is not from 0 to 1 and to `network`, several nodes with doubling
// messages.
#pragma once

#include <functional>
#include <vector>

namespace strata::models {

/// kConstant: messages are equal on all levels. kDoubling: they grow with the subtree, to m^(i-1) blocks on level i,
/// doubling in the paper's binomial tree (Eq. 8 and 9).
enum class Weight { kConstant, kDoubling };

/// The direction of messages. On a level of an m-nomial tree a rank receives up to m - 1 messages in an all-to-one
/// collective, and at most one in a one-to-all collective.
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
  double network = 1;  // cost of an inter-node message, in intra-node messages
  double combine = 0;  // for kThereAndBack: the part of a message up the tree that is its combination; messages down
                       // have none
};

/// H(N) = ceil(log_m N).
int height(int ranks, int arity = 2);

/// F(N, i), Eq. 5 corrected: the messages on level i (from 1) of the tree. O(i).
long messages_on_level(int ranks, int level, int arity = 2);

/// The time of one level on either kind of core, in messages (in blocks, if they double).
struct LevelTimes {
  double application = 0;    // all ranks' cores at once: the number of messages that one rank receives
  double communication = 0;  // the p - n cores, evenly loaded; as `application` if there are no such cores
};

/// By level, from the leaves; the levels between nodes last. The number of levels is the maximum of `steps`.
std::vector<LevelTimes> level_times(const SplitTree& t);

/// The collective's times, in units of one message (of one block if messages double). If steps exceeds the number of
/// levels, it means all levels. Each O(log n).
double blocking_time(const SplitTree& t);                // Eq. 3
double nonblocking_time(const SplitTree& t, int steps);  // Eq. 6, 8; without communication cores, the blocking time
/// Eq. 4 corrected: for each rank, if the computation on all cores is as long as the blocking collective on all.
double balanced_computation(const SplitTree& t);
/// Eq. 7, 9; `computation` of each rank, in the same units.
double overlapped_time(const SplitTree& t, int steps, double computation);
/// The parts of nonblocking_time: on communication cores, and that which cannot be overlapped.
double on_communication_cores(const SplitTree& t, int steps);
double on_application_cores(const SplitTree& t, int steps);

/// The S with the least overlapped time; ties go to the smallest. O(log^2 n).
int best_steps(const SplitTree& t, double computation);

/// The computation time of a rank when n ranks (of a node) share the work, in units of one message.
using Computation = std::function<double(int ranks)>;

struct Choice {
  int ranks = 0;
  int steps = 0;
  double time = 0;  // overlapped, plus the rest if there is one
};

/// For each n from `least_ranks` to cores the best S, and the time; t.ranks is ignored. `rest` is a computation without
/// overlapped communication, on the same number of cores (empty function: none). O(cores log^2 cores).
std::vector<Choice> choices(SplitTree t, const Computation& computation, const Computation& rest = {},
                            int least_ranks = 1);

/// The least time of choices(); ties go to the one with the most ranks, then to the smallest S.
Choice best_choice(const SplitTree& t, const Computation& computation, const Computation& rest = {},
                   int least_ranks = 1);

/// Eq. 1: with n ranks evenly spread over the N cores of a NUMA node, the position of the core that runs the progress
/// thread of the rank on core M. M from 0 to N - 1; M itself if all cores have ranks.
int numa_core(int cores, int ranks, int core);

/// Eq. 2: the core of the progress thread of rank r, with n ranks on p cores, n < p. Throws std::invalid_argument if p
/// - n does not divide p, as the paper has no formula for that.
int odd_even_core(int cores, int ranks, int rank);

}  // namespace strata::models
