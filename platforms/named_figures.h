// SPDX-License-Identifier: LGPL-2.1-only
// The figures of a machine by the names that a what-if uses (what_if.h).
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

/// The machine's stated speeds, bandwidths and times, in the order of machine.yaml: those that can sensibly be changed
/// by a percent. Without polling, which takes effect when a program runs.
std::vector<NamedFigure> speeds_and_times(const Machine& machine);

}  // namespace strata
