// The model of the split-tree algorithm (IJHPCA'19, Section 6.2): closed forms, in units of one message of the
// collective's buffer. See split_tree.cc for the two errata of the paper's text.
//
// p is the number of cores (N_proc in the paper), n the number of ranks (N), S the number of the tree's lowest levels
// that application cores do. p - n cores communicate, P(N) in the paper.
#pragma once

#include <functional>
#include <vector>

namespace strata::models {

/// Whose buffers stay the same on all levels, and whose double on each (Eq. 8 and 9).
enum class Weight { kConstant, kDoubling };

struct SplitTree {
  int cores = 0;  // p
  int ranks = 0;  // n, 1 to p
  int arity = 2;  // m of the m-nomial tree
  Weight weight = Weight::kConstant;
};

/// H(N) = ceil(log_m N).
int height(int ranks, int arity = 2);

/// F(N, i), Eq. 5 corrected: the messages on level i (from 1) of the tree.
long messages_on_level(int ranks, int level, int arity = 2);

/// What each of the collective's times is, in units of one message (of one block where the weight is doubling).
double blocking_time(const SplitTree& t);                // Eq. 3
double nonblocking_time(const SplitTree& t, int steps);  // Eq. 6, 8; with no core left, the blocking time
double balanced_computation(const SplitTree& t);         // Eq. 4 corrected
double overlapped_time(const SplitTree& t, int steps, double computation);  // Eq. 7, 9; `computation` on each rank
/// The part of nonblocking_time that communication cores do.
double on_communication_cores(const SplitTree& t, int steps);
double on_application_cores(const SplitTree& t, int steps);

/// The S with the least overlapped time, the smallest of equals.
int best_steps(const SplitTree& t, double computation);

/// How long a rank computes when n ranks share the work, in units of one message.
using Computation = std::function<double(int ranks)>;

struct Choice {
  int ranks = 0;
  int steps = 0;
  double time = 0;
};

/// The least overlapped time over all n from `least_ranks` to cores and all S; of equals the one with the most ranks,
/// then the smallest S. O(cores log^2 cores).
Choice best_choice(int cores, int arity, Weight weight, const Computation& computation, int least_ranks = 1);

}  // namespace strata::models
