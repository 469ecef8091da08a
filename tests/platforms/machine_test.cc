// SPDX-License-Identifier: LGPL-2.1-only
// machine.yaml: its contents.
#include "platforms/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platforms/memory.h"
#include "platforms/segments.h"
#include "tests/platforms/good_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

TEST_F(MachineYaml, IsRead) {
  const Machine m = load_machine(write(kGood));
  EXPECT_EQ(m.name, "small");
  EXPECT_EQ(m.description, "two switches");
  EXPECT_EQ(m.topology->num_nodes(), 3);
  EXPECT_EQ(m.topology->cores().size(), 12u);
  EXPECT_DOUBLE_EQ(m.core_speed.si, 2.5e9);
  EXPECT_DOUBLE_EQ(m.copy_bandwidth.si, 1e10);
  EXPECT_DOUBLE_EQ(m.eager_limit.si, 4096);
  ASSERT_EQ(m.levels.size(), 4u);
  EXPECT_DOUBLE_EQ(m.levels[0].overhead.si, 500e-9);
  EXPECT_DOUBLE_EQ(m.levels[0].bandwidth.si, 1.25e9);
  EXPECT_DOUBLE_EQ(m.levels[0].link_bandwidth.si, 2147483648.0);
  EXPECT_EQ(m.levels[0].bandwidth.value, 10);
  EXPECT_EQ(m.levels[0].bandwidth.unit, "Gb/s");
  const Topology& t = *m.topology;
  EXPECT_EQ(m.costs_at(0)->level, "System - Cluster");
  EXPECT_EQ(m.costs_at(t.lowest_common_ancestor(t.cores()[0], t.cores()[4]))->level, "Switch");
  EXPECT_EQ(m.costs_at(t.lowest_common_ancestor(t.cores()[0], t.cores()[2]))->level, "NUMANode");
  EXPECT_EQ(m.costs_at(t.cores()[0]), nullptr);
  EXPECT_DOUBLE_EQ(m.loopback_latency(t.cores()[0]).value, 0.3e-6);
  EXPECT_DOUBLE_EQ(m.loopback_bandwidth(t.cores()[0]).value, 10e9);  // that of a copy; the level's is 8 GB/s
}

TEST_F(MachineYaml, ValidationChangesNoResult) {
  const std::string entry =
      "  - {operation: allgather, level: Package, ranks: 4, from_bytes: 8, to_bytes: 65536, samples: 30, "
      "median_error: 1.25, worst_error: 2, source: \"measured: samples.csv\"}\n";
  const Machine plain = load_machine(write(kGood));
  Machine validated = load_machine(write(kGood + "validation:\n" + entry));
  const fs::path saved = fs::path(testing::TempDir()) / "validated";
  fs::create_directories(saved);
  save_machine(validated, saved);
  validated = load_machine(saved / "machine.yaml");
  ASSERT_EQ(validated.validation.size(), 1u);
  const Validation& v = validated.validation.front();
  EXPECT_EQ(v.operation, "allgather");
  EXPECT_EQ(v.level, "Package");
  EXPECT_EQ(v.ranks, 4);
  EXPECT_EQ(v.from_bytes, 8);
  EXPECT_EQ(v.to_bytes, 65536);
  EXPECT_EQ(v.samples, 30);
  EXPECT_EQ(v.median_error, 1.25);
  EXPECT_EQ(v.worst_error, 2);
  EXPECT_EQ(v.source, "measured: samples.csv");
  EXPECT_EQ(machine_hash(validated), machine_hash(plain));
  const auto with = [&](const std::string& from, const std::string& to) {
    std::string changed = entry;
    return error_of(kGood + "validation:\n" + changed.replace(changed.find(from), from.size(), to));
  };
  EXPECT_THAT(with("ranks: 4", "ranks: 0"), testing::HasSubstr("validation[0].ranks"));
  EXPECT_THAT(with("to_bytes: 65536", "to_bytes: 4"),
              testing::HasSubstr("validation[0].to_bytes: is below from_bytes"));
  EXPECT_THAT(with("worst_error: 2", "worst_error: 1.1"),
              testing::HasSubstr("validation[0].worst_error: is below median_error"));
  EXPECT_THAT(with("median_error: 1.25", "median_error: 0.8"), testing::HasSubstr("validation[0].median_error"));
  EXPECT_THAT(with("measured: samples.csv", "samples.csv"), testing::HasSubstr("names no source"));
}

