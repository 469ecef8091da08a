// SPDX-License-Identifier: LGPL-2.1-only
// Machines from measurements: the true figures are within the fitted intervals, every assumed figure names its basis,
// and machine.yaml accepts the result.
#include "calibration/calibrate.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "platforms/node_tree.h"
#include "platforms/payload.h"
#include "platforms/segments.h"
#include "tests/calibration/fit/noise.h"
#include "tests/process/process.h"

namespace strata::calibration {
namespace {

using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

constexpr const char* kNetwork = "System - Cluster";

struct Given {
  std::filesystem::path node;  // a file of hwloc XML
  int nodes = 1;
  std::string name = {};
  std::vector<Measurement> measurements = {};
  std::vector<std::string> ports = {};  // the objects to which they are attached
};

Calibration calibrate(const Given& given) {
  Machine defaults = machine_from_xml(given.node, given.nodes);
  if (!given.name.empty()) defaults.name = given.name;
  if (!given.ports.empty()) defaults.ports = NetworkPorts{.at = given.ports};
  return calibrate(defaults, given.measurements);
}

// Two packages, each a NUMA node with two L3s of four cores. Cores meet at Machine, NUMANode and L3.
std::filesystem::path node_xml() {
  static const TemporaryFolder folder;
  static const std::filesystem::path file = [] {
    std::filesystem::path at = folder.path() / "node.xml";
    export_synthetic_as_xml("pack:2 [numa] l3:2(size=16000000) core:4 pu:1", at.string());
    return at;
  }();
  return file;
}

std::vector<double> usual_sizes() {
  std::vector<double> sizes = {0};
  for (double m = 1; m <= 4194304; m *= 2) sizes.push_back(m);
  return sizes;
}

double time_of(const std::vector<Piece>& pieces, double bytes) {
  const auto last = std::find_if(pieces.rbegin(), pieces.rend(), [&](const Piece& p) { return p.from_bytes <= bytes; });
  return last->latency_s + (bytes + kEnvelopeBytes) / last->bandwidth;
}

// Ping-pong times on a machine with these figures, including the envelope.
void add_ping_pongs(std::vector<Measurement>& to, const std::string& level, const std::vector<Piece>& pieces,
                    const std::string& file, double noise = 0, std::uint64_t seed = 1) {
  Noise random(seed);
  int line = 0;
  for (const double m : usual_sizes()) {
    to.push_back({.operation = Operation::kPingPong,
                  .level = level,
                  .bytes = m,
                  .value = time_of(pieces, m) * (1 + noise * random.normal()),
                  .source = file + ":" + std::to_string(++line)});
  }
}

void add(std::vector<Measurement>& to, Operation operation, const std::string& level, double bytes,
         const std::map<int, double>& values, const std::string& file) {
  for (const auto& [at_once, value] : values) {
    to.push_back({.operation = operation,
                  .level = level,
                  .bytes = bytes,
                  .at_once = at_once,
                  .value = value,
                  .source = file + ":1"});
  }
}

LevelCosts level_of(const Calibration& c, const std::string& level) {
  for (const LevelCosts& costs : c.machine.levels) {
    if (costs.level == level) return costs;
  }
  throw std::logic_error("no level " + level);
}

const CalibratedFigure& figure_of(const Calibration& c, std::string_view level, std::string_view name) {
  for (const CalibratedFigure& f : c.figures) {
    if (f.level == level && f.name == name) return f;
  }
  throw std::logic_error("no figure " + std::string(level) + " " + std::string(name));
}

// The machine, saved and loaded again.
Machine there_and_back(const Machine& machine) {
  static const TemporaryFolder folder;  // the loaded machine refers to its node.xml
  save_machine(machine, folder.path());
  return load_machine(folder.path() / "machine.yaml");
}

void expect_same(const Figure& a, const Figure& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.source, b.source);
}

TEST(Calibrate, AWholeMachineComesBackWithinItsIntervalsAndThroughItsFile) {
  const std::map<std::string, std::vector<Piece>> made = {{kNetwork, {{0, 2e-6, 4e9}, {16384, 6e-6, 11e9}}},
                                                          {"Machine", {{0, 1e-6, 4e9}, {8192, 3e-6, 9e9}}},
                                                          {"NUMANode", {{0, 0.6e-6, 5e9}, {8192, 2e-6, 12e9}}},
                                                          {"L3", {{0, 0.3e-6, 14e9}}}};
  Given given{.node = node_xml(), .nodes = 3, .name = "made"};
  std::uint64_t seed = 20;
  for (const auto& [level, pieces] : made)
    add_ping_pongs(given.measurements, level, pieces, level + ".txt", 0.01, ++seed);
  for (const auto& [level, pieces] : made) {
    add(given.measurements, Operation::kSendOverhead, level, 8, {{1, 0.2e-6}}, "isend.txt");
    add(given.measurements, Operation::kSendOverhead, level, 16, {{1, 0.21e-6}}, "isend.txt");
    add(given.measurements, Operation::kSendOverhead, level, 32768, {{1, 0.4e-6}}, "isend.txt");
  }
  const Calibration c = calibrate(given);
  EXPECT_EQ(c.machine.name, "made");
  EXPECT_EQ(c.machine.topology->num_nodes(), 3);
  ASSERT_EQ(c.curves.size(), 4u);
  EXPECT_EQ(c.curves[0].level, kNetwork);
  EXPECT_EQ(c.curves[0].samples.size(), usual_sizes().size());
  for (const auto& [level, pieces] : made) {
    SCOPED_TRACE(level);
    const LevelCosts costs = level_of(c, level);
    ASSERT_EQ(costs.segments.size() + 1, pieces.size());
    const auto holds = [&](const std::string& name, double si) {
      const CalibratedFigure& f = figure_of(c, level, name);
      ASSERT_TRUE(f.interval) << name;
      EXPECT_LE(f.interval->low, si) << name;
      EXPECT_GE(f.interval->high, si) << name;
      EXPECT_LT(f.interval->half_width(), 0.15 * si) << name;
      EXPECT_TRUE(f.is_measured());
    };
    holds("latency", pieces[0].latency_s);
    holds("bandwidth", pieces[0].bandwidth);
    // The median of the values measured in the piece: those at 8 and 16 B, or all three.
    EXPECT_NEAR(costs.overhead.si, pieces.size() == 1 ? 0.21e-6 : 0.205e-6, 1e-12);
    if (pieces.size() == 1) continue;
    const std::string from = " from " + std::to_string(static_cast<int>(pieces[1].from_bytes)) + " B";
    EXPECT_EQ(costs.segments[0].from.si, pieces[1].from_bytes);
    holds("latency" + from, pieces[1].latency_s);
    holds("bandwidth" + from, pieces[1].bandwidth);
    EXPECT_NEAR(costs.segments[0].overhead.si, 0.4e-6, 1e-12);
  }
  const Machine again = there_and_back(c.machine);
  ASSERT_EQ(again.levels.size(), c.machine.levels.size());
  for (size_t i = 0; i < again.levels.size(); ++i) {
    expect_same(again.levels[i].latency, c.machine.levels[i].latency);
    expect_same(again.levels[i].overhead, c.machine.levels[i].overhead);
    expect_same(again.levels[i].bandwidth, c.machine.levels[i].bandwidth);
    expect_same(again.levels[i].link_bandwidth, c.machine.levels[i].link_bandwidth);
    EXPECT_EQ(again.levels[i].segments.size(), c.machine.levels[i].segments.size());
  }
  EXPECT_EQ(machine_hash(again), machine_hash(c.machine));
}

// Thousands of random sizes, as in SMPI's platform-calibration.
TEST(Calibrate, RandomSizesAreGrouped) {
  Given given{.node = node_xml()};
  const std::vector<Piece> made = {{0, 1e-6, 4e9}, {8192, 3e-6, 9e9}};
  Noise noise(4);
  for (int i = 0; i < 3000; ++i) {
    const double bytes = std::round(std::exp2(22 * noise.uniform()));
    const double time = time_of(made, bytes) * (1 + 0.02 * noise.normal());
    given.measurements.push_back({.level = "NUMANode", .bytes = bytes, .value = time, .source = "PingPong.csv"});
  }
  const LevelCosts costs = level_of(calibrate(given), "NUMANode");
  EXPECT_NEAR(costs.latency.si, 1e-6, 0.03e-6);
  ASSERT_EQ(costs.segments.size(), 1u);
  EXPECT_NEAR(costs.segments[0].from.si, 8192, 0.26 * 8192);  // the width of a group
  EXPECT_NEAR(costs.segments[0].latency.si, 3e-6, 0.1e-6);
  EXPECT_NEAR(costs.segments[0].bandwidth.si, 9e9, 0.1e9);
}

// Times of 1.26, 1.27 and 1.28 us at each of two sizes, and 2.3 us at 10 kB: 23 samples in total.
TEST(Calibrate, TheSourceTellsFileSamplesAndInterval) {
  Given given{.node = node_xml()};
  for (const double m : {0.0, 8.0, 10240.0}) {
    for (const double t : {1.26e-6, 1.27e-6, 1.28e-6}) {
      given.measurements.push_back(
          {.level = "NUMANode", .bytes = m, .value = t + (m + kEnvelopeBytes) * 1e-10, .source = "osu_latency.txt:9"});
    }
  }
  const Calibration c = calibrate(given);
  const CalibratedFigure& f = figure_of(c, "NUMANode", "latency");
  EXPECT_EQ(f.figure.source, "measured: osu_latency.txt, 9 samples");
  EXPECT_EQ(f.figure.plus_minus, 0.01);
  EXPECT_EQ(f.figure.unit, "us");
  EXPECT_EQ(f.figure.value, 1.27);
}

TEST(Calibrate, LevelsWithoutPingPongsAreAsTheNearest) {
  Given given{.node = node_xml(), .nodes = 2};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}, {8192, 2e-6, 12e9}}, "p.txt");
  const Calibration c = calibrate(given);
  for (const std::string level : {"Machine", "L3"}) {
    const LevelCosts costs = level_of(c, level);
    EXPECT_EQ(costs.latency.source, "assumed: as level NUMANode, the nearest that was measured");
    EXPECT_EQ(costs.latency.value, 0.6);
    ASSERT_EQ(costs.segments.size(), 1u);
    EXPECT_EQ(costs.segments[0].bandwidth.value, 12);
    EXPECT_THAT(c.notes, Contains(level + ": no ping-pongs; assumed as level NUMANode"));
  }
  // Figures from inside a node are not used for the network.
  EXPECT_THAT(level_of(c, kNetwork).latency.source, HasSubstr("default order of magnitude"));
  EXPECT_THAT(c.notes, Contains(std::string(kNetwork) + ": no ping-pongs; defaults are assumed"));
  there_and_back(c.machine);
}

