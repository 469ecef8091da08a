// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/hsplit_case.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "base/error.h"
#include "check/areas/slow_hierarchy.h"
#include "check/areas/small_topology.h"
#include "check/engine/key.h"
#include "mpi_ext/hierarchy/resource.h"
#include "mpi_ext/hierarchy/split.h"
#include "platforms/draw_svg.h"

namespace strata::check {
namespace {

using mpix::ResourceType;

HsplitMachine::Type type_named(const SmallMachine& tree, const SmallTopology& t, const std::string& name,
                               const ResourceType& type, const std::function<bool(int)>& is) {
  std::vector<int> vertex(t.topology.num_vertices(), -1);
  for (int v = 0; v < tree.size(); ++v) vertex[t.vertex[v]] = v;
  HsplitMachine::Type result{name, {}, {}};
  for (int v = 0; v < tree.size(); ++v) {
    const int instance = type.instance(t.topology, t.vertex[v]);
    result.is.push_back(static_cast<char>(is(v)));
    result.instance.push_back(instance < 0 ? -1 : vertex[instance]);
  }
  return result;
}

// ----------------------------------------------------------------------------------------------------------------- key

// A vertex's number among the vertices with its letter.
int place_number(const SmallMachine& machine, int v) {
  int number = 0;
  for (int u = 0; u < v; ++u) number += letter_of(machine, u) == letter_of(machine, v) ? 1 : 0;
  return number;
}

// The fewest objects that together have this set of PUs, from left to right. Of objects with the same PUs, the deepest.
std::vector<int> objects_of(const SmallMachine& m, Pus set) {
  std::vector<int> objects;
  Pus left = set;
  for (int v = 0; v < m.size(); ++v) {
    if (!m.is_place(v) || (m.pus[v] & left) == 0 || !includes(set, m.pus[v])) continue;
    objects.push_back(v);
    left &= ~m.pus[v];
  }
  return objects;
}

// ------------------------------------------------------------------------------------------------------------- smaller

// A tree that can be changed. Its vertices are those of the machine, in the same order.
class Editable {
 public:
  explicit Editable(const HsplitCase& c) : case_(c), m_(c.tree()), gone_(m_.size(), 0) {}

  void remove(int v) { gone_[v] = 1; }
  void remove_below(int v) {
    for (int u = v + 1; u < m_.size() && m_.depth[u] > m_.depth[v]; ++u) remove(u);
  }
  void remove_rank(int r) { without_.push_back(r); }

  // No value if the rest is not a machine or has no ranks. Ranks on a removed node are removed. Ranks whose PUs have
  // all been removed are bound to the rest of their object.
  std::optional<HsplitCase> result() const {
    std::string text;
    std::vector<int> number(m_.size(), -1), count(m_.size(), 0);
    int next = 0;
    for (int v = 0; v < m_.size(); ++v) {
      if (gone_[v] != 0) continue;
      number[v] = next++;
      const int up = above(v);
      if (up >= 0) ++count[up];
      if (up < 0 && number[v] != 0) return std::nullopt;  // several roots
    }
    for (int v = 0; v < m_.size(); ++v) {
      if (gone_[v] != 0) continue;
      char letter = letter_of(m_, v);
      if (letter == 'o' && count[v] == 0) letter = 'c';
      text += letter;
      if (count[v] > 0) text += std::to_string(count[v]);
    }
    SmallMachine left;
    try {
      KeyReader reader(text);
      left = read_machine(reader);
    } catch (const InputError&) {
      return std::nullopt;
    }
    std::vector<Pus> bindings;
    for (int r = 0; r < case_.ranks(); ++r) {
      if (std::find(without_.begin(), without_.end(), r) != without_.end()) continue;
      const Pus moved = moved_to(left, number, case_.bindings[r]);
      if (moved != 0) bindings.push_back(moved);
    }
    if (bindings.empty()) return std::nullopt;
    return HsplitCase{std::make_shared<HsplitMachine>(std::move(left)), std::move(bindings)};
  }

 private:
  // The nearest ancestor that has not been removed.
  int above(int v) const {
    do {
      v = m_.parent[v];
    } while (v >= 0 && gone_[v] != 0);
    return v;
  }

  Pus moved_to(const SmallMachine& left, const std::vector<int>& number, Pus binding) const {
    Pus moved = 0;
    const std::vector<int> objects = objects_of(m_, binding);
    for (int v : objects) {
      if (gone_[v] == 0) moved |= left.pus[number[v]];
    }
    if (moved != 0) return moved;
    for (int u = objects.front() + 1; u < m_.size() && m_.depth[u] > m_.depth[objects.front()]; ++u) {
      if (gone_[u] == 0) moved |= left.pus[number[u]];
    }
    if (moved != 0) return moved;
    const int up = above(objects.front());
    return up >= 0 && m_.node[up] >= 0 ? left.pus[number[up]] : 0;
  }

