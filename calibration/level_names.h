// SPDX-License-Identifier: LGPL-2.1-only
// The levels of a machine by the names that files and options use.
#pragma once

#include <string>

#include "platforms/machine.h"

namespace strata::calibration {

/// "Machine, Package": the levels at which cores of the machine meet, outermost first.
std::string level_names(const Machine& machine);

/// Throws InputError at `where` ("osu.txt:9", "--osu Pakage=osu.txt") if no two cores of the machine meet at `level`.
void require_level(const Machine& machine, const std::string& level, const std::string& where);

}  // namespace strata::calibration
