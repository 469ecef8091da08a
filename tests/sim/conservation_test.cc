// SPDX-License-Identifier: LGPL-2.1-only
// Links carry exactly the messages that processes send. This is tested message by message, for every program of the
// catalog and one that uses all kinds of MPI communication, on these machines: a cluster with one switch, switches of
// different sizes, the same with different nodes, with several ports and with shared memory, a torus, a dragonfly and
// trees of switches, with every routing.
//
// Three sources that share no code are compared. The tap in SMPI records which process sent how many bytes to which
// process (sends.csv). The network model records which messages flowed between which hosts (messages.csv), and what
// each link carried (links.csv). The events record when each message is posted and when it arrives (records/events.h).
// On the network a message has an additional envelope of 16 B. Links of a tree are checked without routes: the link up
// from a set of cores carries the messages from inside the set to outside. With spread routing each link carries its
// parts of the messages. With adaptive routing, a router sends on what it receives from its nodes and from other
// routers for others.
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "flow/link_names.h"
#include "flow/route_tree.h"
#include "platforms/core_name.h"
#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "platforms/placement.h"
#include "platforms/progress_placement.h"
#include "records/events.h"
#include "records/links.h"
#include "records/matrix/matrix_file.h"
#include "records/matrix/matrix_market.h"
#include "records/message_files.h"
#include "records/samples.h"
#include "sim/launcher/installation.h"
#include "sim/launcher/simulation.h"
#include "tests/platforms/fabric_machines.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

constexpr double kEnvelope = 16;  // B (SMPI 3.32, src/smpi/mpi/smpi_request.cpp)

// --- files ----------------------------------------------------------------------------------------------------------

// Entries of a Matrix Market file; indexes start at 0.
std::map<std::pair<int, int>, double> matrix_of(const fs::path& file, int order) {
  std::ifstream in(file);
  std::string line;
  EXPECT_TRUE(std::getline(in, line)) << file;
  EXPECT_EQ(line, "%%MatrixMarket matrix coordinate integer general");
  const Pattern pattern = read_matrix(file, order);
  std::map<std::pair<int, int>, double> matrix;
  for (int row = 0; row < pattern.order(); ++row) {
    for (size_t i = 0; i < pattern.peers(row).size(); ++i) {
      matrix[{row, pattern.peers(row)[i]}] = pattern.bytes(row)[i];
    }
  }
  return matrix;
}

// --- machines -------------------------------------------------------------------------------------------------------

// Eight nodes on three switches, with 5, 2 and 1 nodes.
std::string uneven_switches() {
  std::string text = R"(schema: strata.machine/1
name: uneven
description: eight nodes under switches of 5, 2 and 1
source: "assumed: a test"
node: {synthetic: "pack:2 [numa] core:2 pu:1"}
network:
  groups:
    - {level: Switch, nodes: 5}
    - {level: Switch, nodes: 2}
    - {level: Switch, nodes: 1}
costs:
  core:
    speed: {value: 2, unit: Gflop/s, source: measured}
    copy_bandwidth: {value: 10, unit: GB/s, source: measured}
  eager_limit: {value: 4, unit: KiB, source: measured}
  levels:
)";
  for (const char* level : {"System - Cluster", "Switch", "Machine", "NUMANode"}) {
    text += std::string("    - level: ") + level + R"(
      latency: {value: 1.5, unit: us, source: measured}
      overhead: {value: 0.5, unit: us, source: measured}
      bandwidth: {value: 5, unit: GB/s, source: measured}
      link_bandwidth: {value: 7, unit: GB/s, source: measured}
)";
  }
  return text;
}

