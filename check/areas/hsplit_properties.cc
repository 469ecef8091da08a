#include "check/areas/hsplit_properties.h"

#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

#include "check/areas/slow_hierarchy.h"

namespace strata::check {
namespace {

using mpix::Communicator;
using mpix::Family;
using mpix::Hierarchy;
using Outcome = HsplitOutcome;

// On machines and of ranks up to these all ways to wish are asked for, with keys from 0 to 2, elsewhere any one.
constexpr int kAllWishesVertices = 5, kAllWishesRanks = 3, kKeys = 3;
// On machines of up to as many vertices eight hints are given, elsewhere three.
constexpr int kAllHintsVertices = 7;

// ------------------------------------------------------------------------------------------------------------- helpers

std::string set_of(const std::vector<int>& ranks) {
  std::string text = "{";
  for (int r : ranks) text += (text.size() > 1 ? "," : "") + std::to_string(r);
  return text + "}";
}

std::string called(const HsplitCase& c, int v) {
  return v < 0 || v >= c.tree().size() ? "nothing" : c.machine->name[v] + " " + place_text(c.tree(), v);
}

// The members of a communicator; of -1, all ranks.
std::vector<int> members_of(const HsplitCase& c, const Hierarchy& h, int comm) {
  return comm < 0 ? first_ranks(c.ranks()) : h.comms.at(comm).members;
}

// The child of `object` whose PUs include `binding`; -1 for none.
int child_with(const SmallMachine& m, int object, Pus binding) {
  for (int v = object + 1; v < m.size(); ++v) {
    if (m.parent[v] == object && includes(m.pus[v], binding)) return v;
  }
  return -1;
}

// Calls `look` with every communicator of the hierarchy, the first one (-1) too, until one is wrong.
template <class Look>
Judgement of_each(const Hierarchy& h, const Look& look) {
  for (int comm = -1; comm < static_cast<int>(h.comms.size()); ++comm) {
    if (std::optional<std::string> wrong = look(comm)) return Judgement::violated(*wrong);
  }
  return Judgement::holds();
}

// The same with every family.
template <class Look>
Judgement of_each_family(const Hierarchy& h, const Look& look) {
  for (const Family& f : h.families) {
    if (std::optional<std::string> wrong = look(f)) return Judgement::violated(*wrong);
  }
  return Judgement::holds();
}

using Wrong = std::optional<std::string>;

// The first thing in which a hierarchy is not as the slow reading has it.
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

Judgement same_as(const HsplitCase& c, const SlowHierarchy& expected, const Hierarchy& h,
                  const std::string& of_what = "") {
  const Wrong wrong = difference(c, expected, h);
  return wrong ? Judgement::violated(of_what + *wrong) : Judgement::holds();
}

// ------------------------------------------------------------------------------------------------------------ one
// split

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
        return set_of(m) + " of " + set_of(whole) + " is no strict subset";
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

// `index` by member of `members` and the number of communicators, against the children of the members' object.
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
    if (at == children.end() || index[i] < 0) continue;  // null-exactly speaks of these
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
    return set_of(members) + " is split once more";
  });
}

Judgement depth_bound(const HsplitCase& c, const Outcome& o) {
  for (int r = 0; r < c.ranks(); ++r) {
    if (static_cast<int>(o.all.levels.at(r).size()) > c.tree().max_depth)
      return Judgement::violated(fmt::format("rank {} has {} levels", r, o.all.levels[r].size()));
  }
  return Judgement::holds();
}

// By rank its node, where all are bound to whole nodes.
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

// --------------------------------------------------------------------------------------------- guided, hinted, wished

Judgement guided(const HsplitCase& c, const Outcome& o) {
  for (size_t t = 0; t < c.machine->types.size(); ++t) {
    const HsplitMachine::Type& type = c.machine->types[t];
    std::vector<std::vector<int>> members(c.tree().size());  // by instance
    for (int r = 0; r < c.ranks(); ++r) {
      int innermost = -1;
      for (int v = 0; v < c.tree().size(); ++v) {
        if (type.is[v] != 0 && includes(c.tree().pus[v], c.bindings[r])) innermost = v;  // preorder
      }
      if (innermost >= 0) members[innermost].push_back(r);
    }
    std::erase_if(members, [](const std::vector<int>& m) { return m.empty(); });
    SlowHierarchy expected;
    expected.levels.resize(c.ranks());
    add_siblings(c.tree(), c.bindings, members, expected);
    Judgement j = same_as(c, expected, o.guided.at(t), "by " + type.name + ": ");
    if (j.violation()) return j;
  }
  return Judgement::holds();
}

