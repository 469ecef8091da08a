// SPDX-License-Identifier: LGPL-2.1-only
#include "command/calibration_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

namespace strata::command {
namespace {

using calibration::LevelCurve;
using calibration::Piece;
using calibration::Sample;

constexpr double kStep = 1.1;  // ratio between consecutive points of a drawn line, on a logarithmic axis

analysis::Chart chart_of(const LevelCurve& curve, const char* name, const std::string& title) {
  analysis::Chart chart;
  chart.name = std::string(name) + "-" + file_part(curve.level);
  chart.title = curve.level + ": " + title;
  chart.x = {.label = "message size", .unit = "B", .log = true, .categories = {}};
  return chart;
}

analysis::Series points_of(const char* label) {
  return {.label = label, .colour = 0, .line = false, .marker = analysis::Marker::kFilled, .points = {}};
}

analysis::Series line_of(const char* label) { return {.label = label, .colour = 1, .shape = 1, .points = {}}; }

}  // namespace

std::string file_part(const std::string& level) {
  std::string part;
  for (const char c : level) {
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      part += c;
    } else if (!part.empty() && part.back() != '-') {
      part += '-';
    }
  }
  while (!part.empty() && part.back() == '-') part.pop_back();
  return part.empty() ? "level" : part;
}

analysis::Chart fit_chart(const LevelCurve& curve) {
  analysis::Chart chart = chart_of(curve, "fit", "ping-pongs and the fitted lines");
  chart.y = {.label = "half a round trip", .unit = "s", .log = true, .categories = {}};
  analysis::Series measured = points_of("measured");
  double least = std::numeric_limits<double>::infinity(), largest = 0;
  for (const Sample& s : curve.samples) {
    if (s.x <= 0) continue;
    measured.points.push_back({s.x, s.y});
    least = std::min(least, s.x);
    largest = std::max(largest, s.x);
  }
  for (size_t i = 0; i < curve.pieces.size(); ++i) {
    const Piece& piece = curve.pieces[i];
    const double from = std::max(piece.from_bytes, least);
    const double to = i + 1 < curve.pieces.size() ? curve.pieces[i + 1].from_bytes : largest;
    analysis::Series line = {.label = fmt::format("from {} B: {:.3g} us + bytes / ({:.3g} GB/s)", piece.from_bytes,
                                                  piece.latency_s * 1e6, piece.bandwidth * 1e-9),
                             .colour = 1 + static_cast<int>(i),
                             .shape = static_cast<int>(i),
                             .marker = analysis::Marker::kNone,
                             .points = {}};
    for (double x = from; x < to; x *= kStep) line.points.push_back({x, piece.latency_s + x / piece.bandwidth});
    line.points.push_back({to, piece.latency_s + to / piece.bandwidth});
    chart.series.push_back(std::move(line));
  }
  chart.series.push_back(std::move(measured));
  return chart;
}

analysis::Chart residuals_chart(const LevelCurve& curve) {
  analysis::Chart chart = chart_of(curve, "residuals", "measured less fitted, in parts of the measured time");
  chart.y = {.label = "residual", .unit = "%", .log = false, .categories = {}};
  chart.reference = 0;
  analysis::Series residuals = points_of("measured");
  for (const Sample& s : curve.samples) {
    if (s.x <= 0) continue;
    residuals.points.push_back({s.x, 100 * (s.y - calibration::seconds_of(curve.pieces, s.x)) / s.y});
  }
  chart.series.push_back(std::move(residuals));
  return chart;
}

analysis::Chart loop_chart(const LevelCurve& curve, const std::vector<calibration::Measurement>& simulated) {
  analysis::Chart chart = chart_of(curve, "loop", "ping-pongs, measured and simulated on the calibrated machine");
  chart.y = {.label = "half a round trip", .unit = "s", .log = true, .categories = {}};
  analysis::Series back = line_of("simulated"), measured = points_of("measured");
  std::vector<Sample> times;
  for (const calibration::Measurement& m : simulated) {
    if (m.operation == calibration::Operation::kPingPong && m.level == curve.level && m.bytes > 0)
      times.push_back({m.bytes, m.value});
  }
  for (const Sample& s : calibration::medians(times)) back.points.push_back({s.x, s.y});
  for (const Sample& s : curve.samples) {
    if (s.x > 0) measured.points.push_back({s.x, s.y});
  }
  chart.series = {std::move(back), std::move(measured)};
  return chart;
}

analysis::Chart prediction_chart(const calibration::Predicted& p) {
  const std::string operation = word_of(p.of.operation);
  analysis::Chart chart;
  chart.name = fmt::format("predicted-{}-{}", operation, p.of.ranks);
  chart.title = fmt::format("{} on {} ranks: measured, and predicted without being fitted", operation, p.of.ranks);
  if (!p.of.level.empty()) chart.name += "-" + file_part(p.of.level);
  chart.x = {.label = "size", .unit = "B", .log = true, .categories = {}};
  chart.y = {.label = "time", .unit = "s", .log = true, .categories = {}};
  analysis::Series predicted = line_of("predicted"), measured = points_of("measured");
  for (const calibration::Prediction& s : p.sizes) {
    if (s.bytes <= 0) continue;
    predicted.points.push_back({s.bytes, s.predicted_s});
    measured.points.push_back({s.bytes, s.measured_s});
  }
  chart.series = {std::move(predicted), std::move(measured)};
  return chart;
}

}  // namespace strata::command
