// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/switches.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <numeric>
#include <span>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "platforms/fabric.h"
#include "platforms/level_name.h"

namespace strata {
namespace {

constexpr int kNone = -1;
constexpr std::uint16_t kUnreachable = std::numeric_limits<std::uint16_t>::max();

// Neighbours of each switch, in increasing order.
std::vector<std::vector<int>> neighbours_of(const SwitchGraph& graph) {
  std::vector<std::vector<int>> neighbours(graph.switches.size());
  for (const SwitchGraph::Link& link : graph.links) {
    neighbours[link.a].push_back(link.b);
    neighbours[link.b].push_back(link.a);
  }
  for (std::vector<int>& n : neighbours) {
    std::sort(n.begin(), n.end());
    n.erase(std::unique(n.begin(), n.end()), n.end());
  }
  return neighbours;
}

// The distance of each switch from the nearest of `from`, in cables; kNone if it cannot be reached.
std::vector<int> distances(const std::vector<std::vector<int>>& neighbours, const std::vector<int>& from) {
  std::vector<int> distance(neighbours.size(), kNone), queue = from;
  for (const int s : from) distance[s] = 0;
  for (size_t i = 0; i < queue.size(); ++i) {
    for (const int n : neighbours[queue[i]]) {
      if (distance[n] != kNone) continue;
      distance[n] = distance[queue[i]] + 1;
      queue.push_back(n);
    }
  }
  return distance;
}

std::vector<int> switches_with_nodes(const SwitchGraph& graph) {
  std::vector<int> leaves;
  std::vector<bool> seen(graph.switches.size(), false);
  for (const SwitchGraph::Node& node : graph.nodes) {
    if (!seen[node.at]) leaves.push_back(node.at);
    seen[node.at] = true;
  }
  return leaves;
}

// Groups of switches by height: at height h, two switches are in one group if cables connect them through switches up
// to height h. A group is represented by one of its switches.
class Groups {
 public:
  Groups(const SwitchGraph& graph, const std::vector<int>& height) : part_(graph.switches.size()) {
    std::iota(part_.begin(), part_.end(), 0);
    const int top = *std::max_element(height.begin(), height.end());
    std::vector<std::vector<const SwitchGraph::Link*>> by_height(top + 1);
    for (const SwitchGraph::Link& link : graph.links) {
      if (height[link.a] != kNone) by_height[std::max(height[link.a], height[link.b])].push_back(&link);
    }
    const std::vector<int> leaves = switches_with_nodes(graph);
    add(leaves);
    for (const auto& links : by_height) {
      for (const SwitchGraph::Link* link : links) part_[find(link->a)] = find(link->b);
      add(leaves);
    }
  }

  // The group of each leaf switch, in the order of the file, for each level. On the first level, each leaf switch is a
  // group; on the last level, which is the outermost, there is one group.
  const std::vector<std::vector<int>>& levels() const { return levels_; }

 private:
  int find(int s) {
    while (part_[s] != s) s = part_[s] = part_[part_[s]];
    return s;
  }

  void add(const std::vector<int>& leaves) {
    std::unordered_map<int, int> number;
    std::vector<int> group;
    for (const int leaf : leaves)
      group.push_back(number.emplace(find(leaf), static_cast<int>(number.size())).first->second);
    if (levels_.empty() || group != levels_.back()) levels_.push_back(std::move(group));
  }

  std::vector<int> part_;
  std::vector<std::vector<int>> levels_;
};

// A hash whose low bits depend on all bits of both (the finaliser of SplitMix64; G. Steele, D. Lea, C. Flood, OOPSLA
// 2014).
std::uint64_t hash_of(std::uint64_t target, std::uint64_t at) {
  std::uint64_t x = target * 0x9E3779B97F4A7C15 + at;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

}  // namespace

// The sorted graph, with the distance of every switch from each leaf switch.
class SwitchRoutes {
 public:
  struct Port {
    int link, to;
  };
  struct Cable {
    int a, b, kind, number;  // number among the cables of this kind between the two
  };

