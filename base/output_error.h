// SPDX-License-Identifier: LGPL-2.1-only
// An error in writing results (a full disk, a folder without permission). It fits in one line; files already written
// stay.
#pragma once

#include <stdexcept>
#include <string>

namespace strata {

class OutputError : public std::runtime_error {
 public:
  OutputError(const std::string& where, const std::string& what, const std::string& remedy)
      : std::runtime_error(where + ": " + what + "; " + remedy) {}
  /// The same error, which also says what is not lost.
  OutputError(const OutputError& error, const std::string& kept)
      : std::runtime_error(std::string(error.what()) + "; " + kept) {}
};

}  // namespace strata
