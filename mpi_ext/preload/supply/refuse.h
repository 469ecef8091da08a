// SPDX-License-Identifier: LGPL-2.1-only
// Ends the simulation because of a call that the simulated MPI does not support.
#pragma once

#include <string>

namespace strata::mpix {

/// `what`: one line for the user. The exit code is 3.
[[noreturn]] void refuse(const std::string& what);

}  // namespace strata::mpix