  explicit SwitchRoutes(const SwitchGraph& given) {
    order(given);
    neighbours_ = neighbours_of(graph_);
    number_cables();
    for (int leaf = 0; leaf < num_leaves_ && why_no_fat_tree_.empty(); ++leaf) find_ups_and_downs(leaf);
    if (why_no_fat_tree_.empty()) {
      find_widths();
      return;
    }
    to_go_.clear();
    for (int leaf = 0; leaf < num_leaves_; ++leaf) {
      for (const int d : distances(neighbours_, {leaf}))
        to_go_.push_back(d == kNone ? kUnreachable : static_cast<std::uint16_t>(d));
    }
  }

  const SwitchGraph& graph() const { return graph_; }
  const std::vector<Cable>& cables() const { return cables_; }
  int num_leaves() const { return num_leaves_; }
  const std::string& why_no_fat_tree() const { return why_no_fat_tree_; }
  // For each level, the group of each leaf switch: the levels of Groups without the last, and without the first (the
  // leaf switches themselves) if each has only one node.
  const std::vector<std::vector<int>>& levels() const { return levels_; }

  // The links from switch `s` with which shortest paths to leaf switch `leaf` begin, in the order that choose()
  // expects.
  void find_ports(int s, int leaf, std::vector<Port>& ports) const {
    ports.clear();
    const int left = to_go(leaf, s);
    const bool tree = why_no_fat_tree_.empty(), down = left == height_[s];  // above the leaf: do not go up again
    for (int i = first_port_[s]; i < first_port_[s + 1]; ++i) {
      const Port& port = ports_[i];
      if (to_go(leaf, port.to) != left - 1) continue;
      if (!tree || (height_[port.to] < height_[s]) == down) ports.push_back(port);
    }
  }

  // The port among `ports` that a message to this target takes from switch `s`.
  const Port& choose(int s, int target, const std::vector<Port>& ports) const {
    if (!why_no_fat_tree_.empty()) return ports[hash_of(target, s) % ports.size()];
    return ports[target / width_[height_[s]] % static_cast<long>(ports.size())];
  }

 private:
  int to_go(int leaf, int s) const { return to_go_[static_cast<size_t>(leaf) * graph_.switches.size() + s]; }

  // Sorts leaf switches and nodes by group, and then the other switches by height; otherwise keeps the order of the
  // file.
  void order(const SwitchGraph& given) {
    const std::vector<int> leaves = switches_with_nodes(given);
    const std::vector<int> height = distances(neighbours_of(given), leaves);
    const Groups groups(given, height);
    num_leaves_ = static_cast<int>(leaves.size());
    std::vector<int> by_group(leaves.size());
    std::iota(by_group.begin(), by_group.end(), 0);
    std::stable_sort(by_group.begin(), by_group.end(), [&](int a, int b) {
      for (auto level = groups.levels().rbegin(); level != groups.levels().rend(); ++level) {
        if ((*level)[a] != (*level)[b]) return (*level)[a] < (*level)[b];
      }
      return false;
    });
    std::vector<int> old;
    for (const int leaf : by_group) old.push_back(leaves[leaf]);
    for (int s = 0; s < static_cast<int>(given.switches.size()); ++s) {
      if (height[s] != 0) old.push_back(s);
    }
    // Switches that cannot be reached come last, because no message uses them.
    const auto rank = [&](int s) { return height[s] == kNone ? std::numeric_limits<int>::max() : height[s]; };
    std::stable_sort(old.begin() + num_leaves_, old.end(), [&](int a, int b) { return rank(a) < rank(b); });
    std::vector<int> number(old.size());
    for (size_t i = 0; i < old.size(); ++i) {
      number[old[i]] = static_cast<int>(i);
      graph_.switches.push_back(given.switches[old[i]]);
      height_.push_back(height[old[i]]);
    }
    graph_.kinds = given.kinds;
    for (const SwitchGraph::Link& link : given.links) {
      const auto [a, b] = std::minmax(number[link.a], number[link.b]);
      graph_.links.push_back({a, b, link.kind, link.cables});
    }
    std::sort(graph_.links.begin(), graph_.links.end(),
              [](const auto& x, const auto& y) { return std::tuple(x.a, x.b, x.kind) < std::tuple(y.a, y.b, y.kind); });
    graph_.nodes = given.nodes;
    for (SwitchGraph::Node& node : graph_.nodes) node.at = number[node.at];
    std::stable_sort(graph_.nodes.begin(), graph_.nodes.end(),
                     [](const auto& x, const auto& y) { return x.at < y.at; });
    const size_t lowest = given.nodes.size() > leaves.size() ? 0 : 1;
    for (size_t level = lowest; level + 1 < groups.levels().size(); ++level) {
      levels_.emplace_back();
      for (const int leaf : by_group) levels_.back().push_back(groups.levels()[level][leaf]);
    }
  }

