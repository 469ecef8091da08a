// SPDX-License-Identifier: LGPL-2.1-only
// The refusals of this computer: memory, processes, open files, space on a disk. The command prints such an error as
// one line with the limit to raise, and exits with 2.
#pragma once

#include <exception>
#include <stdexcept>
#include <string>

namespace strata {

class SystemError : public std::runtime_error {
 public:
  /// `what` was tried ("fork"), `error` of errno.
  SystemError(const std::string& what, int error);
};

/// The remedy for an error of errno that comes from a limit of this process or computer; empty if it does not.
std::string limit_remedy(int error);

/// The line for an exception of the standard library that comes from the system: no memory, no thread, a folder that
/// cannot be read. Empty for others.
std::string system_error_line(const std::exception& error);

}  // namespace strata
