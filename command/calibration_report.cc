// SPDX-License-Identifier: LGPL-2.1-only
#include "command/calibration_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/units.h"

namespace strata::command {
namespace {

using calibration::CalibratedFigure;
using calibration::Interval;
using calibration::LoopFigure;
using calibration::Predicted;
using calibration::Prediction;

// The cells of a table; values are right-aligned.
template <size_t N>
std::string table(const std::vector<std::array<std::string, N>>& rows, const std::array<bool, N>& is_value) {
  std::array<size_t, N> width{};
  for (const auto& row : rows) {
    for (size_t i = 0; i < N; ++i) width[i] = std::max(width[i], row[i].size());
  }
  std::string text;
  for (const auto& row : rows) {
    std::string line;
    for (size_t i = 0; i < N; ++i) {
      line += i > 0 ? "  " : "";
      line += is_value[i] ? fmt::format("{:>{}}", row[i], width[i]) : fmt::format("{:<{}}", row[i], width[i]);
    }
    text += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return text;
}

double factor_of(const Figure& f) {
  for (const char* dimension : {"time", "bandwidth", "speed", "size"}) {
    if (const double factor = unit_factor(dimension, f.unit); factor > 0) return factor;
  }
  return 1;  // copies
}

// Formats a value in the figure's unit.
std::string number_text(double si, const Figure& f) {
  const double value = si / factor_of(f);
  return value < 1000 ? fmt::format("{:.4g}", value) : fmt::format("{:.0f}", value);
}

std::string value_text(const Figure& f) { return fmt::format("{} {}", f.value, f.unit); }

std::string interval_text(const CalibratedFigure& f) {
  if (!f.interval) return "";
  return number_text(f.interval->low, f.figure) + " to " + number_text(f.interval->high, f.figure);
}

// "osu.txt, 22 samples" for "measured: osu.txt, 22 samples".
std::string from_text(const CalibratedFigure& f) {
  return f.figure.source.substr(std::min(f.figure.source.size(), f.figure.source.find(": ") + 2));
}

std::string measured_text(const std::vector<CalibratedFigure>& figures) {
  std::vector<std::array<std::string, 5>> rows = {{"level", "figure", "value", "95 % interval", "from"}};
  for (const CalibratedFigure& f : figures) {
    if (f.is_measured()) rows.push_back({f.level, f.name, value_text(f.figure), interval_text(f), from_text(f)});
  }
  return "Measured\n" + table(rows, {false, false, true, false, false});
}

std::string assumed_text(const std::vector<CalibratedFigure>& figures) {
  std::vector<std::array<std::string, 4>> rows = {{"level", "figure", "value", "from"}};
  for (const CalibratedFigure& f : figures) {
    if (!f.is_measured()) rows.push_back({f.level, f.name, value_text(f.figure), from_text(f)});
  }
  return rows.size() == 1 ? "" : "\nStill assumed\n" + table(rows, {false, false, true, false});
}

std::string loop_text(const std::vector<LoopFigure>& loop) {
  if (loop.empty()) return "";
  std::vector<std::array<std::string, 6>> rows = {
      {"level", "figure", "measured", "95 % interval", "simulated", "within"}};
  int within = 0, known = 0;
  for (const LoopFigure& f : loop) {
    const Figure& figure = f.measured.figure;
    rows.push_back({f.measured.level, f.measured.name, value_text(figure), interval_text(f.measured),
                    number_text(f.simulated, figure) + " " + figure.unit, f.within ? (*f.within ? "yes" : "no") : "-"});
    known += f.within.has_value() ? 1 : 0;
    within += f.within.value_or(false) ? 1 : 0;
  }
  return "\nThe probe on this machine, simulated\n" + table(rows, {false, false, true, false, true, false}) +
         fmt::format("{} of {} figures come back within their intervals\n", within, known);
}

std::string predicted_text(const std::vector<Predicted>& predicted) {
  if (predicted.empty()) return "";
  std::vector<std::array<std::string, 7>> rows = {
      {"operation", "level", "ranks", "bytes", "sizes", "median error", "worst error"}};
  for (const Predicted& p : predicted) {
    const Validation v = validation_of(p);
    rows.push_back({v.operation, v.level, std::to_string(v.ranks), fmt::format("{} to {}", v.from_bytes, v.to_bytes),
                    std::to_string(p.sizes.size()), fmt::format("{:.2f}", v.median_error),
                    fmt::format("{:.2f}", v.worst_error)});
  }
  return "\nPredicted, not fitted (error: predicted / measured, or its inverse)\n" +
         table(rows, {false, false, true, false, true, true, true});
}

Json interval_json(const std::optional<Interval>& i) {
  return i ? Json({{"low", i->low}, {"high", i->high}}) : Json(nullptr);
}

// In SI units, except `value`, which has the unit of machine.yaml.
Json figure_json(const CalibratedFigure& f) {
  return {{"level", f.level},
          {"figure", f.key},
          {"from_bytes", f.from_bytes},
          {"value", f.figure.value},
          {"unit", f.figure.unit},
          {"si", f.figure.si},
          {"interval", interval_json(f.interval)},
          {"source", f.figure.source}};
}

Json loop_json(const std::vector<LoopFigure>& loop) {
  Json figures = Json::array();
  for (const LoopFigure& f : loop) {
    figures.push_back({{"level", f.measured.level},
                       {"figure", f.measured.key},
                       {"from_bytes", f.measured.from_bytes},
                       {"measured", f.measured.figure.si},
                       {"interval", interval_json(f.measured.interval)},
                       {"simulated", f.simulated},
                       {"within", f.within ? Json(*f.within) : Json(nullptr)}});
  }
  return figures;
}

Json predicted_json(const std::vector<Predicted>& predicted) {
  Json all = Json::array();
  for (const Predicted& p : predicted) {
    const Validation v = validation_of(p);
    Json sizes = Json::array();
    for (const Prediction& s : p.sizes)
      sizes.push_back({{"bytes", s.bytes}, {"measured", s.measured_s}, {"predicted", s.predicted_s}});
    all.push_back({{"operation", v.operation},
                   {"level", v.level},
                   {"ranks", v.ranks},
                   {"samples", v.samples},
                   {"source", p.of.source},
                   {"median_error", v.median_error},
                   {"worst_error", v.worst_error},
                   {"sizes", sizes}});
  }
  return all;
}

}  // namespace

std::string text_of(const CalibrationReport& r) {
  std::string text = measured_text(r.calibration.figures) + assumed_text(r.calibration.figures) + loop_text(r.loop) +
                     predicted_text(r.predicted);
  if (!r.notes.empty()) text += "\nNotes\n";
  for (const std::string& note : r.notes) text += note + "\n";
  return text;
}

Json to_json(const CalibrationReport& r) {
  Json figures = Json::array();
  for (const CalibratedFigure& f : r.calibration.figures) figures.push_back(figure_json(f));
  return {{"schema", "strata.calibrate/1"},
          {"machine", r.calibration.machine.name},
          {"nodes", r.calibration.machine.topology->num_nodes()},
          {"figures", figures},
          {"loop", loop_json(r.loop)},
          {"predicted", predicted_json(r.predicted)},
          {"notes", r.notes}};
}

}  // namespace strata::command