  void number_cables() {
    const size_t switches = graph_.switches.size();
    struct Placed {
      int at, round;  // the switch, and the number of earlier cables to the same neighbour
      Port port;
    };
    std::vector<Placed> placed;
    std::pair<int, int> pair(kNone, kNone);
    int round = 0;
    for (const SwitchGraph::Link& link : graph_.links) {
      if (pair != std::pair(link.a, link.b)) round = 0;
      pair = {link.a, link.b};
      for (int i = 0; i < link.cables; ++i, ++round) {
        const int up = 2 * static_cast<int>(cables_.size());
        cables_.push_back({link.a, link.b, link.kind, i});
        placed.push_back({link.a, round, {up, link.b}});
        placed.push_back({link.b, round, {up + 1, link.a}});
      }
    }
    std::sort(placed.begin(), placed.end(), [](const Placed& x, const Placed& y) {
      return std::tuple(x.at, x.round, x.port.to, x.port.link) < std::tuple(y.at, y.round, y.port.to, y.port.link);
    });
    first_port_.assign(switches + 1, 0);
    for (const Placed& p : placed) {
      ++first_port_[p.at + 1];
      ports_.push_back(p.port);
    }
    std::partial_sum(first_port_.begin(), first_port_.end(), first_port_.begin());
    for (const SwitchGraph::Link& link : graph_.links) {
      if (height_[link.a] == kNone || std::abs(height_[link.a] - height_[link.b]) == 1) continue;
      why_no_fat_tree_ = fmt::format("a cable joins switches {} and {} of one level", graph_.switches[link.a],
                                     graph_.switches[link.b]);
      return;
    }
  }

  // Appends the distance of each switch from a leaf switch, in steps of a path that goes up first and then down.
  void find_ups_and_downs(int leaf) {
    const size_t switches = graph_.switches.size(), first = to_go_.size();
    to_go_.resize(first + switches, kUnreachable);
    const std::span<std::uint16_t> steps = std::span(to_go_).subspan(first);
    // First the switches above it. Switches are numbered by height.
    steps[leaf] = 0;
    for (size_t s = 0; s < switches && height_[s] != kNone; ++s) {
      if (steps[s] == kUnreachable) continue;
      for (const int n : neighbours_[s]) {
        if (height_[n] > height_[s]) steps[n] = static_cast<std::uint16_t>(height_[n]);
      }
    }
    for (size_t s = switches; s-- > 0;) {
      if (steps[s] != kUnreachable || height_[s] == kNone) continue;
      for (const int n : neighbours_[s]) {
        if (height_[n] > height_[s] && steps[n] != kUnreachable)
          steps[s] = std::min<std::uint16_t>(steps[s], steps[n] + 1);
      }
    }
    const std::vector<int> least = distances(neighbours_, {leaf});
    for (int other = 0; other < num_leaves_; ++other) {
      if (steps[other] == least[other]) continue;
      why_no_fat_tree_ = fmt::format("no shortest way from switch {} to {} goes up and then down",
                                     graph_.switches[other], graph_.switches[leaf]);
      return;
    }
  }

