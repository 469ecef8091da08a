// SPDX-License-Identifier: LGPL-2.1-only
#include "command/called_program.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <numeric>

#include "console/number.h"

namespace strata::command {
namespace {

constexpr int kDigits = 4;  // of times

struct Total {
  double seconds = 0;
  std::int64_t calls = 0;  // whose time is known
};

// `other`: only calls whose time is known there, too.
Total total(const CalledProgram& program, const std::vector<std::optional<double>>& seconds,
            const std::vector<std::optional<double>>& other) {
  Total total;
  for (std::size_t i = 0; i < program.calls.size(); ++i) {
    if (!seconds[i] || !other[i]) continue;
    total.seconds += static_cast<double>(program.calls[i]) * *seconds[i];
    total.calls += program.calls[i];
  }
  return total;
}

std::int64_t all_calls(const CalledProgram& program) {
  return std::accumulate(program.calls.begin(), program.calls.end(), std::int64_t{0});
}

// Compared with the first of the list: "20 % less".
std::string difference(double seconds, double first) {
  if (first <= 0) return "";
  const double part = 100 * (seconds / first - 1);
  if (std::abs(part) < 0.5) return "the same";
  return fmt::format("{:.0f} % {}", std::abs(part), part < 0 ? "less" : "more");
}

}  // namespace

std::string program_text(const Grid& grid, const TimesByName& times) {
  const CalledProgram& program = *grid.program;
  const std::int64_t calls = all_calls(program);
  const auto& first = times.front().second;
  std::string text = fmt::format("{}: {} calls of collectives on {} ranks; each takes, if its ranks begin together:\n",
                                 program.name, calls, program.ranks);
  for (const auto& [name, seconds] : times) {
    const Total mine = total(program, seconds, first), compared = total(program, first, seconds);
    if (mine.calls == 0) continue;
    const bool is_first = &seconds == &first;
    text += fmt::format("  {:<24}{:>12}{}{}\n", name, console::with_unit(mine.seconds, "s", kDigits),
                        is_first ? "" : "   " + difference(mine.seconds, compared.seconds),
                        mine.calls < calls ? fmt::format(", in {} of these calls", mine.calls) : "");
  }
  if (program.are_merged) text += "Operations with many sizes have one for each power of two, the mean of its calls.\n";
  if (program.others.empty()) return text;
  text += "Not among them, because no file of rules chooses their algorithm:";
  const char* separator = " ";
  for (const auto& [function, count] : program.others) {
    text += fmt::format("{}{} ({})", separator, function, count);
    separator = ", ";
  }
  return text + "\n";
}

Json program_json(const Grid& grid, const TimesByName& times) {
  if (!grid.program) return {};
  const CalledProgram& program = *grid.program;
  Json json = {{"name", program.name},
               {"ranks", program.ranks},
               {"calls", all_calls(program)},
               {"times", Json::array()},
               {"others", Json::array()}};
  for (const auto& [name, seconds] : times) {
    const Total mine = total(program, seconds, seconds);
    json["times"].push_back({{"chosen_by", name}, {"seconds", mine.seconds}, {"calls", mine.calls}});
  }
  for (const auto& [function, count] : program.others) {
    json["others"].push_back({{"function", function}, {"calls", count}});
  }
  return json;
}

std::string calls_column(const Grid& grid, std::optional<std::size_t> cell) {
  if (!grid.program) return "";
  return cell ? fmt::format("{:>10}", grid.program->calls[*cell]) : fmt::format("{:>10}", "calls");
}

Json calls_json(const Grid& grid, std::size_t cell) { return grid.program ? Json(grid.program->calls[cell]) : Json(); }

}  // namespace strata::command
