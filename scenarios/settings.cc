// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/utf8.h"
#include "scenarios/figure_changes.h"
#include "scenarios/scenario_keys.h"
#include "scenarios/sweep.h"

namespace strata {
namespace {

constexpr std::string_view kWhatIf = "what_if.";

// Narrows an axis, or replaces its values: `elements=1,10,100`.
void set_axis(const std::string& where, const std::string& value, Axis& axis) {
  axis.values.clear();
  std::istringstream words(value);
  for (std::string word; std::getline(words, word, ',');) {
    word.erase(0, word.find_first_not_of(' '));
    word.erase(word.find_last_not_of(' ') + 1);
    if (word.empty()) throw InputError(where, "has an empty value", "separate values by one comma, as 1,10,100");
    const Json v = parameter_value(axis.name, word);
    if (!axis.cases.empty() && (!v.is_string() || axis.cases.count(v) == 0)) {
      throw InputError(where, "axis " + axis.name + " has no case '" + word + "'", "write it into the scenario");
    }
    if (const std::optional<Fault> fault = value_fault(axis.name, v))
      throw InputError(where, fault->what, fault->remedy);
    if (std::find(axis.values.begin(), axis.values.end(), v) != axis.values.end()) {
      throw InputError(where, "duplicate value " + word, "keep one");
    }
    axis.values.push_back(v);
  }
}

std::string known_settings(const Study& study) {
  std::vector<std::string> names;
  for (const KeyOf<Scenario>& row : settable_keys())
    names.push_back(row.key.name == "what_if" ? "what_if.FIGURE" : row.key.name);
  if (study.reference) names.push_back(study.reference->option);
  return fmt::format("known are the axes ({}) and {}", axes_of(study), fmt::join(names, ", "));
}

}  // namespace

void apply_setting(const std::string& setting, Scenario& s) {
  const std::string where = "--set " + setting;
  if (!is_utf8(setting)) throw InputError("--set", "has a byte that is not UTF-8", "give the setting as UTF-8");
  const size_t equals = setting.find('=');
  const std::string key = setting.substr(0, equals);
  const std::string value = equals == std::string::npos ? "" : setting.substr(equals + 1);
  if (value.empty()) throw InputError(where, "is not key=value", "write for example --set elements=1,1000");
  for (Axis& axis : s.study.sweep) {
    if (axis.name == key) return set_axis(where, value, axis);
  }
  if (key.starts_with(kWhatIf)) {
    const std::string figure = key.substr(kWhatIf.size());
    for (const SweptFigure& f : s.swept_figures) {
      if (f.change.figure == figure)
        throw InputError(where, "is set by axis " + f.parameter, "narrow the axis instead");
    }
    return set_what_if(figure, value, where, s.what_ifs);
  }
  const YamlReader at = YamlReader::setting(where, value);
  for (const KeyOf<Scenario>& row : settable_keys()) {
    if (row.key.name != key || key == "what_if") continue;
    if (is_for_launcher(key) && parameters_set_by(s.study).contains(key))
      throw InputError(where, "is set by the sweep", "narrow the axis instead");
    check_value(at, row.key.value);
    return row.read(at, s);
  }
  if (!s.study.reference || key != s.study.reference->option)
    throw InputError(where, "unknown key '" + key + "'", known_settings(s.study));
  s.study.reference->given = at.number();
}

}  // namespace strata
