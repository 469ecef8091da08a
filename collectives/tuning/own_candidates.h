// SPDX-License-Identifier: LGPL-2.1-only
// The variants of Strata's own collectives for a call, as candidates.h has those of the library. For example, a
// broadcast of 64 KiB over the hierarchy: linear, chain whole or in segments of 1 or 8 KiB, ...; along the split tree:
// m = 2, 4 or 8, as one tree or over the nodes.
#pragma once

#include <string>
#include <vector>

#include "collectives/schedules/own.h"
#include "collectives/tuning/cell.h"

namespace strata::collectives {

/// m of the m-nomial tree.
inline constexpr int kArities[] = {2, 4, 8};

struct OwnCandidate {
  OwnAlgorithm algorithm;
  Settings settings;
  bool over_nodes = false;
};

/// Empty: the family does not have the operation.
std::vector<OwnCandidate> own_candidates(const Cell& cell, OwnFamily family);

/// "binomial, segments of 8192 B"; "m = 4, over nodes".
std::string text_of(const OwnCandidate& candidate);

}  // namespace strata::collectives