Judgement guided_disjoint(const HsplitCase& c, const Outcome& o) {
  for (size_t t = 0; t < o.guided.size(); ++t) {
    std::vector<const Communicator*> in(c.ranks(), nullptr);
    for (const Communicator& comm : o.guided[t].comms) {
      for (int r : comm.members) {
        if (in.at(r) != nullptr)
          return Judgement::violated(fmt::format("by {}: rank {} is in {} and in {}", c.machine->types[t].name, r,
                                                 set_of(in[r]->members), set_of(comm.members)));
        in[r] = &comm;
      }
    }
  }
  return Judgement::holds();
}

Judgement guided_follows(const HsplitCase& c, const Outcome& o) {
  if (o.followed.empty()) return Judgement::not_asked();
  for (const Outcome::Followed& f : o.followed) {
    const std::vector<int> parent =
        members_of(c, o.all, o.all.families.at(o.all.comms.at(f.comms.front()).family).parent);
    for (int i : f.comms) {
      const Communicator& comm = o.all.comms.at(i);
      const int first = comm.members.at(0);
      const size_t me = std::find(parent.begin(), parent.end(), first) - parent.begin();
      std::vector<int> together;
      for (int level : f.guided.levels.at(me)) {
        for (int m : f.guided.comms.at(level).members) together.push_back(parent.at(m));
      }
      if (together != comm.members)
        return Judgement::violated(fmt::format("{} is called {}; split by that type, rank {} is with {}",
                                               set_of(comm.members), called(c, comm.cover), first, set_of(together)));
    }
  }
  return Judgement::holds();
}

std::string hint_name(const HsplitCase& c, const mpix::LevelHint& hint, int cover) {
  if (hint.name == "Odd" || hint.name == "eVEN") return c.tree().depth[cover] % 2 == 0 ? "Even" : "Odd";
  return c.machine->name[cover];
}

Judgement hinted(const HsplitCase& c, const Outcome& o) {
  if (o.hinted.empty()) return Judgement::not_asked();
  for (const Outcome::Hinted& h : o.hinted) {
    const SlowHierarchy expected = slow_jumps(c.tree(), c.bindings, [&](int splits, int cover) {
      return h.hint.name.empty() ? splits == h.hint.splits
                                 : ::strcasecmp(hint_name(c, h.hint, cover).c_str(), h.hint.name.c_str()) == 0;
    });
    const std::string hint = h.hint.name.empty() ? std::to_string(h.hint.splits) : h.hint.name;
    Judgement j = same_as(c, expected, h.levels, "to " + hint + ": ");
    if (j.violation()) return j;
  }
  return Judgement::holds();
}

Judgement wished(const HsplitCase& c, const Outcome& o) {
  const std::vector<std::vector<int>> split = slow_split(c.tree(), c.bindings, first_ranks(c.ranks()));
  for (const Outcome::Wished& w : o.wished) {
    std::vector<std::vector<int>> members;
    for (const std::vector<int>& comm : split) {
      std::set<std::pair<int, int>> sorted;
      for (int r : comm) {
        if (w.wishes[r].takes_part != 0) sorted.emplace(w.wishes[r].key, r);
      }
      if (sorted.empty()) continue;
      members.emplace_back();
      for (const auto& [key, r] : sorted) members.back().push_back(r);
    }
    SlowHierarchy expected;
    expected.levels.resize(c.ranks());
    add_siblings(c.tree(), c.bindings, members, expected);
    const Wrong wrong = difference(c, expected, w.level);
    if (!wrong) continue;
    std::string keys;
    for (const mpix::Wish& wish : w.wishes)
      keys += (keys.empty() ? "" : ",") + (wish.takes_part != 0 ? std::to_string(wish.key) : "undefined");
    return Judgement::violated("keys " + keys + ": " + *wrong);
  }
  return Judgement::holds();
}

// ------------------------------------------------------------------------------------------------- what cases there
// are

