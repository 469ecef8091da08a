// SPDX-License-Identifier: LGPL-2.1-only
// The simulated host that a rank runs on. Under SMPI the real node, its binding included, is that of the simulator and
// the same for all ranks; what MPI calls the processor is the host of the user's platform.
#pragma once

#include <string>

namespace strata::mpix {

/// The name of the calling rank's host under SMPI; empty under a real MPI.
std::string simulated_host();

}  // namespace strata::mpix
