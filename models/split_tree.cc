// SPDX-License-Identifier: LGPL-2.1-only
// Two errata in the paper's text. Without these corrections, its own figures do not follow.
//
// Eq. 4 is printed as C(N) = N / N_proc C(N_proc), by which fewer cores would compute faster. The factor must be N_proc
// / N. With it, on 64 cores, the best S changes at N = 52, 58 and 62, and the optimum is N = 51, S = 0, as in Sections
// 6.2 and 7.
//
// Eq. 5 is printed with ceiling brackets around N / 2^i + 1/2, which is 33 for the 32 messages of level 1 of 64 ranks.
// The correct number is ceil(N / 2^i - 1/2). The code uses the number of ranks before the level minus that after it,
// n_(i-1) - n_i with n_i = ceil(N / m^i). It is the same for m = 2 and holds for every m, because in each group of m
// remaining ranks, all others send to the first.
//
// Changes for m-nomial trees. The paper's levels take 1 on application cores, and ceil(F / P) on P communication cores.
// The first rank of a group receives its m - 1 messages one after another, because a core copies one at a time.
// All-to-one levels therefore take m - 1 on application cores, or the number of remaining ranks minus 1 if there are
// fewer than m. On communication cores, they take at least as long, however many there are. The first group is always
// as full as any other, and rank 0 is its first rank on each level, so the sum over levels is exact for the whole tree.
// In one-to-all levels, the members of a group copy at the same time.
//
// Eq. 8 and 9 give a message of level i the weight of a full subtree, 2^(i-1) blocks (here m^(i-1)), even if the last
// subtree is incomplete: with N = 33, the one message of level 6 has 1 block but counts 32. The code does the same as
// the paper; split_tree_load.h counts the actual blocks.
//
// Between nodes, which the paper does not cover, messages occupy links, not cores: the up to m - 1 messages of a leader
// on one level share its node's link, whatever their direction.
#include "models/split_tree.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace strata::models {
namespace {

void require(bool holds, const std::string& what) {
  if (!holds) throw std::invalid_argument(what);
}

void require_tree(int ranks, int arity) {
  require(ranks >= 1, std::to_string(ranks) + " ranks: a tree has at least 1");
  require(arity >= 2, std::to_string(arity) + "-nomial tree: the arity is at least 2");
}

void require_sound(const SplitTree& t) {
  require_tree(t.ranks, t.arity);
  require(t.ranks <= t.cores, std::to_string(t.ranks) + " ranks on " + std::to_string(t.cores) + " cores");
  require_tree(t.nodes, t.arity);
  require(t.combine >= 0 && t.combine <= 1 && t.combine <= t.network, "a combination is part of a message");
  require(t.nodes == 1 || t.weight == Weight::kConstant, "a tree over nodes has messages of one size");
}

int parents(int vertices, int arity) { return vertices / arity + (vertices % arity == 0 ? 0 : 1); }

// The time of application cores on the first `steps` levels, and of communication cores on the others.
struct Parts {
  double application = 0, communication = 0;
};

Parts parts(const SplitTree& t, const std::vector<LevelTimes>& levels, int steps) {
  require(steps >= 0, std::to_string(steps) + " steps");
  const auto split = t.ranks == t.cores ? levels.size() : std::min(levels.size(), static_cast<size_t>(steps));
  Parts sum;
  for (size_t i = 0; i < levels.size(); ++i) {
    if (i < split) {
      sum.application += levels[i].application;
    } else {
      sum.communication += levels[i].communication;
    }
  }
  return sum;
}

double overlap(const Parts& p, double computation) { return p.application + std::max(computation, p.communication); }

Choice best_of_steps(const SplitTree& t, double computation) {
  const std::vector<LevelTimes> levels = level_times(t);
  Choice best{.ranks = t.ranks, .steps = 0, .time = overlap(parts(t, levels, 0), computation)};
  if (t.ranks == t.cores) return best;
  for (int steps = 1; steps <= static_cast<int>(levels.size()); ++steps) {
    const double time = overlap(parts(t, levels, steps), computation);
    if (time < best.time) best = {.ranks = t.ranks, .steps = steps, .time = time};
  }
  return best;
}

}  // namespace

int height(int ranks, int arity) {
  require_tree(ranks, arity);
  int levels = 0;
  for (int left = ranks; left > 1; left = parents(left, arity)) ++levels;
  return levels;
}