TEST(Calibrate, ADefaultIsNotFasterThanWhatIsInsideIt) {
  Given given{.node = node_xml(), .nodes = 2};
  add_ping_pongs(given.measurements, "Machine", {{0, 5e-6, 5e9}}, "m.txt");
  const LevelCosts network = level_of(calibrate(given), kNetwork);
  EXPECT_EQ(network.latency.value, 5);
  EXPECT_EQ(network.latency.source, "assumed: not below that of level Machine");
}

// The defaults of machine_from_xml within a socket: the overhead is half of the latency, and a link carries 7.5 times
// the bandwidth of a message. Within an L3 it would be twice, but the parts of an L3 are single cores.
TEST(Calibrate, OverheadsAndLinksThatWereNotMeasured) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  add_ping_pongs(given.measurements, "L3", {{0, 0.3e-6, 8e9}}, "l3.txt");
  const Calibration c = calibrate(given);
  const LevelCosts package = level_of(c, "NUMANode"), &l3 = level_of(c, "L3");
  EXPECT_EQ(package.overhead.value, 0.3);
  EXPECT_EQ(package.overhead.source, "assumed: 0.5 of the latency, as in a machine without figures of its own");
  EXPECT_EQ(package.link_bandwidth.value, 20);  // four cores send at most four messages
  EXPECT_EQ(package.link_bandwidth.source,
            "assumed: 4 times what one message gets, as in a machine without figures of its own");
  EXPECT_EQ(l3.link_bandwidth.value, 8);
}

