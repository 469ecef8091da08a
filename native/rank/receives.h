// SPDX-License-Identifier: LGPL-2.1-only
// Tagged receives, and what happens to them when messages are delivered.
#pragma once

#include "native/rank/worker.h"

namespace strata::native {

/// A kEager or kOffer has arrived: a posted receive gets it, or it is kept.
void take_tagged(Worker& w, const Message& m);
/// A kFetched: the receive is complete.
void take_fetched(const Message& m);

}  // namespace strata::native
