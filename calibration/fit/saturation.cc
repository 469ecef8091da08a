// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/saturation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>
#include <vector>

#include "calibration/fit/bic.h"
#include "calibration/fit/huber.h"

namespace strata::calibration {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Relative: a knee that changes all rates by less is ignored. At best, benchmark rates are reproducible to about this
// value.
constexpr double kLeastNoise = 0.005;

// The theta that minimises the loss of the residuals 1 - theta u.
double fit_factor(std::span<const double> u, double bound) {
  std::vector<double> weights(u.size(), 1.0);
  double theta = 0;
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    double uu = 0, sum = 0;
    for (size_t i = 0; i < u.size(); ++i) {
      uu += weights[i] * u[i] * u[i];
      sum += weights[i] * u[i];
    }
    const double next = sum / uu;
    const bool converged = std::abs(next - theta) <= kConverged * next;
    theta = next;
    if (converged) break;
    for (size_t i = 0; i < u.size(); ++i) weights[i] = huber_weight(1 - theta * u[i], bound);
  }
  return theta;
}

struct Candidate {
  double one = 0, all = kInfinity;
  double loss = kInfinity;
};

double loss_of(std::span<const Sample> points, const Candidate& c, double bound) {
  double loss = 0;
  for (const Sample& p : points) loss += huber_loss(1 - std::min(p.x * c.one, c.all) / p.y, bound);
  return loss;
}

// x / y of each point, with x limited to `knee`.
std::vector<double> shares(std::span<const Sample> points, double knee = kInfinity) {
  std::vector<double> u;
  for (const Sample& p : points) u.push_back(std::min(p.x, knee) / p.y);
  return u;
}

// The best fit without a knee.
Candidate line(std::span<const Sample> points, double bound) {
  Candidate c{.one = fit_factor(shares(points), bound)};
  c.loss = loss_of(points, c, bound);
  return c;
}

// The best fit with a knee.
Candidate knee(std::span<const Sample> points, double bound) {
  Candidate best;
  const auto offer = [&](double one, double all) {
    Candidate c{.one = one, .all = all};
    c.loss = loss_of(points, c, bound);
    if (c.loss < best.loss) best = c;
  };
  for (size_t i = 1; i < points.size(); ++i) {
    // First a knee between i - 1 and i, then one at i - 1.
    std::vector<double> flat;
    for (const Sample& p : points.subspan(i)) flat.push_back(1 / p.y);
    offer(fit_factor(shares(points.first(i)), bound), fit_factor(flat, bound));
    const double at = points[i - 1].x;
    const double one = fit_factor(shares(points, at), bound);
    offer(one, at * one);
  }
  return best;
}

double noise_of(std::span<const Sample> points, const Candidate& c) {
  std::vector<double> residuals;
  for (const Sample& p : points) residuals.push_back(std::abs(1 - std::min(p.x * c.one, c.all) / p.y));
  return std::max(kLeastNoise, median(std::move(residuals)) / kMedianOfNormal);
}

}  // namespace

Saturation fit_saturation(std::span<const Sample> samples) {
  for (const Sample& s : samples) {
    if (!(s.y > 0) || !(s.x >= 1)) throw std::invalid_argument("a rate that is not positive, or of none at once");
  }
  const std::vector<Sample> points = medians(samples);
  if (points.empty()) throw std::invalid_argument("no rates");
  const size_t n = points.size();
  const double most = points.back().x;
  // Fit by least squares first, to estimate the noise from the residuals.
  const double bound = kHuber * std::min(noise_of(points, line(points, kInfinity)),
                                         n > 1 ? noise_of(points, knee(points, kInfinity)) : kInfinity);
  const Candidate without = line(points, bound);
  if (n > 1) {
    const Candidate with = knee(points, bound);
    if (with.all < most * with.one && bic(with.loss, n, 2, kLeastNoise) < bic(without.loss, n, 1, kLeastNoise))
      return {.one = with.one, .all = with.all, .saturated = true, .most = most};
  }
  return {.one = without.one, .all = most * without.one, .saturated = false, .most = most};
}

double rate_of(const Saturation& s, double k) { return s.saturated ? std::min(k * s.one, s.all) : k * s.one; }

}  // namespace strata::calibration
