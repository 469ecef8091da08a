// SPDX-License-Identifier: LGPL-2.1-only
// One-sided operations: puts, gets and atomics on the memory of another rank. They happen at their virtual time, in the
// coordinator (native/coordinator/one_sided_memory.h).
#pragma once

#include "native/board/board_message.h"

namespace strata::native {

/// A kDone: one of our operations has ended.
void take_done(const Message& m);

}  // namespace strata::native