// Inside an L3, the link of a core also carries messages of the outer levels.
TEST(Calibrate, InnerLinksCarryTheMessagesOfOuterLevels) {
  Given given{.node = node_xml(), .nodes = 2};
  add_ping_pongs(given.measurements, kNetwork, {{0, 2e-6, 11e9}}, "n.txt");
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 9e9}}, "p.txt");
  const LevelCosts l3 = level_of(calibrate(given), "L3");
  EXPECT_EQ(l3.bandwidth.value, 9);
  EXPECT_EQ(l3.link_bandwidth.value, 11);
  EXPECT_EQ(l3.link_bandwidth.source, "assumed: what one message of level System - Cluster gets");
}

TEST(Calibrate, TheRateOfOnePairBoundsTheOverhead) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  add(given.measurements, Operation::kRate, "NUMANode", 8, {{1, 5e6}}, "mbw.txt");
  const LevelCosts package = level_of(calibrate(given), "NUMANode");
  EXPECT_EQ(package.overhead.value, 0.2);
  EXPECT_EQ(package.overhead.source, "assumed: 1 / message rate of one pair (mbw.txt), which bounds it from above");
  // A slow rate does not make the overhead longer than the latency.
  given.measurements.back().value = 1e6;
  EXPECT_EQ(level_of(calibrate(given), "NUMANode").overhead.value, 0.6);
}

TEST(Calibrate, AListTakesTimeByItsLength) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  for (const double noise : {-0.02, 0.0, 0.01}) {
    add(given.measurements, Operation::kQueue, "NUMANode", 0, {{1, (0.3 + noise) * 1e-6}}, "probe.csv");
    add(given.measurements, Operation::kQueue, "NUMANode", 0, {{1024, (4.392 + noise) * 1e-6}}, "probe.csv");
  }
  const Calibration c = calibrate(given);
  ASSERT_TRUE(c.machine.queue_search);
  EXPECT_NEAR(c.machine.queue_search->si, 4e-9, 1e-15);
  EXPECT_THAT(c.machine.queue_search->source, StartsWith("measured: probe.csv, 6 samples"));
  const auto interval = figure_of(c, "messages", "queue_search").interval;
  ASSERT_TRUE(interval);
  EXPECT_NEAR(interval->low, 4e-9, 0.1e-9);
  EXPECT_NEAR(interval->high, 4e-9, 0.1e-9);
  EXPECT_EQ(machine_hash(there_and_back(c.machine)), machine_hash(c.machine));
}

TEST(Calibrate, ATableIsNoList) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  add(given.measurements, Operation::kQueue, "NUMANode", 0, {{1, 0.04e-6}, {1024, 0.05e-6}}, "probe.csv");
  const Calibration c = calibrate(given);
  EXPECT_FALSE(c.machine.queue_search);
  EXPECT_THAT(c.notes,
              Contains("queue_search: each of many messages in front takes 0.0098 ns (probe.csv), less than in "
                       "a list"));
}

TEST(Calibrate, ReceiveOverheadsAreMediansOfTheirSizes) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}, {8192, 2e-6, 12e9}}, "p.txt");
  for (const double us : {0.1, 0.12, 0.14})
    add(given.measurements, Operation::kReceiveOverhead, "NUMANode", 8, {{1, us * 1e-6}}, "probe.csv");
  add(given.measurements, Operation::kReceiveOverhead, "NUMANode", 8192, {{1, 0.5e-6}}, "probe.csv");
  add(given.measurements, Operation::kSendOverhead, "NUMANode", 8, {{1, 0.2e-6}}, "probe.csv");
  const Calibration c = calibrate(given);
  const LevelCosts inner = level_of(c, "NUMANode");
  ASSERT_TRUE(inner.receive_overhead);
  EXPECT_EQ(inner.receive_overhead->value, 0.12);
  EXPECT_THAT(inner.receive_overhead->source, StartsWith("measured: probe.csv, 3 samples"));
  EXPECT_GT(inner.receive_overhead->plus_minus, 0);
  EXPECT_EQ(inner.segments[0].receive_overhead->value, 0.5);
  EXPECT_TRUE(figure_of(c, "NUMANode", "receive_overhead").interval);
  EXPECT_EQ(level_of(c, "L3").receive_overhead->source,
            "assumed: as level NUMANode, the nearest where it was measured");
  const Machine again = there_and_back(c.machine);
  EXPECT_EQ(machine_hash(again), machine_hash(c.machine));
  // It shares the latency with the overhead.
  given.measurements.push_back(
      {.operation = Operation::kSendOverhead, .level = "L3", .value = 0.55e-6, .source = "l3.csv"});
  given.measurements.push_back(
      {.operation = Operation::kReceiveOverhead, .level = "L3", .value = 0.2e-6, .source = "l3.csv"});
  const LevelCosts l3 = level_of(calibrate(given), "L3");
  EXPECT_NEAR(l3.receive_overhead->si, l3.latency.si - l3.overhead.si, 1e-3 * l3.latency.si);
  EXPECT_THAT(l3.receive_overhead->source, HasSubstr("at most the latency less the overhead"));
}

// The library has fetched the message from shared memory before the call that is timed.
TEST(Calibrate, AReceiverThatLimitsTheRateTakesThatTime) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  add(given.measurements, Operation::kSendOverhead, "NUMANode", 8, {{1, 0.03e-6}}, "probe.csv");
  add(given.measurements, Operation::kReceiveOverhead, "NUMANode", 8, {{1, 0.04e-6}}, "probe.csv");
  add(given.measurements, Operation::kRate, "NUMANode", 8, {{1, 1 / 0.12e-6}}, "probe.csv");
  const LevelCosts slow = level_of(calibrate(given), "NUMANode");
  EXPECT_EQ(slow.receive_overhead->value, 0.12);
  EXPECT_EQ(
      slow.receive_overhead->source,
      "assumed: 1 / message rate of one pair (probe.csv), whose sender is faster; the calls that receive take 0.04 "
      "us (probe.csv)");
  given.measurements.back().value = 1 / 0.031e-6;
  EXPECT_EQ(level_of(calibrate(given), "NUMANode").receive_overhead->value, 0.04);
}

