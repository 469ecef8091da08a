// SPDX-License-Identifier: LGPL-2.1-only
#include "calibration/evidence.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <iterator>

#include "base/units.h"

namespace strata::calibration {
namespace {

constexpr int kDigits = 4;

double rounded(double value, int digits) {
  return std::strtod(fmt::format("{:.{}e}", value, digits - 1).c_str(), nullptr);
}

const char* unit_of(const std::string& dimension) {
  if (dimension == "time") return "us";
  return dimension == "bandwidth" ? "GB/s" : "B";
}

}  // namespace

std::string digits(double value, int count) { return fmt::format("{}", rounded(value, count)); }

std::string file_of(const Measurement& m) {
  const size_t colon = m.source.rfind(':');
  const bool line = colon != std::string::npos && colon + 1 < m.source.size() &&
                    m.source.find_first_not_of("0123456789", colon + 1) == std::string::npos;
  return line ? m.source.substr(0, colon) : m.source;
}

const char* name_of(Operation operation) {
  switch (operation) {
    case Operation::kPingPong:
      return "ping-pong";
    case Operation::kOneWay:
      return "bandwidth one way";
    case Operation::kBothWays:
      return "bandwidth both ways";
    case Operation::kRate:
      return "message rate";
    case Operation::kSendOverhead:
      return "send overhead";
    case Operation::kReceiveOverhead:
      return "receive overhead";
    case Operation::kQueue:
      return "search in a queue";
    case Operation::kEagerLimit:
      return "eager limit";
    case Operation::kCopy:
      return "copy";
    case Operation::kTriad:
      return "triad";
    case Operation::kDaxpy:
      return "daxpy";
    default:
      return "collective";
  }
}

Evidence select(const Evidence& from, const std::function<bool(const Measurement&)>& wanted) {
  Evidence found;
  std::copy_if(from.begin(), from.end(), std::back_inserter(found), wanted);
  return found;
}

Evidence select(const Evidence& from, Operation operation, const std::string& level) {
  return select(from, [&](const Measurement& m) { return m.operation == operation && m.level == level; });
}

std::string files_of(const Evidence& evidence) {
  std::vector<std::string> files;
  for (const Measurement& m : evidence) {
    const std::string file = file_of(m);
    if (std::find(files.begin(), files.end(), file) == files.end()) files.push_back(file);
  }
  if (files.empty()) return "";
  if (files.size() == 1) return files[0];
  if (files.size() == 2) return files[0] + " and " + files[1];
  return fmt::format("{} and {} more files", files[0], files.size() - 1);
}

std::vector<Sample> by_bytes(const Evidence& evidence) {
  std::vector<Sample> samples;
  for (const Measurement& m : evidence) samples.push_back({m.bytes, m.value});
  return samples;
}

std::vector<Sample> by_number(const Evidence& evidence) {
  std::vector<Sample> samples;
  for (const Measurement& m : evidence) samples.push_back({static_cast<double>(m.at_once), m.value});
  return samples;
}

std::vector<double> values_of(const Evidence& evidence) {
  std::vector<double> values;
  for (const Measurement& m : evidence) values.push_back(m.value);
  return values;
}

Figure make_figure(double si, const std::string& dimension, const std::string& source) {
  const std::string unit = unit_of(dimension);
  const double factor = unit_factor(dimension, unit);
  const double value = dimension == "size" ? si : rounded(si / factor, kDigits);
  return {value, unit, source, value * factor};
}

Figure measured_figure(double si, const std::string& dimension, const Evidence& evidence,
                       const std::optional<Interval>& interval) {
  Figure figure = make_figure(
      si, dimension,
      fmt::format("measured: {}, {} sample{}", files_of(evidence), evidence.size(), evidence.size() == 1 ? "" : "s"));
  if (interval) figure.plus_minus = rounded(interval->half_width() / unit_factor(dimension, figure.unit), 2);
  return figure;
}

Evidence of_best_size(const Evidence& rates) {
  int most = 0;
  for (const Measurement& m : rates) most = std::max(most, m.at_once);
  const Evidence of_most = select(rates, [&](const Measurement& m) { return m.at_once == most; });
  const std::vector<Sample> sizes = medians(by_bytes(of_most));
  const double bytes =
      std::max_element(sizes.begin(), sizes.end(), [](const Sample& a, const Sample& b) { return a.y < b.y; })->x;
  return select(rates, [&](const Measurement& m) { return m.bytes == bytes; });
}

SaturationOf saturation_of(const Evidence& rates) {
  SaturationOf s;
  s.evidence = rates;
  const std::vector<Sample> samples = by_number(s.evidence);
  s.fit = fit_saturation(samples);
  const std::vector<Interval> intervals = bootstrap(samples, {.fitted = [&](double k) { return rate_of(s.fit, k); },
                                                              .parameters = s.fit.saturated ? 2 : 1,
                                                              .figures =
                                                                  [](std::span<const Sample> again) {
                                                                    const Saturation fit = fit_saturation(again);
                                                                    return std::optional(std::vector{fit.one, fit.all});
                                                                  }});
  if (!intervals.empty()) {
    s.one = intervals[0];
    s.all = intervals[1];
  }
  return s;
}

bool shows_overheads(const Measurement& m) {
  constexpr double kShort = 1024;  // B: beyond this, an exchange takes the time of its bytes
  return m.operation == Operation::kExchange && m.at_once == 2 && !m.level.empty() && m.bytes <= kShort;
}

}  // namespace strata::calibration
