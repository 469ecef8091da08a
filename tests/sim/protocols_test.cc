// SPDX-License-Identifier: LGPL-2.1-only
// Segments by size, gaps of a node, and duplex limits of links, simulated and compared with equations.
//
// The unit machine (unit_machine.h) with other figures between its two nodes. A message of m bytes of payload has m +
// 16 bytes on the wire. Segments depend on the payload.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/platforms/fabric_machines.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

constexpr double kUs = 1e-6, kGBs = 1e9;
constexpr double kEnvelope = 16;  // B

std::string figure(const char* name, double value, const char* unit) {
  return std::string(name) + ": {value: " + std::to_string(value) + ", unit: " + unit + ", source: measured}";
}

std::string segment(double from, double latency_us, double overhead_us, double bandwidth_gbs) {
  return "{" + figure("from", from, "B") + ", " + figure("latency", latency_us, "us") + ", " +
         figure("overhead", overhead_us, "us") + ", " + figure("bandwidth", bandwidth_gbs, "GB/s") + "}";
}

// Below 500 B: 0.5 GB/s, a latency of 3 us, and an overhead of 1 us; below 4000 B: 1 GB/s, 4 us, 2 us; from 4000 B on:
// 0.8 GB/s, 6 us, 0.5 us.
struct Protocol {
  double latency_s, overhead_s, bandwidth;
};
constexpr Protocol kShort{3 * kUs, 1 * kUs, 0.5 * kGBs}, kMiddle{4 * kUs, 2 * kUs, 1 * kGBs},
    kLong{6 * kUs, 0.5 * kUs, 0.8 * kGBs};

class Protocols : public UnitMachine {
 protected:
  // Sets the figures of messages between the nodes.
  void use(const std::string& more, double latency_us = 3, double overhead_us = 1, double bandwidth_gbs = 0.5,
           double link_gbs = 100) {
    std::string text = unit_machine();
    const size_t at = text.find("    - {level: System - Cluster"), end = text.find('\n', at);
    text.replace(at, end - at,
                 "    - {level: System - Cluster, " + figure("latency", latency_us, "us") + ", " +
                     figure("overhead", overhead_us, "us") + ", " + figure("bandwidth", bandwidth_gbs, "GB/s") + ", " +
                     figure("link_bandwidth", link_gbs, "GB/s") + more + "}");
    // Links within a node that are never full.
    for (const char* level : {"NUMANode", "L3"}) {
      const size_t line = text.find(std::string("level: ") + level);
      const std::string narrow = "link_bandwidth: {value: 1,";
      text.replace(text.find(narrow, line), narrow.size(), "link_bandwidth: {value: 1000,");
    }
    folder_.write("machine.yaml", text);
  }
  void use_protocols() { use(", segments: [" + segment(500, 4, 2, 1) + ", " + segment(4000, 6, 0.5, 0.8) + "]"); }