// Both may be left out, and are then not written either.
TEST_F(MachineYaml, CombineBandwidthAndCopiesAreOptional) {
  const Machine silent = load_machine(write(kGood));
  EXPECT_EQ(silent.combine_bandwidth().si, 10e9);
  EXPECT_EQ(silent.combine_bandwidth().source, "assumed: as copy_bandwidth, for it moves as many bytes");
  EXPECT_EQ(silent.copies().si, 1);
  EXPECT_TRUE(names_source(silent.copies().source));

  const std::string eager = "  eager_limit: {";
  const std::string levels = "  eager_limit:";
  std::string text = kGood;
  text.insert(text.find(levels),
              "    combine_bandwidth: {value: 7, unit: GB/s, source: measured}\n"
              "  copies: {value: 2, unit: copies, source: \"published: a manual\"}\n");
  const Machine m = load_machine(write(text));
  EXPECT_EQ(m.combine_bandwidth().si, 7e9);
  EXPECT_EQ(m.copies().si, 2);
  EXPECT_EQ(m.copies().source, "published: a manual");
  EXPECT_NE(machine_hash(m), machine_hash(silent));

  const std::string at = ":15: costs.copies";
  const auto copies = [&](const std::string& value) { return error(eager, "  copies: " + value + "\n" + eager); };
  for (const std::string bad : {"0", "3", "1.5", "-1"}) {
    EXPECT_EQ(copies("{value: " + bad + ", unit: copies, source: measured}"),
              at + ".value: '" + bad + "' is not a whole number from 1 to 2; write one");
  }
  EXPECT_EQ(copies("{value: 1, unit: B, source: measured}"),
            at + ".unit: 'B' is not a valid unit of copies; give copies");
  EXPECT_EQ(copies("{value: 1, unit: copies}").rfind(at + ": 'source' is missing", 0), 0u);
  EXPECT_EQ(copies("2"), at + ": is not a mapping; it has the keys value, unit, plus_minus, source");
  EXPECT_EQ(error(eager, "    combine_bandwidth: {value: 0, unit: GB/s, source: measured}\n" + eager),
            ":15: costs.core.combine_bandwidth.value: is too small; write a number above 0");
}

