#include "models/split_tree_load.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <stdexcept>

namespace strata::models {
namespace {

// On level i the ranks v (counted from the root) that are multiples of m^(i-1) are left: `reach`.
struct Level {
  int number;
  long reach;
};

LevelLoad load_of(const SplitTree& t, const Level& level, Direction way, int root, std::span<const int> core_of_rank) {
  struct Work {
    double messages = 0, own = 0;
    int first = 0;  // the lowest rank
  };
  std::map<int, Work> by_core;
  const auto work_of = [&](long v) -> Work& {
    const int rank = static_cast<int>((v + root) % t.ranks);
    const auto [at, added] = by_core.try_emplace(core_of_rank[rank], Work{.first = rank});
    at->second.first = std::min(at->second.first, rank);
    return at->second;
  };
  LevelLoad load{.level = level.number, .way = way};
  const long group = level.reach * t.arity;
  for (long v = 0; v < t.ranks; v += level.reach) {
    const long first = v - v % group;
    const bool gives = v != first, has_children = !gives && v + level.reach < t.ranks;
    const bool grows = t.weight == Weight::kDoubling;
    if (gives) {
      ++load.messages;
      const double blocks = grows ? static_cast<double>(std::min(level.reach, t.ranks - v)) : 1;
      work_of(way == Direction::kAllToOne ? first : v).messages += blocks;
    }
    if (grows && level.number == 1 && has_children) work_of(v).own += 1;
  }
  const auto busier = [](const auto& a, const auto& b) {
    const double x = a.second.messages + a.second.own, y = b.second.messages + b.second.own;
    return x != y ? x < y : a.second.first > b.second.first;
  };
  const auto busiest = std::max_element(by_core.begin(), by_core.end(), busier);
  load.core = busiest->first;
  load.own = busiest->second.own;
  load.load = busiest->second.messages + load.own;
  return load;
}

double sum_of_loads(const std::vector<LevelLoad>& levels) {
  return std::accumulate(levels.begin(), levels.end(), 0.0, [](double s, const LevelLoad& l) { return s + l.load; });
}

}  // namespace

std::vector<LevelLoad> level_loads(const SplitTree& t, int root, std::span<const int> core_of_rank) {
  if (t.nodes != 1) throw std::invalid_argument("loads are those of one node");
  if (root < 0 || root >= t.ranks || std::ssize(core_of_rank) != t.ranks) {
    throw std::invalid_argument("a root that is no rank, or not a core for each rank");
  }
  std::vector<LevelLoad> loads;
  const auto add_way = [&](Direction way, double message) {
    SplitTree one = t;
    one.direction = way;
    std::vector<LevelLoad> levels;
    long reach = 1;
    for (const LevelTimes& even : level_times(one)) {
      const int number = static_cast<int>(levels.size()) + 1;
      LevelLoad load = load_of(t, {.number = number, .reach = reach}, way, root, core_of_rank);
      load.load *= message;
      load.even_load = message * even.communication;
      levels.push_back(load);
      reach *= t.arity;
    }
    if (way == Direction::kOneToAll) std::reverse(levels.begin(), levels.end());
    loads.insert(loads.end(), levels.begin(), levels.end());
  };
  if (t.direction != Direction::kOneToAll) add_way(Direction::kAllToOne, 1);
  if (t.direction != Direction::kAllToOne) {
    add_way(Direction::kOneToAll, t.direction == Direction::kThereAndBack ? 1 - t.combine : 1);
  }
  return loads;
}

double Folded::application_time() const { return sum_of_loads(application); }

double Folded::communication_time() const { return sum_of_loads(communication); }

Folded folded(const SplitTree& t, int steps, int root, std::span<const int> core_of_thread) {
  SplitTree own_cores = t;
  own_cores.cores = t.ranks;
  std::vector<int> ranks(t.ranks);
  std::iota(ranks.begin(), ranks.end(), 0);
  const int split = t.ranks == t.cores ? height(t.ranks, t.arity) : steps;
  Folded f;
  for (const LevelLoad& l : level_loads(own_cores, root, ranks)) {
    if (l.level <= split) f.application.push_back(l);
  }
  for (const LevelLoad& l : level_loads(t, root, core_of_thread)) {
    if (l.level > split) f.communication.push_back(l);
  }
  return f;
}

double overlapped_time(const Folded& f, double computation) {
  return f.application_time() + std::max(computation, f.communication_time());
}

const LevelLoad* most_uneven(const std::vector<LevelLoad>& levels) {
  const LevelLoad* worst = nullptr;
  const auto above = [](const LevelLoad& l) { return l.load - l.own - l.even_load; };
  for (const LevelLoad& l : levels) {
    if (above(l) > (worst == nullptr ? 1e-9 : above(*worst))) worst = &l;
  }
  return worst;
}

}  // namespace strata::models
