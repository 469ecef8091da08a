// SPDX-License-Identifier: LGPL-2.1-only
// Durations as people say them: "45 s", "1 min 20 s", "2 h 5 min".
#pragma once

#include <string>

namespace strata::console {

/// Two units at most: seconds below a minute, tens of seconds below ten minutes, minutes below a day, then hours.
/// Less than 1 s is "1 s". `seconds` is finite.
std::string duration_text(double seconds);

}  // namespace strata::console
