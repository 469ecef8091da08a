// SPDX-License-Identifier: LGPL-2.1-only
// The fit finds the pieces from which times were made, and the fast fit agrees with a search over all breakpoints.
#include "calibration/fit/segmented.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>
#include <string>

#include "calibration/fit/bootstrap.h"
#include "calibration/fit/huber.h"
#include "tests/calibration/fit/noise.h"

namespace strata::calibration {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

// 0, 1, 2, 4, ... 4 MiB, the usual sizes of benchmarks.
std::vector<double> usual_sizes() {
  std::vector<double> sizes = {0};
  for (double m = 1; m <= 4194304; m *= 2) sizes.push_back(m);
  return sizes;
}

std::vector<Sample> times_of(const std::vector<Piece>& pieces) {
  std::vector<Sample> samples;
  for (const double m : usual_sizes()) samples.push_back({m, seconds_of(pieces, m)});
  return samples;
}

TEST(Segmented, TheExampleOfTheHeader) {
  std::vector<Sample> samples;
  for (const double m : usual_sizes()) samples.push_back({m, m <= 4096 ? 1e-6 + m * 1e-9 : 3e-6 + m * 1e-10});
  const SegmentedFit fit = fit_segmented(samples);
  ASSERT_EQ(fit.pieces.size(), 2u);
  EXPECT_EQ(fit.pieces[0].from_bytes, 0);
  EXPECT_NEAR(fit.pieces[0].latency_s, 1e-6, 1e-12);
  EXPECT_NEAR(fit.pieces[0].bandwidth, 1e9, 1e3);
  EXPECT_EQ(fit.pieces[1].from_bytes, 8192);
  EXPECT_NEAR(fit.pieces[1].latency_s, 3e-6, 1e-12);
  EXPECT_NEAR(fit.pieces[1].bandwidth, 1e10, 1e4);
  EXPECT_NEAR(fit.noise, 0, 1e-9);
}

TEST(Segmented, OneLineStaysOne) {
  const SegmentedFit fit = fit_segmented(times_of({{0, 1.7e-6, 3.2e9}}));
  ASSERT_EQ(fit.pieces.size(), 1u);
  EXPECT_NEAR(fit.pieces[0].latency_s, 1.7e-6, 1e-12);
  EXPECT_NEAR(fit.pieces[0].bandwidth, 3.2e9, 3.2e3);
}

// As in models/fit.h, the median of the three samples of each size is fitted, so disturbed samples do not matter.
TEST(Segmented, TheMedianOfASizeIsFitted) {
  std::vector<Sample> samples;
  for (const Sample& s : times_of({{0, 1e-6, 1e9}})) {
    samples.push_back(s);
    samples.push_back({s.x, 50 * s.y});
    samples.push_back({s.x, s.y});
  }
  const SegmentedFit fit = fit_segmented(samples);
  ASSERT_EQ(fit.pieces.size(), 1u);
  EXPECT_NEAR(fit.pieces[0].latency_s, 1e-6, 1e-12);
}

TEST(Segmented, ADisturbedSizeDoesNotMoveTheLine) {
  std::vector<Sample> samples = times_of({{0, 1e-6, 1e9}});
  Noise noise(3);
  for (Sample& s : samples) s.y *= 1 + 0.01 * noise.normal();
  const double before = fit_segmented(samples).pieces[0].latency_s;
  samples[8].y *= 3;
  const SegmentedFit fit = fit_segmented(samples);
  ASSERT_EQ(fit.pieces.size(), 1u);
  EXPECT_NEAR(fit.pieces[0].latency_s, before, 0.01 * before);
  EXPECT_NEAR(fit.pieces[0].latency_s, 1e-6, 0.015e-6);
}

// The line through 2 us and 4 us: 1 us at 0 B, and 1 ns per byte.
TEST(Segmented, TwoSizesGiveALine) {
  const SegmentedFit fit = fit_segmented(std::vector<Sample>{{1000, 2e-6}, {3000, 4e-6}});
  ASSERT_EQ(fit.pieces.size(), 1u);
  EXPECT_NEAR(fit.pieces[0].latency_s, 1e-6, 1e-15);
  EXPECT_NEAR(fit.pieces[0].bandwidth, 1e9, 1e-3);
}

// Times whose best line has a negative latency (here -1 us), as when large messages no longer fit a cache.
TEST(Segmented, TheLatencyIsNotBelowTheLeastOne) {
  const std::vector<Sample> samples = {{2000, 1e-6}, {3000, 2e-6}, {4000, 3e-6}};
  const double none = fit_segmented(samples).pieces[0].latency_s;
  EXPECT_EQ(none, 0);
  EXPECT_EQ(fit_segmented(samples, {.least_latency_s = 0.1e-6}).pieces[0].latency_s, 0.1e-6);
  EXPECT_GT(fit_segmented(samples).pieces[0].bandwidth, 0);
}

TEST(Segmented, RefusesTimesThatDetermineNothing) {
  EXPECT_THROW(fit_segmented({}), std::invalid_argument);
  EXPECT_THROW(fit_segmented(std::vector<Sample>{{8, 1e-6}, {8, 2e-6}}), std::invalid_argument);
  EXPECT_THROW(fit_segmented(std::vector<Sample>{{8, 0}, {16, 1e-6}, {32, 2e-6}}), std::invalid_argument);
  EXPECT_THROW(fit_segmented(std::vector<Sample>{{8, 3e-6}, {16, 2e-6}, {32, 1e-6}}), std::invalid_argument);
}

// --- a slow and obvious fit ----------------------------------------------------------------------------------------

double loss_at(std::span<const Sample> points, double latency, double slope, double bound) {
  double loss = 0;
  for (const Sample& p : points) loss += huber_loss((p.y - latency - slope * p.x) / p.y, bound);
  return loss;
}

// The minimum of a convex function.
template <class Function>
double least_of(double low, double high, const Function& f) {
  for (int i = 0; i < 120; ++i) {
    const double a = low + (high - low) / 3, b = high - (high - low) / 3;
    (f(a) < f(b) ? high : low) = f(a) < f(b) ? b : a;
  }
  return f((low + high) / 2);
}

// The loss of the best line, found by trying slopes, and latencies for each. Infinite if no slope above 0 is best.
double slow_line_loss(std::span<const Sample> points, double bound) {
  double longest = 0, steepest = 0;
  for (const Sample& p : points) longest = std::max(longest, 2 * p.y);
  for (const Sample& p : points) steepest = std::max(steepest, longest / std::max(p.x, 1.0));
  const auto loss_of_slope = [&](double slope) {
    return least_of(0, longest, [&](double latency) { return loss_at(points, latency, slope, bound); });
  };
  const double rising = least_of(0, steepest, loss_of_slope);
  const double level = loss_of_slope(0);
  return rising < level * (1 - 1e-9) ? rising : kInfinity;
}

double slow_loss(std::span<const Sample> points, int pieces, double bound) {
  if (pieces == 1) return static_cast<int>(points.size()) < kFewestSizes ? kInfinity : slow_line_loss(points, bound);
  double best = kInfinity;
  for (size_t to = kFewestSizes; to < points.size(); ++to) {
    const double first = slow_line_loss(points.first(to), bound);
    if (first < kInfinity) best = std::min(best, first + slow_loss(points.subspan(to), pieces - 1, bound));
  }
  return best;
}

TEST(Segmented, FindsWhatTryingAllBreakpointsFinds) {
  for (std::uint64_t seed = 1; seed <= 12; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Noise noise(seed);
    const int n = 6 + noise.below(4);
    std::vector<Sample> points;
    double m = 1;
    for (int i = 0; i < n; ++i) {
      m *= 1.5 + 2 * noise.uniform();
      points.push_back({m, (1e-6 + m * 1e-9) * (i > n / 2 ? 2.0 : 1.0) * (1 + 0.05 * noise.normal())});
    }
    const double bound = kHuber * relative_noise(points);
    double least = kInfinity;
    int best = 0;
    for (int k = 1; k <= n / kFewestSizes; ++k) {
      const double slow = slow_loss(points, k, bound);
      if (slow == kInfinity) {
        EXPECT_THROW(fit_segmented(points, {.fewest_pieces = k, .most_pieces = k}), std::invalid_argument);
        continue;
      }
      const SegmentedFit fit = fit_segmented(points, {.fewest_pieces = k, .most_pieces = k});
      EXPECT_EQ(static_cast<int>(fit.pieces.size()), k);
      EXPECT_NEAR(fit.loss, slow, 1e-6 * slow);
      // BIC: n ln(loss / n) plus ln n for each parameter: two per line, two per breakpoint, and the noise.
      const double bic = n * std::log(slow / n) + (2 * k + 2 * (k - 1) + 1) * std::log(n);
      if (bic < least) best = k;
      least = std::min(least, bic);
    }
    EXPECT_EQ(static_cast<int>(fit_segmented(points).pieces.size()), best);
  }
}

// --- known figures, noise, and the intervals -----------------------------------------------------------------------

std::vector<double> figures_of(const SegmentedFit& fit) {
  std::vector<double> figures;
  for (const Piece& p : fit.pieces) figures.insert(figures.end(), {p.latency_s, p.bandwidth});
  return figures;
}

std::vector<Interval> intervals_of(std::span<const Sample> samples, const SegmentedFit& fit, int rounds) {
  const int pieces = static_cast<int>(fit.pieces.size());
  return bootstrap(samples,
                   {.fitted = [&](double bytes) { return seconds_of(fit.pieces, bytes); },
                    .parameters = 3 * pieces - 1,
                    .figures = [&](std::span<const Sample> s) -> std::optional<std::vector<double>> {
                      try {
                        return figures_of(fit_segmented(s, {.fewest_pieces = pieces, .most_pieces = pieces}));
                      } catch (const std::invalid_argument&) {
                        return std::nullopt;
                      }
                    }},
                   rounds);
}

// 40 data sets with 2 % of noise, with one and with five samples per size: 95 % intervals should contain the true
// figures in about 95 of 100 cases. The standard deviation of 160 binomial trials at 0.95 is 1.7 %. The limit for these
// seeds, 88, is two standard deviations and a little below 95, because the bootstrap of 24 points is known to be a
// little too narrow.
TEST(Segmented, IntervalsHoldTheFiguresThatMadeTheTimes) {
  const std::vector<Piece> made = {{0, 1e-6, 2e9}, {16384, 6e-6, 10e9}};
  const std::vector<double> figures = {1e-6, 2e9, 6e-6, 10e9};
  for (const int repeats : {1, 5}) {
    int held = 0, all = 0, found = 0;
    for (std::uint64_t seed = 1; seed <= 40; ++seed) {
      Noise noise(seed);
      std::vector<Sample> samples;
      for (const Sample& s : times_of(made)) {
        for (int i = 0; i < repeats; ++i) samples.push_back({s.x, s.y * (1 + 0.02 * noise.normal())});
      }
      const SegmentedFit fit = fit_segmented(samples);
      if (fit.pieces.size() != 2) continue;
      ++found;
      const std::vector<Interval> intervals = intervals_of(samples, fit, 300);
      ASSERT_EQ(intervals.size(), figures.size());
      for (size_t i = 0; i < figures.size(); ++i, ++all) {
        held += intervals[i].low <= figures[i] && figures[i] <= intervals[i].high ? 1 : 0;
        EXPECT_LT(intervals[i].half_width(), 0.2 * figures[i]);
      }
    }
    RecordProperty("held_" + std::to_string(repeats), std::to_string(held) + "/" + std::to_string(all));
    EXPECT_GE(found, 34) << repeats;  // BIC occasionally adds a third piece
    EXPECT_GE(held, 0.88 * all) << repeats << ": " << held << " of " << all;
  }
}

}  // namespace
}  // namespace strata::calibration