  const HsplitCase& case_;
  const SmallMachine& m_;
  std::vector<char> gone_;
  std::vector<int> without_;
};

// ------------------------------------------------------------------------------------------------------------- drawing

// By vertex: a text with the ranks that are bound to it. A rank that is bound to several objects is in the text of
// each.
std::vector<std::string> ranks_at(const HsplitCase& c) {
  std::vector<std::vector<int>> whole(c.tree().size()), part(c.tree().size());
  for (int r = 0; r < c.ranks(); ++r) {
    const std::vector<int> objects = objects_of(c.tree(), c.bindings[r]);
    for (int v : objects) (objects.size() == 1 ? whole : part)[v].push_back(r);
  }
  std::vector<std::string> texts;
  for (int v = 0; v < c.tree().size(); ++v) {
    std::string text;
    if (!whole[v].empty()) text = fmt::format("rank{} {}", whole[v].size() == 1 ? "" : "s", fmt::join(whole[v], ","));
    if (!part[v].empty()) text += fmt::format("{}part of rank {}", text.empty() ? "" : ", ", fmt::join(part[v], ","));
    texts.push_back(text);
  }
  return texts;
}

// Writes the communicators below `comm` (-1: the first one), level by level.
void draw_comms(const HsplitCase& c, const mpix::Hierarchy& h, int comm, int level, std::string& out) {
  const int family = h.family_below(comm);
  if (family < 0) return;
  const mpix::Family& f = h.families.at(family);
  const std::string indent(2 * level, ' ');
  for (int i : f.comms) {
    const mpix::Communicator& made = h.comms.at(i);
    out += fmt::format("{}level {}, index {} of {}: {} {} {{{}}}\n", indent, level, made.index, f.comms.size(),
                       c.machine->name.at(made.cover), place_text(c.tree(), made.cover), fmt::join(made.members, ","));
    draw_comms(c, h, i, level + 1, out);
  }
  out += fmt::format("{}roots {{{}}}", indent, fmt::join(f.roots, ","));
  if (!f.stragglers.empty()) out += fmt::format(", in none {{{}}}", fmt::join(f.stragglers, ","));
  out += "\n";
}

}  // namespace

HsplitMachine::HsplitMachine(SmallMachine machine) : tree(std::move(machine)) {
  const SmallTopology t = small_topology(tree);
  for (int v = 0; v < tree.size(); ++v) name.push_back(t.topology.name(t.vertex[v]));
  std::vector<std::string> names = name;
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  const auto add = [&](const std::string& asked, const ResourceType& type, const std::function<bool(int)>& is) {
    Type found = type_named(tree, t, asked, type, is);
    // Skip other names of the same objects with the same instances, because they split in the same way.
    if (std::none_of(types.begin(), types.end(),
                     [&](const Type& known) { return known.is == found.is && known.instance == found.instance; }))
      types.push_back(std::move(found));
  };
  for (const std::string& n : names) add(n, ResourceType::named(n), [&](int v) { return name[v] == n; });
  const auto is_group = [&](int v) { return name[v].rfind("Group", 0) == 0; };
  if (std::any_of(names.begin(), names.end(), [](const auto& n) { return n.rfind("Group", 0) == 0; })) {
    add("Group", ResourceType::named("Group"), is_group);
  }
  add("PU", ResourceType::named("PU"), [&](int v) { return name[v] == "Core"; });
  add("mpi_shared_memory", ResourceType::node(), [&](int v) { return letter_of(tree, v) == 'm'; });
}

std::string place_text(const SmallMachine& machine, int v) {
  return letter_of(machine, v) + std::to_string(place_number(machine, v));
}

std::string key_of(const HsplitCase& c) {
  std::string key = text_of(c.tree());
  for (int r = 0; r < c.ranks(); ++r) {
    key += r == 0 ? ":" : ",";
    const std::vector<int> objects = objects_of(c.tree(), c.bindings[r]);
    for (size_t i = 0; i < objects.size(); ++i) key += (i > 0 ? "+" : "") + place_text(c.tree(), objects[i]);
  }
  return key;
}

HsplitCase read_hsplit_case(const std::string& text) {
  KeyReader key(text);
  HsplitCase c;
  c.machine = std::make_shared<HsplitMachine>(read_machine(key));
  const SmallMachine& m = c.tree();
  const auto fail = [&](const std::string& what) {
    key.fail(what, "after a colon by rank what it is bound to, a letter of the machine (not s) and a number: c0,c1,m0");
  };
  // Reads the next object.
  const auto read_place = [&] {
    const size_t begin = key.at();
    const char letter = key.next();
    key.take(letter);
    const std::optional<long> number = key.number(0, kMostPus);
    for (int v = 0; number && v < m.size(); ++v) {
      if (m.node[v] >= 0 && letter_of(m, v) == letter && place_number(m, v) == *number) return v;
    }
    key.go_to(begin);
    fail("no object of the machine");
    return -1;
  };
  if (!key.take(':')) fail("no colon after the machine");
  do {
    Pus set = 0;
    int node = -1;
    do {
      const size_t begin = key.at();
      const int v = read_place();
      if (node >= 0 && m.node[v] != node) {
        key.go_to(begin);
        fail("a binding across nodes");
      }
      node = m.node[v];
      set |= m.pus[v];
    } while (key.take('+'));
    c.bindings.push_back(set);
    if (c.ranks() > kMostPus) fail("more ranks than " + std::to_string(kMostPus));
  } while (key.take(','));
  if (!key.at_end()) fail("more than bindings");
  return c;
}

std::vector<HsplitCase> smaller_cases(const HsplitCase& c) {
  const SmallMachine& m = c.tree();
  std::vector<HsplitCase> cases;
  const auto add = [&](const std::function<void(Editable&)>& change) {
    Editable editable(c);
    change(editable);
    if (std::optional<HsplitCase> result = editable.result()) cases.push_back(std::move(*result));
  };
  for (int r = 0; r < c.ranks(); ++r) add([&](Editable& e) { e.remove_rank(r); });
  for (int v : m.node_vertex) {
    add([&](Editable& e) {
      e.remove_below(v);
      e.remove(v);
    });
  }
  for (int v = 0; v < m.size(); ++v) {
    if (!m.is_leaf(v) && m.node[v] >= 0) add([&](Editable& e) { e.remove_below(v); });
  }
  for (int v = 0; v < m.size(); ++v) add([&](Editable& e) { e.remove(v); });
  for (int r = 0; r < c.ranks(); ++r) {
    if (objects_of(m, c.bindings[r]).size() == 1) continue;
    cases.push_back(c);
    cases.back().bindings[r] = m.pus[slow_cover(m, c.bindings[r])];
  }
  return cases;
}

HsplitCase random_hsplit_case(std::mt19937_64& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const int nodes = 1 + below(5), network = nodes == 1 ? below(2) : 1 + below(2);
  int leaves = 0;
  const std::function<Shape(int)> grow = [&](int levels) {
    Shape s;
    for (int i = levels == 0 ? 0 : below(5); i > 0 && leaves < 10; --i) s.children.push_back(grow(levels - 1));
    if (s.children.empty()) ++leaves;
    return s;
  };
  std::vector<Shape> grown;
  for (int n = 0; n < nodes; ++n) {
    leaves = 0;
    grown.push_back(grow(6));
  }
  Shape shape = grown.front();
  if (network == 1) shape = Shape{grown};
  if (network == 2) {
    shape = {};
    for (const Shape& s : grown) {
      if (shape.children.empty() || below(2) == 0) shape.children.emplace_back();
      shape.children.back().children.push_back(s);
    }
  }
  HsplitCase c{std::make_shared<HsplitMachine>(small_machine(shape, network)), {}};
  const SmallMachine& m = c.tree();
  for (int r = 1 + below(10); r > 0; --r) {
    int v = below(m.size());
    while (m.node[v] < 0) v = below(m.size());
    const Pus some = m.pus[v] & random();
    c.bindings.push_back(below(3) == 0 && some != 0 ? some : m.pus[v]);
  }
  return c;
}

Drawing draw_hsplit_case(const HsplitCase& c) {
  const SmallMachine& m = c.tree();
  const std::vector<std::string> at = ranks_at(c);
  Drawing d;
  for (int v = 0; v < m.size(); ++v) {
    d.text += fmt::format("{}{} {}{}{}\n", std::string(2 * m.depth[v], ' '), c.machine->name[v], place_text(m, v),
                          at[v].empty() ? "" : ": ", at[v]);
  }
  std::vector<int> vertices;
  for (Pus b : c.bindings) vertices.push_back(slow_cover(m, b));
  const mpix::Hierarchy h = mpix::split_all(m.parent, vertices);
  d.text +=
      fmt::format("level 0: {} {{{}}}\n", c.machine->name[slow_cover(m, union_of(c.bindings, first_ranks(c.ranks())))],
                  fmt::join(first_ranks(c.ranks()), ","));
  draw_comms(c, h, -1, 1, d.text);
  d.svg = draw_svg(small_topology(m, at).topology);
  return d;
}

}  // namespace strata::check