// The same with nodes of three kinds, which have 4, 2 and 8 cores.
std::string nodes_of_kinds() {
  std::string text = uneven_switches();
  const std::string alike = "node: {synthetic: \"pack:2 [numa] core:2 pu:1\"}";
  text.replace(text.find(alike), alike.size(),
               "nodes:\n  - {count: 5, synthetic: \"pack:2 [numa] core:2 pu:1\"}\n"
               "  - {count: 2, synthetic: \"core:2 pu:1\"}\n"
               "  - {count: 1, synthetic: \"pack:2 [numa] core:4 pu:1\"}");
  return text;
}

// The same with three ports in each node, two of them at one package.
std::string nodes_with_ports() {
  std::string text = uneven_switches();
  const std::string groups = "network:\n", levels = "  levels:\n";
  text.replace(text.find(groups), groups.size(), groups + "  ports: {at: [Package 1, Package 0, Package 1]}\n");
  text.replace(text.find(levels), levels.size(),
               "  ports: {bandwidth: {value: 5, unit: GB/s, source: measured}}\n" + levels);
  return text;
}

struct Program {
  std::string name;  // of the catalog, or a path
  std::vector<std::string> arguments;
  int ranks;
  std::string progress = {};  // placement of its progress threads
  std::string map_by = "core";
};

class Conservation : public ::testing::TestWithParam<std::string> {
 protected:
  // The machine with the name of the test's parameter.
  Machine machine() const {
    if (GetParam() == "flat") return machine_from_tree("node:4 pack:2 core:4 pu:1");
    const fs::path file = scratch_.path() / "described.yaml";
    const std::string shape = GetParam().substr(0, GetParam().find('_'));
    std::string yaml = shape == "uneven" || shape == "memory" ? uneven_switches()
                       : shape == "ports"                     ? nodes_with_ports()
                       : shape == "kinds"                     ? nodes_of_kinds()
                       : shape == "torus"                     ? kTorusYaml
                       : shape == "fattree"                   ? kFatTreeYaml
                       : shape == "switches"                  ? kSwitchesYaml
                                                              : kDragonflyYaml;
    if (shape == "memory") yaml.replace(yaml.find("core:2"), 6, "l3:2(size=200000) core:1");
    if (shape != GetParam()) yaml = routed(yaml, GetParam().substr(shape.size() + 1));
    std::ofstream(file) << yaml;
    std::ofstream(scratch_.path() / "fabric.txt") << kSwitchesFile << "node n6 leaf2\nnode n7 leaf3\nnode n8 leaf3\n";
    Machine m = load_machine(file);
    // Two copies already exceed this bandwidth, so works and messages wait for it.
    if (shape == "memory")
      m.memory.emplace() = {.bandwidth = {.value = 30, .unit = "GB/s", .source = "measured", .si = 30e9},
                            .shared_cache_bandwidth = Figure{40, "GB/s", "measured", 40e9}};
    if (shape == "memory" || shape == "torus") {
      for (LevelCosts& c : m.levels) {
        c.duplex_bandwidth = c.link_bandwidth;
        c.duplex_bandwidth->value *= 1.5;
        c.duplex_bandwidth->si *= 1.5;
      }
    }
    return m;
  }

  // Runs the program, stores what it printed for the launcher in lines_, and returns the folder of its traffic.
  fs::path run(const Machine& m, const RankPlacement& placement, const Program& p, const Traffic& traffic) {
    const fs::path folder = scratch_.path() / std::to_string(runs_++);
    fs::create_directories(folder / "stage");
    fs::create_directories(folder / "traffic");
    const sim::Stage stage =
        sim::prepare_stage(m, placement, folder / "stage", sim::find_installation(), p.name, /*time_limit_s=*/300);
    sim::run_simulations({stage},
                         {{.arguments = p.arguments,
                           .output = folder / "output",
                           .events = folder / "events",
                           .traffic = traffic,
                           .traffic_folder = folder / "traffic"}},
                         1, [this](size_t, const sim::Outcome& outcome) {
                           EXPECT_EQ(outcome.failure, "");
                           lines_ = outcome.lines;
                           return true;
                         });
    return folder / "traffic";
  }

