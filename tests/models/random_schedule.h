// SPDX-License-Identifier: LGPL-2.1-only
// Random schedules that no collective has, for properties that must hold for all schedules.
#pragma once

#include <random>

#include "models/schedule.h"

namespace strata::models {

/// Random messages between random ranks, in random order. Each is a blocking message, an exchange, sends to several
/// ranks at once, or a message whose receive is posted some messages earlier. Sizes are below and above an eager limit
/// of 1000 B. None deadlocks by LogGP; they may with Hockney's receiver, which takes its messages in order.
Schedule random_schedule(int np, std::mt19937_64& random);

}  // namespace strata::models
