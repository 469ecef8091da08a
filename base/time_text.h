// SPDX-License-Identifier: LGPL-2.1-only
// A time with its unit, as users write it: time_in("20us") is 20e-6, time_in("0.5 s") is 0.5.
#pragma once

#include <optional>
#include <string>

namespace strata {

/// s, finite and not negative; nullopt: the text is not a time with its unit (base/units.h).
std::optional<double> time_in(const std::string& text);

}  // namespace strata