  // Computes w_1 ... w_h for each height h (switches.h).
  void find_widths() {
    const int top = *std::max_element(height_.begin(), height_.end());
    std::vector<long> most(top + 1, 1);
    std::vector<Port> ports;
    for (int leaf = 0; leaf < num_leaves_; ++leaf) {
      std::vector<bool> used(graph_.switches.size(), false);
      std::vector<int> next;
      for (int other = 0; other < num_leaves_; ++other) next.push_back(other);
      for (size_t i = 0; i < next.size(); ++i) {
        const int s = next[i];
        if (to_go(leaf, s) == height_[s]) continue;  // above the leaf: the path goes down
        find_ports(s, leaf, ports);
        long above = 0;
        int last = kNone;  // ports to different switches come first
        for (const Port& port : ports) {
          if (port.to <= last) break;
          last = port.to;
          ++above;
          if (!used[port.to]) next.push_back(port.to);
          used[port.to] = true;
        }
        most[height_[s]] = std::max(most[height_[s]], above);
      }
    }
    constexpr long kEnough = 1L << 40;  // more than any target
    width_.assign(top + 1, 1);
    for (int h = 1; h <= top; ++h) width_[h] = std::min(width_[h - 1] * most[h - 1], kEnough);
  }

  SwitchGraph graph_;
  std::vector<int> height_;  // by switch; kNone if no cables connect it with the nodes
  std::vector<std::vector<int>> neighbours_;
  std::vector<Cable> cables_;  // each is two links, from a to b and back
  std::vector<int> first_port_;
  std::vector<Port> ports_;  // by switch: the first port to each neighbour, then the second ones, and so on
  std::vector<std::uint16_t> to_go_;
  std::vector<long> width_;  // only for a fat tree
  std::vector<std::vector<int>> levels_;
  std::string why_no_fat_tree_;
  int num_leaves_ = 0;
};

namespace {

class Switches : public Fabric {
 public:
  explicit Switches(SwitchNetwork network) : network_(std::move(network)), routes_(network_.routes()) {}

  int num_routers() const override { return static_cast<int>(network_.graph().switches.size()); }
  int num_links() const override { return 2 * static_cast<int>(routes_.cables().size()); }
  const std::vector<std::string>& kinds() const override { return network_.graph().kinds; }
  int kind(int link) const override { return routes_.cables()[link / 2].kind; }

  Ends ends(int link) const override {
    const SwitchRoutes::Cable& cable = routes_.cables()[link / 2];
    return link % 2 == 0 ? Ends{cable.a, cable.b} : Ends{cable.b, cable.a};
  }

  std::string describe(int link) const override {
    const auto& names = network_.graph().switches;
    return fmt::format("{} link {} from switch {} to {}", kinds()[kind(link)], routes_.cables()[link / 2].number,
                       names[ends(link).from], names[ends(link).to]);
  }

  void route(int a, int b, int seat, std::vector<int>& links) const override {
    std::vector<SwitchRoutes::Port> ports;
    for (int at = a; at != b;) {
      routes_.find_ports(at, b, ports);
      const SwitchRoutes::Port& port = routes_.choose(at, seat, ports);
      links.push_back(port.link);
      at = port.to;
    }
  }

  void spread(int a, int b, std::vector<Part>& parts) const override {
    // Three passes: finds the switches by distance from `a`, counts the paths from each to `b`, and adds up the shares
    // that arrive at each.
    struct Step {
      int from, to, link;  // indexes into `met`
    };
    std::vector<int> met = {a};
    std::vector<Step> steps;
    std::unordered_map<int, int> index = {{a, 0}};
    std::vector<SwitchRoutes::Port> ports;
    for (int i = 0; i < static_cast<int>(met.size()); ++i) {
      if (met[i] == b) continue;
      routes_.find_ports(met[i], b, ports);
      for (const auto& [link, to] : ports) {
        const auto [known, is_new] = index.emplace(to, static_cast<int>(met.size()));
        if (is_new) met.push_back(to);
        steps.push_back({i, known->second, link});
      }
    }
    std::vector<double> ways(met.size(), 0), here(met.size(), 0);
    ways[index.at(b)] = here[0] = 1;
    for (auto step = steps.rbegin(); step != steps.rend(); ++step) ways[step->from] += ways[step->to];
    for (const Step& step : steps) {
      const double part = here[step.from] * ways[step.to] / ways[step.from];
      here[step.to] += part;
      parts.push_back({step.link, part});
    }
  }

