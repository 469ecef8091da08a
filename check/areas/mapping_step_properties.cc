// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the steps of treematch.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "check/areas/mapping_judging.h"
#include "mpi_ext/reorder/exhaustive.h"

namespace strata::check {
namespace {

using namespace mapping;
using Case = MappingCase;
using Outcome = MappingOutcome;

constexpr const char* kTreeMatch = "Jeannot, Mercier, Tessier, TPDS 2014, Section 4";

// Rounding errors in sums of bytes that are not whole.
constexpr double kRounding = 1e-9;

// Whether the graph of the steps differs from the pattern, because some rank has many peers.
bool is_thinned(const Case& c, const Outcome& o) {
  size_t pairs = exchanged_bytes(c).size();
  return o.affinity.back().graph.peer.size() != 2 * pairs;
}

Judgement affinity_graph(const Case& c, const Outcome& o) {
  const std::map<std::pair<int, int>, double> bytes = exchanged_bytes(c);
  const auto exchanged = [&](int a, int b) {
    const auto it = bytes.find(std::minmax(a, b));
    return it == bytes.end() ? 0 : it->second;
  };
  for (const Affinity& affinity : o.affinity) {
    const mpix::AffinityGraph& graph = affinity.graph;
    const auto wrong = [&](int a, int b, const char* what) {
      return Judgement::violated(
          fmt::format("{} peers kept: the edge between {} and {} {}", affinity.most, a, b, what));
    };
    std::map<std::pair<int, int>, double> kept;  // by row and peer
    for (int a = 0; a < graph.size(); ++a) {
      for (size_t i = 0; i < graph.peers(a).size(); ++i) kept[{a, graph.peers(a)[i]}] = graph.bytes_of(a)[i];
    }
    double background = -1;
    for (const auto& [edge, its] : kept) {
      const auto& [a, b] = edge;
      const auto back = kept.find({b, a});
      if (a == b || exchanged(a, b) == 0) return wrong(a, b, "is not in the pattern");
      if (back == kept.end() || back->second != its) return wrong(a, b, "is not the same in both rows");
      const double off = exchanged(a, b) - its;
      if (background < 0) background = off;
      if (off < -kRounding || std::abs(off - background) > kRounding * exchanged(a, b))
        return wrong(a, b, "has lost another background than others");
    }
    for (int a = 0; a < c.ranks(); ++a) {
      for (int b = 0; b < c.ranks(); ++b) {
        const double its = exchanged(a, b);
        if (a == b || its == 0 || kept.count({a, b}) > 0) continue;
        int heavier = 0;
        for (int peer = 0; peer < c.ranks(); ++peer) heavier += peer != a && peer != b && exchanged(a, peer) >= its;
        // Entries up to the background are omitted; if no entry exceeds it, all are.
        const bool stands_out = background >= 0 && its > background * (1 + 2 * kRounding);
        if (heavier < affinity.most && stands_out) return wrong(a, b, "is one of the heaviest and left out");
      }
    }
  }
  return Judgement::holds();
}

Judgement bisection(const Case& c, const Outcome& o) {
  if (c.ranks() < 2) return Judgement::not_asked();
  const long first = std::count(o.bisected.begin(), o.bisected.end(), 0);
  const long second = std::count(o.bisected.begin(), o.bisected.end(), 1);
  if (first == o.first_half && first + second == c.ranks()) return Judgement::holds();
  return Judgement::violated(
      fmt::format("{} and {} ranks, asked for {} of {}", first, second, o.first_half, c.ranks()));
}

Judgement partition(const Case&, const Outcome& o) {
  for (size_t p = 0; p < o.sizes.size(); ++p) {
    const long size = std::count(o.part.begin(), o.part.end(), static_cast<int>(p));
    if (size != o.sizes[p])
      return Judgement::violated(fmt::format("part {} has {} ranks, asked for {}", p, size, o.sizes[p]));
  }
  return Judgement::holds();
}

// Whether all vertices of one depth are alike: with equally many children of equal depth, equally many processes, and
// never both children and processes.
bool is_even(const mpix::PlaceTree& tree) {
  std::map<int, std::set<std::vector<int>>> kinds;  // by depth
  for (size_t v = 0; v < tree.parent.size(); ++v) {
    const int own = static_cast<int>(std::count(tree.place.begin(), tree.place.end(), static_cast<int>(v)));
    std::vector<int> kind = {own};
    for (size_t w = 1; w < tree.parent.size(); ++w) {
      if (tree.parent[w] == static_cast<int>(v)) kind.push_back(tree.depth[w]);
    }
    if (own > 0 && kind.size() > 1) return false;
    if (std::set<int>(kind.begin() + 1, kind.end()).size() > 1) return false;
    kinds[tree.depth[v]].insert(kind);
  }
  return std::all_of(kinds.begin(), kinds.end(), [](const auto& depth) { return depth.second.size() == 1; });
}

Judgement grouping_where_even(const Case& c, const Outcome& o) {
  const bool even = is_even(o.tree);
  if (even != o.grouped.has_value())
    return Judgement::violated(even ? "an even tree without grouping" : "an uneven tree with grouping");
  if (even && !is_permutation_of_ranks(o.grouped->process, c.ranks()))
    return Judgement::violated("the processes " + text_of(o.grouped->process));
  return Judgement::holds();
}

// By process, the groups that an even tree forms first: the processes of each place if several share one, otherwise
// those below each parent of leaves.
std::vector<int> first_groups(const mpix::PlaceTree& tree) {
  const bool shared = std::set<int>(tree.place.begin(), tree.place.end()).size() < tree.place.size();
  std::vector<int> group;
  for (int place : tree.place) group.push_back(shared ? place : tree.parent[place]);
  return group;
}

Judgement grouping_heaviest_first(const Case& c, const Outcome& o) {
  if (!o.grouped || is_thinned(c, o)) return Judgement::not_asked();
  const std::map<std::pair<int, int>, double> bytes = exchanged_bytes(c);
  const std::vector<int> group_of_process = first_groups(o.tree);
  const long size = std::count(group_of_process.begin(), group_of_process.end(), group_of_process.front());
  if (bytes.empty() || size < 2) return Judgement::not_asked();
  const auto group = [&](int rank) { return group_of_process[o.grouped->process[rank]]; };
  double heaviest = 0;
  for (const auto& [pair, its] : bytes) heaviest = std::max(heaviest, its);
  const bool some_together = std::any_of(bytes.begin(), bytes.end(), [&](const auto& b) {
    return b.second == heaviest && group(b.first.first) == group(b.first.second);
  });
  if (!some_together) return Judgement::violated(fmt::format("no pair that exchanges {} bytes is together", heaviest));
  if (size > 2) return Judgement::holds();
  // In groups of two: if a pair is apart, at least one of them has a partner with at least as many bytes.
  std::vector<double> with_mate(c.ranks(), 0);
  for (const auto& [pair, its] : bytes) {
    if (group(pair.first) == group(pair.second)) with_mate[pair.first] = with_mate[pair.second] = its;
  }
  for (const auto& [pair, its] : bytes) {
    if (group(pair.first) != group(pair.second) && std::max(with_mate[pair.first], with_mate[pair.second]) < its)
      return Judgement::violated(fmt::format(
          "ranks {} and {} exchange {} bytes and are apart, each with a lighter mate", pair.first, pair.second, its));
  }
  return Judgement::holds();
}

Judgement division(const Case& c, const Outcome& o) {
  if (is_permutation_of_ranks(o.divided.process, c.ranks())) return Judgement::holds();
  return Judgement::violated("the processes " + text_of(o.divided.process));
}

// Checks that the step does not increase the cost, if its graph has the pattern's bytes.
Judgement never_grows(const Case& c, const Outcome& o, const Step& step) {
  if (!is_permutation_of_ranks(step.process, c.ranks()))
    return Judgement::violated("the processes " + text_of(step.process));
  if (is_thinned(c, o)) return Judgement::holds();
  const double before = cost_at(c, o, o.start), after = cost_at(c, o, step.process);
  if (after <= before) return Judgement::holds();
  return Judgement::violated(fmt::format("{} made {} of {} hop-bytes", step.name, after, before));
}

Judgement redivision(const Case& c, const Outcome& o) { return never_grows(c, o, o.redivided); }
Judgement exchange(const Case& c, const Outcome& o) { return never_grows(c, o, o.exchanged); }

Judgement exchange_to_the_end(const Case& c, const Outcome& o) {
  constexpr int kFew = 6;  // with more ranks, the limit of rounds may be reached before all pairs are tried
  if (c.ranks() > kFew) return Judgement::not_asked();
  const double cost = cost_at(c, o, o.exchanged.process);
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < a; ++b) {
      std::vector<int> swapped = o.exchanged.process;
      std::swap(swapped[a], swapped[b]);
      const double its = cost_at(c, o, swapped);
      if (its < cost)
        return Judgement::violated(
            fmt::format("ranks {} and {} could still change places: {} hop-bytes instead of {}", b, a, its, cost));
    }
  }
  return Judgement::holds();
}

