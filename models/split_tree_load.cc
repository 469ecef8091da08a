// SPDX-License-Identifier: LGPL-2.1-only
#include "models/split_tree_load.h"

#include <algorithm>
#include <map>
#include <numeric>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/shared_cores.h"

namespace strata::models {
namespace {

void require_one_node(const SplitTree& t, int root) {
  if (t.nodes != 1) throw std::invalid_argument("loads are those of one node");
  if (root < 0 || root >= t.ranks) throw std::invalid_argument("a root that is not a rank");
}

// The work of a core on one level.
struct Work {
  double messages = 0, own = 0;
  int first = 0;  // the core's lowest rank
};

class LevelWork {
 public:
  explicit LevelWork(std::span<const int> core_of_rank) : core_of_rank_(core_of_rank) {}
  Work& of(int rank) {
    Work& work = by_core_.try_emplace(core_of_rank_[rank], Work{.first = rank}).first->second;
    work.first = std::min(work.first, rank);
    return work;
  }
  void put_busiest(LevelLoad& load) const {
    const auto busier = [](const auto& a, const auto& b) {
      const double x = a.second.messages + a.second.own, y = b.second.messages + b.second.own;
      return x != y ? x < y : a.second.first > b.second.first;
    };
    const auto& [core, work] = *std::max_element(by_core_.begin(), by_core_.end(), busier);
    load.core = core;
    load.own = work.own;
    load.load = work.messages + work.own;
  }

 private:
  std::span<const int> core_of_rank_;
  std::map<int, Work> by_core_;
};

// The tasks of a split tree. The next task of a thread waits for its previous one: the receiver copies, and the sender
// waits until that is done.
class PlacedTasks {
 public:
  PlacedTasks(const PlacedTree& placed, int steps)
      : placed_(placed), t_(placed.tree), steps_(steps), rank_did_(t_.ranks), thread_did_(t_.ranks) {}

  void go_up() {
    for (int level = 1; level <= height(t_.ranks, t_.arity); ++level) {
      if (level == steps_ + 1) thread_did_ = rank_did_;  // the threads take over
      add_level(level, Direction::kAllToOne, 1);
    }
  }

  void compute(double amount) {
    for (int r = 0; r < t_.ranks; ++r) rank_did_[r] = {add(placed_.core_of_rank[r], amount, rank_did_[r])};
  }

  void go_down() {
    const double message = t_.direction == Direction::kThereAndBack ? 1 - t_.combine : 1;
    for (int level = height(t_.ranks, t_.arity); level >= 1; --level) {
      if (level == steps_) finish_threads();
      add_level(level, Direction::kOneToAll, message);
    }
  }

  double end() const {
    const std::vector<double> done = share_cores(tasks_);
    return done.empty() ? 0 : *std::ranges::max_element(done);
  }

 private:
  using Did = std::vector<std::vector<int>>;  // tasks, by rank

  int add(int core, double amount, std::vector<int> after) {
    tasks_.push_back({.core = core, .amount = amount, .after = std::move(after)});
    return static_cast<int>(tasks_.size()) - 1;
  }

  void finish_threads() {
    for (int r = 0; r < t_.ranks; ++r) {
      rank_did_[r].insert(rank_did_[r].end(), thread_did_[r].begin(), thread_did_[r].end());
    }
  }

  void add_level(int level, Direction way, double message) {
    const bool up = way == Direction::kAllToOne, grows = t_.weight == Weight::kDoubling;
    Did& did = level > steps_ ? thread_did_ : rank_did_;
    const std::vector<int>& cores = level > steps_ ? placed_.core_of_thread : placed_.core_of_rank;
    std::map<int, std::vector<int>> now;
    std::set<int> inner;
    for (const TreeMessage& m : tree_messages(t_, placed_.root, way)) {
      if (m.level != level) continue;
      inner.insert(up ? m.to : m.from);
      std::vector<int> after = did[m.to];
      after.insert(after.end(), did[m.from].begin(), did[m.from].end());
      // A reduce receives and combines one message after another; a gather has separate space for each block.
      if (up && !grows && !now[m.to].empty()) after.push_back(now[m.to].back());
      const int task = add(cores[m.to], message * m.amount, std::move(after));
      now[m.from].push_back(task);
      now[m.to].push_back(task);
    }
    if (grows && level == 1) {
      for (const int r : inner) now[r].push_back(add(cores[r], message, did[r]));  // copies its own block
    }
    for (auto& [rank, tasks] : now) did[rank] = std::move(tasks);
  }

  const PlacedTree& placed_;
  const SplitTree& t_;
  int steps_;
  Did rank_did_, thread_did_;
  std::vector<Task> tasks_;
};

double sum_of_loads(const std::vector<LevelLoad>& levels) {
  return std::accumulate(levels.begin(), levels.end(), 0.0, [](double s, const LevelLoad& l) { return s + l.load; });
}

}  // namespace

std::vector<TreeMessage> tree_messages(const SplitTree& t, int root, Direction way) {
  require_one_node(t, root);
  const auto rank_of = [&](long v) { return static_cast<int>((v + root) % t.ranks); };
  std::vector<TreeMessage> messages;
  int level = 1;
  // Ranks are counted from the root. On each level, the multiples of `reach` remain.
  for (long reach = 1; reach < t.ranks; reach *= t.arity, ++level) {
    for (long v = 0; v < t.ranks; v += reach) {
      const long first = v - v % (reach * t.arity);
      if (v == first) continue;
      const bool grows = t.weight == Weight::kDoubling;
      messages.push_back({.level = level,
                          .from = rank_of(way == Direction::kAllToOne ? v : first),
                          .to = rank_of(way == Direction::kAllToOne ? first : v),
                          .amount = grows ? static_cast<double>(std::min(reach, t.ranks - v)) : 1});
    }
  }
  return messages;
}

std::vector<LevelLoad> level_loads(const SplitTree& t, int root, std::span<const int> core_of_rank) {
  require_one_node(t, root);
  if (std::ssize(core_of_rank) != t.ranks) throw std::invalid_argument("not a core for each rank");
  std::vector<LevelLoad> loads;
  const auto add_way = [&](Direction way, double message) {
    SplitTree one = t;
    one.direction = way;
    const std::vector<LevelTimes> even = level_times(one);
    std::vector<LevelLoad> levels(even.size());
    std::vector<LevelWork> work(even.size(), LevelWork(core_of_rank));
    for (const TreeMessage& m : tree_messages(t, root, way)) {
      ++levels[m.level - 1].messages;
      work[m.level - 1].of(m.to).messages += message * m.amount;
    }
    for (long v = 0; t.weight == Weight::kDoubling && v + 1 < t.ranks; v += t.arity) {
      work[0].of(static_cast<int>((v + root) % t.ranks)).own += message;
    }
    for (size_t i = 0; i < levels.size(); ++i) {
      levels[i].level = static_cast<int>(i) + 1;
      levels[i].way = way;
      levels[i].even_load = message * even[i].communication;
      work[i].put_busiest(levels[i]);
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

double placed_time(const PlacedTree& placed, int steps, double computation) {
  const SplitTree& t = placed.tree;
  require_one_node(t, placed.root);
  if (std::ssize(placed.core_of_rank) != t.ranks || std::ssize(placed.core_of_thread) != t.ranks) {
    throw std::invalid_argument("not a core for each rank and thread");
  }
  PlacedTasks all(placed, steps);
  if (t.direction != Direction::kOneToAll) all.go_up();
  all.compute(computation);
  if (t.direction != Direction::kAllToOne) all.go_down();
  return all.end();
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
