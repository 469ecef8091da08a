// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/mapping_judging.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace strata::check::mapping {

bool is_permutation_of_ranks(const std::vector<int>& values, int ranks) {
  std::vector<int> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return sorted == identity_of(ranks);
}

std::string text_of(const std::vector<int>& values) { return fmt::format("{{{}}}", fmt::join(values, " ")); }

double cost_at(const MappingCase& c, const MappingOutcome& o, const std::vector<int>& process) {
  double sum = 0;
  for (const Flow& flow : c.flows) sum += flow.bytes * o.hops(process[flow.from], process[flow.to]);
  return sum;
}

std::map<std::pair<int, int>, double> exchanged_bytes(const MappingCase& c) {
  std::map<std::pair<int, int>, double> bytes;
  for (const Flow& flow : c.flows) {
    if (flow.from != flow.to) bytes[std::minmax(flow.from, flow.to)] += flow.bytes;
  }
  return bytes;
}

}  // namespace strata::check::mapping