// Streams of one pair: 0.1 us for each message one way, and 0.16 us for one out and one in.
TEST(Calibrate, StreamsOfMessagesShowTheReceiveOverhead) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  for (const double bytes : {8.0, 64.0, 512.0})
    add(given.measurements, Operation::kOneWay, "NUMANode", bytes, {{1, bytes / 0.1e-6}}, "bw.txt");
  add(given.measurements, Operation::kOneWay, "NUMANode", 1048576, {{1, 6e9}}, "bw.txt");
  const LevelCosts one_way = level_of(calibrate(given), "NUMANode");
  EXPECT_EQ(one_way.receive_overhead->value, 0.1);
  EXPECT_EQ(one_way.receive_overhead->source,
            "assumed: 1 / message rate of one pair, of these sizes (bw.txt), which bounds it from above");
  Given both = given;
  add(both.measurements, Operation::kSendOverhead, "NUMANode", 8, {{1, 0.1e-6}}, "isend.csv");
  EXPECT_FALSE(level_of(calibrate(both), "NUMANode").receive_overhead) << "the sender explains the rate";
  for (const double bytes : {8.0, 64.0, 512.0})
    add(both.measurements, Operation::kBothWays, "NUMANode", bytes, {{1, 2 * bytes / 0.16e-6}}, "bibw.txt");
  const LevelCosts costs = level_of(calibrate(both), "NUMANode");
  EXPECT_NEAR(costs.receive_overhead->si, 0.06e-6, 1e-12);
  EXPECT_EQ(costs.receive_overhead->source, "assumed: time of a message out and one in (bibw.txt) less the overhead");
}

TEST(Calibrate, WithoutEvidenceAReceiveCostsAsMuchAsASend) {
  Given given{.node = node_xml(), .nodes = 2};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}, {8192, 3e-6, 8e9}}, "p.txt");
  const Calibration c = calibrate(given);
  for (const LevelCosts& level : c.machine.levels) {
    ASSERT_TRUE(level.receive_overhead) << level.level;
    EXPECT_NEAR(level.receive_overhead->si, std::min(level.overhead.si, level.latency.si - level.overhead.si), 1e-11);
    EXPECT_THAT(level.receive_overhead->source, StartsWith("assumed: as the overhead; LogP"));
    for (const Segment& s : level.segments)
      EXPECT_NEAR(s.receive_overhead->si, std::min(s.overhead.si, s.latency.si - s.overhead.si), 1e-11);
  }
  there_and_back(c.machine);
  // The time of MPI_Recv is missing beside that of MPI_Isend: it is shorter than the clock's resolution.
  add(given.measurements, Operation::kSendOverhead, "NUMANode", 8, {{1, 0.2e-6}}, "isend.csv");
  for (const std::string level : {"L3", "NUMANode", "Machine"})
    EXPECT_FALSE(level_of(calibrate(given), level).receive_overhead) << level;
  // A message out and one in take no longer than the overhead.
  add(given.measurements, Operation::kBothWays, "NUMANode", 8, {{1, 2 * 8 / 0.19e-6}}, "bibw.txt");
  EXPECT_EQ(level_of(calibrate(given), "NUMANode").receive_overhead->value, 0);
}

// Two ranks exchange two messages in 2.5 us, of which 24 B take 3 ns at 8 GB/s.
TEST(Calibrate, AnExchangeOfTwoRanksShowsTheReceiveOverhead) {
  Given given{.node = node_xml(), .nodes = 2};
  add_ping_pongs(given.measurements, kNetwork, {{0, 2e-6, 8e9}}, "p.txt");
  add(given.measurements, Operation::kExchange, kNetwork, 8, {{2, 2.503e-6}}, "imb.txt");
  add(given.measurements, Operation::kExchange, kNetwork, 65536, {{2, 1e-3}}, "imb.txt");
  const LevelCosts both = level_of(calibrate(given), kNetwork);
  EXPECT_NEAR(both.overhead.si, 0.5e-6, 1e-9);
  EXPECT_EQ(both.overhead.source, "assumed: two ranks exchange two messages (imb.txt), and both overheads are equal");
  EXPECT_NEAR(both.receive_overhead->si, 0.5e-6, 1e-9);
  EXPECT_THAT(calibrate(given).notes,
              Contains("imb.txt: 1 time of collectives and rings, which no figure is fitted to"));  // that of 64 KiB
  add(given.measurements, Operation::kSendOverhead, kNetwork, 8, {{1, 0.4e-6}}, "isend.csv");
  const LevelCosts one = level_of(calibrate(given), kNetwork);
  EXPECT_NEAR(one.receive_overhead->si, 0.5e-6, 1e-9);
  EXPECT_EQ(one.receive_overhead->source,
            "assumed: what two ranks that exchange two messages (imb.txt) take longer than a ping-pong");
  there_and_back(calibrate(given).machine);
}

TEST(Calibrate, LinksSaturate) {
  Given given{.node = node_xml(), .nodes = 2};
  add_ping_pongs(given.measurements, kNetwork, {{0, 2e-6, 8e9}}, "n.txt");
  add(given.measurements, Operation::kOneWay, kNetwork, 65536, {{1, 8e9}, {2, 9e9}, {4, 9e9}}, "mbw.txt");
  add(given.measurements, Operation::kOneWay, kNetwork, 4194304, {{1, 8e9}, {2, 12e9}, {4, 12e9}, {8, 12e9}},
      "mbw.txt");
  add(given.measurements, Operation::kBothWays, kNetwork, 4194304, {{1, 14e9}, {2, 18e9}, {4, 18e9}, {8, 18e9}},
      "bi.txt");
  add(given.measurements, Operation::kRate, kNetwork, 8, {{1, 4e6}, {2, 8e6}, {4, 16e6}, {8, 20e6}, {16, 20e6}},
      "mbw.txt");
  const Calibration c = calibrate(given);
  const LevelCosts network = level_of(c, kNetwork);
  EXPECT_EQ(network.link_bandwidth.value, 12);  // from the size with the highest rate among those with the most pairs
  EXPECT_THAT(network.link_bandwidth.source, StartsWith("measured: mbw.txt, 4 samples"));
  EXPECT_EQ(network.link_bandwidth.plus_minus, 0);  // the samples are exact
  ASSERT_TRUE(network.duplex_bandwidth);
  EXPECT_EQ(network.duplex_bandwidth->value, 18);
  ASSERT_TRUE(network.gap);
  EXPECT_EQ(network.gap->value, 0.05);
  const Machine again = there_and_back(c.machine);
  EXPECT_EQ(again.levels[0].gap->si, network.gap->si);
}