template <class Has>
auto where(Has has) {
  return
      [has](const HsplitCase& c, const Outcome& o) { return has(c, o) ? Judgement::holds() : Judgement::not_asked(); };
}

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

// ------------------------------------------------------------------------------------------------------------ the code

// The splits of the members of what `family` was made from, by the types that its communicators are called.
void follow(const HsplitCase& c, const Family& family, Outcome& o) {
  const SmallMachine& m = c.tree();
  const std::vector<int> members = members_of(c, o.all, family.parent);
  std::vector<int> vertices;
  for (int r : members) vertices.push_back(o.vertices[r]);
  std::vector<const HsplitMachine::Type*> types;
  const size_t begin = o.followed.size();
  for (int i : family.comms) {
    const int cover = o.all.comms.at(i).cover;
    const auto type = std::find_if(c.machine->types.begin(), c.machine->types.end(),
                                   [&](const HsplitMachine::Type& t) { return t.is.at(cover) != 0; });
    // Of instances within instances the innermost counts: such a type does not lead here.
    bool nested = false;
    for (int v = cover + 1; v < m.size() && m.depth[v] > m.depth[cover]; ++v) nested = nested || type->is[v] != 0;
    if (nested) continue;
    const size_t known = std::find(types.begin(), types.end(), &*type) - types.begin();
    if (known == types.size()) {
      std::vector<int> instance;
      for (int v : vertices) instance.push_back(type->instance[v]);
      types.push_back(&*type);
      o.followed.push_back({{}, mpix::split_by_instance(m.parent, vertices, instance)});
    }
    o.followed[begin + known].comms.push_back(i);
  }
}

void hint(const HsplitCase& c, Outcome& o) {
  const bool several =
      std::any_of(o.all.levels.begin(), o.all.levels.end(), [](const auto& levels) { return levels.size() > 1; });
  if (!several) return;
  std::vector<mpix::LevelHint> hints = {{"", 2}, {"Odd", 0}, {"core", 0}};
  if (c.tree().size() <= kAllHintsVertices)
    hints.insert(hints.end(), {{"", 1}, {"", 3}, {"eVEN", 0}, {"MACHINE", 0}, {"Package", 0}});
  for (const mpix::LevelHint& h : hints) {
    o.hinted.push_back(
        {h, mpix::split_to_level(o.all, h, [&](const Communicator& comm) { return hint_name(c, h, comm.cover); })});
  }
}

void wish(const HsplitCase& c, Outcome& o) {
  const auto ask = [&](std::vector<mpix::Wish> wishes) {
    Hierarchy level = mpix::with_wishes(o.all, c.tree().parent, o.vertices, wishes);
    o.wished.push_back({std::move(wishes), std::move(level)});
  };
  std::vector<mpix::Wish> wishes(c.ranks());
  if (c.tree().size() <= kAllWishesVertices && c.ranks() <= kAllWishesRanks) {
    int codes = 1;
    for (int r = 0; r < c.ranks(); ++r) codes *= 2 * kKeys;
    for (int code = 0; code < codes; ++code) {
      for (int r = 0, left = code; r < c.ranks(); ++r, left /= 2 * kKeys) wishes[r] = {left % 2, left / 2 % kKeys};
      ask(wishes);
    }
    return;
  }
  std::uint64_t any = fingerprint(c.tree(), c.bindings);  // so that a case always comes with the same
  for (int r = 0; r < c.ranks(); ++r, any /= 4 * kKeys)
    wishes[r] = {any % 4 == 0 ? 0 : 1, static_cast<int>(any / 4 % kKeys)};
  ask(std::move(wishes));
}

}  // namespace