Judgement trying_all(const Case& c, const Outcome& o) {
  if (!o.tried || !o.least) return Judgement::not_asked();
  if (!is_permutation_of_ranks(o.tried->process, c.ranks()))
    return Judgement::violated("the processes " + text_of(o.tried->process));
  const double cost = cost_at(c, o, o.tried->process);
  if (cost == *o.least) return Judgement::holds();
  return Judgement::violated(fmt::format("{} hop-bytes, of all permutations the best has {}", cost, *o.least));
}

}  // namespace

std::vector<MappingProperty> mapping_step_properties() {
  return {
      {{"affinity-graph",
        "edges are the same from both ends, the heaviest of each rank are kept, all less the same "
        "background",
        "mpi_ext/reorder/affinity_graph.h"},
       affinity_graph},
      {{"bisection-sizes", "the halves of a bisection have exactly the sizes asked for", "mpi_ext/reorder/bisection.h"},
       bisection},
      {{"partition-sizes", "parts have exactly the sizes asked for, also none", "mpi_ext/reorder/partition.h"},
       partition},
      {{"grouping-where-even", "there is a grouping exactly where vertices of one depth are alike", kTreeMatch},
       grouping_where_even},
      {{"grouping-heaviest-first",
        "a heaviest pair is in one group; in groups of two, ranks that are apart have mates that are as heavy",
        kTreeMatch},
       grouping_heaviest_first},
      {{"division", "the division gives each rank a process of its own", "mpi_ext/reorder/division.h"}, division},
      {{"redivision-never-grows", "dividing neighbours again never adds hop-bytes", "mpi_ext/reorder/redivision.h"},
       redivision},
      {{"exchange-never-grows", "exchanging pairs never adds hop-bytes", "mpi_ext/reorder/swap_places.h"}, exchange},
      {{"exchange-to-the-end", "of few ranks no pair is left whose exchange would save hop-bytes",
        "mpi_ext/reorder/swap_places.h"},
       exchange_to_the_end},
      {{"trying-all", "trying all permutations finds the fewest hop-bytes from any start",
        "mpi_ext/reorder/exhaustive.h"},
       trying_all},
  };
}

}  // namespace strata::check
