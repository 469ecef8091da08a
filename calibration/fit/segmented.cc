// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/segmented.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "calibration/fit/huber.h"

namespace strata::calibration {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Relative. Benchmarks print two to six digits, so differences below this are not measured; it keeps BIC finite where
// the points lie on lines exactly.
constexpr double kLeastNoise = 1e-6;

struct Weighted {
  double latency_s, seconds_per_byte;
};

// The weighted least squares; with the latency fixed at its least value where it would be below it.
Weighted solve(std::span<const Sample> points, const std::vector<double>& weights, double least_latency_s) {
  double sum = 0, mean_x = 0, mean_y = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    sum += weights[i];
    mean_x += weights[i] * points[i].x;
    mean_y += weights[i] * points[i].y;
  }
  mean_x /= sum;
  mean_y /= sum;
  double xx = 0, xy = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    const double dx = points[i].x - mean_x;
    xx += weights[i] * dx * dx;
    xy += weights[i] * dx * (points[i].y - mean_y);
  }
  const double slope = xy / xx;
  const double latency = mean_y - slope * mean_x;
  if (latency >= least_latency_s) return {latency, slope};
  xx = xy = 0;
  for (size_t i = 0; i < points.size(); ++i) {
    xx += weights[i] * points[i].x * points[i].x;
    xy += weights[i] * points[i].x * (points[i].y - least_latency_s);
  }
  return {least_latency_s, xy / xx};
}

// lines[i][j]: of sizes i to j - 1; none where no piece may be. O(n^2) of them.
using Lines = std::vector<std::vector<std::optional<Line>>>;

Lines all_lines(std::span<const Sample> points, double noise, double least_latency_s) {
  const size_t n = points.size();
  const size_t fewest = std::min<size_t>(kFewestSizes, n);
  Lines lines(n, std::vector<std::optional<Line>>(n + 1));
  for (size_t i = 0; i < n; ++i) {
    for (size_t j = i + fewest; j <= n; ++j) {
      const Line line = fit_line(points.subspan(i, j - i), noise, least_latency_s);
      if (line.seconds_per_byte > 0) lines[i][j] = line;
    }
  }
  return lines;
}

// For each number of pieces and of first sizes the least loss, and where the last of these pieces begins.
struct Partition {
  double loss = kInfinity;
  size_t last_from = 0;
};

std::vector<std::vector<Partition>> best_partitions(const Lines& lines, int most_pieces) {
  const size_t n = lines.size();
  std::vector<std::vector<Partition>> best(most_pieces + 1, std::vector<Partition>(n + 1));
  best[0][0].loss = 0;
  for (int k = 1; k <= most_pieces; ++k) {
    for (size_t j = 1; j <= n; ++j) {
      for (size_t i = 0; i < j; ++i) {
        if (!lines[i][j]) continue;
        const double loss = best[k - 1][i].loss + lines[i][j]->loss;
        if (loss < best[k][j].loss) best[k][j] = {loss, i};
      }
    }
  }
  return best;
}

// Two parameters a line, the breakpoints, and the noise.
double bic(double loss, size_t n, int pieces) {
  const auto count = static_cast<double>(n);
  return count * std::log(std::max(loss / count, kLeastNoise * kLeastNoise)) + 3 * pieces * std::log(count);
}

}  // namespace

Line fit_line(std::span<const Sample> by_size, double noise, double least_latency_s) {
  const double bound = kHuber * std::max(noise, kLeastNoise);
  std::vector<double> weights;
  weights.reserve(by_size.size());
  for (const Sample& p : by_size) weights.push_back(1 / (p.y * p.y));
  Weighted line{0, 0};
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const Weighted next = solve(by_size, weights, least_latency_s);
    double change = 0;
    for (size_t i = 0; i < by_size.size(); ++i) {
      const Sample& p = by_size[i];
      const double predicted = next.latency_s + p.x * next.seconds_per_byte;
      change = std::max(change, std::abs(predicted - line.latency_s - p.x * line.seconds_per_byte) / p.y);
      weights[i] = huber_weight((p.y - predicted) / p.y, bound) / (p.y * p.y);
    }
    line = next;
    if (change < kConverged) break;
  }
  double loss = 0;
  for (const Sample& p : by_size) loss += huber_loss((p.y - line.latency_s - p.x * line.seconds_per_byte) / p.y, bound);
  return {line.latency_s, line.seconds_per_byte, loss};
}

double relative_noise(std::span<const Sample> by_size) {
  std::vector<double> residuals;
  for (size_t i = 1; i + 1 < by_size.size(); ++i) {
    const Sample &before = by_size[i - 1], &at = by_size[i], &after = by_size[i + 1];
    const double a = (after.x - at.x) / (after.x - before.x);
    const double line = a * before.y + (1 - a) * after.y;
    // Of relative errors of standard deviation 1, that of line - at.y.
    const double spread = std::hypot(a * before.y, (1 - a) * after.y, at.y);
    residuals.push_back(std::abs(line - at.y) / spread);
  }
  return residuals.empty() ? 0 : median(std::move(residuals)) / kMedianOfNormal;
}

SegmentedFit fit_segmented(std::span<const Sample> samples, const SegmentedRules& rules) {
  for (const Sample& s : samples) {
    if (!(s.y > 0) || !(s.x >= 0)) throw std::invalid_argument("a time or a size that is not positive");
  }
  const std::vector<Sample> points = medians(samples);
  if (points.size() < 2) throw std::invalid_argument("times of only one size");
  const double noise = relative_noise(points);
  const Lines lines = all_lines(points, noise, rules.least_latency_s);
  const std::vector<std::vector<Partition>> best = best_partitions(lines, rules.most_pieces);
  const size_t n = points.size();
  int pieces = 0;
  double least = kInfinity;
  for (int k = rules.fewest_pieces; k <= rules.most_pieces; ++k) {
    if (best[k][n].loss == kInfinity) continue;
    const double value = bic(best[k][n].loss, n, k);
    if (value < least) {
      least = value;
      pieces = k;
    }
  }
  if (pieces == 0) throw std::invalid_argument("times that do not grow with the size");
  SegmentedFit fit{.pieces = {}, .noise = noise, .loss = best[pieces][n].loss};
  size_t to = n;
  for (int k = pieces; k > 0; --k) {
    const size_t from = best[k][to].last_from;
    const Line& line = *lines[from][to];
    fit.pieces.push_back({from == 0 ? 0 : points[from].x, line.latency_s, 1 / line.seconds_per_byte});
    to = from;
  }
  std::reverse(fit.pieces.begin(), fit.pieces.end());
  return fit;
}

double seconds_of(std::span<const Piece> pieces, double bytes) {
  const Piece* at = pieces.data();
  for (const Piece& p : pieces) {
    if (p.from_bytes <= bytes) at = &p;
  }
  return at->latency_s + bytes / at->bandwidth;
}

}  // namespace strata::calibration
