// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/bars_text.h"

#include <fmt/format.h>

#include "analysis/blind_errors.h"

namespace strata::analysis {

std::string no_error_bar_text(const std::string& machine) {
  return fmt::format(
      "no error bar: no figure of {} has an interval (plus_minus); make the machine from measurements with strata "
      "calibrate, which writes intervals",
      machine);
}

std::vector<std::string> bars_lines(const Results& results) {
  if (!results.manifest.study.error_bars || results.records.empty()) return {};
  const RecordedBar* bar = nullptr;
  for (const Record& r : results.records) {
    if (r.bar && bar == nullptr) bar = &*r.bar;
  }
  std::vector<std::string> lines;
  lines.push_back(bar == nullptr ? no_error_bar_text(results.manifest.machine)
                                 : fmt::format("ranges in brackets: 95 %, from the intervals of the machine's figures; "
                                               "{} figures have none",
                                               bar->without_interval));
  std::string blind = blind_errors_text();
  blind.pop_back();
  lines.push_back(std::move(blind));
  return lines;
}

std::string bars_text(const Results& results) {
  std::string text;
  for (const std::string& line : bars_lines(results)) text += line + "\n";
  return text;
}

}  // namespace strata::analysis
