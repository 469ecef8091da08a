// SPDX-License-Identifier: LGPL-2.1-only
// Active messages: each calls a handler of its receiver. MPICH uses them for one-sided communication and more.
#pragma once

#include "native/rank/worker.h"

namespace strata::native {

/// A kActive has arrived.
void take_active(Worker& w, const Message& m);

}  // namespace strata::native
