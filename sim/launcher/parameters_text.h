// SPDX-License-Identifier: LGPL-2.1-only
// A point's parameters as text.
//
//   "algorithm=binary elements=1000"
#pragma once

#include <string>

#include "base/json.h"

namespace strata::sim {

/// A text without its quotes; anything else as JSON has it.
std::string text_of(const Json& value);

/// "(no parameters)" where it is empty.
std::string describe(const Json& parameters);

}  // namespace strata::sim
