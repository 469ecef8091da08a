// What must be true of rank mapping, property by property. The slow readings are written from the papers and the
// headers' words, not from the code.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "check/areas/mapping_domain.h"
#include "mpi_ext/reorder/exhaustive.h"

namespace strata::check {
namespace {

using mpix::MapMethod;
using Case = MappingCase;
using Outcome = MappingOutcome;
using Kind = PropertyInfo::Kind;

// Sums of bytes that are not whole differ by rounding.
constexpr double kRounding = 1e-9;

constexpr const char* kMapContract = "contract of strata map";
constexpr const char* kReordering = "PDSEC'20, Section V, Figure 1, line 11";
constexpr const char* kTreeMatch = "Jeannot, Mercier, Tessier, TPDS 2014, Section 4";

bool is_permutation_of_ranks(const std::vector<int>& values, int ranks) {
  std::vector<int> sorted = values;
  std::sort(sorted.begin(), sorted.end());
  return sorted == identity_of(ranks);
}

std::string text_of(const std::vector<int>& values) { return fmt::format("{{{}}}", fmt::join(values, " ")); }

// Hop-bytes where each rank runs on process[rank].
double cost_at(const Case& c, const Outcome& o, const std::vector<int>& process) {
  double sum = 0;
  for (const mpix::Flow& flow : c.flows) sum += flow.bytes * o.hops(process[flow.from], process[flow.to]);
  return sum;
}

// The bytes that a pair exchanges, both ways together, by the lower and the higher rank.
std::map<std::pair<int, int>, double> exchanged_bytes(const Case& c) {
  std::map<std::pair<int, int>, double> bytes;
  for (const mpix::Flow& flow : c.flows) {
    if (flow.from != flow.to) bytes[std::minmax(flow.from, flow.to)] += flow.bytes;
  }
  return bytes;
}

// Whether the graph of the steps has other bytes than the pattern: that of a rank with many peers.
bool is_thinned(const Case& c, const Outcome& o) {
  size_t pairs = exchanged_bytes(c).size();
  return o.affinity.back().graph.peer.size() != 2 * pairs;
}

// ------------------------------------------------------------------------------------------------------- the methods

Judgement permutation(const Case& c, const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    if (!is_permutation_of_ranks(m.new_rank, c.ranks()))
      return Judgement::violated(fmt::format("{}: {} is no permutation", name_of(m.method), text_of(m.new_rank)));
  }
  return Judgement::holds();
}

Judgement recounted(const Case& c, const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    const double slow = slow_hop_bytes(c.flows, o.hops, m.new_rank);
    if (m.cost != slow)
      return Judgement::violated(fmt::format("hop_bytes of {}'s {} is {}, counted one by one {}", name_of(m.method),
                                             text_of(m.new_rank), m.cost, slow));
  }
  return Judgement::holds();
}

Judgement direction(const Case&, const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    if (m.turned_cost != m.cost || m.both_cost != 2 * m.cost)
      return Judgement::violated(
          fmt::format("{}'s mapping: {} hop-bytes, {} with receivers that send, {} counted both ways",
                      name_of(m.method), m.cost, m.turned_cost, m.both_cost));
  }
  return Judgement::holds();
}

Judgement never_above_identity(const Case& c, const Outcome& o) {
  for (const MapMethod method : {MapMethod::kTreeMatch, MapMethod::kScotch}) {
    const double cost = slow_hop_bytes(c.flows, o.hops, o.of(method).new_rank);
    if (cost > o.identity_cost)
      return Judgement::violated(
          fmt::format("{}: {} hop-bytes, the identity has {}", name_of(method), cost, o.identity_cost));
  }
  return Judgement::holds();
}

Judgement optimal(const Case& c, const Outcome& o) {
  if (!o.least) return Judgement::not_asked();
  const double cost = slow_hop_bytes(c.flows, o.hops, o.of(MapMethod::kTreeMatch).new_rank);
  if (cost == *o.least) return Judgement::holds();
  return Judgement::violated(
      fmt::format("treematch: {} hop-bytes, of all permutations the best has {}", cost, *o.least));
}