// Memory is optional, and so are two of its figures. A figure that is left out is derived from the others, and is not
// written.
TEST_F(MachineYaml, MemoryIsOptional) {
  const Machine silent = load_machine(write(kGood));
  EXPECT_FALSE(silent.memory.has_value());
  EXPECT_EQ(cache_bandwidth(silent).si, 3 * 10e9);  // three times the combine bandwidth, which is copy_bandwidth

  const std::string eager = "  eager_limit: {";
  const auto with = [&](const std::string& memory) {
    std::string text = kGood;
    return text.insert(text.find(eager), "  memory:" + memory + "\n");
  };
  const std::string bandwidth = "bandwidth: {value: 17.6, unit: GB/s, source: \"published: a benchmark\"}";
  const Machine m = load_machine(write(with("\n    " + bandwidth)));
  ASSERT_TRUE(m.memory.has_value());
  EXPECT_EQ(m.memory->bandwidth.si, 17.6e9);
  EXPECT_EQ(m.memory->bandwidth.source, "published: a benchmark");
  EXPECT_FALSE(m.memory->stated_combine_bandwidth.has_value());
  EXPECT_DOUBLE_EQ(memory_combine_bandwidth(*m.memory).si, 26.4e9);
  EXPECT_TRUE(names_source(memory_combine_bandwidth(*m.memory).source));
  EXPECT_FALSE(m.memory->cache_bandwidth.has_value());
  EXPECT_TRUE(names_source(cache_bandwidth(m).source));
  EXPECT_NE(machine_hash(m), machine_hash(silent));

  const Machine all =
      load_machine(write(with("\n    " + bandwidth +
                              "\n    combine_bandwidth: {value: 25, unit: GB/s, source: measured}"
                              "\n    cache_bandwidth: {value: 40, unit: GB/s, source: \"assumed: a guess\"}"
                              "\n    shared_cache_bandwidth: {value: 160, unit: GB/s, source: measured}")));
  EXPECT_EQ(memory_combine_bandwidth(*all.memory).si, 25e9);
  EXPECT_EQ(cache_bandwidth(all).si, 40e9);
  EXPECT_EQ(cache_bandwidth(all).source, "assumed: a guess");
  EXPECT_FALSE(m.memory->shared_cache_bandwidth.has_value());
  EXPECT_EQ(all.memory->shared_cache_bandwidth->si, 160e9);
  EXPECT_DOUBLE_EQ(shared_cache_combine_bandwidth(*all.memory).si, 240e9);

  EXPECT_EQ(error(eager, "  memory: {" + bandwidth + ", latency: 1}\n" + eager),
            ":15: costs.memory: unknown key 'latency'; known keys are bandwidth, combine_bandwidth, cache_bandwidth, "
            "shared_cache_bandwidth, cached");
  EXPECT_EQ(error(eager, "  memory: {}\n" + eager),
            ":15: costs.memory: 'bandwidth' is missing; add it, or leave `memory` out");
  EXPECT_EQ(error(eager, "  memory: 17.6 GB/s\n" + eager),
            ":15: costs.memory: is not a mapping; it has the keys bandwidth, combine_bandwidth, cache_bandwidth, "
            "shared_cache_bandwidth, cached");
  EXPECT_EQ(error(eager, "  memory:\n    bandwidth: {value: 0, unit: GB/s, source: measured}\n" + eager),
            ":16: costs.memory.bandwidth.value: is too small; write a number above 0");
  EXPECT_EQ(
      error(eager,
            "  memory:\n    " + bandwidth + "\n    cache_bandwidth: {value: 3, unit: us, source: measured}\n" + eager),
      ":17: costs.memory.cache_bandwidth.unit: 'us' is not a valid unit of bandwidth; give B/s, kB/s, MB/s, GB/s, "
      "MiB/s, GiB/s or Gb/s");
  EXPECT_EQ(error(eager, "  memory:\n    " + bandwidth +
                             "\n    combine_bandwidth: {value: 3, unit: GB/s, source: guess}\n" + eager)
                .rfind(":17: costs.memory.combine_bandwidth.source: ", 0),
            0u);

  EXPECT_EQ(m.memory->cached, CachedBy::kMessages);
  EXPECT_EQ(load_machine(write(with("\n    " + bandwidth + "\n    cached: messages"))).memory->cached,
            CachedBy::kMessages);
  const Machine buffers = load_machine(write(with("\n    " + bandwidth + "\n    cached: buffers")));
  EXPECT_EQ(buffers.memory->cached, CachedBy::kBuffers);
  EXPECT_TRUE(is_cached_by_buffers(buffers));
  EXPECT_FALSE(is_cached_by_buffers(m));
  EXPECT_NE(machine_hash(buffers), machine_hash(m));
  EXPECT_EQ(error(eager, "  memory:\n    " + bandwidth + "\n    cached: pages\n" + eager),
            ":17: costs.memory.cached: 'pages' is not a valid value; give messages or buffers");
  EXPECT_EQ(error(eager, "  memory:\n    " + bandwidth + "\n    cached: {value: 1}\n" + eager),
            ":17: costs.memory.cached: is not a text; write one value");
}

TEST_F(MachineYaml, SegmentsGapsAndBothWays) {
  const Machine m = load_machine(write(with_protocols(std::string(kSegments) + kDuplex + kGap)));
  const LevelCosts& c = m.levels[1];
  EXPECT_DOUBLE_EQ(c.duplex_bandwidth->si, 2e9);
  EXPECT_DOUBLE_EQ(c.gap->si, 40e-9);
  const auto figures = [&](double bytes) {
    const MessageFigures f = figures_of(c, bytes);
    return std::vector<double>{f.latency_s * 1e6, f.overhead_s * 1e6, f.bandwidth / 1e9};
  };
  const auto near = [](double a, double b, double c) {
    return testing::ElementsAre(testing::DoubleEq(a), testing::DoubleEq(b), testing::DoubleEq(c));
  };
  EXPECT_THAT(figures(0), near(1.5, 0, 1.25));
  EXPECT_THAT(figures(499), near(1.5, 0, 1.25));
  EXPECT_THAT(figures(500), near(3, 2, 1));
  EXPECT_THAT(figures(8191), near(3, 2, 1));
  EXPECT_THAT(figures(8192), near(5, 1, 1.2));
  EXPECT_THAT(figures(1e9), near(5, 1, 1.2));
  EXPECT_DOUBLE_EQ(widest_bandwidth(c), 1.25e9);
  EXPECT_TRUE(m.levels[0].segments.empty());
}

}  // namespace
}  // namespace strata
