// SPDX-License-Identifier: LGPL-2.1-only
#include "command/check/text.h"

#include <fmt/format.h>

namespace strata::command {

std::string grouped(long n) {
  std::string text = std::to_string(n);
  for (int at = static_cast<int>(text.size()) - 3; at > 0; at -= 3) text.insert(static_cast<size_t>(at), 1, ',');
  return text;
}

std::string counted(long n, const std::string& one) {
  const bool y = !one.empty() && one.back() == 'y';
  return grouped(n) + " " + (n == 1 ? one : y ? one.substr(0, one.size() - 1) + "ies" : one + "s");
}

std::string indented(const std::string& text, int by) {
  std::string result;
  bool begin = true;
  for (char c : text) {
    if (begin && c != '\n') result.append(static_cast<size_t>(by), ' ');
    result += c;
    begin = c == '\n';
  }
  return result;
}

std::string text_of(const check::CounterExample& c, const std::string& source, const std::string& again) {
  std::string text = fmt::format("\n    {}\n", c.message);
  if (!source.empty()) text += fmt::format("    source: {}\n", source);
  text += fmt::format("\n{}\n", indented(c.drawing.text, 4));
  if (!c.found.empty()) text += fmt::format("    met as: {}\n", c.found);
  return text + fmt::format("    again:  {}\n\n", again);
}

Json steps_json(const check::CounterExample& c) {
  Json steps = Json::array();
  for (const check::RankStep& s : c.steps) steps.push_back({{"rank", s.rank}, {"what", s.what}});
  return steps;
}

Json json_of(const check::CounterExample& c, const std::string& again) {
  Json json = {{"key", c.key}};
  if (!again.empty()) json["again"] = again;
  json["message"] = c.message;
  if (again.empty()) {
    json["drawing"] = c.drawing.text;
  } else {
    json["steps"] = steps_json(c);
  }
  if (!c.found.empty()) json["met_as"] = c.found;
  return json;
}

const std::vector<console::Mark>& verdict_marks() {
  using console::Style;
  static const std::vector<console::Mark> marks = {
      {"holds", Style::kGood},    {"no violation", Style::kGood}, {"violated", Style::kBad},
      {"VIOLATED", Style::kBad},  {"not reached", Style::kBad},   {"missing", Style::kBad},
      {"deadlock", Style::kBad},  {"aborted", Style::kBad},       {"crashed", Style::kBad},
      {"unmatched", Style::kBad}, {"again:", Style::kHint}};
  return marks;
}

}  // namespace strata::command
