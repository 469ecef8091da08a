// SPDX-License-Identifier: LGPL-2.1-only
// The closed loop: samples made from known figures are calibrated and compared with samples of a machine that has these
// figures, and of one that has not.
#include "calibration/loop.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>
#include <vector>

#include "platforms/node_tree.h"
#include "platforms/payload.h"
#include "tests/calibration/fit/noise.h"
#include "tests/process/process.h"

namespace strata::calibration {
namespace {

constexpr const char* kLevel = "NUMANode";  // the level at which the packages of the node meet

struct Made {
  double latency_s = 1e-6, later_s = 3e-6;  // below and from 8 KiB
  double bandwidth = 4e9, later_bandwidth = 9e9;
  double search_s = 5e-9, overhead_s = 0.3e-6, link = 20e9, both = 30e9;
};

// Samples of a machine with these figures; `noise` is relative.
std::vector<Measurement> samples_of(const Made& made, int samples, double noise) {
  Noise random(3);
  std::vector<Measurement> all;
  const auto add = [&](Operation operation, double bytes, int at_once, double value) {
    for (int i = 0; i < samples; ++i)
      all.push_back({operation, kLevel, bytes, at_once, value * (1 + noise * random.normal()), "probe.csv:1"});
  };
  for (double m = 1; m <= 4194304; m *= 2) {
    const double wire = m + kEnvelopeBytes;
    add(Operation::kPingPong, m, 1,
        m < 8192 ? made.latency_s + wire / made.bandwidth : made.later_s + wire / made.later_bandwidth);
  }
  add(Operation::kSendOverhead, 8, 1, made.overhead_s);
  for (const int k : {1, 1024}) add(Operation::kQueue, 0, k, 1e-7 + k * made.search_s);
  for (const int k : {1, 2, 4}) {
    add(Operation::kOneWay, 1048576, k, std::min(k * made.later_bandwidth, made.link));
    add(Operation::kBothWays, 1048576, k, std::min(2 * k * made.later_bandwidth, made.both));
  }
  return all;
}

Machine two_packages() {
  static const TemporaryFolder folder;
  const std::string xml = folder.path() / "node.xml";
  export_synthetic_as_xml("pack:2 core:4 pu:1", xml);
  return machine_from_xml(xml, 1);
}

std::map<std::string, LoopFigure> by_name(const std::vector<LoopFigure>& figures) {
  std::map<std::string, LoopFigure> all;
  for (const LoopFigure& f : figures) all[f.measured.name] = f;
  return all;
}

TEST(Loop, FiguresOfTheSameMachineComeBack) {
  const Calibration c = calibrate(two_packages(), samples_of({}, 5, 0.02));
  const auto loop = by_name(close_loop(c, samples_of({}, 1, 0)));
  for (const char* name : {"latency", "bandwidth", "overhead", "link_bandwidth", "latency from 8192 B",
                           "bandwidth from 8192 B", "duplex_bandwidth", "queue_search"}) {
    ASSERT_TRUE(loop.contains(name)) << name;
    ASSERT_TRUE(loop.at(name).within) << name;
    EXPECT_TRUE(*loop.at(name).within) << name << ": " << loop.at(name).ratio();
    EXPECT_NEAR(loop.at(name).ratio(), 1, 0.05) << name;
  }
  EXPECT_FALSE(loop.contains("from 8192 B"));  // a breakpoint is not a figure to compare
  EXPECT_FALSE(loop.contains("speed"));        // assumed
}

TEST(Loop, FiguresOfAnotherMachineDoNot) {
  const Calibration c = calibrate(two_packages(), samples_of({}, 5, 0.02));
  const Made other{.latency_s = 1.5e-6, .later_bandwidth = 7e9, .overhead_s = 0.4e-6, .link = 15e9};
  const auto loop = by_name(close_loop(c, samples_of(other, 1, 0)));
  for (const char* name : {"latency", "overhead", "link_bandwidth", "bandwidth from 8192 B"})
    EXPECT_FALSE(loop.at(name).within.value_or(true)) << name;
  EXPECT_NEAR(loop.at("latency").ratio(), 1.5, 0.05);
  EXPECT_TRUE(*loop.at("duplex_bandwidth").within);
}

TEST(Loop, WithoutAnIntervalNothingIsSaidOfIt) {
  const Calibration c = calibrate(two_packages(), {{Operation::kPingPong, kLevel, 0, 1, 1e-6, "a.txt:1"},
                                                   {Operation::kPingPong, kLevel, 1024, 1, 2e-6, "a.txt:2"}});
  const auto loop = by_name(close_loop(c, samples_of({}, 1, 0)));
  ASSERT_TRUE(loop.contains("latency"));
  EXPECT_FALSE(loop.at("latency").within);
}

// One core copies 5 GB/s, so it reads plus writes 10; all together read plus write 24 GB/s.
TEST(Loop, Memory) {
  std::vector<Measurement> measured;
  for (const auto& [cores, rate] : std::map<int, double>{{1, 10e9}, {2, 20e9}, {4, 24e9}, {8, 24e9}}) {
    for (const double noise : {0.99, 1.0, 1.01})
      measured.push_back({Operation::kCopy, "", 1e9, cores, noise * rate, "s.txt:1"});
  }
  const Calibration c = calibrate(two_packages(), measured);
  const auto loop =
      close_loop(c, {{Operation::kCopy, "", 0, 1, 10e9, "memory"}, {Operation::kCopy, "", 0, 8, 20e9, "memory"}});
  ASSERT_EQ(loop.size(), 2u);
  EXPECT_EQ(loop[0].measured.name, "copy_bandwidth");
  EXPECT_EQ(loop[0].simulated, 5e9);
  EXPECT_TRUE(*loop[0].within);
  EXPECT_EQ(loop[1].measured.level, "memory");
  EXPECT_EQ(loop[1].simulated, 20e9);
  EXPECT_FALSE(*loop[1].within);
}

}  // namespace
}  // namespace strata::calibration
