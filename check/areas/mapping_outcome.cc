// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/mapping_outcome.h"

#include <algorithm>
#include <utility>

#include "check/areas/small_topology.h"
#include "mpi_ext/reorder/bisection.h"
#include "mpi_ext/reorder/distance.h"
#include "mpi_ext/reorder/division.h"
#include "mpi_ext/reorder/exhaustive.h"
#include "mpi_ext/reorder/grouping.h"
#include "mpi_ext/reorder/partition.h"
#include "mpi_ext/reorder/redivision.h"
#include "mpi_ext/reorder/seats.h"
#include "mpi_ext/reorder/swap_places.h"

namespace strata::check {
namespace {

using mpix::MapMethod;
using mpix::PlaceTree;

constexpr int kPeers = 64;  // as in treematch
constexpr int kTries = 2;   // for a bisection
constexpr int kSeed = 1;

PlaceTree below_a_spine(const PlaceTree& tree) {
  PlaceTree deep;
  const auto add = [&](int parent, int depth) {
    deep.parent.push_back(parent);
    deep.depth.push_back(depth);
    return static_cast<int>(deep.parent.size()) - 1;
  };
  int last = add(-1, 0);
  for (int level = 1; level <= kSpine; ++level) {
    add(last, level);
    last = add(last, level);
  }
  const int offset = static_cast<int>(deep.parent.size());
  for (size_t v = 0; v < tree.parent.size(); ++v) {
    add(v == 0 ? last : tree.parent[v] + offset, tree.depth[v] + kSpine + 1);
  }
  return deep;
}

std::vector<std::vector<int>> distances(const PlaceTree& tree, size_t first) {
  const mpix::Distance distance(tree);
  std::vector<std::vector<int>> all;
  for (size_t a = first; a < tree.parent.size(); ++a) {
    std::vector<int>& row = all.emplace_back();
    for (size_t b = first; b < tree.parent.size(); ++b) {
      row.push_back(distance(static_cast<int>(a), static_cast<int>(b)));
    }
  }
  return all;
}

std::vector<Flow> entries_of(const Pattern& pattern) {
  std::vector<Flow> flows;
  for (int rank = 0; rank < pattern.order(); ++rank) {
    for (size_t i = 0; i < pattern.peers(rank).size(); ++i)
      flows.push_back({rank, pattern.peers(rank)[i], pattern.bytes(rank)[i]});
  }
  return flows;
}

void run_steps(const mpix::AffinityGraph& graph, MappingOutcome& o) {
  const int ranks = graph.size();
  const mpix::Seats seats(o.tree);
  for (int s = 0; s < seats.size(); ++s) o.seats.push_back(seats.process(s));
  for (int v = 0; v < static_cast<int>(o.tree.parent.size()); ++v) {
    const std::span<const int> children = seats.children(v);
    o.ranges.push_back({seats.first(v), seats.end(v), seats.own(v), {children.begin(), children.end()}});
  }

  mpix::Random random(kSeed);
  if (ranks > 1) {
    o.first_half = std::max(1, ranks / 3);
    mpix::Cut cut = mpix::Cut::kBoth;
    o.bisected = mpix::bisect(graph, o.first_half, kTries, random, cut);
  }
  // An empty part, and others of sizes as different as possible.
  o.sizes = {ranks / 2, 0, ranks - ranks / 2 - (ranks > 2 ? 1 : 0), ranks > 2 ? 1 : 0};
  o.part = mpix::partition(graph, o.sizes, kTries, random);

  // Each rank on the process of the next one: a permutation that is not its own inverse.
  for (int r = 0; r < ranks; ++r) o.start.push_back((r + 1) % ranks);
  if (std::optional<std::vector<int>> grouped = mpix::grouped(graph, o.tree, seats))
    o.grouped = Step{"grouping", std::move(*grouped)};
  o.divided = {"division", std::vector<int>(ranks)};
  mpix::divide_below(0, graph, identity_of(ranks), seats, kTries, random, o.divided.process);
  o.redivided = {"redivision", o.start};
  mpix::redivide(graph, o.tree, seats, random, o.redivided.process);
  o.exchanged = {"exchange", o.start};
  mpix::exchange(graph, o.tree, seats, o.exchanged.process);
  if (ranks <= mpix::kFewRanks) {
    o.tried = Step{"trying all", o.start};
    mpix::try_all(graph, o.tree, o.tried->process);
  }
}

}  // namespace

std::vector<int> process_of(const std::vector<int>& new_rank) {
  std::vector<int> process;
  for (size_t rank = 0; rank < new_rank.size(); ++rank) {
    const auto at = std::find(new_rank.begin(), new_rank.end(), static_cast<int>(rank));
    process.push_back(static_cast<int>(at - new_rank.begin()));
  }
  return process;
}

MappingOutcome map_case(const MappingCase& c) {
  const int ranks = c.ranks();
  MappingOutcome o;
  const SmallTopology small = small_topology(c.machine);
  std::vector<int> vertex;
  for (int v : c.place) vertex.push_back(small.vertex[v]);
  o.tree = mpix::place_tree(small.topology, vertex);

  std::vector<Flow> turned_flows;
  for (const Flow& flow : c.flows) turned_flows.push_back({flow.to, flow.from, flow.bytes});
  const Pattern pattern(ranks, c.flows), turned(ranks, turned_flows), both = pattern.symmetric();
  o.both = entries_of(both);
  for (const MapMethod method : kMapMethods) {
    Mapped m;
    m.method = method;
    m.new_rank = mpix::map_ranks(pattern, o.tree, method, kSeed);
    m.of_turned = mpix::map_ranks(turned, o.tree, method, kSeed);
    m.inverse = mpix::inverse(m.new_rank);
    m.inverse_again = mpix::inverse(m.inverse);
    m.cost = mpix::hop_bytes(pattern, o.tree, m.new_rank);
    m.turned_cost = mpix::hop_bytes(turned, o.tree, m.new_rank);
    m.both_cost = mpix::hop_bytes(both, o.tree, m.new_rank);
    o.mapped.push_back(std::move(m));
  }
  const Mapped& best = o.of(MapMethod::kTreeMatch);
  for (int now = 0; now < ranks; ++now) o.handover.push_back(mpix::handover(best.new_rank, best.inverse, now));

  o.distance = distances(o.tree, 0);
  const PlaceTree deep = below_a_spine(o.tree);
  const size_t root = deep.parent.size() - o.tree.parent.size();
  o.deep = distances(deep, root);
  const mpix::Distance from(deep);
  for (size_t v = 0; v < root; ++v) o.above.push_back(from(static_cast<int>(v), static_cast<int>(root)));
  for (int most : {1, kPeers}) o.affinity.push_back({most, mpix::affinity_graph(both, most)});
  run_steps(o.affinity.back().graph, o);

  o.hops = HopTable(ranks, [&](int a, int b) { return slow_hops(c.machine.parent, c.place[a], c.place[b]); });
  o.identity_cost = slow_hop_bytes(c.flows, o.hops, identity_of(ranks));
  if (ranks <= mpix::kFewRanks) o.least = least_hop_bytes(c.flows, o.hops);
  return o;
}

}  // namespace strata::check
