// SPDX-License-Identifier: LGPL-2.1-only
// The sweep of a scenario: its axes, their values and cases.
#pragma once

#include <optional>
#include <set>
#include <string>

#include "platforms/yaml_reader.h"
#include "records/study.h"

namespace strata {

inline constexpr long kMostRanks = 100'000'000;  // a slip of the keyboard is refused, not tried

struct Fault {
  std::string what, remedy;
};

/// A value of a parameter: a whole number, a number or a text. 1e6 is a whole number too: programs count elements in
/// ints. Of the shim one of its words, whatever YAML has made of on and off.
Json parameter_value(const std::string& parameter, const std::string& text);

/// What is wrong with a value of a parameter; nothing where it is right.
std::optional<Fault> value_fault(const std::string& parameter, const Json& value);

/// A value of a parameter, from a file or a setting. Throws InputError.
Json read_parameter(const YamlReader& at, const std::string& parameter);

/// Off, on or a method; nothing where a text is none of them.
std::optional<std::string> shim_of(const std::string& text);

/// Whether a name is fit for an option of a program and for the name of a file.
bool is_plain(const std::string& name);

/// Refuses a name that an option of a program cannot have. Throws InputError.
void check_parameter_name(const YamlReader& at, const std::string& name);

const Axis* find_axis(const Study& study, const std::string& name);
/// The axis that a text names. Throws InputError.
const Axis& named_axis(const YamlReader& at, const Study& study);
/// A value that an axis must have. Throws InputError.
Json axis_value(const YamlReader& at, const Axis& axis);
/// "algorithm, elements"; "none".
std::string axes_of(const Study& study);

/// The parameters that an axis sets: itself, or those of its cases.
std::set<std::string> parameters_set_by(const Axis& axis);
/// The same of all axes.
std::set<std::string> parameters_set_by(const Study& study);

/// Reads `sweep`. Throws InputError.
void read_sweep(const YamlReader& sweep, Study& study);

}  // namespace strata