TEST(Calibrate, TheEagerLimitIsThatOfTheOutermostLevel) {
  Given given{.node = node_xml(), .nodes = 2};
  add_ping_pongs(given.measurements, kNetwork, {{0, 2e-6, 8e9}}, "p.csv");
  const Calibration without = calibrate(given);
  EXPECT_EQ(without.machine.eager_limit.si, 4096);
  EXPECT_THAT(without.machine.eager_limit.source, StartsWith("assumed: "));
  for (int i = 0; i < 3; ++i) {
    add(given.measurements, Operation::kEagerLimit, kNetwork, 0, {{1, 8256}}, "p.csv");
    add(given.measurements, Operation::kEagerLimit, "L3", 0, {{1, 4041}}, "p.csv");
  }
  const Calibration c = calibrate(given);
  EXPECT_EQ(c.machine.eager_limit.si, 8256);
  EXPECT_EQ(c.machine.eager_limit.source, "measured: p.csv, 3 samples");
  EXPECT_TRUE(figure_of(c, "messages", "eager_limit").is_measured());
  EXPECT_THAT(c.notes,
              Contains("L3: messages of 4041 B and more wait for their receiver; a machine has one limit, that "
                       "of its outermost level, 8256 B"));
}

// The pairs of a node reach 24 GB/s, those that use one port 12.
TEST(Calibrate, PortsOfANode) {
  Given given{.node = node_xml(), .nodes = 2, .ports = {"Package 0", "Package 1"}};
  add_ping_pongs(given.measurements, kNetwork, {{0, 2e-6, 8e9}}, "n.txt");
  add(given.measurements, Operation::kOneWay, kNetwork, 4194304, {{1, 8e9}, {2, 16e9}, {4, 24e9}, {8, 24e9}},
      "mbw.txt");
  Calibration c = calibrate(given);
  EXPECT_EQ(c.machine.ports->bandwidth.value, 12);
  EXPECT_EQ(c.machine.ports->bandwidth.source, "assumed: the link of a node, in 2 equal parts");
  EXPECT_EQ(there_and_back(c.machine).ports->bandwidth.value, 12);

  add(given.measurements, Operation::kOneWay, kPorts, 4194304, {{1, 8e9}, {2, 11e9}, {4, 11e9}}, "port.txt");
  c = calibrate(given);
  EXPECT_EQ(c.machine.ports->bandwidth.value, 11);
  EXPECT_THAT(c.machine.ports->bandwidth.source, StartsWith("measured: port.txt, 3 samples"));
  EXPECT_EQ(figure_of(c, kPorts, "bandwidth").figure.value, 11);
  EXPECT_EQ(level_of(c, kNetwork).link_bandwidth.value, 24) << "the node's";

  Given of_port{.node = node_xml(), .nodes = 2, .ports = given.ports};
  add_ping_pongs(of_port.measurements, kNetwork, {{0, 2e-6, 8e9}}, "n.txt");
  add(of_port.measurements, Operation::kOneWay, kPorts, 4194304, {{1, 8e9}, {2, 11e9}, {4, 11e9}}, "port.txt");
  c = calibrate(of_port);
  EXPECT_EQ(level_of(c, kNetwork).link_bandwidth.value, 22);
  EXPECT_EQ(level_of(c, kNetwork).link_bandwidth.source, "assumed: the node's 2 ports together");

  given.measurements.resize(given.measurements.size() - 3);
  add(given.measurements, Operation::kOneWay, kPorts, 4194304, {{1, 7e9}, {2, 7e9}, {4, 7e9}}, "port.txt");
  c = calibrate(given);
  EXPECT_EQ(c.machine.ports->bandwidth.value, 8);
  EXPECT_EQ(c.machine.ports->bandwidth.source, "assumed: what one message between nodes gets");
  EXPECT_THAT(c.notes,
              Contains("ports: pairs at one port together get 7 GB/s (port.txt), less than one message alone"));
  given.ports.clear();
  EXPECT_THROW(calibrate(given), InputError) << "no ports are stated";
}

TEST(Calibrate, LinksThatWereNotFilledCarryAtLeastThis) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  add(given.measurements, Operation::kOneWay, "NUMANode", 4194304, {{1, 5e9}, {2, 10e9}, {4, 20e9}, {8, 30e9}},
      "mbw.txt");
  add(given.measurements, Operation::kBothWays, "NUMANode", 4194304, {{1, 10e9}, {2, 20e9}, {4, 40e9}}, "bi.txt");
  const Calibration c = calibrate(given);
  EXPECT_EQ(level_of(c, "NUMANode").link_bandwidth.value, 20);
  EXPECT_THAT(level_of(c, "NUMANode").link_bandwidth.source,
              HasSubstr("; at least this, for 4 at once did not fill it"));
  EXPECT_THAT(c.notes, Contains("NUMANode: rates (bandwidth one way) of more than 4 pairs at once are not used, for a "
                                "part has only as many cores"));
  EXPECT_FALSE(level_of(c, "NUMANode").duplex_bandwidth);  // twice the link, so it is not a separate limit
}

TEST(Calibrate, PairsThatGetLessThanOneMessageAreTold) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  add(given.measurements, Operation::kOneWay, "NUMANode", 4194304, {{1, 4e9}, {2, 4e9}, {4, 4e9}}, "mbw.txt");
  const Calibration c = calibrate(given);
  EXPECT_EQ(level_of(c, "NUMANode").link_bandwidth.value, 5);
  EXPECT_THAT(c.notes,
              Contains("NUMANode: pairs together get 4 GB/s, less than one message of level NUMANode, 5 GB/s"));
  there_and_back(c.machine);
}

TEST(Calibrate, WithoutPingPongsBandwidthsOfPairsCount) {
  Given given{.node = node_xml(), .nodes = 2};
  add(given.measurements, Operation::kOneWay, kNetwork, 4194304, {{1, 9e9}}, "osu_bw.txt");
  const LevelCosts network = level_of(calibrate(given), kNetwork);
  EXPECT_EQ(network.bandwidth.value, 9);
  EXPECT_EQ(network.bandwidth.source, "measured: osu_bw.txt, 1 sample, of messages that follow each other");
}

