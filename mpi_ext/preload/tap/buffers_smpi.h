// SPDX-License-Identifier: LGPL-2.1-only
// The buffers that ranks use again, under SMPI only (records/exchange/buffer_reuse.h). Does nothing unless the
// machine's caches go by buffers.
#pragma once

#include <cstddef>

#include "sim/simgrid/request.h"

namespace strata::mpix {

/// The calling rank is about to start the request.
void note_buffer(const simgrid::smpi::Request& request);

/// The span of a copy or combination of `bytes` by the calling rank, B; 0: not known.
double span_of_work(const void* from, const void* to, std::size_t bytes);

}  // namespace strata::mpix
