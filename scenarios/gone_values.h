// SPDX-License-Identifier: LGPL-2.1-only
// What a setting leaves nothing to say: derived quantities, plots and claims of values that the sweep no longer has.
#pragma once

#include "records/study.h"

namespace strata {

/// After settings have narrowed axes: drops what names a value that is gone, and what names a quantity dropped so.
void drop_what_is_gone(Study& study);

}  // namespace strata
