// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/rankfile.h"

#include <fmt/format.h>

#include "base/error.h"

namespace strata {
namespace {

constexpr size_t kLongestSlots = 63;

// "4-7,9".
std::string slots_of(const Topology& t, const Binding& b) {
  Cpuset logical;
  const int machine = t.node_vertex(b.node), first = t.first_core(machine);
  for (int i = first; i < first + t.num_cores(machine); ++i) {
    const NodeObject& core = *t.object(t.cores()[i]);
    if (core.cpuset.intersects(b.cpuset)) logical.add(core.logical_index);
  }
  return logical.list();
}

}  // namespace

std::string format_rankfile(const Topology& t, const std::vector<Binding>& ranks,
                            const std::vector<std::string>& hosts) {
  std::string text;
  for (size_t r = 0; r < ranks.size(); ++r) {
    const std::string slots = slots_of(t, ranks[r]);
    if (slots.size() > kLongestSlots) {
      throw InputError("--rankfile",
                       fmt::format("the cores {1} of rank {0} are more ranges than Open MPI reads", r, slots),
                       "bind to neighbouring cores");
    }
    const auto node = static_cast<size_t>(ranks[r].node);
    if (!hosts.empty() && node >= hosts.size()) {
      throw InputError("--hosts", fmt::format("{} names are given, but rank {} is on node {}", hosts.size(), r, node),
                       "name all nodes, starting with node 0");
    }
    text += fmt::format("rank {}={} slot={}\n", r, hosts.empty() ? fmt::format("+n{}", node) : hosts[node], slots);
  }
  return text;
}

}  // namespace strata
