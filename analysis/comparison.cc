// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/comparison.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <tuple>

namespace strata::analysis {
namespace {

// A change by exactly the tolerance is within it, although division rounds: 1.001 / 1 - 1 is 0.00099999999999989.
constexpr double kRounding = 1e-12;

constexpr std::array<std::string_view, 12> kLessIsBetter = {"s", "ms", "us", "ns", "min", "h",
                                                            "B", "kB", "MB", "GB", "KiB", "MiB"};

// Metric, place, and number among those with the same metric and place.
using Key = std::tuple<std::string_view, std::string_view, std::size_t>;

std::vector<Key> keys_of(const std::vector<Quantity>& quantities) {
  std::map<std::pair<std::string_view, std::string_view>, std::size_t> seen;
  std::vector<Key> keys;
  keys.reserve(quantities.size());
  for (const Quantity& q : quantities) keys.emplace_back(q.metric, q.at, seen[{q.metric, q.at}]++);
  return keys;
}

void require_finite(const std::vector<Quantity>& quantities) {
  for (const Quantity& q : quantities) {
    const double* number = std::get_if<double>(&q.value);
    const bool finite = (number == nullptr || std::isfinite(*number)) &&
                        std::all_of(q.repeats.begin(), q.repeats.end(), [](double v) { return std::isfinite(v); });
    if (!finite) throw std::invalid_argument("the quantity " + q.metric + " is not finite");
  }
}

// The smallest possible p for these numbers of repeats: a single order has all new times larger.
double smallest_p(std::size_t base, std::size_t now) {
  double p = 1;
  for (std::size_t i = 1; i <= now; ++i) p *= static_cast<double>(i) / static_cast<double>(base + i);
  return p;
}

std::vector<double> scaled(const std::vector<double>& values, double factor) {
  std::vector<double> result = values;
  for (double& v : result) v *= factor;
  return result;
}

// Tests whether repeats are larger (`more`) or smaller than the base's by more than the tolerance.
RankTest test_beyond(const Quantity& base, const Quantity& now, double tolerance, bool more) {
  // For positive values and `more`, the base's values are increased.
  const double factor = 1 + (more ? tolerance : -tolerance);
  return more ? test_larger(scaled(base.repeats, factor), now.repeats)
              : test_larger(scaled(base.repeats, -factor), scaled(now.repeats, -1));
}

std::vector<double> repeats_of(const Quantity& q) {
  return q.repeats.empty() ? std::vector<double>{std::get<double>(q.value)} : q.repeats;
}

Change change_of(Better better, bool larger, bool smaller) {
  if (!larger && !smaller) return Change::kWithin;
  if (better == Better::kSame) return Change::kChanged;
  return larger == (better == Better::kLess) ? Change::kWorse : Change::kBetter;
}

void compare_repeats(Quantity base, Quantity now, const Rules& rules, Difference& d) {
  base.repeats = repeats_of(base);
  now.repeats = repeats_of(now);
  if (base.repeats == now.repeats) return;
  // If either change is bad, there are two tests, each with half the level.
  const double level = d.better == Better::kSame ? rules.level / 2 : rules.level;
  if (smallest_p(base.repeats.size(), now.repeats.size()) > level) {
    d.change = Change::kUndecided;
    return;
  }
  const RankTest larger = test_beyond(base, now, d.tolerance, true),
                 smaller = test_beyond(base, now, d.tolerance, false);
  d.change = change_of(d.better, larger.p <= level, smaller.p <= level);
  const bool show_larger =
      d.better == Better::kSame ? larger.p <= smaller.p : (d.better == Better::kLess) != (d.change == Change::kBetter);
  d.test = show_larger ? larger : smaller;
}

void compare_values(const Quantity& base, const Quantity& now, const Rules& rules, Difference& d) {
  const double* a = std::get_if<double>(&base.value);
  const double* b = std::get_if<double>(&now.value);
  if (a == nullptr || b == nullptr || base.unit != now.unit) {
    d.change = base.value == now.value && base.unit == now.unit ? Change::kEqual : Change::kChanged;
    return;
  }
  d.absolute = *b - *a;
  if (*a != 0) d.relative = *d.absolute / std::abs(*a);
  if (!base.repeats.empty() || !now.repeats.empty()) return compare_repeats(base, now, rules, d);
  if (*a == *b) return;
  if (base.effects && now.effects) d.bar = difference_bar(*d.absolute, *base.effects, *now.effects);
  // Any change from a base of 0 is infinitely large, and so is a change that overflows.
  const double ratio = d.relative.value_or(std::copysign(std::numeric_limits<double>::infinity(), *d.absolute));
  d.change = change_of(d.better, ratio > d.tolerance + kRounding, ratio < -d.tolerance - kRounding);
  if (d.relative && !std::isfinite(*d.relative)) d.relative.reset();
  if (!std::isfinite(*d.absolute)) d.absolute.reset();
  if (d.bar && !(std::isfinite(d.bar->low) && std::isfinite(d.bar->high))) d.bar.reset();
}

// 0 for failures; larger numbers are less important.
int group_of(const Difference& d, const Rules& rules) {
  constexpr std::array<Change, 7> kOrder = {Change::kUndecided, Change::kBetter,  Change::kNew,   Change::kMissing,
                                            Change::kWorse,     Change::kChanged, Change::kWithin};
  const int rank =
      fails(d, rules) ? 0 : 1 + static_cast<int>(std::find(kOrder.begin(), kOrder.end(), d.change) - kOrder.begin());
  return d.judged ? rank : rank + static_cast<int>(kOrder.size()) + 2;
}

double size_of(const Difference& d) {
  return d.relative ? std::abs(*d.relative) : std::numeric_limits<double>::infinity();
}

}  // namespace

Better better_of(const std::string& unit) {
  if (std::find(kLessIsBetter.begin(), kLessIsBetter.end(), unit) != kLessIsBetter.end()) return Better::kLess;
  return unit.size() > 2 && unit.ends_with("/s") ? Better::kMore : Better::kSame;
}

std::vector<Difference> compare_quantities(const std::vector<Quantity>& base, const std::vector<Quantity>& now,
                                           const Rules& rules) {
  require_finite(base);
  require_finite(now);
  std::map<Key, std::size_t> now_by_key;
  const std::vector<Key> base_keys = keys_of(base), now_keys = keys_of(now);
  for (std::size_t i = 0; i < now_keys.size(); ++i) now_by_key.emplace(now_keys[i], i);
  const auto difference_of = [&](const Quantity& q) {
    Difference d;
    d.judged = q.judged;
    d.tolerance = q.exact ? 0 : rules.tolerance;
    d.better = q.better;
    if (const auto rule = rules.metrics.find(q.metric); rule != rules.metrics.end()) {
      d.judged = true;
      d.tolerance = rule->second.tolerance;
      d.better = rule->second.better.value_or(q.better);
    }
    return d;
  };
  std::vector<Difference> differences;
  std::vector<bool> paired(now.size());
  for (std::size_t i = 0; i < base.size(); ++i) {
    Difference d = difference_of(base[i]);
    d.base = i;
    if (const auto found = now_by_key.find(base_keys[i]); found != now_by_key.end()) {
      d.now = found->second;
      paired[found->second] = true;
      compare_values(base[i], now[found->second], rules, d);
    } else {
      d.change = Change::kMissing;
    }
    differences.push_back(d);
  }
  for (std::size_t i = 0; i < now.size(); ++i) {
    if (paired[i]) continue;
    differences.push_back(difference_of(now[i]));
    differences.back().now = i;
    differences.back().change = Change::kNew;
  }
  return differences;
}

bool fails(const Difference& d, const Rules& rules) {
  if (!d.judged) return false;
  switch (d.change) {
    case Change::kWorse:
    case Change::kChanged:
      return true;
    case Change::kMissing:
      return !rules.allow_missing;
    case Change::kBetter:
      return rules.both;
    default:
      return false;
  }
}

void sort_worst_first(std::vector<Difference>& differences, const Rules& rules) {
  std::stable_sort(differences.begin(), differences.end(), [&](const Difference& a, const Difference& b) {
    const int left = group_of(a, rules), right = group_of(b, rules);
    return left != right ? left < right : size_of(a) > size_of(b);
  });
}

Judgement judge(const std::vector<Difference>& differences, const Rules& rules) {
  bool equal = true, undecided = false;
  for (const Difference& d : differences) {
    if (fails(d, rules)) return Judgement::kFailed;
    if (!d.judged) continue;
    equal = equal && d.change == Change::kEqual;
    undecided = undecided || d.change == Change::kUndecided;
  }
  return undecided ? Judgement::kUndecided : equal ? Judgement::kEqual : Judgement::kPassed;
}

int repeats_needed(double level) {
  int n = 1;
  while (smallest_p(static_cast<std::size_t>(n), static_cast<std::size_t>(n)) > level) ++n;
  return n;
}

}  // namespace strata::analysis
