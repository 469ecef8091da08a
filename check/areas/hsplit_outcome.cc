// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/hsplit_outcome.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "check/areas/slow_hierarchy.h"

namespace strata::check {
namespace {

using mpix::Communicator;
using mpix::Family;
using mpix::Hierarchy;
using Outcome = HsplitOutcome;

// Up to these numbers of vertices and ranks, all wishes are tried, with keys from 0 to 2; in larger cases, one of them.
constexpr int kAllWishesVertices = 5, kAllWishesRanks = 3, kKeys = 3;
// Up to this number of vertices, eight hints are tried; in larger cases, three.
constexpr int kAllHintsVertices = 7;

// Splits the members of the parent of `family` by the types after which its communicators are named.
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
    // If instances are nested, a guided split uses the innermost one, so such a type does not lead here.
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
  std::uint64_t any = fingerprint(c.tree(), c.bindings);  // so that a case always gets the same wishes
  for (int r = 0; r < c.ranks(); ++r, any /= 4 * kKeys)
    wishes[r] = {any % 4 == 0 ? 0 : 1, static_cast<int>(any / 4 % kKeys)};
  ask(std::move(wishes));
}

}  // namespace

std::vector<int> members_of(const HsplitCase& c, const Hierarchy& h, int comm) {
  return comm < 0 ? first_ranks(c.ranks()) : h.comms.at(comm).members;
}

std::string hint_name(const HsplitCase& c, const mpix::LevelHint& hint, int cover) {
  if (hint.name == "Odd" || hint.name == "eVEN") return c.tree().depth[cover] % 2 == 0 ? "Even" : "Odd";
  return c.machine->name[cover];
}

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
    std::reverse(vertices.begin(), vertices.end());  // the order of the ranks must not matter
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

}  // namespace strata::check
