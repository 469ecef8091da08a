// SPDX-License-Identifier: LGPL-2.1-only
// Helpers of the properties of the area "mapping".
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "check/areas/mapping_domain.h"

namespace strata::check::mapping {

bool is_permutation_of_ranks(const std::vector<int>& values, int ranks);

/// "{0 1 2}"
std::string text_of(const std::vector<int>& values);

/// Hop-bytes if each rank runs on process[rank].
double cost_at(const MappingCase& c, const MappingOutcome& o, const std::vector<int>& process);

/// The bytes that each pair exchanges in both directions, by lower and higher rank.
std::map<std::pair<int, int>, double> exchanged_bytes(const MappingCase& c);

}  // namespace strata::check::mapping
