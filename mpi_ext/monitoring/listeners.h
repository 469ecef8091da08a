// Who listens to the tap (tap.h). A message costs one load where nobody does.
#pragma once

#include "records/exchange/tap.h"

namespace strata::mpix {

bool anybody_listens();

/// Tells all of them.
void tell(Kind kind, ProcessId sender, ProcessId receiver, std::uint64_t bytes);

/// What the tap sees: MPI_M_*_ONLY and MPI_M_SEES_*.
int tap_sees();

}  // namespace strata::mpix