 private:
  const SwitchNetwork network_;
  const SwitchRoutes& routes_;
};

std::string counted(size_t n, const std::string& noun, const std::string& plural) {
  return fmt::format("{} {}", n, n == 1 ? noun : plural);
}

}  // namespace

SwitchNetwork::SwitchNetwork(const SwitchGraph& graph) : routes_(std::make_shared<const SwitchRoutes>(graph)) {}
const SwitchGraph& SwitchNetwork::graph() const { return routes_->graph(); }
int SwitchNetwork::num_leaves() const { return routes_->num_leaves(); }
int SwitchNetwork::num_levels() const { return static_cast<int>(routes_->levels().size()); }
const std::string& SwitchNetwork::why_no_fat_tree() const { return routes_->why_no_fat_tree(); }

NetworkGroup SwitchNetwork::tree(const std::vector<std::string>& levels) const {
  std::vector<NetworkGroup> groups(num_leaves());
  for (const SwitchGraph::Node& node : graph().nodes) ++groups[node.at].nodes;
  std::vector<int> leaf(groups.size());  // the first leaf switch of each group
  std::iota(leaf.begin(), leaf.end(), 0);
  for (int l = 0; l <= num_levels(); ++l) {
    const auto group_of = [&](int first) { return l < num_levels() ? routes_->levels()[l][first] : 0; };
    std::vector<NetworkGroup> above;
    std::vector<int> first;
    for (size_t i = 0; i < groups.size(); ++i) {
      if (first.empty() || group_of(first.back()) != group_of(leaf[i])) {
        above.emplace_back();
        first.push_back(leaf[i]);
      }
      above.back().groups.push_back(std::move(groups[i]));
    }
    for (NetworkGroup& group : above) {
      if (group.groups.size() == 1) {  // with a single part, nothing meets here
        group = NetworkGroup(std::move(group.groups.front()));
      } else if (l == 0) {  // leaf switches with one node each
        group = {.level = "", .groups = {}, .nodes = static_cast<int>(group.groups.size())};
      }
      if (l < num_levels() && group.level.empty()) group.level = levels[l];
    }
    groups = std::move(above);
    leaf = std::move(first);
  }
  groups.front().level.clear();
  return std::move(groups.front());
}

std::unique_ptr<const Fabric> make_switches(const SwitchesShape& shape) {
  return std::make_unique<const Switches>(shape.network);
}

NetworkGroup tree_of(const SwitchesShape& shape) { return shape.network.tree(shape.levels); }

std::string describe(const SwitchesShape& shape) {
  const SwitchGraph& graph = shape.network.graph();
  const size_t leaves = shape.network.num_leaves();
  std::vector<int> nodes(leaves, 0);
  for (const SwitchGraph::Node& node : graph.nodes) ++nodes[node.at];
  const auto [least, most] = std::minmax_element(nodes.begin(), nodes.end());
  size_t cables = 0;
  for (const SwitchGraph::Link& link : graph.links) cables += link.cables;
  const bool tree = shape.network.why_no_fat_tree().empty();
  std::string text = tree ? "fat tree of " : "";
  text += tree ? counted(leaves, "leaf switch", "leaf switches") : counted(leaves, "switch", "switches");
  text += *least == *most ? fmt::format(" with {} each", counted(*most, "node", "nodes"))
                          : fmt::format(" with {} to {} nodes", *least, *most);
  if (graph.switches.size() > leaves) text += fmt::format(" and {} without", graph.switches.size() - leaves);
  text += ", " + counted(cables, "cable", "cables");
  return tree ? text : text + ", shortest ways, since it is not a fat tree: " + shape.network.why_no_fat_tree();
}

std::vector<std::string> usual_level_names(int count) {
  std::vector<std::string> names;
  for (int l = 1; l <= count; ++l) names.push_back(level_name("Switch", l));
  return names;
}

}  // namespace strata
