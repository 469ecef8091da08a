// SPDX-License-Identifier: LGPL-2.1-only
// Simulated works and messages that share memory and cores, compared with closed forms and with a fluid calculation
// that considers all works at every moment.
//
// The machine has nodes of two NUMA nodes. A core copies at 8 GB/s, combines at 5 GB/s of an operand and computes at 2
// Gflop/s. A memory carries 20 GB/s of copies (bytes read plus written) or 24 GB/s of combinations. A message takes 1
// us and flows at 6 GB/s within a node, 2 us and 4 GB/s between nodes. Only memory is ever a bottleneck, never a link.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "records/links.h"
#include "tests/command/strata_process.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

constexpr double kGB = 1e9;
constexpr double kCopy = 8 * kGB, kCombine = 5 * kGB, kSpeed = 2e9, kMemory = 20 * kGB, kMemoryCombines = 24 * kGB;
constexpr double kWithin = 6 * kGB, kBetween = 4 * kGB;  // of a message
constexpr double kUs = 1e-6;
constexpr double kEnvelope = 16;             // B
constexpr double kLarge = 64e6;              // B: larger than any cache
constexpr double kRounding = 1e-9;           // relative
const std::string kNoCache = "core:6 pu:1";  // of a NUMA node

struct Description {
  std::string inside = kNoCache;  // of a NUMA node, in hwloc's synthetic syntax
  std::string memory =
      "{bandwidth: {value: 20, unit: GB/s, source: measured}, combine_bandwidth: {value: 24, unit: GB/s, source: "
      "measured}}";  // empty: no figures of memory
  int copies = 1;
};

std::string machine_of(const Description& d) {
  const auto figure = [](double value, const std::string& unit) {
    std::ostringstream text;
    text << "{value: " << value << ", unit: " << unit << ", source: measured}";
    return text.str();
  };
  const bool l3 = d.inside.find("l3") != std::string::npos;
  std::string text =
      "schema: strata.machine/1\nname: shared\ndescription: two nodes of two NUMA nodes\nsource: none\n"
      "node: {synthetic: \"pack:2 [numa] " +
      d.inside + "\"}\nnetwork: {nodes: 2}\ncosts:\n  core: {speed: " + figure(2, "Gflop/s") +
      ", copy_bandwidth: " + figure(8, "GB/s") + ", combine_bandwidth: " + figure(5, "GB/s") +
      "}\n  eager_limit: " + figure(4, "KiB") + "\n  copies: " + figure(d.copies, "copies") + "\n";
  if (!d.memory.empty()) text += "  memory: " + d.memory + "\n";
  text += "  levels:\n";
  for (const std::string& level :
       {std::string("System - Cluster"), std::string("Machine"), std::string(l3 ? "L3" : "NUMANode")}) {
    const bool between = level == "System - Cluster";
    text += "    - {level: " + level + ", latency: " + figure(between ? 2 : 1, "us") +
            ", overhead: " + figure(0.5, "us") + ", bandwidth: " + figure(between ? 4 : 6, "GB/s") +
            ", link_bandwidth: " + figure(1000, "GB/s") + "}\n";
  }
  return text;
}

class SharedMemory : public UnitMachine {
 protected:
  void use(const Description& d) { folder_.write("machine.yaml", machine_of(d)); }