// 1.002 us at 8 B, of which 3 ns are transfer time at the default of 8 GB/s, including the envelope.
TEST(Calibrate, OneSizeAloneTellsTheLatencyIfItIsShort) {
  Given given{.node = node_xml()};
  add(given.measurements, Operation::kPingPong, "NUMANode", 8, {{1, 1.002e-6}}, "a.txt");
  EXPECT_EQ(level_of(calibrate(given), "NUMANode").latency.value, 0.999);
  given.measurements[0].bytes = 65536;
  const Calibration c = calibrate(given);
  EXPECT_THAT(level_of(c, "NUMANode").latency.source, StartsWith("assumed"));
  EXPECT_THAT(c.notes, Contains("NUMANode: a.txt has ping-pongs of 65536 B alone, which tell no latency"));
}

// Only one size was measured at this level. The other segments are those of the nearest level, shifted by the same
// time.
TEST(Calibrate, OneSizeAloneMovesTheSegmentsOfTheNearestLevel) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.5e-6, 1e9}, {8192, 3e-6, 8e9}}, "p.txt");
  add(given.measurements, Operation::kPingPong, "Machine", 8, {{1, 1.024e-6}},
      "a.txt");  // 24 ns are transfer time
  const Calibration c = calibrate(given);
  const LevelCosts inner = level_of(c, "NUMANode"), outer = level_of(c, "Machine");
  EXPECT_NEAR(outer.latency.si, 1e-6, 1e-9);
  EXPECT_THAT(outer.latency.source, StartsWith("measured: a.txt, 1 sample"));
  EXPECT_EQ(outer.bandwidth.si, inner.bandwidth.si);
  ASSERT_EQ(inner.segments.size(), 1u);
  ASSERT_EQ(outer.segments.size(), 1u);
  EXPECT_EQ(outer.segments[0].from.si, inner.segments[0].from.si);
  EXPECT_EQ(outer.segments[0].bandwidth.si, inner.segments[0].bandwidth.si);
  EXPECT_NEAR(outer.segments[0].latency.si - inner.segments[0].latency.si, outer.latency.si - inner.latency.si, 1e-9);
  EXPECT_THAT(outer.segments[0].latency.source,
              StartsWith("assumed: as level NUMANode, the nearest that was measured"));
  there_and_back(c.machine);
}

TEST(Calibrate, TimesThatFallAreToldAndNotUsed) {
  Given given{.node = node_xml()};
  for (const double m : {1.0, 2.0, 4.0, 8.0})
    add(given.measurements, Operation::kPingPong, "NUMANode", m, {{1, 9e-6 / m}}, "a.txt");
  const Calibration c = calibrate(given);
  EXPECT_THAT(c.notes,
              Contains("NUMANode: ping-pongs of a.txt are times that do not grow with the size; they are not used"));
  EXPECT_THAT(level_of(c, "NUMANode").latency.source, StartsWith("assumed"));
}

// --- latencies across levels

TEST(Calibrate, LatenciesThatDoNotDifferWithinTheirIntervalsArePooled) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "Machine", {{0, 0.698e-6, 5e9}}, "m.txt", 0.03, 5);
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.702e-6, 5e9}}, "p.txt", 0.03, 6);
  const Calibration c = calibrate(given);
  const Figure outer = level_of(c, "Machine").latency, inner = level_of(c, "NUMANode").latency;
  EXPECT_GE(outer.si, inner.si);
  for (const std::string level : {"Machine", "NUMANode"}) {
    const CalibratedFigure& f = figure_of(c, level, "latency");
    EXPECT_LE(f.interval->low, f.figure.si);
    EXPECT_GE(f.interval->high, f.figure.si);
  }
}

TEST(Calibrate, LatenciesThatContradictTheTreeStayAndAreTold) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "Machine", {{0, 0.5e-6, 5e9}}, "m.txt", 0.01, 5);
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.7e-6, 5e9}}, "p.txt", 0.01, 6);
  const Calibration c = calibrate(given);
  EXPECT_NEAR(level_of(c, "Machine").latency.si, 0.5e-6, 0.02e-6);
  EXPECT_NEAR(level_of(c, "NUMANode").latency.si, 0.7e-6, 0.02e-6);
  EXPECT_THAT(c.notes,
              Contains(::testing::MatchesRegex("Machine: the latency, 0[.][0-9]+ us, is below that of level NUMANode "
                                               "inside it, 0[.][0-9]+ us; both stay as measured")));
}

// A ring of two processes, and their ping-pongs: HPCC measures no other rates. At L3 the parts are cores, whose links
// one pair fills; at Machine they are packages, of which more pairs might get more.
TEST(Calibrate, BothWaysOfOnePairAreThoseOfACore) {
  for (const std::string level : {"L3", "Machine"}) {
    Given given{.node = node_xml()};
    add_ping_pongs(given.measurements, level, {{0, 0.3e-6, 8e9}}, "p.txt");
    add(given.measurements, Operation::kBothWays, level, 2000000, {{1, 12e9}}, "hpccoutf.txt");
    const Calibration c = calibrate(given);
    const LevelCosts costs = level_of(c, level);
    if (level == "L3") {
      EXPECT_EQ(costs.link_bandwidth.value, 8);
      ASSERT_TRUE(costs.duplex_bandwidth);
      EXPECT_EQ(costs.duplex_bandwidth->value, 12);
      EXPECT_EQ(costs.duplex_bandwidth->source, "measured: hpccoutf.txt, 1 sample");
      there_and_back(c.machine);
    } else {
      EXPECT_FALSE(costs.duplex_bandwidth);
      EXPECT_THAT(c.notes,
                  Contains("Machine: rates both ways (hpccoutf.txt) of one pair alone do not show what the link "
                           "of 8 cores carries"));
    }
  }
}

// --- memory

