// SPDX-License-Identifier: LGPL-2.1-only
// Bad input: one line that gives the place, the problem and the remedy. The command prints it and exits with 2.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

class InputError : public std::runtime_error {
 public:
  /// `where` is a file, a file and line, or an option; `what` the fault; `remedy` what would be right (may be empty).
  InputError(const std::string& where, const std::string& what, const std::string& remedy = "")
      : std::runtime_error(where + ": " + what + (remedy.empty() ? "" : "; " + remedy)) {}
  /// One whose line is known already: what() of an InputError in another process.
  static InputError of_message(const std::string& line) { return InputError(line); }

 private:
  explicit InputError(const std::string& line) : std::runtime_error(line) {}
};

}  // namespace strata
