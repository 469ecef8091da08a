// SPDX-License-Identifier: LGPL-2.1-only
// The Mann-Whitney U test: are the measured times of one program larger than those of another?
//
// For example, all 5 times of a base are below all 5 times of a change. By chance, this happens in 1 of 252 orders of
// ten times, so p = 0.004.
//
// If both come from the same distribution, every choice of which of the n + m times belong to the change is equally
// likely. p is the share of choices whose sum of ranks is at least the observed one. The test makes no assumption about
// the distribution; a t test would not suit times of programs, which have a lower bound and a long tail. Equal times
// share the mean of their ranks, and p remains exact. O((n + m)^2 n m) time.
//
// Source: H. B. Mann, D. R. Whitney, "On a Test of Whether one of Two Random Variables is Stochastically Larger than
// the Other", Annals of Mathematical Statistics 18(1), 1947, 50-60.
#pragma once

#include <cstddef>
#include <vector>

namespace strata::analysis {

struct RankTest {
  double u = 0;  // pairs of a base and a new time in which the new one is larger; equal ones count one half
  double p = 1;  // probability of at least this U if there is no difference
};

/// One-sided: are the times in `now` larger than those in `base`? Both must be non-empty. For more than kMostExact
/// times in total, p is that of the normal approximation, with corrections for ties and continuity.
RankTest test_larger(const std::vector<double>& base, const std::vector<double>& now);

inline constexpr std::size_t kMostExact = 100;

double median_of(std::vector<double> values);

}  // namespace strata::analysis