  // The time of the work on `ranks` ranks, placed as in `mapping` (default: on cores in order).
  double time_of(const std::string& work, int ranks, double bytes, const std::string& more = "",
                 const std::string& mapping = "") {
    const std::string size = std::to_string(static_cast<long>(bytes));
    const auto values =
        run("memory", ranks, "bytes: [" + size + "]",
            "arguments: [--work, " + work + more + "]\n" + (mapping.empty() ? "" : "mapping: {" + mapping + "}\n") +
                "also: [{name: bandwidth, unit: B/s}]\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    if (ran_.code != 0) return 0;
    counted_ = values.at("bandwidth").at(size);
    return values.at("time").at(size);
  }
  double counted_ = 0;  // B/s, from the last time_of

  // The time at which each rank completes its list of works (tests/sim/programs/works.cc).
  std::vector<double> ends(const std::string& works, const std::vector<int>& cores) {
    std::ostringstream bindings;
    for (size_t r = 0; r < cores.size(); ++r) bindings << r << " 0 " << cores[r] << '\n';
    folder_.write("bindings", bindings.str());
    const auto values = run(built("tests/sim/works.so"), static_cast<int>(cores.size()), "works: [\"" + works + "\"]",
                            "mapping: {bindings: bindings}\n");
    EXPECT_EQ(ran_.code, 0) << ran_.err;
    std::vector<double> all(cores.size());
    for (const auto& [point, time_s] : values.at("time")) {
      all.at(std::stoul(point.substr(point.rfind(' ') + 1))) = time_s;
    }
    return all;
  }

  static void expect_time(double got, double wanted) { EXPECT_NEAR(got / wanted, 1, kRounding) << wanted; }
};

// Each of k copies gets min(b, C / 2k): a core's own bandwidth, until the memory is full. Four NUMA nodes have four
// memories.
TEST_F(SharedMemory, CopiesShareTheMemoryOfTheirNumaNode) {
  use({});
  for (int k = 1; k <= 6; ++k) {
    SCOPED_TRACE(k);
    const double each = std::min(kCopy, kMemory / (2 * k));
    expect_time(time_of("copy", k, kLarge), kLarge / each);
    EXPECT_NEAR(counted_ / (2 * k * each), 1, kRounding);  // the saturation curve: min(2 k b, C)
    expect_time(time_of("copy", 4 * k, kLarge, "", "map_by: numa"), kLarge / each);
  }
  expect_time(time_of("copy", 12, kLarge), kLarge / (kMemory / 12));
}

TEST_F(SharedMemory, CombinationsToo) {
  use({});
  for (int k = 1; k <= 6; ++k) {
    SCOPED_TRACE(k);
    expect_time(time_of("combine", k, kLarge), kLarge / std::min(kCombine, kMemoryCombines / (3 * k)));
  }
  // By default memory carries 1.5 times as much of combinations as of copies.
  use({.memory = "{bandwidth: {value: 20, unit: GB/s, source: measured}}"});
  for (const int k : {1, 4, 6}) {
    SCOPED_TRACE(k);
    expect_time(time_of("combine", k, kLarge), kLarge / std::min(kCombine, 1.5 * kMemory / (3 * k)));
  }
}

// 4 B move for each byte of an array, of which STREAM counts 3; the two flop per double overlap with these moves.
TEST_F(SharedMemory, TriadOn1To24Cores) {
  use({.inside = "core:24 pu:1"});
  for (int k = 1; k <= 24; ++k) {
    SCOPED_TRACE(k);
    const double moved = std::min(3 * kCombine, kMemoryCombines / k);  // B/s of a core
    expect_time(time_of("triad", k, kLarge), 4 * kLarge / moved);
    EXPECT_NEAR(counted_ / (0.75 * k * moved), 1, kRounding);
  }
}

// The roofline; its slanted part is the share of the memory bandwidth.
TEST_F(SharedMemory, ComputationsAreUnderARoof) {
  use({});
  for (const double intensity : {0.01, 0.1, 0.2, 0.5, 1.0, 4.0}) {  // flop/B
    for (const int k : {1, 2, 5, 6}) {
      SCOPED_TRACE(testing::Message() << intensity << " flop/B, " << k << " cores");
      const double flops = intensity * kLarge;
      const double time = time_of("compute", k, kLarge, ", --flops, " + std::to_string(static_cast<long>(flops)));
      expect_time(time, std::max(flops / kSpeed, kLarge / std::min(3 * kCombine, kMemoryCombines / k)));
    }
  }
}

// Every rank sends to the next one. Each byte is read from memory and written to memory, and the receiver's core copies
// it. With two copies the sender's core copies it too, and receives at the same time.
TEST_F(SharedMemory, RingsWithinANode) {
  for (const int copies : {1, 2}) {
    use({.copies = copies});
    for (int k = 2; k <= 6; ++k) {
      SCOPED_TRACE(testing::Message() << k << " ranks, copies: " << copies);
      const double each = std::min({kWithin, kCopy / copies, kMemory / (2 * k)});
      expect_time(time_of("ring", k, kLarge), 1 * kUs + (kLarge + kEnvelope) / each);
    }
  }
  // With ranks alternating between NUMA nodes, every message reads one memory and writes the other.
  use({});
  std::ostringstream bindings;
  for (int r = 0; r < 12; ++r) bindings << r << " 0 " << 6 * (r % 2) + r / 2 << '\n';
  folder_.write("bindings", bindings.str());
  expect_time(time_of("ring", 12, kLarge, "", "bindings: bindings"), 1 * kUs + (kLarge + kEnvelope) / (kMemory / 12));
}

// Two ranks of one core send to each other: the core makes two copies, or four.
TEST_F(SharedMemory, MessagesBetweenRanksOfOneCoreTakeBothCopiesOfIt) {
  folder_.write("bindings", "0 0 0\n1 0 0\n");
  for (const int copies : {1, 2}) {
    SCOPED_TRACE(copies);
    use({.copies = copies});
    const double each = std::min({kWithin, kCopy / (2 * copies), kMemory / 4});
    expect_time(time_of("ring", 2, kLarge, "", "bindings: bindings"), 1 * kUs + (kLarge + kEnvelope) / each);
  }
}

// Eager messages do not load memory, regardless of their number.
TEST_F(SharedMemory, EagerMessagesWithinANodeAreFree) {
  use({});
  constexpr double kEager = 4000;
  expect_time(time_of("ring", 12, kEager), 1 * kUs + (kEager + kEnvelope) / kWithin);
}

// Between nodes the network cards copy: each memory once, without a core.
TEST_F(SharedMemory, MessagesBetweenNodesLoadBothMemories) {
  use({});
  for (const int k : {1, 5, 6}) {  // from a NUMA node to one on another node
    SCOPED_TRACE(k);
    std::ostringstream bindings;
    for (int r = 0; r < k; ++r) bindings << r << " 0 " << r << '\n';
    for (int r = 0; r < k; ++r) bindings << k + r << " 1 " << r << '\n';
    folder_.write("bindings", bindings.str());
    const auto values =
        run(built("tests/sim/pairs.so"), 2 * k, "bytes: [64000000]", "mapping: {bindings: bindings}\ntraffic: on\n");
    ASSERT_EQ(ran_.code, 0) << ran_.err;
    double last = 0;
    for (const auto& [point, time_s] : values.at("time")) last = std::max(last, time_s);
    int memories = 0;
    const std::string out = folder_.path() / ("out" + std::to_string(runs_ - 1));
    for (const LinkTraffic& row : read_links(out + "/traffic/point-0/links.csv")) {
      if (row.level != "memory") continue;
      ++memories;
      EXPECT_EQ(row.direction, "both");
      EXPECT_EQ(row.capacity, kMemory);
      const bool loaded = row.link == "memory of node 0, NUMANode 0" || row.link == "memory of node 1, NUMANode 0";
      constexpr double kSetUp = 10e3;  // B: the maximum of the program's messages before the measurement
      EXPECT_NEAR(row.bytes, loaded ? k * (kLarge + kEnvelope) : 0, kSetUp) << row.link;
      EXPECT_GE(row.messages, loaded ? k : 0) << row.link;
    }
    EXPECT_EQ(memories, 4);
    expect_time(last, 2 * kUs + (kLarge + kEnvelope) / std::min(kBetween, kMemory / k));
  }
}

// If k ranks work at the same time, each gets 6 / k MB of a 6 MB L3. Messages and copies of at most half of that, and
// works on a set of at most that size, do not load memory.
TEST_F(SharedMemory, WhatStaysInTheCacheLoadsNone) {
  use({.inside = "l3:1(size=6000000) core:6 pu:1"});
  for (const int k : {2, 3, 6}) {
    SCOPED_TRACE(k);
    const double share = 6e6 / k, just_fits = share / 2, too_large = just_fits + 8;
    expect_time(time_of("copy", k, just_fits), just_fits / kCopy);
    expect_time(time_of("copy", k, too_large), too_large / std::min(kCopy, kMemory / (2 * k)));
    expect_time(time_of("combine", k, just_fits), just_fits / kCombine);
    expect_time(time_of("combine", k, too_large), too_large / std::min(kCombine, kMemoryCombines / (3 * k)));
    expect_time(time_of("ring", k, just_fits), 1 * kUs + (just_fits + kEnvelope) / kWithin);
    expect_time(time_of("ring", k, too_large),
                1 * kUs + (too_large + kEnvelope) / std::min(kWithin, kMemory / (2 * k)));
    const double array = std::floor(share / 3);  // the triad has three arrays
    expect_time(time_of("triad", k, array), 4 * array / (3 * kCombine));
    expect_time(time_of("triad", k, array + 8), 4 * (array + 8) / std::min(3 * kCombine, kMemoryCombines / k));
  }
}

// Six ranks below a 6 MB L3, whose memory has 10 GB/s: a copy gets 8 GB/s in the cache and 5 GB/s alone in memory.
// Ranks that sleep, wait or have ended leave the cache to the others.
TEST_F(SharedMemory, RanksThatAreIdleLeaveTheCacheToTheOthers) {
  use({.inside = "l3:1(size=6000000) core:6 pu:1", .memory = "{bandwidth: {value: 10, unit: GB/s, source: measured}}"});
  const std::vector<int> cores = {0, 1, 2, 3, 4, 5};
  expect_time(ends("copy=3e6/sleep=1/seconds=1", cores)[0], 3e6 / 8e9);
  expect_time(ends("copy=3e6,sleep=1e-6,copy=8/sleep=1", cores)[0], 3e6 / 8e9 + 1e-6 + 8 / 8e9);
  expect_time(ends("copy=3000008/sleep=1", cores)[0], 3000008 / 5e9);
  // Others that copy a little take only what they need. Those that copy much take their share.
  expect_time(ends("copy=2.5e6/copy=5e5", cores)[0], 2.5e6 / 8e9);
  const std::vector<double> both = ends("copy=2.5e6/copy=2.5e6", cores);
  expect_time(both[0], 2.5e6 / 2.5e9);
  expect_time(both[1], 2.5e6 / 2.5e9);
}

// Rank 0 copies 2.4 MB in the cache. Halfway, rank 1 starts to copy as much, and there is no room for both: both use
// the memory. Rank 0 has 1.2 MB left, at 2.5 GB/s. Rank 1 then has the memory for itself, but its data are not in the
// cache.
TEST_F(SharedMemory, DataLoseTheirPlaceInTheCacheToOthers) {
  use({.inside = "l3:1(size=6000000) core:6 pu:1", .memory = "{bandwidth: {value: 10, unit: GB/s, source: measured}}"});
  const std::vector<double> got = ends("copy=2.4e6/sleep=1.5e-4,copy=2.4e6", {0, 1});
  expect_time(got[0], 1.5e-4 + 1.2e6 / 2.5e9);
  expect_time(got[1], got[0] + 1.2e6 / 5e9);
}

// A machine may state how fast a core works on data in its cache.
TEST_F(SharedMemory, CacheHasABandwidthOfItsOwn) {
  use({.inside = "l3:1(size=6000000) core:6 pu:1",
       .memory = "{bandwidth: {value: 20, unit: GB/s, source: measured}, cache_bandwidth: {value: 20, unit: GB/s, "
                 "source: measured}}"});
  expect_time(time_of("triad", 6, 3e5), 4 * 3e5 / 20e9);
  expect_time(time_of("combine", 6, 3e5), 3 * 3e5 / 20e9);
  expect_time(time_of("copy", 6, 3e5), 3e5 / kCopy);
}

// Cores that work in one cache may share its bandwidth. Here an L3 of 6 MB carries 24 GB/s of copies, so 36 GB/s of
// combinations. Two L3s are independent of each other.
const std::string kSharedCache =
    "{bandwidth: {value: 10, unit: GB/s, source: measured}, shared_cache_bandwidth: {value: 24, unit: GB/s, source: "
    "measured}}";

TEST_F(SharedMemory, CoresShareTheBandwidthOfTheirCache) {
  use({.inside = "l3:1(size=6000000) core:6 pu:1", .memory = kSharedCache});
  constexpr double kCache = 24 * kGB, kCacheCombines = 36 * kGB;
  for (const int k : {1, 2, 3, 6}) {
    SCOPED_TRACE(k);
    const double bytes = 6e6 / k / 2;  // each core's share
    expect_time(time_of("copy", k, bytes), bytes / std::min(kCopy, kCache / (2 * k)));
    expect_time(time_of("copy", 4 * k, bytes, "", "map_by: numa"), bytes / std::min(kCopy, kCache / (2 * k)));
    expect_time(time_of("combine", k, bytes), bytes / std::min(kCombine, kCacheCombines / (3 * k)));
    const double array = std::floor(6e6 / k / 3);
    expect_time(time_of("triad", k, array), 4 * array / std::min(3 * kCombine, kCacheCombines / k));
    if (k > 1)
      expect_time(time_of("ring", k, bytes), 1 * kUs + (bytes + kEnvelope) / std::min(kWithin, kCache / (2 * k)));
  }
  // With larger data all of them use the memory.
  expect_time(time_of("copy", 6, 500'008), 500'008 / (10 * kGB / 12));
}

// Six messages from one node to another, at the same time: each loads the caches of both ends once.
TEST_F(SharedMemory, MessagesBetweenNodesLoadTheCachesOfBothEnds) {
  use({.inside = "l3:1(size=6000000) core:6 pu:1",
       .memory = "{bandwidth: {value: 10, unit: GB/s, source: measured}, shared_cache_bandwidth: {value: 12, unit: "
                 "GB/s, source: measured}}"});
  std::ostringstream bindings;
  for (int r = 0; r < 6; ++r) bindings << r << " 0 " << r << '\n';
  for (int r = 0; r < 6; ++r) bindings << 6 + r << " 1 " << r << '\n';
  folder_.write("bindings", bindings.str());
  const auto values =
      run(built("tests/sim/pairs.so"), 12, "bytes: [400000]", "mapping: {bindings: bindings}\ntraffic: on\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  double last = 0;
  for (const auto& [point, time_s] : values.at("time")) last = std::max(last, time_s);
  expect_time(last, 2 * kUs + (4e5 + kEnvelope) / (12e9 / 6));
  int caches = 0;
  const std::string out = folder_.path() / ("out" + std::to_string(runs_ - 1));
  for (const LinkTraffic& row : read_links(out + "/traffic/point-0/links.csv")) {
    if (row.level == "memory") {
      EXPECT_EQ(row.bytes, 0) << row.link;
    }
    if (row.level != "cache") continue;
    ++caches;
    EXPECT_EQ(row.direction, "both");
    EXPECT_EQ(row.capacity, 12e9);
    const bool loaded = row.link == "cache of node 0, L3 0" || row.link == "cache of node 1, L3 0";
    constexpr double kSetUp = 10e3;  // B: the maximum of the program's messages before the measurement
    EXPECT_NEAR(row.bytes, loaded ? 6 * (4e5 + kEnvelope) : 0, kSetUp) << row.link;
  }
  EXPECT_EQ(caches, 4);
}

// As in DataLoseTheirPlaceInTheCacheToOthers, where the cache carries 8 GB/s: rank 0 copies in it at 4 GB/s until rank
// 1 comes. Then both use the memory, and none the cache.
TEST_F(SharedMemory, DataThatLoseTheirPlaceLoadTheMemoryAndNoLongerTheCache) {
  use({.inside = "l3:1(size=6000000) core:6 pu:1",
       .memory =
           "{bandwidth: {value: 10, unit: GB/s, source: measured}, shared_cache_bandwidth: {value: 8, unit: GB/s, "
           "source: measured}}"});
  const std::vector<double> got = ends("copy=2.4e6/sleep=3e-4,copy=2.4e6", {0, 1});
  expect_time(got[0], 3e-4 + 1.2e6 / 2.5e9);
  expect_time(got[1], got[0] + 1.2e6 / 5e9);
}

// One rank computes for 10 ms, another one copies 8 MB, which takes 1 ms alone. On a shared core the copy takes 2 ms,
// and the computation ends after 11 ms. On separate cores neither is slowed down.
TEST_F(SharedMemory, WorksOnOneCoreShareItEqually) {
  use({});
  std::vector<double> both = ends("seconds=0.01/copy=8e6", {0, 0});
  expect_time(both[0], 11e-3);
  expect_time(both[1], 2e-3);
  both = ends("seconds=0.01/copy=8e6", {0, 1});
  expect_time(both[0], 10e-3);
  expect_time(both[1], 1e-3);
  // A combination of 10 MB takes 2 ms alone.
  both = ends("seconds=0.01/combine=10e6", {0, 0});
  expect_time(both[0], 12e-3);
  expect_time(both[1], 4e-3);
}

// --- random works, compared with a slow calculation -----------------------------------------------------------------

struct Work {
  double core_s;  // s, alone on its core
  double moved;   // B of memory traffic, counted as for copies
};

// The time at which each list is complete. At every moment the speeds of all works (s of core time per s) grow together
// until a core or a memory is full; works on it keep their speed, the others continue to grow. A work uses its core
// with its speed, and its memory with moved / core_s times its speed.
std::vector<double> fluid(std::vector<std::vector<Work>> lists, const std::vector<int>& cores) {
  constexpr int kCoresOfMemory = 6;
  std::vector<double> ends(lists.size(), 0);
  for (double now = 0;;) {
    std::vector<size_t> open;
    for (size_t r = 0; r < lists.size(); ++r) {
      if (!lists[r].empty()) open.push_back(r);
    }
    if (open.empty()) return ends;
    const std::vector<size_t> active = open;
    std::map<size_t, double> speed;
    while (!open.empty()) {
      // The lowest speed of the open works at which a core or memory is full; 1 is the limit of a core.
      double least = 1;
      const auto load = [&](const auto& takes, double capacity) {
        double fixed = 0, growing = 0;
        for (const size_t r : active) {
          const double weight = takes(r);
          if (speed.count(r) > 0) fixed += weight * speed[r];
          if (speed.count(r) == 0) growing += weight;
        }
        return growing > 0 ? (capacity - fixed) / growing : 2;
      };
      std::map<size_t, double> at;
      for (const size_t r : open) {
        const auto of_core = [&](size_t q) { return cores[q] == cores[r] ? 1.0 : 0.0; };
        const auto of_memory = [&](size_t q) {
          return cores[q] / kCoresOfMemory == cores[r] / kCoresOfMemory
                     ? lists[q].front().moved / lists[q].front().core_s
                     : 0.0;
        };
        at[r] = std::min(load(of_core, 1), of_memory(r) > 0 ? load(of_memory, kMemory) : 2.0);
        least = std::min(least, at[r]);
      }
      std::vector<size_t> still;
      for (const size_t r : open) {
        if (at[r] <= least * (1 + 1e-12)) {
          speed[r] = least;
        } else {
          still.push_back(r);
        }
      }
      open = still;
    }
    double step = 1e9;
    for (const size_t r : active) step = std::min(step, lists[r].front().core_s / speed[r]);
    now += step;
    for (const size_t r : active) {
      Work& w = lists[r].front();
      const double part = step * speed[r] / w.core_s;
      w.moved *= 1 - part;
      w.core_s *= 1 - part;
      if (w.core_s > 1e-12) continue;
      lists[r].erase(lists[r].begin());
      ends[r] = now;
    }
  }
}

struct Everywhere {
  Description machine;
  double combines;  // B/s of combinations where copies get kMemory together
};

class RandomWorks : public SharedMemory, public ::testing::WithParamInterface<Everywhere> {};

// All of them in memory; all of them in an L3 that carries as much, before a memory that is too slow for any.
INSTANTIATE_TEST_SUITE_P(
    Where, RandomWorks,
    ::testing::Values(Everywhere{{}, kMemoryCombines},
                      Everywhere{{.inside = "l3:1(size=10000000000) core:6 pu:1",
                                  .memory = "{bandwidth: {value: 1, unit: GB/s, source: measured}, "
                                            "shared_cache_bandwidth: {value: 20, unit: GB/s, source: measured}}"},
                                 1.5 * kMemory}));

TEST_P(RandomWorks, AsTheSlowCalculationHasThem) {
  use(GetParam().machine);
  constexpr unsigned kSeed = 11;
  std::mt19937 random(kSeed);
  RecordProperty("seed", std::to_string(kSeed));
  const auto below = [&](int n) { return static_cast<int>(random() % n); };
  for (int round = 0; round < 12; ++round) {
    SCOPED_TRACE(testing::Message() << "round " << round << " of seed " << kSeed);
    const int ranks = 2 + below(10);
    std::vector<int> cores;
    std::vector<std::vector<Work>> lists(ranks);
    std::string text;
    for (int r = 0; r < ranks; ++r) {
      cores.push_back(below(12));
      text += r == 0 ? "" : "/";
      for (int i = 0, n = 1 + below(3); i < n; ++i) {
        const double megabytes = 1 + below(50);
        text += i == 0 ? "" : ",";
        switch (below(3)) {
          case 0:
            text += "copy=" + std::to_string(megabytes * 1e6);
            lists[r].push_back({megabytes * 1e6 / kCopy, 2 * megabytes * 1e6});
            break;
          case 1:
            text += "combine=" + std::to_string(megabytes * 1e6);
            lists[r].push_back({megabytes * 1e6 / kCombine, 3 * megabytes * 1e6 * kMemory / GetParam().combines});
            break;
          default:
            text += "seconds=" + std::to_string(megabytes * 1e-4);
            lists[r].push_back({megabytes * 1e-4, 0});
        }
      }
    }
    const std::vector<double> got = ends(text, cores), wanted = fluid(lists, cores);
    for (int r = 0; r < ranks; ++r) {
      EXPECT_NEAR(got[r] / wanted[r], 1, 1e-7) << "rank " << r << " on core " << cores[r] << ": " << text;
    }
  }
}

// With more memory bandwidth than all cores together can use, copies, computations and rings have the same
// times as on a machine without figures of memory.
TEST_F(SharedMemory, AmpleMemoryIsAsNone) {
  const std::string ample = "{bandwidth: {value: 100000, unit: GB/s, source: measured}}";
  std::map<std::string, std::vector<double>> times;
  for (const std::string& memory : {std::string(), ample}) {
    use({.memory = memory});
    for (const char* work : {"copy", "combine", "triad", "ring"}) {
      for (const int k : {2, 12, 24}) times[memory].push_back(time_of(work, k, kLarge));
    }
  }
  for (size_t i = 0; i < times[ample].size(); ++i) expect_time(times[ample][i], times[""][i]);
}

}  // namespace
}  // namespace strata