TEST(Calibrate, MemorySaturates) {
  Given given{.node = node_xml()};  // NUMA nodes of eight cores with two L3s of 16 MB
  add(given.measurements, Operation::kCopy, "", 1e9, {{1, 16e9}, {2, 32e9}, {4, 40e9}, {8, 40e9}}, "stream.txt");
  add(given.measurements, Operation::kCopy, "", 1e9, {{16, 84e9}}, "stream16.txt");  // both NUMA nodes
  add(given.measurements, Operation::kDaxpy, "", 1e9, {{1, 24e9}, {2, 48e9}, {4, 60e9}, {8, 60e9}}, "daxpy.txt");
  add(given.measurements, Operation::kCopy, "", 4e6, {{1, 50e9}}, "stream.txt");   // in the cache
  add(given.measurements, Operation::kCopy, "", 12e6, {{1, 20e9}}, "stream.txt");  // partly in the cache
  const Calibration c = calibrate(given);
  EXPECT_EQ(c.machine.copy_bandwidth.value, 8);
  EXPECT_EQ(c.machine.copy_bandwidth.source, "measured: stream.txt, 1 sample");
  EXPECT_EQ(c.machine.stated_combine_bandwidth->value, 8);
  ASSERT_TRUE(c.machine.memory);
  EXPECT_NEAR(c.machine.memory->bandwidth.value, 40, 1);
  EXPECT_THAT(c.machine.memory->bandwidth.source, StartsWith("measured: stream.txt and stream16.txt, 5 samples"));
  EXPECT_GT(c.machine.memory->bandwidth.plus_minus, 0);
  EXPECT_EQ(c.machine.memory->stated_combine_bandwidth->value, 60);
  EXPECT_EQ(c.machine.memory->cache_bandwidth->value, 50);
  EXPECT_EQ(there_and_back(c.machine).memory->cache_bandwidth->value, 50);
  EXPECT_EQ(there_and_back(c.machine).memory->cached, CachedBy::kBuffers);
}

// Four cores of an L3 of 16 MB, each with an L2 of 512 kB, as kerncraft measures them.
TEST(Calibrate, CachesSaturate) {
  const TemporaryFolder folder;
  const std::filesystem::path node = folder.path() / "node.xml";
  export_synthetic_as_xml("pack:2 [numa] l3:2(size=16000000) l2:4(size=512000) core:1 pu:1", node.string());
  const auto with = [&](const std::map<int, double>& rates, double bytes) {
    Given given{.node = node};
    add(given.measurements, Operation::kCopy, "", 1e9, {{1, 16e9}, {2, 32e9}, {4, 40e9}, {8, 40e9}}, "zen.yml");
    add(given.measurements, Operation::kCopy, "", bytes, rates, "zen.yml");
    return calibrate(given);
  };
  const Calibration c = with({{1, 50e9}, {2, 100e9}, {3, 150e9}, {4, 160e9}}, 5e6);
  ASSERT_TRUE(c.machine.memory->shared_cache_bandwidth);
  EXPECT_EQ(c.machine.memory->shared_cache_bandwidth->value, 160);
  EXPECT_EQ(c.machine.memory->shared_cache_bandwidth->source, "measured: zen.yml, 4 samples");
  EXPECT_EQ(c.machine.memory->cache_bandwidth->value, 50);
  EXPECT_EQ(c.machine.memory->bandwidth.value, 40);
  EXPECT_THAT(c.notes, Not(Contains(HasSubstr("memory"))));
  EXPECT_EQ(there_and_back(c.machine).memory->shared_cache_bandwidth->value, 160);
  EXPECT_EQ(figure_of(c, "memory", "shared_cache_bandwidth").figure.value, 160);
  // In proportion to the cores up to all of a cache: at least this.
  EXPECT_EQ(with({{1, 50e9}, {2, 100e9}, {4, 200e9}}, 5e6).machine.memory->shared_cache_bandwidth->source,
            "measured: zen.yml, 3 samples; at least this, for 4 at once did not fill it");
  // Two of four cores show no limit; arrays of a core in its own L2 (512 KiB), or in two L3s, none of an L3.
  const Calibration two = with({{1, 50e9}, {2, 100e9}}, 5e6);
  EXPECT_FALSE(two.machine.memory->shared_cache_bandwidth);
  EXPECT_THAT(two.notes, Contains("memory: 2 of the 4 cores of a cache (zen.yml) do not show where it saturates; this "
                                  "machine's caches are never a bottleneck"));
  EXPECT_FALSE(with({{1, 50e9}, {2, 100e9}, {3, 150e9}, {4, 160e9}}, 2e5).machine.memory->shared_cache_bandwidth);
  EXPECT_FALSE(with({{8, 320e9}}, 5e6).machine.memory->shared_cache_bandwidth);
}

// A job on all 16 cores, as HPCC's StarSTREAM: 3 MB of each array for each core are 24 MB for the 32 MB of caches of
// each NUMA node, though 48 MB in all.
TEST(Calibrate, ArraysThatFitIntoCachesOfAllNumaNodesAreNotInMemory) {
  Given given{.node = node_xml()};
  add(given.measurements, Operation::kCopy, "", 48e6, {{16, 300e9}}, "hpccoutf.txt");
  add(given.measurements, Operation::kTriad, "", 48e6, {{16, 320e9}}, "hpccoutf.txt");
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "p.txt");
  const Calibration c = calibrate(given);
  EXPECT_FALSE(c.machine.memory);
  const std::string note =
      "memory: hpccoutf.txt has 2 rates of arrays that fit into the caches of their cores (32000000 B in a NUMA node); "
      "they "
      "are not used";
  EXPECT_EQ(std::count_if(c.notes.begin(), c.notes.end(), [](const auto& n) { return n.starts_with("memory: "); }), 1);
  EXPECT_THAT(c.notes, Contains(note));
  // With larger arrays, the rate is that of two memories.
  Given large{.node = node_xml()};
  add(large.measurements, Operation::kCopy, "", 96e6, {{16, 80e9}}, "hpccoutf.txt");
  EXPECT_EQ(calibrate(large).machine.memory->bandwidth.value, 40);
}

TEST(Calibrate, TriadsStandForCopies) {
  Given given{.node = node_xml()};
  add(given.measurements, Operation::kTriad, "", 1e9, {{1, 18e9}, {8, 45e9}}, "stream.txt");
  const Calibration c = calibrate(given);
  ASSERT_TRUE(c.machine.memory);
  EXPECT_EQ(c.machine.memory->bandwidth.value, 40);  // STREAM counts 45 of 60 moved; a copy counts 40 of 60
  EXPECT_EQ(c.machine.copy_bandwidth.value, 8);
  EXPECT_THAT(c.machine.memory->bandwidth.source, StartsWith("assumed: 8/9 of the rate of triads"));
  EXPECT_FALSE(figure_of(c, "memory", "bandwidth").interval);
  there_and_back(c.machine);
}

