// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

namespace strata::native {
namespace {

constexpr std::chrono::seconds kLong(20);  // of real time: most computations between two calls are shorter
constexpr std::size_t kMostNames = 5;      // ranks that the line names

void say(const std::string& text) { std::fputs(("strata: " + text + "\n").c_str(), stderr); }

// "ranks 3, 4 have not called MPI_Init"; empty: all have.
std::string not_initialized(const std::vector<int>& ranks) {
  if (ranks.empty()) return "";
  const std::vector<int> named(ranks.begin(), ranks.begin() + static_cast<long>(std::min(ranks.size(), kMostNames)));
  return fmt::format("rank{} {}{} {} not called MPI_Init", ranks.size() == 1 ? "" : "s", fmt::join(named, ", "),
                     named.size() < ranks.size() ? fmt::format(" and {} others", ranks.size() - named.size()) : "",
                     ranks.size() == 1 ? "has" : "have");
}

}  // namespace

void Watch::look(const Coordinator& coordinator) {
  if (!coordinator.started()) return look_for_absent_ranks();
  look_for_threads();
  look_for_free_operations();
  look_for_busy_ranks(coordinator.steps());
}

std::vector<int> Watch::absent_ranks() const {
  std::vector<int> absent;
  for (int r = 0; r < static_cast<int>(board_.ranks); ++r) {
    if (board_.slots[r].pid == 0) absent.push_back(r);
  }
  return absent.size() < board_.ranks ? absent : std::vector<int>();
}

std::string Watch::absent() const {
  const std::string text = not_initialized(absent_ranks());
  return text.empty() ? "" : "; " + text;
}

void Watch::look_for_absent_ranks() {
  if (has_said_absent_) return;
  const auto now = std::chrono::steady_clock::now();
  const std::vector<int> absent = absent_ranks();
  if (absent.size() != absent_) {
    absent_ = absent.size();
    changed_ = now;
  }
  if (absent.empty() || now - changed_ < kLong) return;
  has_said_absent_ = true;
  say(not_initialized(absent) + ", and the others wait for that");
}

void Watch::look_for_threads() {
  if (has_said_threads_) return;
  for (int r = 0; r < static_cast<int>(board_.ranks); ++r) {
    if (board_.slots[r].lost_order == 0) continue;
    has_said_threads_ = true;
    return say(fmt::format(
        "rank {} has a thread that computes, or waits in a loop, while its other threads want to call MPI: the "
        "order of its threads may differ from run to run",
        r));
  }
}

void Watch::look_for_free_operations() {
  if (has_said_free_ || board_.slots[0].free_operations == 0) return;
  has_said_free_ = true;
  say("the operations of reductions take no simulated time: they were not found in this MPI library");
}

void Watch::look_for_busy_ranks(std::uint64_t steps) {
  const auto now = std::chrono::steady_clock::now();
  if (steps != steps_) {
    steps_ = steps;
    changed_ = now;
  }
  if (has_said_busy_ || board_.is_virtual == 0 || now - changed_ < kLong) return;
  std::vector<int> busy;
  for (int r = 0; r < static_cast<int>(board_.ranks); ++r) {
    if (board_.slots[r].state.load() == static_cast<std::uint32_t>(State::kRunning)) busy.push_back(r);
  }
  if (busy.empty() || busy.size() > kMostNames) return;
  has_said_busy_ = true;
  const bool one = busy.size() == 1;
  say(fmt::format(
      "rank{} {} {} computed for {} s since {} last call of MPI, and the others wait for {}; if {} for data in shared "
      "memory, {} must call MPI in that loop, for example MPI_Win_sync, so that simulated time passes",
      one ? "" : "s", fmt::join(busy, ", "), one ? "has" : "have", kLong.count(), one ? "its" : "their",
      one ? "it" : "them", one ? "it waits" : "they wait", one ? "it" : "they"));
}

}  // namespace strata::native