long messages_on_level(int ranks, int level, int arity) {
  require_tree(ranks, arity);
  require(level >= 1, "levels count from 1");
  int before = ranks;
  for (int i = 1; i < level && before > 1; ++i) before = parents(before, arity);
  return before - parents(before, arity);
}

std::vector<LevelTimes> level_times(const SplitTree& t) {
  require_sound(t);
  const bool up = t.direction != Direction::kOneToAll, down = t.direction != Direction::kAllToOne;
  const double back = up && down ? 1 - t.combine : 1;
  const int spare = t.cores - t.ranks;
  std::vector<LevelTimes> levels;
  double message = 1;
  for (int before = t.ranks; before > 1; before = parents(before, t.arity)) {
    const int messages = before - parents(before, t.arity);
    const int share = spare == 0 ? 1 : parents(messages, spare);  // ceil(F / P)
    const int received = std::min(t.arity, before) - 1;
    LevelTimes level;
    if (up) level = {.application = 1.0 * received, .communication = 1.0 * std::max(share, received)};
    if (down) level = {.application = level.application + back, .communication = level.communication + back * share};
    if (spare == 0) level.communication = level.application;
    levels.push_back({.application = message * level.application, .communication = message * level.communication});
    if (t.weight == Weight::kDoubling) message *= t.arity;
  }
  for (int before = t.nodes; before > 1; before = parents(before, t.arity)) {
    const double time = (std::min(t.arity, before) - 1) * (up && down ? 2 * t.network - t.combine : t.network);
    levels.push_back({.application = time, .communication = time});
  }
  return levels;
}

double blocking_time(const SplitTree& t) {
  double sum = 0;
  for (const LevelTimes& level : level_times(t)) sum += level.application;
  return sum;
}

double nonblocking_time(const SplitTree& t, int steps) {
  const Parts p = parts(t, level_times(t), steps);
  return p.application + p.communication;
}

double balanced_computation(const SplitTree& t) {
  require_sound(t);
  SplitTree full = t;
  full.ranks = t.cores;
  return blocking_time(full) * t.cores / t.ranks;
}

double overlapped_time(const SplitTree& t, int steps, double computation) {
  return overlap(parts(t, level_times(t), steps), computation);
}

double on_communication_cores(const SplitTree& t, int steps) { return parts(t, level_times(t), steps).communication; }

double on_application_cores(const SplitTree& t, int steps) { return parts(t, level_times(t), steps).application; }

int best_steps(const SplitTree& t, double computation) { return best_of_steps(t, computation).steps; }

std::vector<Choice> choices(SplitTree t, const Computation& computation, const Computation& rest, int least_ranks) {
  require(least_ranks >= 1 && least_ranks <= t.cores,
          std::to_string(least_ranks) + " ranks at least, on " + std::to_string(t.cores) + " cores");
  std::vector<Choice> list;
  list.reserve(t.cores - least_ranks + 1);
  for (t.ranks = least_ranks; t.ranks <= t.cores; ++t.ranks) {
    list.push_back(best_of_steps(t, computation(t.ranks)));
    if (rest) list.back().time += rest(t.ranks);
  }
  return list;
}

Choice best_choice(const SplitTree& t, const Computation& computation, const Computation& rest, int least_ranks) {
  const std::vector<Choice> list = choices(t, computation, rest, least_ranks);
  // From the most ranks downwards: among equal choices, the first one found has the most ranks.
  return *std::min_element(list.rbegin(), list.rend(),
                           [](const Choice& a, const Choice& b) { return a.time < b.time; });
}

int numa_core(int cores, int ranks, int core) {
  require(core >= 0 && core < cores && ranks >= 0, "no core " + std::to_string(core));
  const long spare = cores - ranks;
  if (spare <= 0) return core;
  // In integers: M / delta = M (N - n) / N, which the paper rounds down, and k delta = k N / (N - n).
  const long k = core * spare / cores + 1;
  return static_cast<int>((k * cores + spare - 1) / spare) - 1;
}

int odd_even_core(int cores, int ranks, int rank) {
  const int spare = cores - ranks;
  require(rank >= 0 && rank < ranks, "no rank " + std::to_string(rank));
  require(spare >= 1 && cores % spare == 0,
          std::to_string(spare) + " communication cores do not divide " + std::to_string(cores));
  const int apart = cores / spare;
  return apart * (rank % spare) + apart - 1;
}

}  // namespace strata::models
