// SPDX-License-Identifier: LGPL-2.1-only
// Properties that at least one case of the area hsplit must have.
#include <algorithm>
#include <set>

#include "check/areas/hsplit_judging.h"

namespace strata::check {
namespace {

using namespace hsplit;
using mpix::Communicator;
using mpix::Family;
using Outcome = HsplitOutcome;

bool has_straggler(const HsplitCase&, const Outcome& o) {
  return std::any_of(o.all.families.begin(), o.all.families.end(),
                     [](const Family& f) { return !f.stragglers.empty(); });
}

bool has_inner_binding(const HsplitCase& c, const Outcome& o) {
  return std::any_of(o.vertices.begin(), o.vertices.end(), [&](int v) { return letter_of(c.tree(), v) == 'o'; });
}

bool has_unbound_on_several_nodes(const HsplitCase& c, const Outcome&) {
  const std::optional<std::vector<int>> nodes = whole_nodes(c);
  return nodes && std::set<int>(nodes->begin(), nodes->end()).size() > 1;
}

bool has_roots_out_of_tree_order(const HsplitCase&, const Outcome& o) {
  return std::any_of(o.all.families.begin(), o.all.families.end(), [&](const Family& f) {
    return f.comms.size() > 2 && o.all.comms[f.comms.front()].members.front() != f.roots.front();
  });
}

bool has_unequal_nodes(const HsplitCase& c, const Outcome&) {
  const SmallMachine& m = c.tree();
  for (size_t n = 1; n < m.node_vertex.size(); ++n) {
    const int v = m.node_vertex[n];
    if (m.twin[v] < 0 && m.parent[v] == m.parent[m.node_vertex[n - 1]]) return true;
  }
  return false;
}

bool has_switches(const HsplitCase& c, const Outcome&) { return c.tree().size() > 1 && letter_of(c.tree(), 1) == 's'; }

bool has_shared_core(const HsplitCase& c, const Outcome&) {
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < a; ++b) {
      if (c.bindings[a] == c.bindings[b] && c.tree().is_leaf(slow_cover(c.tree(), c.bindings[a]))) return true;
    }
  }
  return false;
}

bool has_three_levels(const HsplitCase&, const Outcome& o) {
  return std::any_of(o.all.levels.begin(), o.all.levels.end(), [](const auto& l) { return l.size() >= 3; });
}

bool has_lower_name(const HsplitCase& c, const Outcome& o) {
  return std::any_of(o.all.comms.begin(), o.all.comms.end(), [&](const Communicator& comm) {
    const std::vector<int> parent = members_of(c, o.all, o.all.families[comm.family].parent);
    return c.tree().depth[comm.cover] > c.tree().depth[slow_cover(c.tree(), union_of(c.bindings, parent))] + 1;
  });
}

bool has_skipped_rank(const HsplitCase&, const Outcome& o) { return !o.consecutive; }

}  // namespace

std::vector<HsplitProperty> hsplit_sometimes() {
  return {
      sometimes<HsplitCase, HsplitOutcome>("some-straggler", "a split leaves out some ranks, but not all", "the cases",
                                           has_straggler),
      sometimes<HsplitCase, HsplitOutcome>("some-inner-binding", "a rank is bound to an object between node and core",
                                           "the cases", has_inner_binding),
      sometimes<HsplitCase, HsplitOutcome>("some-unbound-nodes", "no rank is bound, on several nodes", "the cases",
                                           has_unbound_on_several_nodes),
      sometimes<HsplitCase, HsplitOutcome>("some-roots-reordered",
                                           "of three roots or more, the order of ranks is not that of the tree",
                                           "the cases", has_roots_out_of_tree_order),
      sometimes<HsplitCase, HsplitOutcome>("some-unequal-nodes", "neighbouring nodes differ", "the cases",
                                           has_unequal_nodes),
      sometimes<HsplitCase, HsplitOutcome>("some-switches", "there are switches below the network's root", "the cases",
                                           has_switches),
      sometimes<HsplitCase, HsplitOutcome>("some-shared-core", "two ranks share a core", "the cases", has_shared_core),
      sometimes<HsplitCase, HsplitOutcome>("some-three-levels", "a rank has three levels", "the cases",
                                           has_three_levels),
      sometimes<HsplitCase, HsplitOutcome>("some-lower-name",
                                           "a communicator is named after an object below the child that it fits in",
                                           "the cases", has_lower_name),
      sometimes<HsplitCase, HsplitOutcome>("some-skipped-rank", "a communicator skips a rank", "the cases",
                                           has_skipped_rank),
  };
}

}  // namespace strata::check