Judgement keeps_the_best(const Case& c, const Outcome& o) {
  if (!o.least || *o.least != o.identity_cost) return Judgement::not_asked();
  for (const MapMethod method : {MapMethod::kTreeMatch, MapMethod::kScotch}) {
    if (o.of(method).new_rank != identity_of(c.ranks()))
      return Judgement::violated(fmt::format("{}: {} is no better than the identity, {} hop-bytes", name_of(method),
                                             text_of(o.of(method).new_rank), o.identity_cost));
  }
  return Judgement::holds();
}

Judgement same_result(const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    if (m.of_turned != m.new_rank)
      return Judgement::violated(
          fmt::format("{}: first {}, then {}", name_of(m.method), text_of(m.new_rank), text_of(m.of_turned)));
  }
  return Judgement::holds();
}

bool same_both_ways(const Case& c) {
  const std::vector<double> bytes = dense(c.ranks(), c.flows);
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < a; ++b) {
      if (bytes[a * c.ranks() + b] != bytes[b * c.ranks() + a]) return false;
    }
  }
  return true;
}

Judgement deterministic(const Case& c, const Outcome& o) {
  return same_both_ways(c) ? same_result(o) : Judgement::not_asked();
}

Judgement direction_blind(const Case& c, const Outcome& o) {
  return same_both_ways(c) ? Judgement::not_asked() : same_result(o);
}

Judgement round_robin(const Case& c, const Outcome& o) {
  std::vector<int> node;
  for (int v : c.place) node.push_back(c.machine.node[v]);
  const std::vector<int>& found = o.of(MapMethod::kRoundRobin).new_rank;
  const std::vector<int> slow = slow_round_robin(c.place, node);
  if (found == slow) return Judgement::holds();
  return Judgement::violated(fmt::format("{}, dealt one by one {}", text_of(found), text_of(slow)));
}

Judgement identity(const Case& c, const Outcome& o) {
  const std::vector<int>& found = o.of(MapMethod::kIdentity).new_rank;
  if (found == identity_of(c.ranks())) return Judgement::holds();
  return Judgement::violated(text_of(found));
}

Judgement inverse(const Case& c, const Outcome& o) {
  for (const Mapped& m : o.mapped) {
    if (m.inverse_again != m.new_rank || m.inverse != process_of(m.new_rank) ||
        static_cast<int>(m.inverse.size()) != c.ranks())
      return Judgement::violated(fmt::format("of {}'s {}: {}, of that {}", name_of(m.method), text_of(m.new_rank),
                                             text_of(m.inverse), text_of(m.inverse_again)));
  }
  return Judgement::holds();
}

Judgement handover(const Case& c, const Outcome& o) {
  const std::vector<int>& k = o.of(MapMethod::kTreeMatch).new_rank;
  for (int old = 0; old < c.ranks(); ++old) {
    // The process of old rank `old` has the data of that rank; it becomes k[old]. Who becomes `old` must get it.
    const int now = k[old];
    const mpix::Handover& partners = o.handover[now];
    if (partners.to != old || o.handover[partners.to].from != now)
      return Judgement::violated(fmt::format(
          "k = {}: the data of rank {}, on the process that is {} now, goes to {}, which waits for that of {}",
          text_of(k), old, now, partners.to, o.handover[partners.to].from));
    const int source = partners.from;
    if (k[now] != source)
      return Judgement::violated(
          fmt::format("k = {}: rank {} gets the data of the process that is {} now, which was not {}", text_of(k), now,
                      source, now));
  }
  return Judgement::holds();
}

// --------------------------------------------------------------------------------------- pattern, place tree,
// distances

Judgement symmetric(const Case& c, const Outcome& o) {
  std::vector<mpix::Flow> slow;
  const std::map<std::pair<int, int>, double> bytes = exchanged_bytes(c);
  for (int a = 0; a < c.ranks(); ++a) {
    for (int b = 0; b < c.ranks(); ++b) {
      const auto it = bytes.find(std::minmax(a, b));
      if (a != b && it != bytes.end()) slow.push_back({a, b, it->second});
    }
  }
  const bool same =
      std::equal(slow.begin(), slow.end(), o.both.begin(), o.both.end(),
                 [](const auto& x, const auto& y) { return x.from == y.from && x.to == y.to && x.bytes == y.bytes; });
  return Judgement::require(same, "symmetric() is not what pairs exchange both ways, without selves, in order");
}