  sim::ScratchFolder scratch_;
  std::vector<Json> lines_;
  int runs_ = 0;
};

struct Message {
  int from, to;  // cores
  double bytes;  // with the envelope
  auto operator<=>(const Message&) const = default;
};

// with the number of occurrences
using Messages = std::map<Message, long>;

RankPlacement place_all(const Topology& t, const Program& p) {
  RankPlacement placement{place(t, p.ranks, {.map_by = p.map_by})};
  if (!p.progress.empty()) placement.progress = place_progress(t, placement.ranks, p.progress);
  return placement;
}

std::map<int, int> cores_by_vertex(const Topology& t) {
  std::map<int, int> index;
  for (size_t i = 0; i < t.cores().size(); ++i) index[t.cores()[i]] = static_cast<int>(i);
  return index;
}

// The cores of SMPI's ranks: the ranks of the application, followed by their progress threads.
std::vector<int> cores_of(const Topology& t, const RankPlacement& placement) {
  const std::map<int, int> index = cores_by_vertex(t);
  std::vector<int> cores;
  for (const auto* half : {&placement.ranks, &placement.progress}) {
    for (const Binding& b : *half) cores.push_back(index.at(b.core));
  }
  return cores;
}

Messages sent(const fs::path& folder, const std::vector<int>& core_of_rank) {
  Messages all;
  for (const SentMessage& m : read_sent_messages(folder / kSendsFile)) {
    ++all[{core_of_rank.at(m.sender), core_of_rank.at(m.receiver), static_cast<double>(m.bytes) + kEnvelope}];
  }
  return all;
}

Messages carried(const fs::path& folder, const Topology& t) {
  std::map<std::string, int> core_of_host;
  for (int c = 0; c < static_cast<int>(t.cores().size()); ++c) core_of_host[core_name(t, c)] = c;
  Messages all;
  for (const CarriedMessage& m : read_carried_messages(folder / kMessagesFile)) {
    EXPECT_LE(m.sent_s, m.arrived_s);
    ++all[{core_of_host.at(m.from), core_of_host.at(m.to), m.bytes}];
  }
  return all;
}

struct Load {
  double bytes = 0;
  long messages = 0;
};

// Whether the link up from a stop in the sender's node, and the one down, carry a message to another node, which leaves
// its node at `port` (a vertex); for the receiver's node the other way round.
struct Inside {
  bool up, down;
};
Inside inside_node(const Topology& t, int stop, int core, int port) {
  const bool has_core = t.first_core(stop) <= core && core < t.first_core(stop) + t.num_cores(stop);
  const bool has_port = stop <= port && port < t.subtree_end(stop);
  return {has_core && !has_port, has_port && !has_core};
}