HsplitOutcome run_hsplit(const HsplitCase& c) {
  const std::vector<int>& parent = c.tree().parent;
  Outcome o;
  for (Pus b : c.bindings) o.vertices.push_back(slow_cover(c.tree(), b));
  o.first = mpix::split(parent, o.vertices);
  o.all = mpix::split_all(parent, o.vertices);
  o.consecutive = mpix::all_consecutive(o.all);
  const bool deep =
      std::any_of(o.all.levels.begin(), o.all.levels.end(), [](const auto& levels) { return levels.size() > 2; });
  for (int most = 1; most <= (deep ? 2 : 1); ++most) o.upto.push_back(mpix::split_all(parent, o.vertices, most));
  for (const Communicator& comm : o.all.comms) {
    std::vector<int> vertices;
    for (int r : comm.members) vertices.push_back(o.vertices.at(r));
    o.again.push_back(mpix::split(parent, vertices));
    std::reverse(vertices.begin(), vertices.end());  // the order in which ranks are listed is no matter
    o.min_level.push_back(mpix::lowest_common_ancestor(parent, vertices));
  }
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < a; ++b) {
      o.min_level_of_two.push_back(mpix::lowest_common_ancestor(parent, std::array{o.vertices[a], o.vertices[b]}));
    }
  }
  for (const HsplitMachine::Type& type : c.machine->types) {
    std::vector<int> instance;
    for (int v : o.vertices) instance.push_back(type.instance[v]);
    o.guided.push_back(mpix::split_by_instance(parent, o.vertices, instance));
  }
  for (const Family& f : o.all.families) follow(c, f, o);
  hint(c, o);
  wish(c, o);
  return o;
}

std::vector<Property<HsplitCase, HsplitOutcome>> hsplit_properties() {
  constexpr auto kSometimes = PropertyInfo::Kind::kSometimes;
  return {
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
      {{"stragglers", "those whom a split leaves out are known, in order: the bridges need them", "whole.h"},
       stragglers},
      {{"member-order", "members keep the order of the communicator that is split",
        "RR-9077, Algorithm 1, lines 7 and 8 (the key is the rank)"},
       member_order},
      {{"lone-stops", "a process that is alone is not split once more", "RR-9077, Section 3.2.2"}, lone_stops},
      {{"depth-bound", "no rank has more levels than the tree", "RR-9077, Section 3.2.2: each level is below the last"},
       depth_bound},
      {{"unbound-stop", "where nobody is bound, the node is the last level, and of a single node there is none",
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
      {{"guided", "MPI_COMM_TYPE_HW_GUIDED puts together who lies within one instance of the type, and nobody else",
        "MPI 4.1, Section 7.4.2; resource.h"},
       guided},
      {{"guided-disjoint", "no rank is in two communicators of one guided split",
        "MPI 4.1, Section 7.4.2 (disjoint subgroups); Open MPI issue 12812"},
       guided_disjoint},
      {{"guided-follows", "splitting by the type that a level is called gives that level's communicator",
        "MPI 4.1, Section 7.4.2: the value that HW_UNGUIDED returns is one for HW_GUIDED"},
       guided_follows},
      {{"hinted", "a hint goes to the first level of the name, or to that of the number, again and again",
        "guided.h, split_to_level"},
       hinted},
      {{"wishes", "members are ordered by key, then by rank, and who passes MPI_UNDEFINED is in none",
        "MPI 4.1, Section 7.4.2 (MPI_COMM_SPLIT_TYPE)"},
       wished},
      {{"some-straggler", "a split leaves out somebody, but not all", "the cases", kSometimes}, where(has_straggler)},
      {{"some-inner-binding", "a rank is bound to an object between node and core", "the cases", kSometimes},
       where(has_inner_binding)},
      {{"some-unbound-nodes", "nobody is bound, on several nodes", "the cases", kSometimes},
       where(has_unbound_on_several_nodes)},
      {{"some-roots-reordered", "of three roots or more, the order of ranks is not that of the tree", "the cases",
        kSometimes},
       where(has_roots_out_of_tree_order)},
      {{"some-unequal-nodes", "neighbouring nodes differ", "the cases", kSometimes}, where(has_unequal_nodes)},
      {{"some-switches", "there are switches below the network's root", "the cases", kSometimes}, where(has_switches)},
      {{"some-shared-core", "two ranks share a core", "the cases", kSometimes}, where(has_shared_core)},
      {{"some-three-levels", "a rank has three levels", "the cases", kSometimes}, where(has_three_levels)},
      {{"some-lower-name", "a communicator is named after an object below the child that it fits in", "the cases",
        kSometimes},
       where(has_lower_name)},
      {{"some-skipped-rank", "a communicator skips a rank", "the cases", kSometimes}, where(has_skipped_rank)},
  };
}

}  // namespace strata::check
