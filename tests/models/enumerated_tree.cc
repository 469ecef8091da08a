// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/models/enumerated_tree.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace strata::models {
namespace {

using PerLevel = std::map<int, long>;

PerLevel count(int ranks, int arity) {
  PerLevel messages;
  for (const Message& m : messages_of(ranks, arity)) ++messages[m.level];
  return messages;
}

// The largest number of messages that one rank receives, by level.
PerLevel busiest(int ranks, int arity, Direction direction) {
  std::map<std::pair<int, int>, long> received;
  for (const Message& m : messages_of(ranks, arity)) {
    ++received[{m.level, direction == Direction::kAllToOne ? m.to : m.from}];
  }
  PerLevel most;
  for (const auto& [who, number] : received) most[who.first] = std::max(most[who.first], number);
  return most;
}

}  // namespace

std::vector<Message> messages_of(int ranks, int arity) {
  std::vector<Message> list;
  for (int v = 1; v < ranks; ++v) {
    long reach = 1;  // m^(level - 1)
    int level = 1;
    for (; v % (reach * arity) == 0; reach *= arity) ++level;
    list.push_back({level, v, static_cast<int>(v - v % (reach * arity))});
  }
  return list;
}

LevelTimes slow_times(const SplitTree& t, int steps) {
  LevelTimes sum;
  std::vector<Direction> ways = {t.direction};
  if (t.direction == Direction::kThereAndBack) ways = {Direction::kAllToOne, Direction::kOneToAll};
  for (const Direction way : ways) {
    PerLevel most = busiest(t.ranks, t.arity, way);
    for (const auto& [level, messages] : count(t.ranks, t.arity)) {
      const double weight = t.weight == Weight::kDoubling ? std::pow(t.arity, level - 1) : 1;
      if (level <= steps || t.ranks == t.cores) {
        sum.application += weight * static_cast<double>(most[level]);
      } else {
        const double even = std::ceil(static_cast<double>(messages) / (t.cores - t.ranks));
        sum.communication += weight * std::max(even, static_cast<double>(most[level]));
      }
    }
  }
  return sum;
}

double slow_overlapped(const SplitTree& t, int steps, double computation) {
  const LevelTimes s = slow_times(t, steps);
  return s.application + std::max(computation, s.communication);
}

int slow_best_steps(const SplitTree& t, double computation) {
  int best = 0;
  const int levels = static_cast<int>(count(t.ranks, t.arity).size());
  for (int s = 1; s <= levels; ++s) {
    if (slow_overlapped(t, s, computation) < slow_overlapped(t, best, computation)) best = s;
  }
  return best;
}

Choice slow_choice(SplitTree t, const Computation& computation, const Computation& rest, int least_ranks) {
  Choice best{.ranks = 0, .steps = 0, .time = HUGE_VAL};
  for (t.ranks = least_ranks; t.ranks <= t.cores; ++t.ranks) {
    const int s = slow_best_steps(t, computation(t.ranks));
    const double time = slow_overlapped(t, s, computation(t.ranks)) + rest(t.ranks);
    if (time <= best.time) best = {.ranks = t.ranks, .steps = s, .time = time};
  }
  return best;
}

}  // namespace strata::models
