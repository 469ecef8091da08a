// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/mpich_variables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "base/error.h"

namespace strata::collectives {
namespace {

constexpr const char* kAllCollectives = "MPIR_CVAR_DEVICE_COLLECTIVES";

bool is_on(const std::string& variable, std::string_view value) {
  for (const char* on : {"YES", "yes", "TRUE", "true", "ON", "on", "1"}) {
    if (value == on) return true;
  }
  for (const char* off : {"NO", "no", "FALSE", "false", "OFF", "off", "0"}) {
    if (value == off) return false;
  }
  throw InputError(variable, fmt::format("'{}' is neither yes nor no: MPICH ends the program", value), "write 0 or 1");
}

}  // namespace

std::string device_variable(Operation operation) {
  std::string name = name_of(operation);
  std::transform(name.begin(), name.end(), name.begin(), [](unsigned char c) { return std::toupper(c); });
  return "MPIR_CVAR_" + name + "_DEVICE_COLLECTIVE";
}

std::set<Operation> not_composed(const std::function<const char*(const char* variable)>& value_of) {
  const char* const of_all = value_of(kAllCollectives);
  const std::string all = of_all == nullptr ? "percoll" : of_all;
  if (all != "all" && all != "none" && all != "percoll") {
    throw InputError(kAllCollectives, fmt::format("'{}' is not a value that MPICH knows", all),
                     "write all, none or percoll");
  }
  std::set<Operation> operations;
  for (const auto& word : kOperations) {
    const std::string variable = device_variable(word.value);
    const char* const value = value_of(variable.c_str());
    const bool on = value == nullptr || is_on(variable, value);
    if (all == "none" || (all == "percoll" && !on)) operations.insert(word.value);
  }
  return operations;
}

}  // namespace strata::collectives
