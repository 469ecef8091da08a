// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/tuning/fastest.h"

#include <algorithm>
#include <limits>

namespace strata::collectives {

namespace {

constexpr double kForever = std::numeric_limits<double>::infinity();

// A choice that may win.
struct Candidate {
  double least_s;
  int place;
};

}  // namespace

void try_further(CellTimes& times, const std::vector<Choice>& others, const Choice* first, const Timer& timer) {
  // The smallest place wins among choices that take the same time; -1: it was best before.
  int place_of_best = -1;
  const auto best_s = [&] { return times.best_s.value_or(kForever); };
  const auto attempt = [&](const Time& time, int place) {
    const Attempt a = time(others[place], best_s());
    if (a.end == Attempt::End::kTooLong) times.too_long.push_back(others[place]);
    if (a.end == Attempt::End::kSlower) ++times.slower;
    return a.end == Attempt::End::kTimed ? std::optional(a.seconds) : std::nullopt;
  };
  const auto run = [&](int place) {
    const std::optional<double> seconds = attempt(timer.time, place);
    if (!seconds) return;
    ++times.timed;
    if (*seconds > best_s() || (*seconds == best_s() && place > place_of_best)) return;
    place_of_best = place;
    times.best = others[place];
    times.best_s = seconds;
  };
  int tried = -1;
  if (first != nullptr) {
    const auto at = std::find(others.begin(), others.end(), *first);
    if (at != others.end()) run(tried = static_cast<int>(at - others.begin()));
  }
  std::vector<Candidate> left;
  for (int place = 0; place < static_cast<int>(others.size()); ++place) {
    if (place == tried) continue;
    if (const std::optional<double> least_s = attempt(timer.at_least, place)) left.push_back({*least_s, place});
  }
  std::stable_sort(left.begin(), left.end(),
                   [](const Candidate& a, const Candidate& b) { return a.least_s < b.least_s; });
  for (const Candidate& c : left) {
    if (c.least_s > best_s()) {
      ++times.slower;
    } else {
      run(c.place);
    }
  }
}

CellTimes fastest(const Cell& cell, const std::optional<Choice>& own, const std::vector<Choice>& others,
                  const Choice* first, const Timer& timer) {
  CellTimes times = {.cell = cell, .own = own.value_or(Choice{}), .best = own.value_or(Choice{})};
  if (own) {
    const Attempt a = timer.time(*own, kForever);
    if (a.end == Attempt::End::kTimed) {
      times.own_s = times.best_s = a.seconds;
      times.timed = 1;
    } else {
      times.too_long.push_back(*own);
    }
  }
  std::vector<Choice> rest;
  for (const Choice& c : others) {
    if (!own || c != *own) rest.push_back(c);
  }
  try_further(times, rest, first, timer);
  return times;
}

}  // namespace strata::collectives
