// SPDX-License-Identifier: LGPL-2.1-only
// The part of a run that a timeline shows: `--from 1ms --to 2ms --ranks 0-63,128 --messages`.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace strata {

struct TimelineSelection {
  double from = 0, to = std::numeric_limits<double>::infinity();  // s
  std::vector<bool> ranks = {};                                   // by rank; empty: all of them
  bool messages = false;
};

/// The words of the options.
struct TimelineWords {
  std::string prefix = "--";                   // of the options' names; of `strata exec`: "--timeline-"
  std::string from = {}, to = {}, ranks = {};  // empty: not given
  bool messages = false;
};

/// `ranks`: of the run. Throws InputError: a time without a unit, an empty window, ranks that do not exist.
TimelineSelection select(const TimelineWords& words, int ranks);

}  // namespace strata
