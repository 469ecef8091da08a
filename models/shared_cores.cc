// SPDX-License-Identifier: LGPL-2.1-only
#include "models/shared_cores.h"

#include <algorithm>
#include <limits>
#include <map>
#include <queue>
#include <set>
#include <stdexcept>
#include <utility>

namespace strata::models {
namespace {

// Tasks end together if their ends differ by less than this part of the time since the start, because sums on different
// cores are rounded differently.
constexpr double kRounding = 1e-12;

struct Core {
  double progress = 0;                       // work done for a task that has been running from the beginning
  std::set<std::pair<double, int>> running;  // the progress at which the task ends, and the task
  double next_end() const { return (running.begin()->first - progress) * static_cast<double>(running.size()); }
};

class Sharing {
 public:
  explicit Sharing(std::span<const Task> tasks) : tasks_(tasks), waits_for_(tasks.size()), next_(tasks.size()) {
    for (size_t i = 0; i < tasks.size(); ++i) {
      waits_for_[i] = tasks[i].after.size();
      for (const int before : tasks[i].after) next_.at(before).push_back(static_cast<int>(i));
    }
  }

  std::vector<double> run() {
    done_.assign(tasks_.size(), -1);
    for (size_t i = 0; i < tasks_.size(); ++i) {
      if (tasks_[i].after.empty()) ready_.push(static_cast<int>(i));
    }
    start_ready();
    while (!cores_.empty()) {
      advance();
      start_ready();
    }
    if (std::ranges::find(done_, -1) != done_.end()) throw std::invalid_argument("a task waits for itself");
    return std::move(done_);
  }

 private:
  void start_ready() {
    for (; !ready_.empty(); ready_.pop()) {
      const Task& task = tasks_[ready_.front()];
      if (task.amount == 0) {
        finish(ready_.front());
      } else {
        Core& core = cores_[task.core];
        core.running.emplace(core.progress + task.amount, ready_.front());
      }
    }
  }

  void finish(int task) {
    done_[task] = now_;
    for (const int t : next_[task]) {
      if (--waits_for_[t] == 0) ready_.push(t);
    }
  }

  // Advances to the next end of a task.
  void advance() {
    double step = std::numeric_limits<double>::infinity();
    for (const auto& [number, core] : cores_) step = std::min(step, core.next_end());
    now_ += step;
    for (auto at = cores_.begin(); at != cores_.end();) {
      Core& core = at->second;
      const double together = kRounding * now_;
      const bool ends = core.next_end() <= step + together;
      core.progress += step / static_cast<double>(core.running.size());
      while (ends && !core.running.empty() && core.running.begin()->first <= core.progress + together) {
        finish(core.running.begin()->second);
        core.running.erase(core.running.begin());
      }
      at = core.running.empty() ? cores_.erase(at) : std::next(at);
    }
  }

  std::span<const Task> tasks_;
  std::vector<size_t> waits_for_;
  std::vector<std::vector<int>> next_;
  std::queue<int> ready_;
  std::map<int, Core> cores_;  // only cores with work
  std::vector<double> done_;
  double now_ = 0;
};

}  // namespace

std::vector<double> share_cores(std::span<const Task> tasks) { return Sharing(tasks).run(); }

}  // namespace strata::models
