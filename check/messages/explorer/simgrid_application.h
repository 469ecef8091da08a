// SPDX-License-Identifier: LGPL-2.1-only
// An SMPI program that is controlled step by step through the protocol of SimGrid's model checker
// (sim/simgrid/checked_application_*.h).
//
// The program is started once and runs until all its ranks are about to take their first step. Each execution is a copy
// (fork) of that process, so all memory starts in the same state, including globals of the program and its libraries.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "check/messages/explorer/application.h"

namespace strata::check {

/// Starts smpimain with these arguments and these additional variables (NAME=VALUE). This function, and those of the
/// application, throw std::runtime_error if the program cannot be reached or copied.
std::unique_ptr<Application> start_simgrid_application(const std::vector<std::string>& words,
                                                       const std::vector<std::string>& variables);

}  // namespace strata::check
