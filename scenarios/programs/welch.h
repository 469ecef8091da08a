// SPDX-License-Identifier: LGPL-2.1-only
// The difference of two means with a confidence interval: Welch's t-test for unpaired samples of unequal variance (B.
// L. Welch, Biometrika 34, 1947), as used in Figure 4 of PDSEC'20. With sample means m, variances s^2 and sizes n, the
// difference m_a - m_b has the standard error e = sqrt(s_a^2 / n_a + s_b^2 / n_b) and about e^4 / ((s_a^2 / n_a)^2 /
// (n_a - 1) + (s_b^2 / n_b)^2 / (n_b - 1)) degrees of freedom.
#pragma once

#include <boost/math/distributions/students_t.hpp>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace strata::programs {

struct MeanDifference {
  double value = 0;       // mean of a - mean of b
  double half_width = 0;  // the interval is value - half_width to value + half_width
  double degrees = 0;     // of freedom; 0 if both samples are constant, in which case the difference is exact

  bool significant() const { return std::abs(value) > half_width; }
};

/// Throws std::invalid_argument if a sample has fewer than two values or the confidence is not between 0 and 1.
inline MeanDifference welch(const std::vector<double>& a, const std::vector<double>& b, double confidence = 0.95) {
  if (a.size() < 2 || b.size() < 2) throw std::invalid_argument("a sample has fewer than two values");
  if (!(confidence > 0 && confidence < 1)) throw std::invalid_argument("the confidence is not between 0 and 1");
  struct Sample {
    double mean, variance_of_mean, degrees;
  };
  const auto sample = [](const std::vector<double>& values) {
    const auto n = static_cast<double>(values.size());
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / n;
    double squares = 0;
    for (const double v : values) squares += (v - mean) * (v - mean);
    return Sample{mean, squares / (n - 1) / n, n - 1};
  };
  const Sample x = sample(a), y = sample(b);
  MeanDifference d = {.value = x.mean - y.mean};
  const double variance = x.variance_of_mean + y.variance_of_mean;
  if (variance == 0) return d;
  const double p = x.variance_of_mean / variance, q = y.variance_of_mean / variance;  // normalised, so that their
                                                                                      // squares do not underflow
  d.degrees = 1 / (p * p / x.degrees + q * q / y.degrees);
  d.half_width =
      std::sqrt(variance) * boost::math::quantile(boost::math::students_t(d.degrees), 1 - (1 - confidence) / 2);
  return d;
}

}  // namespace strata::programs
