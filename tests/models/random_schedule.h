// SPDX-License-Identifier: LGPL-2.1-only
// Schedules that no collective has, for tests of what must hold for all.
#pragma once

#include <random>

#include "models/schedule.h"

namespace strata::models {

/// Random messages between random ranks, in random order: each is a blocking message, an exchange, or one whose receive
/// is posted some messages earlier; sizes on both sides of an eager limit of 1000 B. By LogGP none hangs; a receiver
/// that takes its messages in order (Hockney's) may.
Schedule random_schedule(int np, std::mt19937_64& random);

}  // namespace strata::models
