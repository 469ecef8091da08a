// SPDX-License-Identifier: LGPL-2.1-only
// Removes the parts of a study that settings have made meaningless: derived quantities, plots and claims for values
// that are no longer in the sweep.
#pragma once

#include "records/study.h"

namespace strata {

/// Call this after settings have narrowed axes. Drops everything that refers to a removed value, or to a quantity
/// dropped for this reason.
void prune_removed(Study& study);

}  // namespace strata
