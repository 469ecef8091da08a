// SPDX-License-Identifier: LGPL-2.1-only
#include <algorithm>
#include <map>
#include <memory>
#include <utility>

#include "check/areas/mapping_case.h"

namespace strata::check {
namespace {

// A machine with the places of its processes.
struct Placed {
  std::shared_ptr<const SmallMachine> machine;
  std::vector<int> place;
  int idle = 0;  // leaves without a process

  std::uint64_t fingerprint(const Permutation& name) const {
    std::vector<Pus> bindings(place.size());
    for (size_t r = 0; r < place.size(); ++r) bindings[name[r]] = machine->pus[place[r]];
    return strata::check::fingerprint(*machine, bindings);
  }
};

int leaves_of(const SmallMachine& machine) {
  int leaves = 0;
  for (int v = 0; v < machine.size(); ++v) leaves += machine.is_leaf(v) ? 1 : 0;
  return leaves;
}

// All machines and placements with at most one idle leaf.
std::vector<Placed> all_placed(int ranks, int depth) {
  std::vector<Placed> all;
  const int leaves = ranks + 1, vertices = leaves * depth + 1;
  SmallMachines machines({.depth = depth, .arity = leaves, .nodes = leaves, .vertices = vertices, .network = 1});
  for (int size = 1; size <= vertices; ++size) {
    for (SmallMachine& m : machines.of(size)) {
      if (leaves_of(m) > leaves) continue;
      const auto machine = std::make_shared<const SmallMachine>(std::move(m));
      for_each_binding(*machine, ranks, [&](const std::vector<int>& bound) {
        std::vector<char> has(machine->size(), 0);
        for (int v : bound) has[v] = 1;
        int idle = 0;
        for (int v = 0; v < machine->size(); ++v) idle += machine->is_leaf(v) && has[v] == 0 ? 1 : 0;
        if (idle > 1) return true;
        // Among equal vertices the first has the lowest rank. Rotating the ranks by one makes the order of places
        // differ from that of ranks by a permutation that is not its own inverse.
        Placed placed{.machine = machine, .place = bound, .idle = idle};
        std::rotate(placed.place.begin(), placed.place.begin() + 1, placed.place.end());
        all.push_back(std::move(placed));
        return true;
      });
    }
  }
  return all;
}

Shape random_shape(int levels, int network, int leaves, std::mt19937_64& random) {
  Shape shape;
  if (levels == 0 || (network <= 0 && below(random, 8) == 0)) return shape;
  const int children = std::min(leaves, 1 + below(random, 4));
  for (int i = 0; i < children; ++i) {
    const int its_leaves = leaves * (i + 1) / children - leaves * i / children;
    shape.children.push_back(random_shape(levels - 1, network - 1, its_leaves, random));
  }
  return shape;
}

// A tree in which all vertices of a level have the same number of children.
Shape even_shape(int levels, int leaves, std::mt19937_64& random) {
  Shape shape;
  if (levels == 0) return shape;
  const int children = std::min(leaves, 1 + below(random, 4));
  shape.children.assign(children, even_shape(levels - 1, leaves / children, random));
  return shape;
}

// Random cores, some shared and some empty; sometimes the parent of a core.
std::vector<int> random_places(const SmallMachine& machine, int ranks, std::mt19937_64& random) {
  std::vector<int> leaves;
  for (int v = 0; v < machine.size(); ++v) {
    if (machine.is_leaf(v)) leaves.push_back(v);
  }
  const bool wide = below(random, 3) == 0;
  std::vector<int> place;
  for (int r = 0; r < ranks; ++r) {
    int v = leaves[below(random, static_cast<int>(leaves.size()))];
    if (wide && below(random, 4) == 0 && machine.parent[v] >= 0 && machine.node[machine.parent[v]] >= 0)
      v = machine.parent[v];
    place.push_back(v);
  }
  return place;
}

// The same number of processes on each core, in random order: `ranks` or slightly fewer in total.
std::vector<int> packed_places(const SmallMachine& machine, int ranks, std::mt19937_64& random) {
  const int on_each = ranks / leaves_of(machine);
  std::vector<int> place;
  for (int v = 0; v < machine.size(); ++v) {
    if (machine.is_leaf(v)) place.insert(place.end(), on_each, v);
  }
  std::vector<int> mixed;
  for (int i : shuffled(static_cast<int>(place.size()), random)) mixed.push_back(place[i]);
  return mixed;
}

std::vector<Flow> random_pattern(int ranks, std::mt19937_64& random) {
  constexpr int kDenseRanks = 96;  // more peers of a rank than treematch uses
  const Permutation name = shuffled(ranks, random);
  std::vector<Flow> flows;
  switch (below(random, ranks <= kDenseRanks ? 6 : 5)) {
    case 0:
      return stencil({ranks}, name);
    case 1: {
      int side = 1;
      while ((side + 1) * (side + 1) <= ranks) ++side;
      return stencil({side, side}, Permutation(name.begin(), name.begin() + side * side));
    }
    case 2:  // rings in groups of four
      for (int r = 0; r < ranks; ++r)
        flows.push_back({name[r], name[r / 4 * 4 + (r + 1) % 4 % std::min(4, ranks - r / 4 * 4)], 64});
      return flows;
    case 3:  // all to one
      for (int r = 1; r < ranks; ++r) flows.push_back({name[r], name[0], 1.0 + below(random, 9)});
      return flows;
    case 4:
      return random_flows(ranks, 1 + below(random, 4), 1000, random);
    default:  // all to all
      for (int a = 0; a < ranks; ++a) {
        for (int b = 0; b < ranks; ++b) flows.push_back({a, b, 1.0 + below(random, 100)});
      }
      return flows;
  }
}

// One entry for each pair, sorted.
std::vector<Flow> in_order(const std::vector<Flow>& flows) {
  std::map<std::pair<int, int>, double> bytes;
  for (const Flow& flow : flows) bytes[{flow.from, flow.to}] += flow.bytes;
  std::vector<Flow> ordered;
  for (const auto& [pair, sum] : bytes) ordered.push_back({pair.first, pair.second, sum});
  return ordered;
}

std::vector<SmallPattern> patterns_of(const MappingBounds& bounds, int ranks) {
  constexpr int kSelves = 2;
  if (ranks > bounds.directed) return small_patterns(ranks, Entries::kBothWays, ranks <= bounds.weighted);
  return small_patterns(ranks, ranks <= kSelves ? Entries::kDirectedAndSelves : Entries::kDirected,
                        ranks <= bounds.weighted);
}

}  // namespace

bool for_each_mapping(const MappingBounds& bounds, const std::function<bool(const MappingCase&)>& visit) {
  for (int ranks = 1; ranks <= std::min(bounds.ranks, bounds.size); ++ranks) {
    const std::vector<SmallPattern> patterns = patterns_of(bounds, ranks);
    std::vector<Flow> chain;
    for (int r = 0; r + 1 < ranks; ++r) chain.push_back({r, r + 1, 1});

    const std::vector<Placed> all = all_placed(ranks, bounds.size - ranks);
    std::map<std::uint64_t, size_t> number;  // by fingerprint
    for (size_t i = 0; i < all.size(); ++i) number[all[i].fingerprint(identity_of(ranks))] = i;
    std::map<Permutation, std::vector<size_t>> renamed;  // for a renaming of the ranks: the number of the resulting
                                                         // placement, by placement
    const auto images = [&](const Permutation& name) -> const std::vector<size_t>& {
      std::vector<size_t>& its = renamed[name];
      if (its.empty()) {
        for (const Placed& placed : all) its.push_back(number.at(placed.fingerprint(name)));
      }
      return its;
    };
    for (size_t i = 0; i < all.size(); ++i) {
      MappingCase c{.machine = *all[i].machine, .place = all[i].place, .flows = {}};
      if (all[i].idle > 0) {
        c.flows = chain;
        if (!visit(c)) return false;
        continue;
      }
      for (const SmallPattern& pattern : patterns) {
        // Of placements that symmetries of the pattern map to each other, only the first.
        const bool first = std::all_of(pattern.symmetries.begin(), pattern.symmetries.end(),
                                       [&](const Permutation& name) { return images(name)[i] >= i; });
        if (!first) continue;
        c.flows = pattern.flows;
        if (!visit(c)) return false;
      }
    }
  }
  return true;
}

long named_mappings(const MappingBounds& bounds) {
  long count = 0;
  for (int ranks = 1; ranks <= std::min(bounds.ranks, bounds.size); ++ranks) {
    long names = 1, patterns = 0;
    for (int r = 2; r <= ranks; ++r) names *= r;
    for (const SmallPattern& p : patterns_of(bounds, ranks)) patterns += names / static_cast<long>(p.symmetries.size());
    for (const Placed& placed : all_placed(ranks, bounds.size - ranks)) count += placed.idle > 0 ? 1 : patterns;
  }
  return count;
}

MappingCase random_mapping(std::mt19937_64& random) {
  const int kind = below(random, 10);
  const int ranks = kind < 5 ? 5 + below(random, 4) : kind < 9 ? 9 + below(random, 32) : 41 + below(random, 160);
  const int network = below(random, 3), levels = network + 1 + below(random, 3);
  const bool even = below(random, 2) == 0;
  const Shape shape =
      even ? even_shape(levels, std::min(ranks, kMostPus), random) : random_shape(levels, network, kMostPus, random);
  MappingCase c{.machine = small_machine(shape, network), .place = {}, .flows = {}};
  c.place = even ? packed_places(c.machine, ranks, random) : random_places(c.machine, ranks, random);
  c.flows = in_order(random_pattern(c.ranks(), random));
  return c;
}

}  // namespace strata::check