TEST(Calibrate, OneCoreDoesNotTellWhereMemorySaturates) {
  Given given{.node = node_xml()};
  add(given.measurements, Operation::kCopy, "", 1e9, {{1, 16e9}}, "stream.txt");
  const Calibration c = calibrate(given);
  EXPECT_EQ(c.machine.copy_bandwidth.value, 8);
  EXPECT_FALSE(c.machine.memory);
  EXPECT_THAT(c.notes, Contains(HasSubstr("do not tell where it saturates")));
}

// --- notes

TEST(Calibrate, FilesThatContradictEachOtherAreToldWithBothValues) {
  Given given{.node = node_xml()};
  const double envelope = kEnvelopeBytes / 5e9;  // s
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6 - envelope, 5e9}}, "a.txt");
  add_ping_pongs(given.measurements, "NUMANode", {{0, 1.2e-6 - envelope, 5e9}}, "b.txt");
  const Calibration c = calibrate(given);
  EXPECT_THAT(c.notes, Contains(::testing::MatchesRegex(
                           "a.txt and b.txt contradict each other: ping-pong at NUMANode of 0 B, 1 at once: 0.6 us and "
                           "1.2 us .the worst of [0-9]+ such places.; both are used")));
  Given agreeing{.node = node_xml()};
  add_ping_pongs(agreeing.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "a.txt");
  add_ping_pongs(agreeing.measurements, "NUMANode", {{0, 0.8e-6, 5e9}}, "b.txt");
  EXPECT_THAT(calibrate(agreeing).notes, Not(Contains(HasSubstr("contradict"))));
}

TEST(Calibrate, WhatHasNoFigureIsTold) {
  Given given{.node = node_xml()};
  add_ping_pongs(given.measurements, "NUMANode", {{0, 0.6e-6, 5e9}}, "a.txt");
  add(given.measurements, Operation::kBroadcast, "NUMANode", 8, {{8, 2e-6}}, "imb.txt");
  given.measurements.push_back({.level = "NUMANode", .bytes = 8, .value = 0, .source = "a.txt:7"});
  const Calibration c = calibrate(given);
  EXPECT_THAT(c.notes, Contains("imb.txt: 1 time of collectives and rings, which no figure is fitted to"));
  EXPECT_THAT(c.notes, Contains("a.txt:7: not a positive value; left out"));
}

std::string fault_of(const Given& given) {
  try {
    calibrate(given);
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(Calibrate, RefusesLevelsThatTheMachineDoesNotHave) {
  EXPECT_THAT(fault_of({.node = node_xml()}), HasSubstr("has no measurements"));
  Given given{.node = node_xml()};
  add(given.measurements, Operation::kPingPong, kNetwork, 8, {{1, 1e-6}}, "a.txt");
  EXPECT_EQ(
      fault_of(given),
      "a.txt:1: no two cores of this machine meet at level 'System - Cluster'; they meet at Machine, NUMANode, L3; "
      "between nodes with --nodes 2 or more");
  EXPECT_THAT(fault_of({.node = "/no/such.xml"}), HasSubstr("/no/such.xml"));
}

// --- ARCHER2's public ping-pongs

// The machine of the catalog has lines through four sizes of these ping-pongs (8 B, 4 KiB, 64 KiB, 1 MiB), with
// breakpoints at 4 KiB and 64 KiB on every level. The fit uses all sizes, so its breakpoints follow the data. Its
// figures are near those lines, and it predicts the measured times better.
TEST(Calibrate, Archer2IsNearTheMachineOfTheCatalog) {
  const Machine catalog = load_machine("platforms/data/archer2/machine.yaml");
  const std::map<std::string, std::string> levels = {
      {"ccx", "L3"}, {"numa", "NUMANode"}, {"socket", "Package"}, {"node", "Machine"}, {"network", kNetwork}};
  Given given{.node = "platforms/data/archer2/node.xml", .nodes = 16};
  std::ifstream in("docs/fidelity/archer2-pingpong.csv");
  std::string line;
  while (std::getline(in, line)) {
    std::istringstream row(line);
    std::string level, bytes, time;
    std::getline(row, level, ',') && std::getline(row, bytes, ',') && std::getline(row, time);
    if (!levels.contains(level)) continue;
    given.measurements.push_back({.level = levels.at(level),
                                  .bytes = std::stod(bytes),
                                  .value = std::stod(time) * 1e-6,
                                  .source = "archer2-pingpong.csv"});
  }
  ASSERT_EQ(given.measurements.size(), 120u);
  const Calibration c = calibrate(given);
  ASSERT_EQ(c.curves.size(), 5u);
  for (const LevelCosts& known : catalog.levels) {
    SCOPED_TRACE(known.level);
    const LevelCosts fitted = level_of(c, known.level);
    EXPECT_NEAR(fitted.latency.si, known.latency.si, 0.15 * known.latency.si);
    double of_fit = 0, of_catalog = 0;
    int count = 0;
    for (const Measurement& m : given.measurements) {
      if (m.level != known.level) continue;
      const auto error = [&](const LevelCosts& costs) {
        const MessageFigures f = figures_of(costs, m.bytes);
        return std::abs(std::log((f.latency_s + m.bytes / f.bandwidth) / m.value));
      };
      of_fit += error(fitted);
      of_catalog += error(known);
      ++count;
    }
    EXPECT_LT(of_fit, of_catalog);
    EXPECT_LT(of_fit / count, 0.1);
    // At 256 KiB, beyond every breakpoint.
    const MessageFigures a = figures_of(fitted, 262144), b = figures_of(known, 262144);
    EXPECT_NEAR(a.latency_s + 262144 / a.bandwidth, b.latency_s + 262144 / b.bandwidth,
                0.1 * (b.latency_s + 262144 / b.bandwidth));
    std::printf("%s: latency %.3g us (catalog %.3g)", known.level.c_str(), fitted.latency.value, known.latency.value);
    for (const Segment& s : fitted.segments)
      std::printf("; from %g B %.3g us %.3g GB/s", s.from.si, s.latency.value, s.bandwidth.value);
    std::printf("; mean |log error| %.3f (catalog %.3f)\n", of_fit / count, of_catalog / count);
  }
  there_and_back(c.machine);
}

}  // namespace
}  // namespace strata::calibration