// The machine cut down to what is needed: vertices with processes, and those where ways to several part.
mpix::PlaceTree slow_place_tree(const Case& c) {
  const SmallMachine& m = c.machine;
  std::vector<int> own(m.size(), 0), below(m.size(), 0), branches(m.size(), 0);
  for (int v : c.place) ++own[v];
  for (int v = m.size() - 1; v >= 0; --v) {
    below[v] += own[v];
    if (v == 0 || below[v] == 0) continue;
    below[m.parent[v]] += below[v];
    ++branches[m.parent[v]];
  }
  mpix::PlaceTree tree;
  std::vector<int> number(m.size(), -1);
  const int above = m.node[0] >= 0 ? 1 : 0;  // the network's root over a node that is alone
  for (int v = 0; v < m.size(); ++v) {
    if (own[v] == 0 && branches[v] < 2) continue;
    int up = m.parent[v];
    while (up >= 0 && number[up] < 0) up = m.parent[up];
    number[v] = static_cast<int>(tree.parent.size());
    tree.parent.push_back(up < 0 ? -1 : number[up]);
    tree.depth.push_back(m.depth[v] + above);
  }
  for (int v : c.place) {
    tree.place.push_back(number[v]);
    tree.node.push_back(m.node[v]);
  }
  return tree;
}

Judgement place_tree(const Case& c, const Outcome& o) {
  const mpix::PlaceTree slow = slow_place_tree(c);
  const auto differ = [](const char* what, const std::vector<int>& found, const std::vector<int>& right) {
    return Judgement::violated(fmt::format("{}: {}, by hand {}", what, text_of(found), text_of(right)));
  };
  if (o.tree.parent != slow.parent) return differ("parents", o.tree.parent, slow.parent);
  if (o.tree.depth != slow.depth) return differ("depths", o.tree.depth, slow.depth);
  if (o.tree.place != slow.place) return differ("places", o.tree.place, slow.place);
  if (o.tree.node != slow.node) return differ("nodes", o.tree.node, slow.node);
  return Judgement::holds();
}

// Walking up by depths, edges of the machine counting.
int slow_distance(const mpix::PlaceTree& tree, int a, int b) {
  int edges = 0;
  while (a != b) {
    int& lower = tree.depth[a] >= tree.depth[b] ? a : b;
    edges += tree.depth[lower] - tree.depth[tree.parent[lower]];
    lower = tree.parent[lower];
  }
  return edges;
}

Judgement same_distances(const Outcome& o, const std::vector<std::vector<int>>& found) {
  const int vertices = static_cast<int>(o.tree.parent.size());
  for (int a = 0; a < vertices; ++a) {
    for (int b = 0; b < vertices; ++b) {
      const int walked = slow_distance(o.tree, a, b);
      if (found[a][b] != walked)
        return Judgement::violated(
            fmt::format("between vertices {} and {} of the place tree: {}, walked {}", a, b, found[a][b], walked));
    }
  }
  return Judgement::holds();
}

Judgement distance(const Case&, const Outcome& o) { return same_distances(o, o.distance); }

Judgement deep_distance(const Case&, const Outcome& o) {
  const int root = o.tree.depth.front() + kSpine + 1;  // its depth
  std::vector<int> walked = {root};
  for (int level = 1; level <= kSpine; ++level) {
    walked.push_back(1 + root - (level - 1));  // a leaf: first to its parent
    walked.push_back(root - level);
  }
  if (o.above != walked)
    return Judgement::violated(
        fmt::format("from the way to the root of the place tree: {}, walked {}", text_of(o.above), text_of(walked)));
  return same_distances(o, o.deep);
}

Judgement seats(const Case& c, const Outcome& o) {
  std::vector<std::pair<int, int>> order;  // place, process
  for (int r = 0; r < c.ranks(); ++r) order.emplace_back(o.tree.place[r], r);
  std::sort(order.begin(), order.end());
  for (size_t s = 0; s < order.size(); ++s) {
    if (o.seats.size() != order.size() || o.seats[s] != order[s].second)
      return Judgement::violated(fmt::format("processes by seat: {}", text_of(o.seats)));
  }
  const int vertices = static_cast<int>(o.tree.parent.size());
  for (int v = 0; v < vertices; ++v) {
    const auto is_below = [&](int vertex) {
      while (vertex > v) vertex = o.tree.parent[vertex];
      return vertex == v;
    };
    const SeatRange& range = o.ranges[v];
    std::set<int> in_range, below;
    for (int s = range.first; s < range.end; ++s) in_range.insert(o.seats[s]);
    int own = 0;
    for (int r = 0; r < c.ranks(); ++r) {
      if (is_below(o.tree.place[r])) below.insert(r);
      own += o.tree.place[r] == v ? 1 : 0;
    }
    std::vector<int> children;
    for (int w = 1; w < vertices; ++w) {
      if (o.tree.parent[w] == v) children.push_back(w);
    }
    if (in_range != below || range.own != own || range.children != children)
      return Judgement::violated(fmt::format("vertex {}: seats {} to {}, {} its own, children {}", v, range.first,
                                             range.end, range.own, text_of(range.children)));
  }
  return Judgement::holds();
}

