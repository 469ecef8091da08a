// SPDX-License-Identifier: LGPL-2.1-only
// How much this rank has touched since it last touched a buffer (records/exchange/buffer_reuse.h). 0: the machine's
// caches do not go by buffers, or time is not virtual.
//
// Any thread, with or without lock().
#pragma once

#include <cstddef>

namespace strata::native {

/// B, for the rank's end of a message.
double span_of_message(const void* buffer, std::size_t bytes);
/// B, for a copy or a combination by the MPI library.
double span_of_work(const void* from, const void* to, std::size_t bytes);

}  // namespace strata::native
