// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the hierarchy that repeated splits produce: of one split, and of all levels.
#include "check/areas/hsplit_properties.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>

#include "check/areas/hsplit_judging.h"

namespace strata::check {
namespace {

using namespace hsplit;
using mpix::Communicator;
using mpix::Family;
using mpix::Hierarchy;
using Outcome = HsplitOutcome;

// The child of `object` whose PUs include `binding`; -1 if there is none.
int child_with(const SmallMachine& m, int object, Pus binding) {
  for (int v = object + 1; v < m.size(); ++v) {
    if (m.parent[v] == object && includes(m.pus[v], binding)) return v;
  }
  return -1;
}

// ---------------------------------------------------------------------------------------------------------- one split

Judgement strict_subset(const HsplitCase& c, const Outcome& o) {
  std::vector<int> sizes(c.ranks() + 1, 0);
  for (int i : o.first.index) {
    if (i >= 0 && ++sizes.at(i) == c.ranks())
      return Judgement::violated("split() puts all ranks into one communicator");
  }
  return of_each_family(o.all, [&](const Family& f) -> Wrong {
    const std::vector<int> whole = members_of(c, o.all, f.parent);
    for (int i : f.comms) {
      const std::vector<int>& m = o.all.comms.at(i).members;
      const std::set<int> part(m.begin(), m.end());
      if (!std::includes(whole.begin(), whole.end(), part.begin(), part.end()) || part.size() >= whole.size())
        return set_of(m) + " of " + set_of(whole) + " is not a strict subset";
    }
    return std::nullopt;
  });
}

Judgement siblings_disjoint(const HsplitCase& c, const Outcome& o) {
  return of_each_family(o.all, [&](const Family& f) -> Wrong {
    for (size_t a = 0; a < f.comms.size(); ++a) {
      for (size_t b = 0; b < a; ++b) {
        const std::vector<int>&x = o.all.comms.at(f.comms[b]).members, &y = o.all.comms.at(f.comms[a]).members;
        for (int r : x) {
          if (std::find(y.begin(), y.end(), r) != y.end())
            return fmt::format("rank {} is in {} and in {}", r, set_of(x), set_of(y));
        }
        if ((union_of(c.bindings, x) & union_of(c.bindings, y)) != 0)
          return fmt::format("{} and {} may meet on a PU", set_of(x), set_of(y));
      }
    }
    return std::nullopt;
  });
}

Judgement null_exactly(const HsplitCase& c, const Outcome& o) {
  const auto wrong_of = [&](int r, int object, bool in_none) -> Wrong {
    const int child = child_with(c.tree(), object, c.bindings[r]);
    if (in_none == (child < 0)) return std::nullopt;
    return in_none
               ? fmt::format("rank {} gets none below {}, though it fits in {}", r, called(c, object), called(c, child))
               : fmt::format("rank {} gets one below {}, though it fits in no child", r, called(c, object));
  };
  const int top = slow_cover(c.tree(), union_of(c.bindings, first_ranks(c.ranks())));
  for (int r = 0; r < c.ranks(); ++r) {
    if (Wrong wrong = wrong_of(r, top, o.first.index.at(r) < 0)) return Judgement::violated("split(): " + *wrong);
  }
  return of_each(o.all, [&](int comm) -> Wrong {
    const std::vector<int> members = members_of(c, o.all, comm);
    const int object = slow_cover(c.tree(), union_of(c.bindings, members));
    for (int r : members) {
      const std::vector<int>& levels = o.all.levels.at(r);
      const bool last = comm < 0 ? levels.empty() : !levels.empty() && levels.back() == comm;
      if (Wrong wrong = wrong_of(r, object, last)) return wrong;
    }
    return std::nullopt;
  });
}

Judgement lowest_name(const HsplitCase& c, const Outcome& o) {
  const auto wrong_of = [&](const std::vector<int>& members, int cover) -> Wrong {
    const int expected = slow_cover(c.tree(), union_of(c.bindings, members));
    if (cover == expected) return std::nullopt;
    return fmt::format("{} is called {}, not {}", set_of(members), called(c, cover), called(c, expected));
  };
  if (Wrong wrong = wrong_of(first_ranks(c.ranks()), o.first.cover)) return Judgement::violated("split(): " + *wrong);
  for (const Communicator& comm : o.all.comms) {
    if (Wrong wrong = wrong_of(comm.members, comm.cover)) return Judgement::violated(*wrong);
  }
  return Judgement::holds();
}

// Compares `index`, by member of `members`, and the number of communicators with the children of the members' object.
Wrong wrong_index(const HsplitCase& c, const std::vector<int>& members, const std::vector<int>& index, int num_comms) {
  const int object = slow_cover(c.tree(), union_of(c.bindings, members));
  std::set<int> children;
  for (int r : members) children.insert(child_with(c.tree(), object, c.bindings[r]));
  children.erase(-1);
  if (num_comms != static_cast<int>(children.size()))
    return fmt::format("{} is split into {}, but {} children have a member", set_of(members), num_comms,
                       children.size());
  for (size_t i = 0; i < members.size(); ++i) {
    const auto at = children.find(child_with(c.tree(), object, c.bindings[members[i]]));
    if (at == children.end() || index[i] < 0) continue;  // null-exactly checks these
    if (index[i] != std::distance(children.begin(), at))
      return fmt::format("of {} rank {} gets index {}, not {}", set_of(members), members[i], index[i],
                         std::distance(children.begin(), at));
  }
  return std::nullopt;
}

Judgement index_order(const HsplitCase& c, const Outcome& o) {
  if (Wrong wrong = wrong_index(c, first_ranks(c.ranks()), o.first.index, o.first.num_comms))
    return Judgement::violated("split(): " + *wrong);
  return of_each(o.all, [&](int comm) -> Wrong {
    const int family = o.all.family_below(comm);
    const std::vector<int> members = members_of(c, o.all, comm);
    std::vector<int> index(members.size(), -1);
    const std::vector<int> none;
    const std::vector<int>& comms = family < 0 ? none : o.all.families.at(family).comms;
    for (size_t position = 0; position < comms.size(); ++position) {
      const Communicator& made = o.all.comms.at(comms[position]);
      if (made.index != static_cast<int>(position))
        return fmt::format("{} has index {}, but is number {}", set_of(made.members), made.index, position);
      for (size_t i = 0; i < members.size(); ++i) {
        if (std::find(made.members.begin(), made.members.end(), members[i]) != made.members.end())
          index[i] = made.index;
      }
    }
    return wrong_index(c, members, index, static_cast<int>(comms.size()));
  });
}

// -------------------------------------------------------------------------------------------------------- all the way

Judgement roots(const HsplitCase&, const Outcome& o) {
  return of_each_family(o.all, [&](const Family& f) -> Wrong {
    std::vector<int> firsts;
    for (int i : f.comms) firsts.push_back(o.all.comms.at(i).members.at(0));
    std::sort(firsts.begin(), firsts.end());
    if (f.roots == firsts) return std::nullopt;
    return "roots " + set_of(f.roots) + ", but rank 0 of each are " + set_of(firsts);
  });
}

Judgement stragglers(const HsplitCase& c, const Outcome& o) {
  return of_each_family(o.all, [&](const Family& f) -> Wrong {
    std::vector<int> left;
    for (int r : members_of(c, o.all, f.parent)) {
      if (std::none_of(f.comms.begin(), f.comms.end(), [&](int i) {
            const std::vector<int>& m = o.all.comms.at(i).members;
            return std::find(m.begin(), m.end(), r) != m.end();
          })) {
        left.push_back(r);
      }
    }
    if (f.stragglers == left) return std::nullopt;
    return "left out are " + set_of(left) + ", not " + set_of(f.stragglers);
  });
}

Judgement member_order(const HsplitCase&, const Outcome& o) {
  for (const Communicator& comm : o.all.comms) {
    if (std::adjacent_find(comm.members.begin(), comm.members.end(), std::greater_equal<>()) != comm.members.end())
      return Judgement::violated(set_of(comm.members) + " are not in the order of their parent");
  }
  return Judgement::holds();
}

Judgement lone_stops(const HsplitCase& c, const Outcome& o) {
  return of_each(o.all, [&](int comm) -> Wrong {
    const std::vector<int> members = members_of(c, o.all, comm);
    if (members.size() > 1 || o.all.family_below(comm) < 0) return std::nullopt;
    return set_of(members) + " is split again";
  });
}

Judgement depth_bound(const HsplitCase& c, const Outcome& o) {
  for (int r = 0; r < c.ranks(); ++r) {
    if (static_cast<int>(o.all.levels.at(r).size()) > c.tree().max_depth)
      return Judgement::violated(fmt::format("rank {} has {} levels", r, o.all.levels[r].size()));
  }
  return Judgement::holds();
}

Judgement unbound_stop(const HsplitCase& c, const Outcome& o) {
  const std::optional<std::vector<int>> nodes = whole_nodes(c);
  if (!nodes) return Judgement::not_asked();
  for (int r = 0; r < c.ranks(); ++r) {
    std::vector<int> mine;
    for (int q = 0; q < c.ranks(); ++q) {
      if (nodes->at(q) == nodes->at(r)) mine.push_back(q);
    }
    const std::vector<int>& levels = o.all.levels.at(r);
    if (static_cast<int>(mine.size()) == c.ranks()) {
      if (!levels.empty()) return Judgement::violated(fmt::format("rank {} gets a level of its only node", r));
    } else if (levels.empty() || o.all.comms.at(levels.back()).members != mine) {
      return Judgement::violated(fmt::format("rank {} does not stop at its node, with {}", r, set_of(mine)));
    }
  }
  return Judgement::holds();
}

Judgement repeated_split(const HsplitCase& c, const Outcome& o) {
  return of_each(o.all, [&](int comm) -> Wrong {
    const mpix::Split& s = comm < 0 ? o.first : o.again.at(comm);
    const std::vector<int> members = members_of(c, o.all, comm);
    const int family = o.all.family_below(comm);
    const std::string of = "split() of " + set_of(members);
    const int made = family < 0 ? 0 : static_cast<int>(o.all.families.at(family).comms.size());
    if (s.num_comms != made) return fmt::format("{} makes {}, split_all() {}", of, s.num_comms, made);
    for (int i = 0; i < made; ++i) {
      std::vector<int> part;
      for (size_t m = 0; m < members.size(); ++m) {
        if (s.index.at(m) == i) part.push_back(members[m]);
      }
      const std::vector<int>& all = o.all.comms.at(o.all.families[family].comms[i]).members;
      if (part != all) return fmt::format("{} makes {}, split_all() {}", of, set_of(part), set_of(all));
    }
    return std::nullopt;
  });
}

Judgement fewer_levels(const HsplitCase& c, const Outcome& o) {
  for (size_t most = 1; most <= o.upto.size(); ++most) {
    const Hierarchy& h = o.upto[most - 1];
    for (int r = 0; r < c.ranks(); ++r) {
      const size_t expected = std::min(most, o.all.levels.at(r).size());
      if (h.levels.at(r).size() != expected)
        return Judgement::violated(fmt::format("rank {} has {} levels of at most {}", r, h.levels[r].size(), most));
      for (size_t l = 0; l < expected; ++l) {
        const Communicator &a = h.comms.at(h.levels[r][l]), &b = o.all.comms.at(o.all.levels[r][l]);
        if (a.members != b.members || a.cover != b.cover || a.index != b.index || h.roots(a) != o.all.roots(b))
          return Judgement::violated(
              fmt::format("rank {}, level {} of at most {}: not that of all levels", r, l + 1, most));
      }
    }
  }
  return Judgement::holds();
}

Judgement consecutive(const HsplitCase&, const Outcome& o) {
  const bool expected = std::all_of(o.all.comms.begin(), o.all.comms.end(), [](const Communicator& comm) {
    const auto [first, last] = std::minmax_element(comm.members.begin(), comm.members.end());
    return *last - *first + 1 == static_cast<int>(comm.members.size());
  });
  return Judgement::require(o.consecutive == expected, expected ? "no rank is skipped, but it says so"
                                                                : "a rank is skipped, and it does not say so");
}

Judgement min_level(const HsplitCase& c, const Outcome& o) {
  for (size_t i = 0; i < o.all.comms.size(); ++i) {
    if (o.min_level.at(i) != o.all.comms[i].cover)
      return Judgement::violated(fmt::format("{} is {}, its level is called {}", set_of(o.all.comms[i].members),
                                             called(c, o.min_level[i]), called(c, o.all.comms[i].cover)));
  }
  for (int a = 0, pair = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < a; ++b, ++pair) {
      const int got = o.min_level_of_two.at(pair), expected = slow_cover(c.tree(), c.bindings[a] | c.bindings[b]);
      if (got != expected)
        return Judgement::violated(
            fmt::format("ranks {} and {} share {}, not {}", b, a, called(c, expected), called(c, got)));
    }
  }
  return Judgement::holds();
}

Judgement slow_reading(const HsplitCase& c, const Outcome& o) {
  return same_as(c, slow_hierarchy(c.tree(), c.bindings), o.all);
}

}  // namespace