// The loads that links must have, by number: of links of the tree from the sets of cores that they connect, of links of
// a fabric from the routes, of ports from the cores, and of loopbacks from messages of a core to itself.
std::vector<Load> loads_of(const Messages& messages, const Topology& t, const flow::RouteTree& tree) {
  std::vector<Load> loads(static_cast<size_t>(tree.num_links() + tree.num_cores()));
  std::vector<flow::FairShares::Use> uses;
  const auto is_same_node = [&](const Message& m) { return t.node(t.cores()[m.from]) == t.node(t.cores()[m.to]); };
  for (const auto& [m, times] : messages) {
    const auto count = [&, &m = m, times = times](int link, double part = 1) {
      loads[link].bytes += part * m.bytes * static_cast<double>(times);
      loads[link].messages += times;
    };
    if (m.from == m.to) {
      count(tree.num_links() + m.from);
      continue;
    }
    for (int s = 0; s < static_cast<int>(tree.stops().size()); ++s) {
      int v = tree.stops()[s].vertex;  // or a vertex above it with the same cores: the top of the chain
      for (const int up = tree.stops()[s].up; up >= 0 && t.parent(v) != tree.stops()[up].vertex;) v = t.parent(v);
      const int first = t.first_core(v), end = first + t.num_cores(v);
      const bool from = first <= m.from && m.from < end, to = first <= m.to && m.to < end;
      if (tree.stops()[s].link_bandwidth == 0) continue;
      const PortPlaces* ports = tree.ports();
      const int node = t.node(v);
      if (ports != nullptr && node >= 0 && v != t.node_vertex(node) && !is_same_node(m)) {
        for (const int core : {m.from, m.to}) {
          if (t.node(t.cores()[core]) != node) continue;
          const Inside way = inside_node(t, v, core, ports->vertex(ports->of(core, m.bytes).first));
          if (core == m.from ? way.up : way.down) count(flow::RouteTree::up_link(s));
          if (core == m.from ? way.down : way.up) count(flow::RouteTree::down_link(s));
        }
        continue;
      }
      if (from && !to) count(flow::RouteTree::up_link(s));
      if (to && !from) count(flow::RouteTree::down_link(s));
    }
    if (tree.ports() != nullptr && !is_same_node(m)) {
      count(tree.first_port_link() + 2 * tree.port(m.from));
      count(tree.first_port_link() + 2 * tree.port(m.to) + 1);
    }
    uses.clear();
    tree.find_uses(m.from, m.to, -1, 0, uses);
    for (const auto& [l, part] : uses) {
      if (l >= tree.first_fabric_link()) count(l, part);
    }
  }
  return loads;
}

void expect_links(const fs::path& folder, const Machine& machine, const flow::RouteTree& tree,
                  const std::vector<Load>& loads) {
  const std::vector<flow::LinkName> names = flow::link_names(machine, tree);
  const std::vector<LinkTraffic> rows = read_links(folder / kLinksFile);
  const Routing routing = machine.fabric ? machine.fabric->routing : Routing::kMinimal;
  size_t at = 0;
  for (size_t l = 0; l < names.size(); ++l) {
    if (names[l].link.empty()) continue;  // a core's own time
    if (names[l].direction == "both") {
      ASSERT_LT(at, rows.size());
      const LinkTraffic& row = rows[at++];
      EXPECT_EQ(row.link, names[l].link);
      // Works load these too (memory_test.cc).
      if (names[l].level == flow::kMemoryLevel || names[l].level == flow::kCacheLevel) continue;
      double both = 0;  // B
      for (int one = 0; one < tree.first_fabric_link(); ++one) {
        if (names[one].link == row.link) both += loads[one].bytes;
      }
      // On the way into a fabric, messages of one level may have a larger weight than those of another.
      if (machine.fabric) {
        EXPECT_GE(row.bytes, both) << row.link;
      } else {
        EXPECT_EQ(row.bytes, both) << row.link;
      }
      continue;
    }
    if (names[l].capacity == 0 || (names[l].direction == "self" && loads[l].messages == 0)) {
      EXPECT_EQ(loads[l].messages, 0) << names[l].link;
      continue;
    }
    ASSERT_LT(at, rows.size());
    const LinkTraffic& row = rows[at++];
    EXPECT_EQ(row.link, names[l].link);
    EXPECT_EQ(row.direction, names[l].direction);
    if (routing == Routing::kAdaptive && row.direction == "across") continue;
    EXPECT_EQ(row.messages, loads[l].messages) << row.link << " " << row.direction;
    if (routing == Routing::kSpread && row.direction == "across") {  // sum of the parts, rounded down
      EXPECT_LE(row.bytes, loads[l].bytes + 1e-3) << row.link;
      EXPECT_GT(row.bytes, loads[l].bytes - 1 - 1e-3) << row.link;
      continue;
    }
    EXPECT_EQ(row.bytes, loads[l].bytes) << row.link << " " << row.direction;
  }
  EXPECT_EQ(at, rows.size());
}

