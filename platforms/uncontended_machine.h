// SPDX-License-Identifier: LGPL-2.1-only
// The machine on which messages and copies do not slow each other down: no replay of it takes longer than on the
// machine itself. For example, eight messages of 1 MB from one node take 1.2 s over its link of 6.8 MB/s; here each
// takes 0.15 s, at the same time.
#pragma once

#include "platforms/machine.h"

namespace strata {

/// Links, memories and shared caches carry all that comes, and nodes have no gap and no duplex limit. Latencies,
/// overheads, and what one message or core gets stay as they are.
Machine uncontended_machine(const Machine& machine);

}  // namespace strata