  // Sends `k` messages from each of `ranks` / 2 ranks of node 0 to node 1; returns the maximum of a metric.
  double burst(const std::string& metric, int ranks, int k, int bytes, bool both = false) {
    std::string bindings;
    for (int r = 0; r < ranks; ++r) {
      const bool first = r < ranks / 2;
      bindings += std::to_string(r) + " " + (first ? "0 " : "1 ") + std::to_string(first ? r : r - ranks / 2) + "\n";
    }
    folder_.write("bindings", bindings);
    const auto values =
        run(built("tests/sim/bursts.so"), ranks,
            "messages: [" + std::to_string(k) + "], bytes: [" + std::to_string(bytes) + "]",
            std::string("mapping: {bindings: bindings}\narguments: [--both, \"") + (both ? "1" : "0") + "\"]\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    double most = 0;
    for (const auto& [point, value] : values.at(metric)) most = std::max(most, value);
    return most;
  }
};

TEST_F(Protocols, APingPongHasTheFiguresOfItsSize) {
  use_protocols();
  folder_.write("bindings", "0 0 0\n1 1 0\n");
  auto values = run("pingpong", 2, "bytes: [0, 483, 484, 499, 500, 501, 3999, 4000, 100000]",
                    "mapping: {bindings: bindings}\nmodels: {hockney: 0.000001, loggp: 0.000001}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const int bytes : {0, 483, 484, 499, 500, 501, 3999, 4000, 100000}) {
    const Protocol& p = bytes < 500 ? kShort : bytes < 4000 ? kMiddle : kLong;
    EXPECT_NEAR(values["time"][std::to_string(bytes)], p.latency_s + (bytes + kEnvelope) / p.bandwidth, kTolerance)
        << bytes;
  }
  EXPECT_THAT(ran_.out, HasSubstr("loggp: 9 points within 0.0001 %, 0 outside the model, 0 disagree"));
}

// An eager sender continues after the overhead for the size of its message; the unit machine's eager limit is 1 KiB.
TEST_F(Protocols, ASenderIsBusyForTheOverheadOfTheSize) {
  use_protocols();
  for (const int k : {1, 5}) {
    EXPECT_NEAR(burst("busy", 2, k, 499), k * kShort.overhead_s, kTolerance);
    EXPECT_NEAR(burst("busy", 2, k, 500), k * kMiddle.overhead_s, kTolerance);
    EXPECT_NEAR(burst("busy", 2, k, 4000), k * kLong.overhead_s, kTolerance);
  }
}

// n processes of a node send k messages each. The i-th of all these messages passes the network card at i g, so the
// last one arrives (n k - 1) g later than the first would alone (LogGP's g, but of a node).
TEST_F(Protocols, ShortMessagesOfANodeLeaveAGapApart) {
  const double alone_s = 3 * kUs + (8 + kEnvelope) / (0.5 * kGBs);
  for (const double gap_us : {0.0, 0.7, 2.0}) {
    use(", " + figure("gap", gap_us, "us"));
    for (const int n : {1, 2, 4}) {
      for (const int k : {1, 3, 10}) {
        // A process prepares a message every 1 us, so its last message is ready k - 1 us after its first.
        const double last_s = std::max((n * k - 1) * gap_us, (k - 1) * 1 + (n - 1) * gap_us) * kUs;
        EXPECT_NEAR(burst("time", 2 * n, k, 8), alone_s + last_s, kTolerance) << n << " x " << k << ", " << gap_us;
      }
    }
  }
}

// Messages within the node do not pass its network card, and those that come in do not count.
TEST_F(Protocols, TheGapIsOfWhatLeavesTheNode) {
  use(", " + figure("gap", 5, "us"));
  const double alone_s = 3 * kUs + (8 + kEnvelope) / (0.5 * kGBs);
  EXPECT_NEAR(burst("time", 2, 1, 8, true), alone_s, kTolerance);
  folder_.write("bindings", "0 0 0\n1 0 1\n2 0 2\n3 0 3\n");
  const auto values =
      run(built("tests/sim/bursts.so"), 4, "messages: [3], bytes: [8]", "mapping: {bindings: bindings}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const auto& [point, time_s] : values.at("time")) EXPECT_LT(time_s, 5 * kUs) << point;
}

// The model's time must hold within its bounds, even if the gap decides.
TEST_F(Protocols, MaxRateKnowsGapsAndSegments) {
  use(", segments: [" + segment(500, 4, 2, 1) + "], " + figure("gap", 1.5, "us"));
  run("pairs", 8, "pairs: [1, 2, 3, 4], bytes: [0, 8, 499, 500]", "models: {max-rate: 0.02}\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  EXPECT_THAT(ran_.out, HasSubstr("max-rate: 16 points within 2 %, 0 outside the model, 0 disagree"));
}

// n messages of 100,000 B in each direction, each at 1 GB/s, over a link of 2 GB/s per direction and 3 GB/s for both
// together.
TEST_F(Protocols, BothWaysOfALinkShareWhatTheyCarryTogether) {
  const double m = 100000, latency_s = 3 * kUs;
  const int bytes = static_cast<int>(m - kEnvelope);
  for (const bool stated : {false, true}) {
    use(stated ? ", " + figure("duplex_bandwidth", 3, "GB/s") : "", 3, 1, 1, 2);
    for (int n = 1; n <= 4; ++n) {
      const double one_way = std::min(1.0, 2.0 / n) * kGBs;
      EXPECT_NEAR(burst("time", 2 * n, 1, bytes), latency_s + m / one_way, kTolerance) << n;
      const double both = stated ? std::min(one_way, 3 * kGBs / (2 * n)) : one_way;
      EXPECT_NEAR(burst("time", 2 * n, 1, bytes, true), latency_s + m / both, kTolerance) << n;
    }
  }
}

// --- a torus: all levels share a node's injection of 6 GB/s per direction ------------------------------------------

class TorusBothWays : public UnitMachine {
 protected:
  // The first ranks are on node 0, their partners on the nodes `to`; each pair sends in both directions.
  double exchange(const std::vector<int>& to, int bytes) {
    std::string bindings;
    const int n = static_cast<int>(to.size());
    for (int i = 0; i < n; ++i) bindings += std::to_string(i) + " 0 " + std::to_string(i) + "\n";
    for (int i = 0; i < n; ++i)
      bindings += std::to_string(n + i) + " " + std::to_string(to[i]) + " " + std::to_string(i) + "\n";
    folder_.write("bindings", bindings);
    const auto values = run(built("tests/sim/bursts.so"), 2 * n, "bytes: [" + std::to_string(bytes) + "]",
                            "mapping: {bindings: bindings}\narguments: [--both, \"1\"]\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    double most = 0;
    for (const auto& [point, value] : values.at("time")) most = std::max(most, value);
    return most;
  }
};

// Both directions of a node together carry 8 GB/s to and from the next router, and 4 GB/s to and from the other node of
// its router. Node 1 is on router 0, node 12 on the next router along x. A message gets 2 GB/s.
TEST_F(TorusBothWays, EachLevelHasItsOwnTogether) {
  std::string text = with(with(kTorusYaml, "value: 4.5,", "value: 100,"), "level: Gemini\n",
                          "level: Gemini\n      duplex_bandwidth: {value: 4, unit: GB/s, source: measured}\n");
  text = with(text, "level: System - Cluster\n",
              "level: System - Cluster\n      duplex_bandwidth: {value: 8, unit: GB/s, source: measured}\n");
  folder_.write("machine.yaml", text);
  const double m = 1e6;
  const int bytes = static_cast<int>(m - kEnvelope);
  for (int n = 1; n <= 4; ++n) {
    EXPECT_NEAR(exchange(std::vector<int>(n, 12), bytes), 1.6 * kUs + m / std::min(2 * kGBs, 8 * kGBs / (2 * n)),
                kTolerance)
        << n;
    EXPECT_NEAR(exchange(std::vector<int>(n, 1), bytes), 1.4 * kUs + m / std::min(2 * kGBs, 4 * kGBs / (2 * n)),
                kTolerance)
        << n;
  }
  // Both levels at once, with x B/s per message: four messages to and from the next router count x each, four to and
  // from the other node 2 x each, 12 x in total.
  EXPECT_NEAR(exchange({12, 12, 1, 1}, bytes), 1.6 * kUs + m * 2 * (2 + 2 * 2) / (8 * kGBs), 0.2 * kUs);
}

// strata model --fit recovers the segments.
TEST_F(Protocols, FitGivesTheSegmentsBack) {
  use_protocols();
  const Ran fit = run_strata({"model", "--machine", folder_.path() / "machine.yaml", "--fit", "--json"});
  EXPECT_EQ(fit.code, 0) << fit.err;
  const auto json = nlohmann::ordered_json::parse(fit.out);
  ASSERT_EQ(json["levels"].size(), 5u);
  const double from[] = {0, 500, 4000};
  const Protocol* protocols[] = {&kShort, &kMiddle, &kLong};
  for (int i = 0; i < 3; ++i) {
    const auto& level = json["levels"][i];
    EXPECT_EQ(level["level"], "System - Cluster");
    EXPECT_EQ(level["from_bytes"], from[i]);
    EXPECT_NEAR(level["latency_s"].get<double>(), protocols[i]->latency_s, 1e-12);
    EXPECT_NEAR(level["bandwidth_bytes_per_s"].get<double>(), protocols[i]->bandwidth, 1);
  }
  EXPECT_EQ(json["levels"][3]["from_bytes"], 0);
  const Ran table = run_strata({"model", "--machine", folder_.path() / "machine.yaml", "--fit"});
  EXPECT_THAT(table.out, HasSubstr("System - Cluster, from 4000 B "));
}

}  // namespace
}  // namespace strata
