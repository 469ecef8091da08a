// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/locks.h"

#include <fmt/format.h>

#include "base/error.h"

namespace strata::replay {

void Locks::fail(int rank) {
  throw InputError("trace", fmt::format("rank {} unlocks what it has not locked", rank), "record it again");
}

}  // namespace strata::replay
