// SPDX-License-Identifier: LGPL-2.1-only
// The Mann-Whitney U test: whether measured times of one program are larger than those of another.
//
// Example: 5 times of a base, all below 5 times of a change. By chance, 1 in 252 orders of ten times has that, so that
// p = 0.004.
//
// Idea: if both come from one distribution, every choice of which of the n + m times are the change's is equally
// likely. p is the share of these choices whose ranks add up to at least those observed. It needs no assumption on the
// distribution: times of programs have a lower bound and a long tail, for which a t test is not made.
// Equal times share the mean of their ranks, and p is exact with them too. O((n + m)^2 n m) time.
// Source: H. B. Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than
// the Other", Annals of Mathematical Statistics 18(1), 1947, 50-60.
#pragma once

#include <cstddef>
#include <vector>

namespace strata::analysis {

struct RankTest {
  double u = 0;  // pairs of a base and a new time in which the new one is larger; equal ones count one half
  double p = 1;  // of a U this large or larger, if there is no difference
};

/// One-sided: are times of `now` larger than those of `base`? Neither is empty. Beyond kMostExact times together p is
/// that of the normal distribution, with correction for ties and continuity.
RankTest test_larger(const std::vector<double>& base, const std::vector<double>& now);

inline constexpr std::size_t kMostExact = 100;

double median_of(std::vector<double> values);

}  // namespace strata::analysis
