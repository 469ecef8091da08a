// SPDX-License-Identifier: LGPL-2.1-only
// The acknowledgement of synchronous sends, under SMPI only (acknowledge_smpi.cc).
#pragma once

#include "sim/simgrid/request.h"

namespace strata::mpix {

/// The calling rank has just started the request.
void note_start(const simgrid::smpi::Request& request);

}  // namespace strata::mpix
