// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/gantt_zoom.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace strata::analysis {
namespace {

constexpr double kMessages = 10;         // length in copies or combinations
constexpr double kMostOfTheChart = 0.2;  // a larger part needs no enlargement
constexpr size_t kMostRows = 16;

// A copy or a combination.
struct Move {
  double from = 0, to = 0;  // s
  int core = 0;
  double length() const { return to - from; }
  double middle() const { return (from + to) / 2; }
};

std::vector<Move> moves_within(const Timeline& timeline, double from, double to) {
  std::vector<Move> moves;
  for (int c = 0; c < static_cast<int>(timeline.cores.size()); ++c) {
    for (const Timeline::Thread& t : timeline.cores[c].threads) {
      for (const Timeline::Interval& i : t.intervals) {
        if (is_communication(timeline, i) && i.from >= from && i.to <= to) moves.push_back({i.from, i.to, c});
      }
    }
  }
  return moves;
}

// The median of moves in an order, weighted by their time, so small messages have little weight.
template <typename Key>
Move median(std::vector<Move> moves, Key key) {
  std::stable_sort(moves.begin(), moves.end(), [&](const Move& a, const Move& b) { return key(a) < key(b); });
  double all = 0, sum = 0;
  for (const Move& m : moves) all += m.length();
  for (const Move& m : moves) {
    sum += m.length();
    if (sum > all / 2) return m;
  }
  return moves.back();
}

}  // namespace

std::optional<GanttZoom> find_zoom(const Timeline& timeline, double from, double to) {
  std::vector<Move> moves = moves_within(timeline, from, to);
  if (moves.empty()) return {};
  const double length = kMessages * median(moves, [](const Move& m) { return m.length(); }).length();
  if (length > kMostOfTheChart * (to - from)) return {};
  const auto middle_of = [](const Move& m) { return m.middle(); };
  const double middle = median(moves, middle_of).middle();
  GanttZoom zoom{std::max(from, middle - length / 2), std::min(to, middle + length / 2), {}};
  const auto distance = [&](const Move& m) { return std::abs(m.middle() - middle); };
  std::stable_sort(moves.begin(), moves.end(), [&](const Move& a, const Move& b) { return distance(a) < distance(b); });
  std::set<int> cores;
  for (const Move& m : moves) {
    if (m.to <= zoom.from || m.from >= zoom.to || cores.size() + 3 > kMostRows) continue;
    for (const int c : {m.core - 1, m.core, m.core + 1}) {
      if (c >= 0 && c < static_cast<int>(timeline.cores.size())) cores.insert(c);
    }
  }
  zoom.cores.assign(cores.begin(), cores.end());
  return zoom;
}

}  // namespace strata::analysis
