// SPDX-License-Identifier: LGPL-2.1-only
// The part of a run that a timeline shows: `--from 1ms --to 2ms --ranks 0-63,128 --messages`.
#pragma once

#include <limits>
#include <string>
#include <vector>

namespace strata {

struct TimelineSelection {
  double from = 0, to = std::numeric_limits<double>::infinity();  // s
  std::vector<bool> ranks = {};                                   // by rank; empty: all ranks
  bool messages = false;
};

/// The options' values as text.
struct TimelineWords {
  std::string prefix = "--";                   // of the options' names; of `strata exec`: "--timeline-"
  std::string from = {}, to = {}, ranks = {};  // empty: not given
  bool messages = false;
};

/// `ranks`: the number of ranks of the run. Throws InputError for a time without a unit, an empty window, or ranks that
/// do not exist.
TimelineSelection select(const TimelineWords& words, int ranks);

}  // namespace strata