// Expects that a router sends on all bytes that it receives from its nodes and from other routers, and that links carry
// at least as much as with minimal routes.
void expect_balance(const fs::path& folder, const Machine& machine, const flow::RouteTree& tree,
                    const Messages& messages, const std::vector<Load>& minimal) {
  const Fabric& fabric = *machine.fabric->fabric;
  std::map<std::string, Fabric::Ends> ends;
  for (int l = 0; l < fabric.num_links(); ++l) ends[fabric.describe(l)] = fabric.ends(l);
  std::vector<double> balance(fabric.num_routers(), 0);
  double all = 0, least = 0;
  for (const auto& [m, times] : messages) {
    balance[tree.router(m.from)] += m.bytes * static_cast<double>(times);
    balance[tree.router(m.to)] -= m.bytes * static_cast<double>(times);
  }
  for (const LinkTraffic& row : read_links(folder / kLinksFile)) {
    if (row.direction != "across") continue;
    balance[ends.at(row.link).from] -= row.bytes;
    balance[ends.at(row.link).to] += row.bytes;
    all += row.bytes;
  }
  // The bytes of each link are rounded down, and a router has at most a dozen links.
  for (const double left : balance) EXPECT_NEAR(left, 0, 12);
  for (int l = tree.first_fabric_link(); l < tree.num_links(); ++l) least += minimal[l].bytes;
  EXPECT_GE(all, least - fabric.num_links());
}

// Expects that the matrices are the sums of the sends. Those of a progress thread count for its rank.
void expect_matrices(const fs::path& folder, const RankPlacement& placement) {
  const int ranks = static_cast<int>(placement.ranks.size());
  std::map<std::pair<int, int>, double> bytes, messages;
  for (const SentMessage& m : read_sent_messages(folder / kSendsFile)) {
    const std::pair<int, int> who{m.sender % ranks, m.receiver % ranks};
    if (m.bytes > 0) bytes[who] += static_cast<double>(m.bytes);
    ++messages[who];
  }
  EXPECT_EQ(matrix_of(folder / kBytesMatrixFile, ranks), bytes);
  EXPECT_EQ(matrix_of(folder / kMessagesMatrixFile, ranks), messages);
}

// By sender, receiver, bytes: number of messages.
using Sends = std::map<std::tuple<int, int, std::uint64_t>, long>;

// Expects that the events contain the same messages, and that each arrives once, after it was sent. Returns the matrix
// of the messages that ranks send in the phase of that name.
std::map<std::pair<int, int>, double> expect_events(const fs::path& folder, const std::string& phase) {
  Sends sends, recorded;
  if (fs::exists(folder / kSendsFile)) {
    for (const SentMessage& m : read_sent_messages(folder / kSendsFile)) ++sends[{m.sender, m.receiver, m.bytes}];
  }
  EventReader reader(folder.parent_path() / "events");
  std::map<std::pair<int, int>, double> in_phase;
  std::set<int> ranks_in_phase;
  std::vector<double> sent(1);  // s, by message
  size_t arrived = 0;
  for (Event e; reader.next(e);) {
    if (e.kind == Event::Kind::kPhaseBegin && e.name == phase) ranks_in_phase.insert(e.rank);
    if (e.kind == Event::Kind::kPhaseEnd) ranks_in_phase.erase(e.rank);
    if (e.kind == Event::Kind::kSend) {
      ++recorded[{e.rank, e.other, static_cast<std::uint64_t>(e.bytes)}];
      sent.push_back(e.time);
      if (ranks_in_phase.contains(e.rank)) ++in_phase[{e.rank, e.other}];
    }
    if (e.kind == Event::Kind::kArrive) {
      ++arrived;
      double& posted = sent.at(e.message);
      EXPECT_GE(posted, 0) << "arrives again";
      EXPECT_GE(e.began, posted);
      EXPECT_LE(e.began, e.time);
      EXPECT_LE(e.posted, e.time);
      posted = -1;
    }
  }
  if (!sends.empty()) {
    EXPECT_TRUE(recorded == sends);
  }
  EXPECT_EQ(arrived + 1, sent.size()) << "each is received";
  return in_phase;
}