std::vector<HsplitProperty> hsplit_properties() {
  std::vector<HsplitProperty> all = {
      {{"strict-subset", "a new communicator has fewer members than the one that is split, and no others",
        "RR-9077, Section 3.2.2"},
       strict_subset},
      {{"disjoint-siblings", "no rank is in two communicators of one split, and no PU is in the bindings of two",
        "RR-9077, Sections 3.2.1 and 4.1.1 (non-overlapping)"},
       siblings_disjoint},
      {{"null-exactly", "a rank gets MPI_COMM_NULL exactly when its binding fits in no child of the members' object",
        "RR-9077, Algorithm 1, lines 1 to 6"},
       null_exactly},
      {{"lowest-name", "a communicator is named after the deepest object that covers the bindings of all its members",
        "RR-9077, Sections 3.2.2 (the lowest level) and 5.1"},
       lowest_name},
      {{"index-order",
        "indexes count from 0 in the tree's order of the children that have members; num_comms says how many",
        "RR-9077, Section 3.3.1"},
       index_order},
      {{"roots", "the roots are rank 0 of each communicator of the split, in the order of the one that was split",
        "RR-9077, Section 3.2.3 and Algorithm 2"},
       roots},
      {{"stragglers", "the ranks that a split leaves out are known, in order, for the bridges", "whole.h"}, stragglers},
      {{"member-order", "members keep the order of the communicator that is split",
        "RR-9077, Algorithm 1, lines 7 and 8 (the key is the rank)"},
       member_order},
      {{"lone-stops", "a process that is alone is not split again", "RR-9077, Section 3.2.2"}, lone_stops},
      {{"depth-bound", "no rank has more levels than the tree", "RR-9077, Section 3.2.2: each level is below the last"},
       depth_bound},
      {{"unbound-stop", "where no rank is bound, the node is the last level; on a single node there are no levels",
        "RR-9077, Section 3.2.4"},
       unbound_stop},
      {{"repeated-split", "the whole hierarchy is what repeated splits give",
        "RR-9077, Section 4.1.2 (the loop of Section 5)"},
       repeated_split},
      {{"fewer-levels", "at most n levels are the first n of all", "mpix.h, MPIX_Comm_hsplit_all"}, fewer_levels},
      {{"consecutive", "a hierarchy is consecutive exactly when no communicator skips a rank",
        "split.h, all_consecutive"},
       consecutive},
      {{"min-hlevel",
        "MPIX_Comm_get_min_hlevel of a communicator's members names its level, and of two ranks what covers both",
        "RR-9077, Section 3.3.2"},
       min_level},
      {{"slow-reading", "every rank's levels are what the definition says, read on sets of PUs",
        "RR-9077, Algorithms 1 and 2"},
       slow_reading},
  };
  append(all, hsplit_guided_properties());
  append(all, hsplit_sometimes());
  return all;
}

}  // namespace strata::check
