// SPDX-License-Identifier: LGPL-2.1-only
#include "native/run/watch.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cstdio>
#include <string>
#include <vector>

namespace strata::native {
namespace {

constexpr std::chrono::seconds kLong(20);  // of real time: most computations between two calls are shorter
constexpr std::size_t kMostNames = 5;      // ranks that the line names

void say(const std::string& text) { std::fputs(("strata: " + text + "\n").c_str(), stderr); }

}  // namespace

void Watch::look(const Coordinator& coordinator) {
  if (!coordinator.started()) return;
  look_for_threads();
  look_for_busy_ranks(coordinator.steps());
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
