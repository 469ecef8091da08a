// SPDX-License-Identifier: LGPL-2.1-only
// Durations as text: "45 s", "1 min 20 s", "2 h 5 min".
#pragma once

#include <string>

namespace strata::console {

/// Uses at most two units. Seconds below a minute, multiples of 10 s below ten minutes, minutes below a day, then
/// hours. Less than 1 s gives "1 s". `seconds` must be finite.
std::string duration_text(double seconds);

}  // namespace strata::console
