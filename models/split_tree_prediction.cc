// SPDX-License-Identifier: LGPL-2.1-only
#include "models/split_tree_prediction.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <stdexcept>
#include <utility>

#include "models/links_taken.h"
#include "models/message_cost.h"
#include "platforms/payload.h"

namespace strata::models {
namespace {

constexpr double kRounding = 1e-9;  // relative to a time
constexpr double kReadyBytes = 4;   // the sender's message before a long one: an int (mpi_ext/adapter/transport.h)

std::string time_text(double s) {
  if (s < 1e-3) return fmt::format("{:.4g} us", s * 1e6);
  return s < 1 ? fmt::format("{:.4g} ms", s * 1e3) : fmt::format("{:.4g} s", s);
}

std::string core_name(const Topology& t, int core) {
  const int node = t.node(core);
  return fmt::format("core {} of node {}", t.first_core(core) - t.first_core(t.node_vertex(node)), node);
}

// The tree of a node, or the only tree.
struct Team {
  PlacedTree placed;
  int communication_cores = 0;  // cores with threads but without ranks
  int sharing = 0;              // threads on cores that have ranks
};

struct Point {
  const Machine& machine;
  const NbcPoint& what;
  double negligible;
  double unit_s, copy_s;
  std::vector<Team> teams;  // by node if each has a tree
  int nodes = 1;            // with ranks
  SplitTree tree;
  int steps = 0;
  double computation = 0;  // in messages
};

bool over_nodes(const NbcPoint& what, int nodes) {
  return what.over_nodes && nodes > 1 && what.collective.weight == Weight::kConstant;
}

std::vector<Team> teams_of(const NbcPoint& what, const std::vector<Binding>& ranks, const std::vector<Binding>& threads,
                           bool by_node) {
  const bool none = threads.empty() || what.blocking;
  std::map<int, Team> teams;
  for (size_t r = 0; r < ranks.size(); ++r) {
    PlacedTree& placed = teams[by_node ? ranks[r].node : 0].placed;
    if (static_cast<int>(r) == what.root) placed.root = static_cast<int>(placed.core_of_rank.size());
    placed.core_of_rank.push_back(ranks[r].core);
    // Without threads, the rank's core does all the work, during the wait.
    placed.core_of_thread.push_back(none ? ranks[r].core : threads[r].core);
  }
  std::vector<Team> list;
  for (auto& [node, team] : teams) {
    const std::set<int> own(team.placed.core_of_rank.begin(), team.placed.core_of_rank.end());
    for (const int core : team.placed.core_of_thread) team.sharing += !none && own.contains(core) ? 1 : 0;
    std::set<int> only_threads(team.placed.core_of_thread.begin(), team.placed.core_of_thread.end());
    std::erase_if(only_threads, [&](int core) { return own.contains(core); });
    team.communication_cores = static_cast<int>(only_threads.size());
    list.push_back(std::move(team));
  }
  return list;
}

// Like "auto" in mpi_ext: the best number of steps within a node, if the computation takes as long on all cores as the
// blocking collective.
int steps_of(const NbcPoint& what, SplitTree t) {
  t.nodes = 1;
  if (what.blocking) return height(t.ranks, t.arity);
  return what.steps ? *what.steps : best_steps(t, balanced_computation(t));
}

Point point_of(const Machine& machine, const std::vector<Binding>& ranks, const std::vector<Binding>& threads,
               const NbcPoint& what, double negligible) {
  Point p{.machine = machine,
          .what = what,
          .negligible = negligible,
          .unit_s = message_unit(machine, what.collective, what.bytes).value,
          .copy_s = (what.bytes / BytesPerSecond(machine.copy_bandwidth.si)).value,
          .teams = {},
          .tree = {}};
  p.nodes = num_nodes(ranks);
  const bool by_node = over_nodes(what, p.nodes);
  p.teams = teams_of(what, ranks, threads, by_node);
  p.tree = full_tree(machine, what.collective, what.bytes, what.arity, by_node ? p.nodes : 1);
  p.tree.ranks = 0;
  int fewest = p.teams.front().communication_cores;
  for (const Team& team : p.teams) {
    p.tree.ranks = std::max(p.tree.ranks, static_cast<int>(team.placed.core_of_rank.size()));
    fewest = std::min(fewest, team.communication_cores);
  }
  p.tree.cores = p.tree.ranks + fewest;
  p.steps = steps_of(what, p.tree);
  p.computation = what.computation.value / p.unit_s;
  for (Team& team : p.teams) {
    team.placed.tree = p.tree;
    team.placed.tree.nodes = 1;
    team.placed.tree.ranks = static_cast<int>(team.placed.core_of_rank.size());
    team.placed.tree.cores = team.placed.tree.ranks + team.communication_cores;
  }
  return p;
}

// --- violated assumptions -------------------------------------------------------------------------------------------

std::string protocol_fault(const Point& p) {
  if (p.what.bytes.value < p.machine.eager_limit.si) {
    return fmt::format("eager: messages of {} B, shorter than {} B, are copied twice, one copy after the other",
                       p.what.bytes.value, p.machine.eager_limit.si);
  }
  if (p.machine.copies().si == 2) return "copies: 2, at either end of a message; the model has one";
  return "";
}

std::string nodes_fault(const Point& p) {
  if (p.nodes == 1) return "";
  if (p.teams.size() == 1) return fmt::format("one tree over {} nodes: messages between them are no copies", p.nodes);
  for (const Team& team : p.teams) {
    if (team.placed.tree.ranks != p.tree.ranks || team.placed.tree.cores != p.tree.cores) {
      return fmt::format("unequal nodes: {} ranks and {} communication cores on one, {} and {} on another",
                         p.tree.ranks, p.tree.cores - p.tree.ranks, team.placed.tree.ranks, team.communication_cores);
    }
  }
  return "";
}

// One level in one direction: its messages, and the cores that copy them.
struct PlacedLevel {
  std::vector<TreeMessage> messages;
  const std::vector<int>& cores;
  double copies = 0;  // on the busiest core
};

std::vector<PlacedLevel> levels_of(const Point& p, const Team& team) {
  std::vector<PlacedLevel> levels;
  const SplitTree& t = team.placed.tree;
  const int split = team.communication_cores == 0 ? height(t.ranks, t.arity) : p.steps;
  for (const Direction way : {Direction::kAllToOne, Direction::kOneToAll}) {
    if (t.direction != way && t.direction != Direction::kThereAndBack) continue;
    std::map<int, std::vector<TreeMessage>> by_level;
    for (const TreeMessage& m : tree_messages(t, team.placed.root, way)) by_level[m.level].push_back(m);
    for (auto& [level, messages] : by_level) {
      PlacedLevel placed{.messages = std::move(messages),
                         .cores = level > split ? team.placed.core_of_thread : team.placed.core_of_rank};
      std::map<int, double> copies;
      for (const TreeMessage& m : placed.messages) {
        placed.copies = std::max(placed.copies, copies[placed.cores[m.to]] += m.amount);
      }
      levels.push_back(std::move(placed));
    }
  }
  return levels;
}

// The time of a message in addition to its copy: the message that announces it, and the part of the transfer that is
// longer than the copy.
double beyond_copy_s(const Point& p, const MessageCosts& costs, int from, int to, double amount) {
  const auto message_s = [&](double bytes) {
    const MessageCost c = costs.between(from, to, bytes);
    return c.latency_s + (bytes + kEnvelopeBytes) / c.bandwidth_bytes_per_s;
  };
  const double data_s = message_s(amount * p.what.bytes.value), ready_s = message_s(kReadyBytes);
  return ready_s + std::max(0.0, data_s - amount * p.copy_s);
}

std::string message_fault(const Point& p, const MessageCosts& costs, const PlacedLevel& level) {
  for (const TreeMessage& m : level.messages) {
    const int from = level.cores[m.from], to = level.cores[m.to];
    if (costs.may_go_around(from, to)) return kGoesAround;
    const double beyond_s = beyond_copy_s(p, costs, from, to, m.amount);
    if (beyond_s <= p.negligible * m.amount * p.unit_s) continue;
    return fmt::format("latency and bandwidth: a message of level {} takes {} beyond the {} that its copy takes",
                       m.level, time_text(beyond_s), time_text(m.amount * p.copy_s));
  }
  return "";
}

std::string link_fault(const Point& p, const MessageCosts& costs, const PlacedLevel& level) {
  struct Load {
    Link link;
    double bytes = 0;
  };
  std::map<size_t, Load> loads;
  for (const TreeMessage& m : level.messages) {
    const double bytes = m.amount * p.what.bytes.value;
    for_each_link(costs, level.cores[m.from], level.cores[m.to], bytes, [&](const Link& link) {
      Load& load = loads.try_emplace(link_index(link, p.machine), Load{.link = link}).first->second;
      load.bytes += link.weight * (bytes + kEnvelopeBytes);
    });
  }
  for (const auto& [index, load] : loads) {
    const double link_s = load.bytes / load.link.capacity_bytes_per_s, copies_s = level.copies * p.copy_s;
    if (link_s - copies_s <= p.negligible * p.unit_s) continue;
    return fmt::format("links: the messages of level {} keep the {} busy for {}, the busiest core's copies take {}",
                       level.messages.front().level, describe(load.link, costs.machine()), time_text(link_s),
                       time_text(copies_s));
  }
  return "";
}

std::string network_fault(const Point& p) {
  const MessageCosts costs(p.machine);
  for (const Team& team : p.teams) {
    for (const PlacedLevel& level : levels_of(p, team)) {
      std::string fault = message_fault(p, costs, level);
      if (fault.empty()) fault = link_fault(p, costs, level);
      if (!fault.empty()) return fault;
    }
  }
  return "";
}

// The reason why a team does not take the time of the model.
std::string placement_fault(const Point& p) {
  for (const Team& team : p.teams) {
    const SplitTree& t = team.placed.tree;
    const double computation = p.teams.size() == 1 ? p.computation : 0;
    const double placed = placed_time(team.placed, p.steps, computation);
    const double model = overlapped_time(t, p.steps, computation);
    if (std::abs(placed - model) <= kRounding * model) continue;
    const std::string takes = fmt::format("as placed all takes {:.6g} messages, by the model {:.6g}", placed, model);
    if (team.sharing > 0) {
      return fmt::format("{} of {} threads share their cores with ranks; {}", team.sharing, t.ranks, takes);
    }
    const Folded f = folded(t, p.steps, team.placed.root, team.placed.core_of_thread);
    if (const LevelLoad* l = most_uneven(f.communication)) {
      return fmt::format("imbalance: of {} messages of level {} {} copies {:g}, if even {:g}; {}", l->messages,
                         l->level, core_name(*p.machine.topology, l->core), l->load - l->own, l->even_load, takes);
    }
    if (t.weight == Weight::kDoubling) {
      return "blocks: Eq. 8 counts a whole last subtree and no copy of a rank's own block; " + takes;
    }
    return "levels: the busiest core is another one on each; " + takes;
  }
  return "";
}

}  // namespace

Prediction predict_split_tree(const Machine& machine, const std::vector<Binding>& ranks,
                              const std::vector<Binding>& threads, const NbcPoint& point, double negligible) {
  if (point.root < 0 || point.root >= std::ssize(ranks)) throw std::invalid_argument("a root that is not a rank");
  const Point p = point_of(machine, ranks, threads, point, negligible);
  const double time = p.computation + blocking_time(p.tree);
  Prediction prediction{
      .time = Seconds(p.unit_s * (point.blocking ? time : overlapped_time(p.tree, p.steps, p.computation))),
      .outside = ""};
  prediction.outside = protocol_fault(p);
  if (prediction.outside.empty()) prediction.outside = nodes_fault(p);
  if (!prediction.outside.empty()) return prediction;
  prediction.outside = placement_fault(p);  // if both apply, this is the far larger effect
  const std::string network = network_fault(p);
  if (!network.empty()) prediction.outside += (prediction.outside.empty() ? "" : "; ") + network;
  return prediction;
}

}  // namespace strata::models
