// SPDX-License-Identifier: LGPL-2.1-only
// Reads the parameters that a model needs from a record, with errors that name the record.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/record.h"

namespace strata::models {

/// The program's parameters at a record's point (parameters_of). Keeps a reference to the record. `where` names the
/// file in errors. All throw InputError.
class RecordParameters {
 public:
  RecordParameters(const Manifest& manifest, const Record& record, std::string where);

  /// A parameter that is a text.
  std::string text(const std::string& name) const;
  /// A parameter that is a number, 0 or more.
  double number(const std::string& name) const;
  /// The same, or the program's default if the parameter is missing.
  std::string text_or(const std::string& name, const std::string& usual) const {
    return has(name) ? text(name) : usual;
  }
  double number_or(const std::string& name, double usual) const { return has(name) ? number(name) : usual; }
  bool has(const std::string& name) const { return parameters_.contains(name); }
  bool has_number(const std::string& name) const { return has(name) && parameters_[name].is_number(); }
  /// The value, which must be a time in s.
  double seconds() const;

 private:
  [[noreturn]] void fail(const std::string& what, const std::string& remedy) const;

  const Record& record_;
  Json parameters_;
  std::string where_;
};

/// The figures of the level with that name. Throws an InputError that lists the machine's levels.
const LevelCosts& find_level(const Machine& machine, const std::string& level, const std::string& where);

}  // namespace strata::models
