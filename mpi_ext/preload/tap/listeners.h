// SPDX-License-Identifier: LGPL-2.1-only
// The listeners of the tap (tap.h). Without a listener a message costs one load.
#pragma once

#include "records/exchange/tap.h"

namespace strata::mpix {

bool anybody_listens();

/// Whether a listener wants calls of collectives too (MessageKind::kCollective).
bool anybody_wants_calls();

/// Notifies all listeners that want this kind.
void tell(MessageKind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes);

/// The kinds that the tap sees: MPI_M_*_ONLY and MPI_M_SEES_*.
int tap_sees();

}  // namespace strata::mpix
