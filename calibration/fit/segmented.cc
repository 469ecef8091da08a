// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/fit/segmented.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <stdexcept>

#include "calibration/fit/bic.h"
#include "calibration/fit/huber.h"

namespace strata::calibration {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
// Relative. Benchmarks print two to six digits, so smaller differences are not significant. Keeps BIC finite if the
// points lie exactly on lines.
constexpr double kLeastNoise = 1e-6;

struct Coefficients {
  double latency_s, seconds_per_byte;
};

// Weighted least squares, with both coefficients at least `least`.
Coefficients solve(std::span<const Sample> points, const std::vector<double>& weights, const Coefficients& least) {
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
  const Coefficients best{mean_y - slope * mean_x, slope};
  if (best.latency_s >= least.latency_s && slope >= least.seconds_per_byte) return best;
  // Otherwise the minimum of a convex function over a quadrant lies on its border: either with the least latency ...
  const double xx0 = xx + sum * mean_x * mean_x;
  const double xy0 = xy + sum * mean_x * (mean_y - least.latency_s);
  const Coefficients low{least.latency_s, std::max(least.seconds_per_byte, xy0 / xx0)};
  // ... or with the least slope.
  const Coefficients flat{std::max(least.latency_s, mean_y - least.seconds_per_byte * mean_x), least.seconds_per_byte};
  const auto above = [&](const Coefficients& w) {  // the sum of squares minus that of `best`
    const double dy = w.latency_s - best.latency_s, ds = w.seconds_per_byte - slope;
    return sum * dy * dy + 2 * sum * mean_x * dy * ds + xx0 * ds * ds;
  };
  return above(low) <= above(flat) ? low : flat;
}

Line fit(std::span<const Sample> by_size, double noise, const Coefficients& least) {
  const double bound = kHuber * std::max(noise, kLeastNoise);
  std::vector<double> weights;
  weights.reserve(by_size.size());
  for (const Sample& p : by_size) weights.push_back(1 / (p.y * p.y));
  Coefficients line{0, 0};
  for (int iteration = 0; iteration < kMostIterations; ++iteration) {
    const Coefficients next = solve(by_size, weights, least);
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

// The lines of sizes i to j - 1, each fitted when it is first requested.
class Lines {
 public:
  Lines(std::span<const Sample> points, double noise, double least_latency_s)
      : points_(points), noise_(noise), least_latency_s_(least_latency_s), lines_(points.size() * points.size()) {}

  /// Null if these sizes cannot be a piece: they are too few, or their times do not grow.
  const Line* of(size_t i, size_t j) {
    const size_t fewest = std::min<size_t>(kFewestSizes, points_.size());
    if (j < i + fewest) return nullptr;
    std::optional<Line>& line = lines_[i * points_.size() + j - 1];
    if (!line) line = fit_line(points_.subspan(i, j - i), noise_, least_latency_s_);
    return line->seconds_per_byte > 0 ? &*line : nullptr;
  }

 private:
  std::span<const Sample> points_;
  double noise_, least_latency_s_;
  std::vector<std::optional<Line>> lines_;
};

// For a number of pieces and of first sizes: the smallest loss, and the start of the last of these pieces.
struct Partition {
  double loss = kInfinity;
  size_t last_from = 0;
};

std::vector<std::vector<Partition>> best_partitions(Lines& lines, size_t n, int most_pieces) {
  std::vector<std::vector<Partition>> best(most_pieces + 1, std::vector<Partition>(n + 1));
  best[0][0].loss = 0;
  for (int k = 1; k <= most_pieces; ++k) {
    for (size_t j = k == most_pieces ? n : 1; j <= n; ++j) {
      for (size_t i = 0; i < j; ++i) {
        if (best[k - 1][i].loss == kInfinity) continue;
        const Line* line = lines.of(i, j);
        if (line == nullptr) continue;
        const double loss = best[k - 1][i].loss + line->loss;
        if (loss < best[k][j].loss) best[k][j] = {loss, i};
      }
    }
  }
  return best;
}

// Two parameters per line, two per breakpoint, and the noise.
int parameters_of(int pieces) { return 4 * pieces - 1; }

// The sizes of each piece.
std::vector<std::span<const Sample>> parts_of(std::span<const Sample> points,
                                              const std::vector<std::vector<Partition>>& best, int pieces) {
  std::vector<std::span<const Sample>> parts(pieces);
  size_t to = points.size();
  for (int k = pieces; k > 0; --k) {
    const size_t from = best[k][to].last_from;
    parts[k - 1] = points.subspan(from, to - from);
    to = from;
  }
  return parts;
}

}  // namespace

Line fit_line(std::span<const Sample> by_size, double noise, double least_latency_s) {
  return fit(by_size, noise, {least_latency_s, 0});
}

double relative_noise(std::span<const Sample> by_size) {
  std::vector<double> residuals;
  for (size_t i = 1; i + 1 < by_size.size(); ++i) {
    const Sample &before = by_size[i - 1], &at = by_size[i], &after = by_size[i + 1];
    const double a = (after.x - at.x) / (after.x - before.x);
    const double line = a * before.y + (1 - a) * after.y;
    // The standard deviation of line - at.y if relative errors have standard deviation 1.
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
  const size_t n = points.size();
  Lines lines(points, noise, rules.least_latency_s);
  const std::vector<std::vector<Partition>> best = best_partitions(lines, n, rules.most_pieces);
  int pieces = 0;
  double least = kInfinity;
  for (int k = rules.fewest_pieces; k <= rules.most_pieces; ++k) {
    if (best[k][n].loss == kInfinity) continue;
    const double value = bic(best[k][n].loss, n, parameters_of(k), kLeastNoise);
    if (value < least) {
      least = value;
      pieces = k;
    }
  }
  if (pieces == 0) throw std::invalid_argument("times that do not grow with the size");
  SegmentedFit result{.pieces = {}, .noise = noise, .loss = best[pieces][n].loss};
  const std::vector<std::span<const Sample>> parts = parts_of(points, best, pieces);
  double most_measured = 0, least_slope = 0;  // B/s; the slope of the piece with this maximum
  for (const std::span<const Sample> part : parts) {
    const size_t from = part.data() - points.data();
    for (const Sample& p : part) {
      if (p.x / p.y <= most_measured) continue;
      most_measured = p.x / p.y;
      least_slope = lines.of(from, from + part.size())->seconds_per_byte;
    }
  }
  for (const std::span<const Sample> part : parts) {
    const Line line = fit(part, noise, {rules.least_latency_s, least_slope});
    result.pieces.push_back({result.pieces.empty() ? 0 : part.front().x, line.latency_s, 1 / line.seconds_per_byte});
  }
  return result;
}

double seconds_of(std::span<const Piece> pieces, double bytes) {
  const Piece* at = pieces.data();
  for (const Piece& p : pieces) {
    if (p.from_bytes <= bytes) at = &p;
  }
  return at->latency_s + bytes / at->bandwidth;
}

}  // namespace strata::calibration