// ---------------------------------------------------------------------------------------------- the steps of treematch

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
        // What is no more than the background is left out, or all is where nothing stands out.
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

// Vertices of one depth are all alike: as many children of one depth, as many processes, and never both.
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

// The processes that are first put together in an even tree: those of one place where several share one, else those
// below the parent of leaves. By process.
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
  // By two: a pair that is apart has at least one who has found as good a mate.
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

// Of a graph whose bytes are the pattern's.
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
  constexpr int kFew = 6;  // of more, rounds may run out before pairs do
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

// ------------------------------------------------------------------------------------------------ what cases there are

// A kSometimes.
MappingProperty sometimes(const char* name, const char* statement, const char* source,
                          bool (*has)(const Case&, const Outcome&)) {
  return {{name, statement, source, Kind::kSometimes},
          [has](const Case& c, const Outcome& o) { return has(c, o) ? Judgement::holds() : Judgement::not_asked(); }};
}

bool has_gain(const Case&, const Outcome& o) { return o.of(MapMethod::kTreeMatch).cost < o.identity_cost; }
bool has_scotch_gap(const Case&, const Outcome& o) { return o.least && o.of(MapMethod::kScotch).cost > *o.least; }
bool has_scotch_optimum(const Case&, const Outcome& o) {
  return o.least && *o.least < o.identity_cost && o.of(MapMethod::kScotch).cost == *o.least;
}
bool has_equals(const Case&, const Outcome& o) {
  const Mapped &ours = o.of(MapMethod::kTreeMatch), &scotchs = o.of(MapMethod::kScotch);
  return ours.new_rank != scotchs.new_rank && ours.cost == scotchs.cost;
}
bool has_two_inverses(const Case&, const Outcome& o) {
  const Mapped& ours = o.of(MapMethod::kTreeMatch);
  return ours.new_rank != ours.inverse;
}
bool has_sharing(const Case& c, const Outcome&) {
  return std::set<int>(c.place.begin(), c.place.end()).size() < c.place.size();
}
bool has_wide_binding(const Case& c, const Outcome&) {
  return std::any_of(c.place.begin(), c.place.end(), [&](int v) { return !c.machine.is_leaf(v); });
}
bool has_idle_core(const Case& c, const Outcome&) {
  for (int v = 0; v < c.machine.size(); ++v) {
    if (c.machine.is_leaf(v) && std::find(c.place.begin(), c.place.end(), v) == c.place.end()) return true;
  }
  return false;
}
bool has_unequal_nodes(const Case& c, const Outcome&) {
  std::vector<int> processes(c.machine.node_vertex.size(), 0);
  for (int v : c.place) ++processes[c.machine.node[v]];
  return std::set<int>(processes.begin(), processes.end()).size() > 1;
}
bool has_unlike_directions(const Case& c, const Outcome&) { return !same_both_ways(c); }
bool has_selves(const Case& c, const Outcome&) {
  return std::any_of(c.flows.begin(), c.flows.end(), [](const mpix::Flow& flow) { return flow.from == flow.to; });
}
bool has_worse_steps(const Case& c, const Outcome& o) {
  return o.least && cost_at(c, o, o.exchanged.process) > *o.least;
}

}  // namespace

