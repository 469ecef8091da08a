// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/hsplit_judging.h"

#include <fmt/format.h>

#include <algorithm>

namespace strata::check::hsplit {

using mpix::Communicator;
using mpix::Hierarchy;

std::string set_of(const std::vector<int>& ranks) {
  std::string text = "{";
  for (int r : ranks) text += (text.size() > 1 ? "," : "") + std::to_string(r);
  return text + "}";
}

std::string called(const HsplitCase& c, int v) {
  return v < 0 || v >= c.tree().size() ? "nothing" : c.machine->name[v] + " " + place_text(c.tree(), v);
}

Wrong difference(const HsplitCase& c, const SlowHierarchy& expected, const Hierarchy& h) {
  for (int r = 0; r < c.ranks(); ++r) {
    const std::vector<int>& slow = expected.levels.at(r);
    const std::vector<int>& fast = h.levels.at(r);
    for (size_t l = 0; l < std::min(slow.size(), fast.size()); ++l) {
      const SlowComm& e = expected.comms[slow[l]];
      const Communicator& comm = h.comms.at(fast[l]);
      const auto at = [&](const std::string& what) { return fmt::format("rank {}, level {}: {}", r, l + 1, what); };
      if (comm.members != e.members) return at(set_of(comm.members) + " is together, not " + set_of(e.members));
      if (comm.cover != e.cover) return at(called(c, comm.cover) + " is named, not " + called(c, e.cover));
      if (comm.index != e.index) return at(fmt::format("index {}, not {}", comm.index, e.index));
      if (h.num_comms(comm) != e.num_comms)
        return at(fmt::format("{} communicators, not {}", h.num_comms(comm), e.num_comms));
      if (h.roots(comm) != e.roots) return at("roots " + set_of(h.roots(comm)) + ", not " + set_of(e.roots));
    }
    const size_t both = std::min(slow.size(), fast.size());
    if (fast.size() > both)
      return fmt::format("rank {}, level {}: in {}, not in none", r, both + 1, set_of(h.comms.at(fast[both]).members));
    if (slow.size() > both)
      return fmt::format("rank {}, level {}: in none, not in {}", r, both + 1,
                         set_of(expected.comms[slow[both]].members));
  }
  return std::nullopt;
}

Judgement same_as(const HsplitCase& c, const SlowHierarchy& expected, const Hierarchy& h, const std::string& of_what) {
  const Wrong wrong = difference(c, expected, h);
  return wrong ? Judgement::violated(of_what + *wrong) : Judgement::holds();
}

std::optional<std::vector<int>> whole_nodes(const HsplitCase& c) {
  std::vector<int> nodes;
  for (Pus b : c.bindings) {
    int node = -1;
    for (size_t n = 0; n < c.tree().node_vertex.size(); ++n) {
      if (c.tree().pus[c.tree().node_vertex[n]] == b) node = static_cast<int>(n);
    }
    if (node < 0) return std::nullopt;
    nodes.push_back(node);
  }
  return nodes;
}

}  // namespace strata::check::hsplit
