// SPDX-License-Identifier: LGPL-2.1-only
// The simulated host on which a rank runs. Under SMPI the real node and its binding are those of the simulator, the
// same for all ranks; the name that MPI returns for the processor is the host of the user's platform.
#pragma once

#include <string>

namespace strata::mpix {

/// The name of the calling rank's host under SMPI; empty under a real MPI.
std::string simulated_host();

}  // namespace strata::mpix
