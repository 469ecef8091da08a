// SPDX-License-Identifier: LGPL-2.1-only
// Properties of splits with arguments: guided by a type, by a hint to a level, with keys and MPI_UNDEFINED.
#include <fmt/format.h>
#include <strings.h>

#include <algorithm>
#include <set>
#include <utility>

#include "check/areas/hsplit_judging.h"

namespace strata::check {
namespace {

using namespace hsplit;
using mpix::Communicator;
using Outcome = HsplitOutcome;

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

}  // namespace

std::vector<HsplitProperty> hsplit_guided_properties() {
  return {
      {{"guided", "MPI_COMM_TYPE_HW_GUIDED puts together exactly the ranks within one instance of the type",
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
      {{"wishes", "members are ordered by key, then by rank; a rank that passes MPI_UNDEFINED is in none",
        "MPI 4.1, Section 7.4.2 (MPI_COMM_SPLIT_TYPE)"},
       wished},
  };
}

}  // namespace strata::check
