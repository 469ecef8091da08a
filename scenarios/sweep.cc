// SPDX-License-Identifier: LGPL-2.1-only
#include "scenarios/sweep.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <vector>

#include "base/error.h"
#include "base/limits.h"
#include "collectives/chosen/chosen.h"
#include "mpi_ext/cart/cart_mapping.h"
#include "platforms/allocation.h"
#include "platforms/placement.h"

namespace strata {
namespace {

Json number_or_text(const std::string& text) {
  long whole = 0;
  const char* end = text.data() + text.size();
  if (const auto [at, error] = std::from_chars(text.data(), end, whole); error == std::errc() && at == end)
    return whole;
  double number = 0;
  const auto [at, error] = std::from_chars(text.data(), end, number);
  if (error != std::errc() || at != end || !std::isfinite(number)) return text;
  if (number == std::floor(number) && std::abs(number) <= static_cast<double>(kMostWhole))
    return static_cast<long>(number);
  return number;
}

std::set<std::string> keys_of(const Json& object) {
  std::set<std::string> keys;
  for (const auto& [key, value] : object.items()) keys.insert(key);
  return keys;
}

// Reads values that name combinations of several parameters: `ours: {steps: auto, progress: numa}`.
void read_cases(const YamlReader& values, Axis& axis) {
  for (const std::string& name : values.keys()) {
    const YamlReader parameters = values.at(name);
    if (!is_plain(name) || !number_or_text(name).is_string()) {
      parameters.fail("a case cannot be called '" + name + "'", "use letters, digits, _ and -, and no number");
    }
    Json& meaning = axis.cases[name];
    meaning = Json::object();
    for (const std::string& parameter : parameters.keys()) {
      check_parameter_name(parameters, parameter);
      meaning[parameter] = read_parameter(parameters.at(parameter), parameter);
    }
    if (meaning.empty()) parameters.fail("has no parameters", "write as {steps: 0, progress: bind}");
    for (const auto& [other, its] : axis.cases) {
      if (keys_of(its) != keys_of(meaning)) {
        parameters.fail("has other parameters than case '" + other + "'", "give all cases the same");
      }
    }
    axis.values.emplace_back(name);
  }
}

Axis read_axis(const YamlReader& sweep, const std::string& name) {
  const YamlReader values = sweep.at(name);
  Axis axis{name, {}};
  check_parameter_name(values, name);
  if (values.is_map()) {
    read_cases(values, axis);
  } else if (values.is_scalar()) {
    axis.values.push_back(read_parameter(values, name));
  } else {
    for (const YamlReader& v : values.items()) axis.values.push_back(read_parameter(v, name));
  }
  if (axis.values.empty()) values.fail("has no values", "write at least one, or leave the axis out");
  for (size_t i = 0; i < axis.values.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      if (axis.values[i] == axis.values[j]) values.fail("duplicate value " + axis.values[i].dump(), "keep one");
    }
  }
  return axis;
}

}  // namespace

std::optional<std::string> shim_of(const std::string& text) {
  if (text == kShimOff || text == "false") return kShimOff;
  if (text == kShimOn || text == "true") return kShimOn;
  return mpix::find_cart_method(text) ? std::optional(text) : std::nullopt;
}

Json parameter_value(const std::string& parameter, const std::string& text) {
  if (parameter == kShimAxis) return shim_of(text).value_or(text);
  if (parameter == kAllocationAxis) return text;  // 8 means a box of 8 routers in a ring
  if (parameter == kMpiRulesAxis) return text;
  return number_or_text(text);
}

