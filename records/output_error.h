// SPDX-License-Identifier: LGPL-2.1-only
// Results that cannot be written (a full disk, a folder without permission): one line; what was written stays.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& where, const std::string& what, const std::string& remedy)
      : std::runtime_error(where + ": " + what + "; " + remedy) {}
};

}  // namespace strata