std::vector<MappingProperty> mapping_properties() {
  return {
      {{"permutation", "each method gives each rank to one process", kReordering}, permutation},
      {{"hop-bytes-recounted",
        "hop_bytes is the sum over ordered pairs of processes of the bytes between their ranks "
        "times the edges of the machine between them",
        kMapContract},
       recounted},
      {{"hop-bytes-direction", "hop-bytes do not depend on who of two sends, and not on what ranks send themselves",
        "the tree's edges are the same both ways"},
       direction},
      {{"never-above-identity", "treematch and scotch never have more hop-bytes than the identity", kMapContract},
       never_above_identity},
      {{"treematch-optimal", "treematch has the fewest hop-bytes of all permutations of few processes",
        "mpi_ext/reorder/treematch.h"},
       optimal},
      {{"keeps-the-best", "treematch and scotch leave the order that is there where none is better",
        "mpi_ext/reorder/treematch.h"},
       keeps_the_best},
      {{"deterministic", "the same input gives the same mapping, whatever ties there are", "mpi_ext/reorder/mapping.h"},
       deterministic},
      {{"direction-blind", "no method's mapping depends on who of two sends", "mpi_ext/reorder/pattern.h, symmetric()"},
       direction_blind},
      {{"round-robin", "rank after rank goes to the next process of the next node that has one left, in their order",
        "PDSEC'20, Section VI; mpi_ext/reorder/mapping.h"},
       round_robin},
      {{"identity", "identity gives each process its old rank", kMapContract}, identity},
      {{"inverse", "the inverse tells each rank's process, and its inverse is the mapping again",
        "mpi_ext/reorder/mapping.h"},
       inverse},
      {{"handover",
        "the data of each old rank goes from its process to the one that takes the rank over, and both agree",
        kReordering},
       handover},
      {{"symmetric", "symmetric() is what each pair exchanges both ways, in both rows, in order, without selves",
        "mpi_ext/reorder/pattern.h"},
       symmetric},
      {{"place-tree", "the place tree is the machine without what no process is below and what has but one way on",
        "mpi_ext/reorder/place_tree.h"},
       place_tree},
      {{"distance", "Distance is the number of the machine's edges between two vertices", "mpi_ext/reorder/distance.h"},
       distance},
      {{"deep-distance", "the same in a tree whose ways do not fit into 64 bits", "mpi_ext/reorder/distance.h"},
       deep_distance},
      {{"seats", "seats are in the order of places, a vertex' own before its children's, what is below one a range",
        "mpi_ext/reorder/seats.h"},
       seats},
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
      {{"grouping-heaviest-first", "a heaviest pair is in one group; by two, who is apart has a mate that is as heavy",
        kTreeMatch},
       grouping_heaviest_first},
      {{"division", "the division gives each rank a process of its own", "mpi_ext/reorder/division.h"}, division},
      {{"redivision-never-grows", "dividing neighbours anew never adds hop-bytes", "mpi_ext/reorder/redivision.h"},
       redivision},
      {{"exchange-never-grows", "exchanging pairs never adds hop-bytes", "mpi_ext/reorder/exchange.h"}, exchange},
      {{"exchange-to-the-end", "of few ranks no pair is left whose exchange would save hop-bytes",
        "mpi_ext/reorder/exchange.h"},
       exchange_to_the_end},
      {{"trying-all", "trying all permutations finds the fewest hop-bytes from any start",
        "mpi_ext/reorder/exhaustive.h"},
       trying_all},

      sometimes("gain", "treematch has fewer hop-bytes than the identity", kMapContract, has_gain),
      sometimes("scotch-optimal", "scotch finds the optimum where it is not the identity", "Pellegrini, SHPCC'94",
                has_scotch_optimum),
      sometimes("scotch-gap", "scotch misses the optimum", "Pellegrini, SHPCC'94", has_scotch_gap),
      sometimes("steps-gap", "exchanging pairs alone misses the optimum", "mpi_ext/reorder/exchange.h",
                has_worse_steps),
      sometimes("tie", "treematch and scotch differ and cost the same", "mpi_ext/reorder/mapping.h", has_equals),
      sometimes("not-its-own-inverse", "treematch's mapping is not its own inverse", kReordering, has_two_inverses),
      sometimes("shared-core", "several processes on one vertex", kMapContract, has_sharing),
      sometimes("wide-binding", "a process on more than a core", kMapContract, has_wide_binding),
      sometimes("idle-core", "a core without a process", kMapContract, has_idle_core),
      sometimes("unequal-nodes", "nodes with different numbers of processes", kMapContract, has_unequal_nodes),
      sometimes("unlike-directions", "two send each other different amounts", kMapContract, has_unlike_directions),
      sometimes("selves", "a rank sends to itself", kMapContract, has_selves),
  };
}

}  // namespace strata::check