// The path of a program of these tests.
std::string built(const std::string& name) {
  return sim::find_installation().plugin.parent_path().parent_path().parent_path() / "tests/sim" / name;
}

// `method`: of Cartesian communicators; nodecart needs the same number of ranks on all nodes.
std::vector<Program> programs(const std::string& method) {
  return {
      {"cg", {"--class", "S", "--work", "charged", "--steps", "2"}, 16},
      {"collective", {"--collective", "bcast", "--algorithm", "binomial", "--elements", "5000"}, 32},
      {"collective", {"--collective", "allreduce", "--algorithm", "binomial", "--variant", "hierarchical"}, 21},
      {"hierarchy", {"--method", "kept"}, 16},
      {"hsplit", {}, 12},
      {"nbc", {"--collective", "ireduce", "--bytes", "20000", "--steps", "1", "--work", "0.001"}, 12, "numa", "spread"},
      {"nbc", {"--collective", "ibcast", "--bytes", "100", "--steps", "0", "--work", "0.001"}, 9, "bind", "spread"},
      {"ncartperf",
       {"--dims", "4x4x2", "--periods", "1x1x1", "--comm", "nodecart", "--method", method, "--n", "700", "--sweeps",
        "3"},
       32},
      {"nodecart", {"--dims", "6x4", "--periods", "0x1", "--method", "auto"}, 24},
      {"pairs", {"--pairs", "3", "--bytes", "100000"}, 20},
      {"pingpong", {"--bytes", "0,1,1024,1048576"}, 17},
      {"reorder_allgather", {"--groups", "4", "--elements", "500", "--iterations", "3"}, 16},
      {"reorder_collective", {"--collective", "reduce", "--elements", "900", "--order", "reordered"}, 24},
      {"stencil", {"--dims", "4x6", "--comm", "nodecart", "--method", method, "--n", "50", "--iterations", "5"}, 24},
      {"summa", {"--variant", "topological", "--block", "8"}, 24},
      {"vectors", {"--hierarchy", "topo", "--elements", "300"}, 32},
      {"counters", {"--seconds", "1"}, 2, "", "node"},
      {built("everything.so"), {}, 13},
  };
}

TEST_P(Conservation, WhatProcessesSendIsWhatLinksCarry) {
  const Machine m = machine();
  const Topology& t = *m.topology;
  const flow::RouteTree tree(m);
  for (const Program& p : programs(GetParam() == "kinds" ? "auto" : "nodecart")) {
    SCOPED_TRACE(p.name);
    const RankPlacement placement = place_all(t, p);
    const fs::path folder = run(m, placement, p, {.kept = true, .messages = true});
    if (!fs::exists(folder / kSendsFile)) continue;  // the run failed
    const Messages told = sent(folder, cores_of(t, placement)), flowed = carried(folder, t);
    EXPECT_FALSE(told.empty());
    EXPECT_EQ(told.size(), flowed.size());
    EXPECT_TRUE(told == flowed);
    const std::vector<Load> loads = loads_of(told, t, tree);
    expect_links(folder, m, tree, loads);
    if (m.fabric) expect_balance(folder, m, tree, told, loads);
    expect_matrices(folder, placement);
    expect_events(folder, "");
  }
}

