// SPDX-License-Identifier: LGPL-2.1-only
// An SMPI program that takes its steps through the protocol of SimGrid's model checker
// (sim/simgrid/checked_application_*.h).
//
// The program is started once and runs until all of its ranks are about to take their first step. Each execution is a
// copy (fork) of it from there, so all memory is as it was: globals of the program and of its libraries too.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/messages/explorer/application.h"

namespace strata::check {

/// Starts smpimain with these words, after setting these variables (NAME=VALUE). Its functions throw std::runtime_error
/// where it cannot be reached or copied. Throws std::runtime_error.
std::unique_ptr<Application> start_simgrid_application(const std::vector<std::string>& words,
                                                       const std::vector<std::string>& variables);

}  // namespace strata::check
