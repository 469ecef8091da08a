// SPDX-License-Identifier: LGPL-2.1-only
// Ranks that do not end as they should: by a deadlock, by exit(), or with an exit code.
#pragma once

namespace strata::sim {

/// Called when no rank can continue. The ranks that have not ended are about to be killed.
void note_deadlock();

/// For on_exit: exit() ends only the rank that calls it.
void leave_by_exit(int code, void*);

}  // namespace strata::sim
