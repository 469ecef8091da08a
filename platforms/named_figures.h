// SPDX-License-Identifier: LGPL-2.1-only
// The figures of a machine by the names that a what-if knows (what_if.h).
#pragma once

#include <string>
#include <vector>

#include "platforms/figure.h"
#include "platforms/machine.h"

namespace strata {

struct NamedFigure {
  std::string name;  // as WhatIf::figure
  Figure figure;
};

/// The figures that the machine states of its speeds, bandwidths and times, in the order of machine.yaml: those of
/// which a percent more or less makes sense. Without polling, which is decided when a program runs.
std::vector<NamedFigure> speeds_and_times(Machine machine);

}  // namespace strata