// Samples add up exactly to the bytes that each link carried, and never exceed its capacity for that time.
TEST_P(Conservation, SamplesAddUp) {
  const Machine m = machine();
  const Program p = {"ncartperf", {"--dims", "4x4x2", "--periods", "1x0x1", "--n", "20000", "--sweeps", "3"}, 32};
  constexpr double kPeriod = 3e-6;  // s: shorter than a message of 160 kB
  const fs::path folder = run(m, place_all(*m.topology, p), p, {.kept = true, .period_s = kPeriod});
  if (HasFailure()) return;
  std::map<std::pair<std::string, std::string>, double> sums;
  long samples = 0;
  double before = 0;
  std::map<std::pair<std::string, std::string>, double> capacity;
  const std::vector<LinkTraffic> links = read_links(folder / kLinksFile);
  for (const LinkTraffic& row : links) capacity[{row.link, row.direction}] = row.capacity;
  for (const LinkSample& s : read_samples(folder / kSamplesFile)) {
    const std::pair<std::string, std::string> link{s.link, s.direction};
    EXPECT_GE(s.until_s, before);
    before = s.until_s;
    EXPECT_GT(s.bytes, 0);
    // One byte more is allowed: samples are whole bytes, and a remainder counts in the next sample.
    EXPECT_LE(s.bytes, capacity.at(link) * kPeriod * (1 + 1e-9) + 1) << s.link;
    sums[link] += s.bytes;
    ++samples;
  }
  EXPECT_GT(samples, 1000);
  for (const LinkTraffic& row : links) {
    const auto sum = sums.find({row.link, row.direction});
    EXPECT_EQ(row.bytes, sum == sums.end() ? 0 : sum->second) << row.link << " " << row.direction;
  }
}

using Matrix = std::map<std::pair<int, int>, double>;

Matrix difference(const Matrix& more, const Matrix& less) {
  Matrix result = more;
  for (const auto& [who, value] : less) result[who] -= value;
  std::erase_if(result, [](const auto& entry) { return entry.second == 0; });
  return result;
}

Matrix from_rows(const Json& numbers, int order) {
  Matrix result;
  for (int i = 0; i < order * order; ++i) {
    if (numbers[i] != 0) result[{i / order, i % order}] = numbers[i].get<double>();
  }
  return result;
}

// A session counts the same bytes and messages in its phase as the tap. The tap does not know phases, but a program
// with three phases sends as much more than one with a single phase as two phases send.
TEST_P(Conservation, ASessionSeesWhatIsSentInItsPhase) {
  constexpr int kRanks = 11;
  const Machine m = machine();
  std::map<int, std::pair<Matrix, Matrix>> seen, sent;  // bytes and messages, by number of phases
  for (const int times : {1, 3}) {
    const Program p = {built("phase.so"), {"--times", std::to_string(times)}, kRanks};
    const fs::path folder = run(m, place_all(*m.topology, p), p, {.kept = true});
    ASSERT_EQ(lines_.size(), 1u);
    EXPECT_EQ(expect_events(folder, "monitoring session 1"), from_rows(lines_[0]["messages"], kRanks));
    seen[times] = {from_rows(lines_[0]["bytes"], kRanks), from_rows(lines_[0]["messages"], kRanks)};
    sent[times] = {matrix_of(folder / kBytesMatrixFile, kRanks), matrix_of(folder / kMessagesMatrixFile, kRanks)};
  }
  EXPECT_FALSE(seen[1].first.empty());
  const Matrix bytes = difference(sent[3].first, sent[1].first), messages = difference(sent[3].second, sent[1].second);
  EXPECT_EQ(difference(seen[3].first, seen[1].first), bytes);
  EXPECT_EQ(difference(seen[3].second, seen[1].second), messages);
  Matrix two = seen[1].first;
  for (auto& [who, of_one] : two) of_one *= 2;
  EXPECT_EQ(two, bytes);
}

INSTANTIATE_TEST_SUITE_P(Machines, Conservation,
                         ::testing::Values("flat", "uneven", "kinds", "ports", "memory", "torus", "dragonfly",
                                           "torus_spread", "torus_adaptive", "dragonfly_spread", "dragonfly_adaptive",
                                           "fattree", "fattree_spread", "switches", "switches_spread"),
                         [](const auto& machine) { return machine.param; });

}  // namespace
}  // namespace strata
