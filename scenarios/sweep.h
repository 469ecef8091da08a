// SPDX-License-Identifier: LGPL-2.1-only
// The sweep of a scenario: its axes, their values and cases.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "base/yaml_reader.h"
#include "records/study.h"

namespace strata {

struct Fault {
  std::string what, remedy;
};

/// A parameter's value: a whole number, a number or a text. 1e6 is a whole number as well, because programs count
/// elements with ints. For the shim, one of its words, even if YAML parses on and off as booleans.
Json parameter_value(const std::string& parameter, const std::string& text);

/// What is wrong with a parameter's value; nothing if it is valid.
std::optional<Fault> value_fault(const std::string& parameter, const Json& value);

/// A value of a parameter, from a file or a setting. Throws InputError.
Json read_parameter(const YamlReader& at, const std::string& parameter);

/// Off, on or a method; nothing for any other text.
std::optional<std::string> shim_of(const std::string& text);

/// Whether a name can be used in a program's option and in a file name.
bool is_plain(const std::string& name);

/// Refuses a name that cannot be an option of a program. Throws InputError.
void check_parameter_name(const YamlReader& at, const std::string& name);

const Axis* find_axis(const Study& study, const std::string& name);
/// The axis with the name at `at`. Throws InputError.
const Axis& named_axis(const YamlReader& at, const Study& study);
/// The value at `at`, which must be one of the axis. Throws InputError.
Json axis_value(const YamlReader& at, const Axis& axis);
/// "algorithm, elements", or "none".
std::string axes_of(const Study& study);

/// The parameters that an axis sets: itself, or those in its cases.
std::set<std::string> parameters_set_by(const Axis& axis);
/// The same for all axes.
std::set<std::string> parameters_set_by(const Study& study);

/// Reads `sweep`. Throws InputError.
void read_sweep(const YamlReader& sweep, Study& study);

}  // namespace strata
