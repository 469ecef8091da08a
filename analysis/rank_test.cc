// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/rank_test.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace strata::analysis {
namespace {

struct Ranked {
  std::vector<int> doubled;      // twice the rank of each value, in increasing order; equal values share a mean
  std::vector<size_t> of_equal;  // the number of equal values, for each different value
  int observed = 0;              // the sum of the doubled ranks of `now`
};

Ranked rank(const std::vector<double>& base, const std::vector<double>& now) {
  struct Value {
    double value;
    bool is_new;
  };
  std::vector<Value> all;
  for (const double v : base) all.push_back({v, false});
  for (const double v : now) all.push_back({v, true});
  std::sort(all.begin(), all.end(), [](const Value& a, const Value& b) { return a.value < b.value; });
  Ranked ranked;
  for (size_t i = 0; i < all.size();) {
    size_t end = i;
    while (end < all.size() && all[end].value == all[i].value) ++end;
    ranked.of_equal.push_back(end - i);
    const int doubled = static_cast<int>(i + 1 + end);  // mean of the ranks i + 1 to end, doubled
    for (; i < end; ++i) {
      ranked.doubled.push_back(doubled);
      if (all[i].is_new) ranked.observed += doubled;
    }
  }
  return ranked;
}

// The share of all choices of `n` ranks whose sum is at least the observed one. Counts of choices are doubles, which
// are rounded beyond 2^53; this changes p in the fifteenth digit.
double exact_share(const Ranked& ranked, size_t n) {
  int most = 0;
  for (const int r : ranked.doubled) most += r;
  const auto width = static_cast<size_t>(most) + 1;
  std::vector<double> choices((n + 1) * width);  // by number of chosen ranks, and their sum
  choices[0] = 1;
  for (const int r : ranked.doubled) {
    const auto add = static_cast<size_t>(r);
    for (size_t k = n; k > 0; --k) {
      for (size_t sum = width; sum-- > add;) choices[k * width + sum] += choices[(k - 1) * width + sum - add];
    }
  }
  double all = 0, as_large = 0;
  for (size_t sum = 0; sum < width; ++sum) {
    const double count = choices[n * width + sum];
    all += count;
    if (sum >= static_cast<size_t>(ranked.observed)) as_large += count;
  }
  return as_large / all;
}

double normal_share(const Ranked& ranked, double u, double n, double m) {
  const double total = n + m;
  double ties = 0;
  for (const size_t equal : ranked.of_equal) {
    const auto t = static_cast<double>(equal);
    ties += t * t * t - t;
  }
  const double variance = n * m / 12 * (total + 1 - ties / (total * (total - 1)));
  if (variance <= 0) return 1;  // all values are equal
  return 0.5 * std::erfc((u - n * m / 2 - 0.5) / std::sqrt(2 * variance));
}

}  // namespace

RankTest test_larger(const std::vector<double>& base, const std::vector<double>& now) {
  const Ranked ranked = rank(base, now);
  const auto n = static_cast<double>(now.size()), m = static_cast<double>(base.size());
  RankTest test;
  test.u = ranked.observed / 2.0 - n * (n + 1) / 2;
  test.p = ranked.doubled.size() <= kMostExact ? exact_share(ranked, now.size()) : normal_share(ranked, test.u, n, m);
  return test;
}

double median_of(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

}  // namespace strata::analysis