std::optional<Fault> value_fault(const std::string& parameter, const Json& value) {
  const auto is_control = [](unsigned char c) { return std::iscntrl(c) != 0; };
  if (value.is_string()) {
    const std::string& text = value.get_ref<const std::string&>();
    if (std::any_of(text.begin(), text.end(), is_control))
      return Fault{"value " + value.dump() + " has a control character", "leave it out"};
  }
  if (parameter == kRanksAxis &&
      (!value.is_number_integer() || value.get<long>() < 1 || value.get<long>() > kMostRanks)) {
    return Fault{value.dump() + " is not a number of ranks",
                 "give whole numbers from 1 to " + std::to_string(kMostRanks)};
  }
  if (parameter == kShimAxis && !shim_of(value))
    return Fault{value.dump() + " is not a valid shim value", "give off, on or a method: " + mpix::cart_method_list()};
  if (parameter == kMpiAxis && value != kSmpi &&
      (!value.is_string() || !collectives::can_replace_smpis(value.get<std::string>()))) {
    return Fault{value.dump() + " is not an MPI library whose collectives are known",
                 fmt::format("give {}, {}", kSmpi, collectives::kInPlaceOfSmpis)};
  }
  if (parameter == kMapByAxis) {
    const std::vector<std::string> known = MapBy::names();
    if (!value.is_string() || std::find(known.begin(), known.end(), value.get<std::string>()) == known.end())
      return Fault{value.dump() + " is not a map_by value", fmt::format("give one of {}", fmt::join(known, ", "))};
  }
  if (parameter == kAllocationAxis) {
    try {
      parse_allocation(value.get<std::string>(), "");
    } catch (const InputError&) {
      return Fault{value.dump() + " is not an allocation", "give first, a box of routers as 2x2x8, or random:SEED"};
    }
  }
  return std::nullopt;
}

Json read_parameter(const YamlReader& at, const std::string& parameter) {
  Json value = parameter_value(parameter, at.text());
  if (const std::optional<Fault> fault = value_fault(parameter, value)) at.fail(fault->what, fault->remedy);
  return value;
}

bool is_plain(const std::string& name) {
  return !name.empty() && std::all_of(name.begin(), name.end(),
                                      [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '-'; });
}

void check_parameter_name(const YamlReader& at, const std::string& name) {
  if (!is_plain(name)) at.fail("an axis cannot be called '" + name + "'", "use letters, digits, _ and -");
}

const Axis* find_axis(const Study& s, const std::string& name) {
  const auto at = std::find_if(s.sweep.begin(), s.sweep.end(), [&](const Axis& a) { return a.name == name; });
  return at == s.sweep.end() ? nullptr : &*at;
}

const Axis& named_axis(const YamlReader& at, const Study& s) {
  const Axis* axis = find_axis(s, at.text());
  if (axis == nullptr) at.fail("the sweep has no axis '" + at.text() + "'", "the axes are " + axes_of(s));
  return *axis;
}

Json axis_value(const YamlReader& at, const Axis& axis) {
  Json value = parameter_value(axis.name, at.text());
  if (std::find(axis.values.begin(), axis.values.end(), value) == axis.values.end()) {
    std::string known;
    for (const Json& v : axis.values) known += (known.empty() ? "" : ", ") + v.dump();
    at.fail("axis " + axis.name + " has no value " + value.dump(), "it has " + known);
  }
  return value;
}

std::string axes_of(const Study& s) {
  std::string names;
  for (const Axis& a : s.sweep) names += (names.empty() ? "" : ", ") + a.name;
  return names.empty() ? "none" : names;
}

std::set<std::string> parameters_set_by(const Axis& axis) {
  return axis.cases.empty() ? std::set<std::string>{axis.name} : keys_of(axis.cases.begin()->second);
}

std::set<std::string> parameters_set_by(const Study& s) {
  std::set<std::string> all;
  for (const Axis& axis : s.sweep) all.merge(parameters_set_by(axis));
  return all;
}

void read_sweep(const YamlReader& sweep, Study& s) {
  std::set<std::string> set;  // by the axes so far
  for (const std::string& name : sweep.keys()) {
    if (find_axis(s, name) != nullptr) sweep.fail("duplicate axis '" + name + "'", "keep one");
    s.sweep.push_back(read_axis(sweep, name));
    for (const std::string& parameter : parameters_set_by(s.sweep.back())) {
      if (!set.insert(parameter).second) sweep.at(name).fail("two axes set '" + parameter + "'", "keep one");
    }
  }
}

}  // namespace strata
