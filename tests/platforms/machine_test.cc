// SPDX-License-Identifier: LGPL-2.1-only
// machine.yaml: its contents, every error with file, line and remedy, and machines that read back as they were saved.
#include "platforms/machine.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "platforms/error.h"
#include "platforms/ideal_machine.h"
#include "platforms/memory.h"
#include "platforms/segments.h"
#include "platforms/utf8.h"
#include "platforms/yaml_reader.h"
#include "tests/platforms/machines.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

// A complete machine: two switches, nodes of two packages; cores meet at all levels.
const std::string kGood = R"(schema: strata.machine/1
name: small
description: two switches
source: "assumed: a test"
node: {synthetic: "[numa] pack:2 core:2"}
network:
  groups:
    - {level: Switch, nodes: 2}
    - level: Switch
      nodes: 1
costs:
  core:
    speed: {value: 2.5, unit: Gflop/s, source: "published: a paper"}
    copy_bandwidth: {value: 10, unit: GB/s, source: measured}
  eager_limit: {value: 4, unit: KiB, source: "measured: by hand"}
  levels:
    - level: System - Cluster
      latency: {value: 2, unit: us, source: "assumed: a"}
      overhead: {value: 500, unit: ns, source: "assumed: b"}
      bandwidth: {value: 10, unit: Gb/s, source: "assumed: c"}
      link_bandwidth: {value: 2, unit: GiB/s, source: "assumed: d"}
    - level: Switch
      latency: {value: 1.5, unit: us, source: "assumed: a"}
      overhead: {value: 0, unit: us, source: "assumed: b"}
      bandwidth: {value: 1250, unit: MB/s, source: "assumed: c"}
      link_bandwidth: {value: 1250000000, unit: B/s, source: "assumed: d"}
    - level: NUMANode
      latency: {value: 0.7, unit: us, source: "assumed: a"}
      overhead: {value: 0.1, unit: us, source: "assumed: b"}
      bandwidth: {value: 5, unit: GB/s, source: "assumed: c"}
      link_bandwidth: {value: 20, unit: GB/s, source: "assumed: d"}
    - level: Package
      latency: {value: 0.3, unit: us, source: "assumed: a"}
      overhead: {value: 0.1, unit: us, source: "assumed: b"}
      bandwidth: {value: 8, unit: GB/s, source: "assumed: c"}
      link_bandwidth: {value: 8, unit: GB/s, source: "assumed: d"}
)";

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class MachineYaml : public testing::Test {
 protected:
  fs::path write(const std::string& text) {
    std::ofstream(file_, std::ios::binary) << text;
    return file_;
  }
  // The error of load_machine for kGood with `from` replaced by `to`, without the file name.
  std::string error(const std::string& from, const std::string& to) {
    std::string text = kGood;
    const size_t at = text.find(from);
    if (at == std::string::npos) return "the test's own fault: no '" + from + "'";
    text.replace(at, from.size(), to);
    return error_of(text);
  }
  std::string error_of(const std::string& text) {
    try {
      load_machine(write(text));
    } catch (const InputError& e) {
      const std::string what = e.what();
      EXPECT_EQ(what.rfind(file_.string(), 0), 0u) << what;
      return what.substr(file_.string().size());
    }
    return "no error";
  }
  const fs::path file_ = fs::path(testing::TempDir()) / "machine.yaml";
};

TEST_F(MachineYaml, MustBeUtf8) {
  EXPECT_EQ(error("two switches", "two \xA2"),
            ":3: has a byte that is not UTF-8; save the file as UTF-8, for example with iconv");
  EXPECT_EQ(error("two switches", "deux \xC3\xA9tages"), "no error");
}

TEST(Utf8, WhereItEnds) {
  constexpr size_t kNowhere = std::string_view::npos;
  for (const char* text : {"", "a\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xEF\xBB\xBF"}) {
    EXPECT_EQ(first_not_utf8(text), kNowhere) << text;
  }
  EXPECT_EQ(first_not_utf8("ab\xA2"), 2u);
  EXPECT_EQ(first_not_utf8("x\xE2\x82"), 1u);  // incomplete
  // Overlong forms, a surrogate, a value above U+10FFFF, and a byte with which no character begins.
  for (const char* text :
       {"\xC0\x80", "\xE0\x80\x80", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_EQ(first_not_utf8(text), 0u) << text;
  }
}

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

// YAML allows quoted values. Lines of kGood: 5 node, 8 and 9 groups, 12 costs.core, 13 speed, 17 levels.
TEST_F(MachineYaml, FileErrors) {
  const auto message = [](const fs::path& path) {
    try {
      load_machine(path);
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message("nowhere/machine.yaml"),
            "nowhere/machine.yaml: No such file or directory; give a YAML file that can be read");
  EXPECT_EQ(message("/tmp"), "/tmp: is a directory; give a YAML file that can be read");
  EXPECT_EQ(error_of(""), ": is not a YAML mapping; begin with `schema: ...`");
  EXPECT_EQ(error_of("- 1\n- 2\n"), ": is not a YAML mapping; begin with `schema: ...`");
  EXPECT_THAT(error_of("schema: strata.machine/1\nname: [a\ndescription: b\n"),
              testing::MatchesRegex(":[34]: malformed YAML: .*; check indentation, quotes and brackets there"));
}

TEST_F(MachineYaml, MissingAndUnknownKeys) {
  EXPECT_EQ(error_of("name: x\n"), ":1: 'schema' is missing; begin with `schema: strata.machine/1`");
  EXPECT_EQ(error("strata.machine/1", "strata.machine/9"),
            ":1: schema: is not strata.machine/1; this version reads strata.machine/1");
  EXPECT_EQ(error("name: small\n", ""), ":1: 'name' is missing; add it");
  EXPECT_EQ(error("name: small\n", "name:\n"), ":2: name: is not a text; write one value");
  EXPECT_EQ(error("name: small\n", "name: [a, b]\n"), ":2: name: is not a text; write one value");
  EXPECT_EQ(error("source: \"assumed: a test\"\n", ""),
            ":1: 'source' is missing; say where the description comes from");
  EXPECT_EQ(error("name: small\n", "name: small\ncolour: red\n"),
            ":3: unknown key 'colour'; known keys are schema, name, description, source, node, nodes, network, "
            "costs, validation");
  EXPECT_EQ(error("name: small\n", "name: small\nname: other\n"), ":3: duplicate key 'name'; keep one");
  EXPECT_EQ(error("node: {synthetic: \"[numa] pack:2 core:2\"}\n", ""),
            ":1: 'node' is missing; give `xml: node.xml` or `synthetic: \"pack:2 core:4\"`");
  EXPECT_EQ(error("network:\n  groups:\n    - {level: Switch, nodes: 2}\n    - level: Switch\n      nodes: 1\n", ""),
            ":1: 'network' is missing; give `network: {nodes: 1}` for a single node");
  EXPECT_EQ(error_of(kGood.substr(0, kGood.find("costs:"))),
            ":1: 'costs' is missing; a machine has costs: core, eager_limit and levels, each with unit and source");
}

// A file in Latin-1: the error names the line of the first byte that is not UTF-8.
TEST_F(MachineYaml, EncodingErrors) {
  EXPECT_EQ(error("name: small", "name: sm\xE4ll"),
            ":2: has a byte that is not UTF-8; save the file as UTF-8, for example with iconv");
  EXPECT_EQ(error("source: measured", "source: \"measured: \xC3\xA4\""), "no error");
  for (const char* bad :
       {"\x80", "\xC3", "\xC0\x80", "\xE2\x82", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xF8\x88\x80\x80\x80"})
    EXPECT_FALSE(is_utf8(bad)) << bad;
  for (const char* good : {"", "a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80",
                           "\xEF\xBB\xBF"
                           "a"})
    EXPECT_TRUE(is_utf8(good)) << good;
}

TEST_F(MachineYaml, NodeErrors) {
  const std::string node = "{synthetic: \"[numa] pack:2 core:2\"}";
  EXPECT_EQ(error(node, "{}"), ":5: node: does not have exactly one of xml and synthetic; give one");
  EXPECT_EQ(error(node, "{xml: node.xml, synthetic: \"core:2\"}"),
            ":5: node: does not have exactly one of xml and synthetic; give one");
  EXPECT_EQ(error(node, "core:2"), ":5: node: is not a mapping; it has the keys xml, synthetic");
  EXPECT_EQ(error(node, "{file: a}"), ":5: node: unknown key 'file'; known keys are xml, synthetic");
  EXPECT_EQ(
      error(node, "{synthetic: \"pack\"}"),
      ":5: node.synthetic: synthetic description 'pack': libhwloc does not understand it; write for example 'pack:2 "
      "numa:2 l3:1 core:6 pu:1'");
  EXPECT_EQ(error(node, "{xml: none.xml}"),
            ":5: node.xml: " + (file_.parent_path() / "none.xml").string() +
                ": No such file or directory; give an hwloc XML file, as `lstopo --of xml` writes it");
}

TEST_F(MachineYaml, NetworkErrors) {
  EXPECT_EQ(error("nodes: 2", "nodes: 0"),
            ":8: network.groups[0].nodes: '0' is not a whole number from 1 to 1000000; write one");
  EXPECT_EQ(error("nodes: 2", "nodes: 2.5"),
            ":8: network.groups[0].nodes: '2.5' is not a whole number from 1 to 1000000; write one");
  EXPECT_EQ(error("nodes: 2", "nodes: many"),
            ":8: network.groups[0].nodes: 'many' is not a whole number from 1 to 1000000; write one");
  EXPECT_EQ(error("nodes: 2", "nodes: 1000000"), ":7: network: has 1000001 nodes; give at most 1000000");
  EXPECT_EQ(error("level: Switch, ", ""),
            ":8: network.groups[0]: 'level' is missing; name the level, for example `level: Switch`");
  EXPECT_EQ(error(", nodes: 2", ""), ":8: network.groups[0]: has no nodes; give `nodes: N` or `groups:`");
  EXPECT_EQ(error(", nodes: 2", ", speed: 2"),
            ":8: network.groups[0]: unknown key 'speed'; known keys are level, nodes, groups");
  EXPECT_EQ(error("level: Switch", "level: Package"),
            ":8: network.groups[0].level: 'Package' is the name of another level of this machine; name it for example "
            "Switch");
  EXPECT_EQ(error("level: Switch", "level: System - Cluster"),
            ":8: network.groups[0].level: 'System - Cluster' is the name of another level of this machine; name it for "
            "example "
            "Switch");
  const std::string groups = "\n  groups:\n    - {level: Switch, nodes: 2}\n    - level: Switch\n      nodes: 1\n";
  EXPECT_EQ(error(groups, " {groups: 3}\n"),
            ":6: network.groups: is not a list; write [a, b] or lines that start with '-'");
  EXPECT_EQ(error(groups, " {}\n"), ":6: network: has no nodes; give `nodes: N` or `groups:`");
  EXPECT_EQ(error(groups, " {switch: 3}\n"),
            ":6: network: unknown key 'switch'; known keys are nodes, groups, torus, dragonfly, fat_tree, switches");
}

TEST_F(MachineYaml, FigureErrors) {
  const std::string speed = "{value: 2.5, unit: Gflop/s, source: \"published: a paper\"}";
  EXPECT_EQ(error(speed, "2.5"), ":13: costs.core.speed: is not a mapping; it has the keys value, unit, source");
  EXPECT_EQ(error(speed, "{value: 2.5, source: measured}"),
            ":13: costs.core.speed: 'unit' is missing; a figure has a unit: one of flop/s, Mflop/s, Gflop/s");
  EXPECT_EQ(error(speed, "{value: 2.5, unit: Gflop/s}"),
            ":13: costs.core.speed: 'source' is missing; a figure says where it comes from: `measured`, `published: "
            "<where>` or "
            "`assumed: <why>`");
  EXPECT_EQ(error(speed, "{unit: Gflop/s, source: measured}"), ":13: costs.core.speed: 'value' is missing; add it");
  EXPECT_EQ(error(speed, "{value: 2.5, unit: GHz, source: measured}"),
            ":13: costs.core.speed.unit: 'GHz' is not a valid unit of speed; give flop/s, Mflop/s or Gflop/s");
  EXPECT_EQ(error(speed, "{value: 2.5, unit: us, source: measured}"),
            ":13: costs.core.speed.unit: 'us' is not a valid unit of speed; give flop/s, Mflop/s or Gflop/s");
  for (const char* value : {"fast", ".nan", ".inf", "1,5", "[1]", "1e999"}) {
    EXPECT_THAT(error(speed, "{value: \"" + std::string(value) + "\", unit: Gflop/s, source: measured}"),
                testing::EndsWith("is not a number; write a finite number"))
        << value;
  }
  for (const char* value : {"0", "-1", "-0.0"}) {
    EXPECT_EQ(error(speed, "{value: " + std::string(value) + ", unit: Gflop/s, source: measured}"),
              ":13: costs.core.speed.value: is too small; write a number above 0");
  }
  EXPECT_EQ(error("{value: 2, unit: us", "{value: -2, unit: us"),
            ":18: costs.levels[0].latency.value: is too small; write 0 or more");
  for (const char* source :
       {"published", "assumed", "published:", "assumed:   ", "guess", "measuredly", "Published: x", "publishedx"}) {
    EXPECT_EQ(error(speed, "{value: 2, unit: Gflop/s, source: \"" + std::string(source) + "\"}"),
              ":13: costs.core.speed.source: '" + std::string(source) +
                  "' names no source; begin with `measured`, `published: <where>` or `assumed: <why>`");
  }
  EXPECT_EQ(error("unit: Gflop/s, ", "unit: Gflop/s, note: x, "),
            ":13: costs.core.speed: unknown key 'note'; known keys are value, unit, source");
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

TEST_F(MachineYaml, LevelErrors) {
  EXPECT_EQ(error("level: NUMANode", "level: Numa"),
            ":27: costs.levels[2].level: unknown level 'Numa'; cores of this machine meet at System - Cluster, Switch, "
            "NUMANode, "
            "Package");
  EXPECT_EQ(error("    - level: NUMANode", "    - level: Switch"),
            ":27: costs.levels[2].level: duplicate level 'Switch'; keep one");
  EXPECT_EQ(error_of(kGood.substr(0, kGood.find("    - level: Package"))),
            ":17: costs.levels: no figures for level 'Package', at which cores of this machine meet; add `- level: "
            "Package` with "
            "latency, overhead, bandwidth and link_bandwidth");
  EXPECT_EQ(error_of(kGood.substr(0, kGood.find("  levels:"))),
            ":12: costs: 'levels' is missing; give the figures of System - Cluster, Switch, NUMANode, Package");
  EXPECT_EQ(error("      overhead: {value: 500, unit: ns, source: \"assumed: b\"}\n", ""),
            ":17: costs.levels[0]: 'overhead' is missing; add it");
  EXPECT_EQ(error("value: 500, unit: ns", "value: 500, unit: us"),
            ":19: costs.levels[0].overhead: is longer than the latency, which includes it; give at most the latency");
  EXPECT_EQ(
      error("value: 2, unit: GiB/s", "value: 1, unit: GB/s"),
      ":21: costs.levels[0].link_bandwidth: is less than what one message gets; give at least the level's `bandwidth`");
  EXPECT_EQ(
      error("    - level: Switch\n      latency", "    - level: Switch\n      jitter: 1\n      latency"),
      ":23: costs.levels[1]: unknown key 'jitter'; known keys are level, latency, overhead, bandwidth, link_bandwidth, "
      "segments, duplex_bandwidth, gap");
  EXPECT_EQ(error("  core:\n", "  cores: 1\n  core:\n"),
            ":12: costs: unknown key 'cores'; known keys are core, eager_limit, copies, polling, memory, levels");
  EXPECT_EQ(error("  eager_limit: {value: 4, unit: KiB, source: \"measured: by hand\"}\n", ""),
            ":12: costs: 'eager_limit' is missing; add it");
  EXPECT_EQ(error("    copy_bandwidth: {value: 10, unit: GB/s, source: measured}\n", ""),
            ":13: costs.core: 'copy_bandwidth' is missing; add it");
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
  EXPECT_EQ(copies("2"), at + ": is not a mapping; it has the keys value, unit, source");
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
                              "\n    cache_bandwidth: {value: 40, unit: GB/s, source: \"assumed: a guess\"}")));
  EXPECT_EQ(memory_combine_bandwidth(*all.memory).si, 25e9);
  EXPECT_EQ(cache_bandwidth(all).si, 40e9);
  EXPECT_EQ(cache_bandwidth(all).source, "assumed: a guess");

  EXPECT_EQ(error(eager, "  memory: {" + bandwidth + ", latency: 1}\n" + eager),
            ":15: costs.memory: unknown key 'latency'; known keys are bandwidth, combine_bandwidth, cache_bandwidth");
  EXPECT_EQ(error(eager, "  memory: {}\n" + eager),
            ":15: costs.memory: 'bandwidth' is missing; add it, or leave `memory` out");
  EXPECT_EQ(error(eager, "  memory: 17.6 GB/s\n" + eager),
            ":15: costs.memory: is not a mapping; it has the keys bandwidth, combine_bandwidth, cache_bandwidth");
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
}

// --- errors of YamlReader -------------------------------------------------------------------------------------------

TEST_F(MachineYaml, ReaderTypes) {
  const YamlReader r("f.yaml", YAML::Load("yes: true\nword: maybe\nlist: [1, 2.5]\nmap: {b: 1, a: 2}\nhuge: 1e300\n"));
  const auto error = [](auto&& f) {
    try {
      f();
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_TRUE(r.at("yes").boolean());
  EXPECT_EQ(error([&] { r.at("word").boolean(); }), "f.yaml:2: word: is neither true nor false; write one");
  EXPECT_EQ(r.at("list").items()[1].number(), 2.5);
  EXPECT_EQ(error([&] { r.at("list").items()[1].integer(0, 9); }),
            "f.yaml:3: list[1]: '2.5' is not a whole number from 0 to 9; write one");
  EXPECT_EQ(error([&] { r.at("huge").integer(0, 9); }),
            "f.yaml:5: huge: '1e300' is not a whole number from 0 to 9; write one");
  EXPECT_EQ(error([&] { r.at("word").keys(); }), "f.yaml:2: word: is not a mapping; write `key: value` lines");
  EXPECT_THAT(r.at("map").keys(), testing::ElementsAre("b", "a"));
  EXPECT_EQ(error([&] { r.at("map").number(); }), "f.yaml:4: map: '...' is not a number; write a finite number");
}

// --- machines from trees and XML, saved, hashed, found --------------------------------------------------------------

void expect_equal(const Figure& a, const Figure& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.si, b.si);
}

void expect_equal(const NetworkGroup& a, const NetworkGroup& b) {
  EXPECT_EQ(a.level, b.level);
  EXPECT_EQ(a.nodes, b.nodes);
  ASSERT_EQ(a.groups.size(), b.groups.size());
  for (size_t i = 0; i < a.groups.size(); ++i) expect_equal(a.groups[i], b.groups[i]);
}

void expect_saved_and_loaded(const Machine& m, const std::string& name) {
  SCOPED_TRACE(name);
  const fs::path folder = fs::path(testing::TempDir()) / "saved";
  fs::remove_all(folder);
  fs::create_directories(folder);
  save_machine(m, folder);
  const Machine back = load_machine(folder / "machine.yaml");
  EXPECT_EQ(back.name, m.name);
  EXPECT_EQ(back.description, m.description);
  EXPECT_EQ(back.source, m.source);
  EXPECT_EQ(back.node.synthetic, m.node.synthetic);
  EXPECT_EQ(back.node.xml.empty(), m.node.xml.empty());
  expect_equal(back.network, m.network);
  expect_equal(back.core_speed, m.core_speed);
  expect_equal(back.copy_bandwidth, m.copy_bandwidth);
  expect_equal(back.combine_bandwidth(), m.combine_bandwidth());
  expect_equal(back.eager_limit, m.eager_limit);
  expect_equal(back.copies(), m.copies());
  ASSERT_EQ(back.memory.has_value(), m.memory.has_value());
  if (m.memory) {
    expect_equal(back.memory->bandwidth, m.memory->bandwidth);
    expect_equal(memory_combine_bandwidth(*back.memory), memory_combine_bandwidth(*m.memory));
    EXPECT_EQ(back.memory->stated_combine_bandwidth.has_value(), m.memory->stated_combine_bandwidth.has_value());
    expect_equal(cache_bandwidth(back), cache_bandwidth(m));
    EXPECT_EQ(back.memory->cache_bandwidth.has_value(), m.memory->cache_bandwidth.has_value());
  }
  ASSERT_EQ(back.levels.size(), m.levels.size());
  for (size_t i = 0; i < m.levels.size(); ++i) {
    EXPECT_EQ(back.levels[i].level, m.levels[i].level);
    expect_equal(back.levels[i].latency, m.levels[i].latency);
    expect_equal(back.levels[i].overhead, m.levels[i].overhead);
    expect_equal(back.levels[i].bandwidth, m.levels[i].bandwidth);
    expect_equal(back.levels[i].link_bandwidth, m.levels[i].link_bandwidth);
    ASSERT_EQ(back.levels[i].segments.size(), m.levels[i].segments.size());
    for (size_t s = 0; s < m.levels[i].segments.size(); ++s) {
      const Segment &after = back.levels[i].segments[s], &before = m.levels[i].segments[s];
      expect_equal(after.from, before.from);
      expect_equal(after.latency, before.latency);
      expect_equal(after.overhead, before.overhead);
      expect_equal(after.bandwidth, before.bandwidth);
    }
    ASSERT_EQ(back.levels[i].duplex_bandwidth.has_value(), m.levels[i].duplex_bandwidth.has_value());
    if (m.levels[i].duplex_bandwidth) expect_equal(*back.levels[i].duplex_bandwidth, *m.levels[i].duplex_bandwidth);
    ASSERT_EQ(back.levels[i].gap.has_value(), m.levels[i].gap.has_value());
    if (m.levels[i].gap) expect_equal(*back.levels[i].gap, *m.levels[i].gap);
  }
  ASSERT_EQ(back.topology->num_vertices(), m.topology->num_vertices());
  for (int v = 0; v < m.topology->num_vertices(); ++v) {
    ASSERT_EQ(back.topology->parent(v), m.topology->parent(v));
    ASSERT_EQ(back.topology->name(v), m.topology->name(v));
  }
  EXPECT_EQ(machine_hash(back), machine_hash(m));
  const std::string bytes = read(folder / "machine.yaml");
  save_machine(back, folder);  // over the file from which it was loaded
  EXPECT_EQ(read(folder / "machine.yaml"), bytes);
}

TEST_F(MachineYaml, SavedMachinesReadBackTheSame) {
  expect_saved_and_loaded(load_machine(write(kGood)), "kGood");
  expect_saved_and_loaded(find_machine("ntw10e5", "platforms/data"), "ntw10e5");
  expect_saved_and_loaded(machine_from_tree("rack:2 switch:3 node:2 pack:2 core:2"), "tree");
  expect_saved_and_loaded(machine_from_tree("core:1"), "one core");
  for (const std::string& name : kNodes) expect_saved_and_loaded(machine_from_xml(kData + name + ".xml", 3), name);
  for (const int cores : {1, 2, 64}) expect_saved_and_loaded(ideal_machine(cores, Bytes(2e6)), "ideal");
  expect_saved_and_loaded(ideal_machine(3, Bytes(1.0 / 3)), "a third of a byte");
  Machine odd = load_machine(write(kGood));
  odd.stated_combine_bandwidth = odd.copy_bandwidth;
  odd.stated_copies = odd.copies();
  odd.memory.emplace().bandwidth = odd.copy_bandwidth;
  expect_saved_and_loaded(odd, "memory");
  odd.memory->stated_combine_bandwidth = odd.memory->cache_bandwidth = odd.copy_bandwidth;
  odd.name = "~";
  odd.description = "two: \"lines\"\nand #, - ' \\ \xC3\xA9";
  odd.core_speed.value = 0.1 + 0.2;  // needs 17 digits
  odd.core_speed.si = odd.core_speed.value * 1e9;
  odd.levels[0].latency.value = 1e-7;
  odd.levels[0].latency.si = 1e-7 * 1e-6;
  odd.levels[0].overhead = odd.levels[0].latency;
  expect_saved_and_loaded(odd, "odd texts and numbers");
}

// Adds keys to the level of the switches, which has 1.5 us, 1.25 GB/s, and links of 1.25 GB/s.
std::string with_protocols(const std::string& more) {
  const std::string link = "link_bandwidth: {value: 1250000000, unit: B/s, source: \"assumed: d\"}\n";
  std::string text = kGood;
  return text.insert(text.find(link) + link.size(), more);
}

constexpr const char* kSegments =
    "      segments:\n"
    "        - from: {value: 500, unit: B, source: measured}\n"
    "          latency: {value: 3, unit: us, source: measured}\n"
    "          overhead: {value: 2, unit: us, source: measured}\n"
    "          bandwidth: {value: 1, unit: GB/s, source: measured}\n"
    "        - from: {value: 8, unit: KiB, source: measured}\n"
    "          latency: {value: 5, unit: us, source: measured}\n"
    "          overhead: {value: 1, unit: us, source: measured}\n"
    "          bandwidth: {value: 1.2, unit: GB/s, source: measured}\n";
constexpr const char* kDuplex = "      duplex_bandwidth: {value: 2, unit: GB/s, source: measured}\n";
constexpr const char* kGap = "      gap: {value: 40, unit: ns, source: measured}\n";

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
  expect_saved_and_loaded(m, "segments");
}

TEST_F(MachineYaml, ErrorsOfSegmentsGapsAndBothWays) {
  const auto error = [&](const std::string& from, const std::string& to) {
    std::string text = with_protocols(std::string(kSegments) + kDuplex + kGap);
    const size_t at = text.find(from, text.find("segments"));
    EXPECT_NE(at, std::string::npos) << from;
    return error_of(text.replace(at, from.size(), to));
  };
  EXPECT_EQ(error("value: 8, unit: KiB", "value: 500, unit: B"),
            ":32: costs.levels[1].segments[1].from: is not above that of the segment before; give the segments by "
            "increasing `from`");
  EXPECT_EQ(
      error("value: 2, unit: us", "value: 4, unit: us"),
      ":30: costs.levels[1].segments[0].overhead: is longer than the latency, which includes it; give at most the "
      "latency");
  EXPECT_EQ(error("value: 1.2, unit: GB/s", "value: 1.3, unit: GB/s"),
            ":35: costs.levels[1].segments[1].bandwidth: is more than the link carries; give at most the level's "
            "`link_bandwidth`");
  EXPECT_EQ(error("          latency: {value: 3, unit: us, source: measured}\n", ""),
            ":28: costs.levels[1].segments[0]: 'latency' is missing; add it");
  EXPECT_EQ(error("value: 2, unit: GB/s", "value: 1.2, unit: GB/s"),
            ":36: costs.levels[1].duplex_bandwidth: is less than what one message gets; give at least the level's "
            "`bandwidth`");
  EXPECT_EQ(error("value: 2, unit: GB/s", "value: 2.6, unit: GB/s"),
            ":36: costs.levels[1].duplex_bandwidth: is more than the links up and down carry; give at most twice the "
            "level's `link_bandwidth`");
  std::string inside = kGood;
  inside.insert(inside.find("    - level: Package"), kGap);
  EXPECT_EQ(
      error_of(inside),
      ":32: costs.levels[2].gap: is between messages that leave a node, and 'NUMANode' is inside one; leave it out");
}

TEST_F(MachineYaml, HashTellsMachinesApart) {
  const Machine m = load_machine(write(kGood));
  EXPECT_THAT(machine_hash(m), testing::MatchesRegex("[0-9a-f]+"));
  EXPECT_EQ(machine_hash(m).size(), 32u);
  Machine other = m;
  other.levels[1].latency.value = 1.5000000000000002;
  EXPECT_NE(machine_hash(other), machine_hash(m));
  other = m;
  other.levels[1].latency.source = "assumed: z";
  EXPECT_NE(machine_hash(other), machine_hash(m));
  EXPECT_NE(machine_hash(machine_from_xml(kData + "4io-2p2n.xml", 2)),
            machine_hash(machine_from_xml(kData + "4io-2p2n.xml", 3)));
  // The hash depends on the contents of the XML, not on its path.
  const fs::path copy = fs::path(testing::TempDir()) / "4io-2p2n.xml";
  fs::copy_file(kData + "4io-2p2n.xml", copy, fs::copy_options::overwrite_existing);
  EXPECT_EQ(machine_hash(machine_from_xml(copy, 2)), machine_hash(machine_from_xml(kData + "4io-2p2n.xml", 2)));
  std::ofstream(copy, std::ios::app) << "\n";
  EXPECT_NE(machine_hash(machine_from_xml(copy, 2)), machine_hash(machine_from_xml(kData + "4io-2p2n.xml", 2)));
}

TEST_F(MachineYaml, OnTheSpotEveryLevelHasAssumedCosts) {
  for (const std::string& name : kNodes) {
    const Machine m = machine_from_xml(kData + name + ".xml", 2);
    const Topology& t = *m.topology;
    for (int a : t.cores()) {
      for (int b : t.cores()) {
        if (a == b) continue;
        const LevelCosts* c = m.costs_at(t.lowest_common_ancestor(a, b));
        ASSERT_NE(c, nullptr) << name;
        EXPECT_EQ(c->latency.source.rfind("assumed: ", 0), 0u);
        EXPECT_LE(c->overhead.si, c->latency.si);
        EXPECT_LE(c->bandwidth.si, c->link_bandwidth.si);
      }
    }
  }
  // A NUMA node that contains the whole machine does not have the costs of a cache: its packages are sockets.
  const Machine m = machine_from_tree("[numa] pack:2 core:2");
  EXPECT_EQ(m.levels[0].level, "NUMANode");
  EXPECT_DOUBLE_EQ(m.levels[0].latency.si, 0.7e-6);
  EXPECT_THROW(machine_from_xml(kData + "4io-2p2n.xml", 0), InputError);
  EXPECT_THROW(machine_from_xml(kData + "4io-2p2n.xml", 1'000'001), InputError);
  EXPECT_EQ(machine_from_tree("core:1").loopback_latency(machine_from_tree("core:1").topology->cores()[0]).value, 0);
}

// The unit of time is a copy of the buffer; compared with it, all other times are negligible.
TEST(IdealMachine, OnlyCopyingTakesTime) {
  const double bytes = 2e6;
  const Machine m = ideal_machine(64, Bytes(bytes));
  const Topology& t = *m.topology;
  EXPECT_EQ(t.cores().size(), 64u);
  EXPECT_EQ(t.num_nodes(), 1);
  ASSERT_EQ(m.levels.size(), 1u);
  EXPECT_EQ(m.levels[0].level, "NUMANode");
  EXPECT_EQ(bytes / m.copy_bandwidth.si, 1);
  EXPECT_EQ(m.copies().si, 1);
  EXPECT_EQ(m.loopback_latency(t.cores()[0]).value, 0);
  EXPECT_EQ(m.loopback_bandwidth(t.cores()[0]).value, m.levels[0].bandwidth.si);
  EXPECT_EQ(m.levels[0].latency.si, 0);
  EXPECT_EQ(m.levels[0].overhead.si, 0);
  for (const Figure& f : {m.combine_bandwidth(), m.levels[0].bandwidth, m.levels[0].link_bandwidth}) {
    EXPECT_LT(64 * bytes / f.si, 1e-12);
  }
  for (const Figure& f : {m.core_speed, m.copy_bandwidth, m.combine_bandwidth(), m.eager_limit, m.copies(),
                          m.levels[0].latency, m.levels[0].overhead, m.levels[0].bandwidth}) {
    EXPECT_EQ(f.source.rfind("assumed: the idealised machine of IJHPCA'19, Section 6.2: ", 0), 0u) << f.source;
  }
  EXPECT_TRUE(ideal_machine(1, Bytes(1)).levels.empty());
}

TEST(IdealMachine, Refusals) {
  const auto message = [](int cores, double bytes) {
    try {
      ideal_machine(cores, Bytes(bytes));
    } catch (const InputError& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  EXPECT_EQ(message(0, 1), "--cores: 0 cores; give 1 to 65536");
  EXPECT_EQ(message(65'537, 1), "--cores: 65537 cores; give 1 to 65536");
  EXPECT_EQ(message(64, 0), "--bytes: a buffer of nothing; give at least 1 B");
}

TEST_F(MachineYaml, IsFoundByNameFolderAndFile) {
  EXPECT_THAT(catalog_names("platforms/data"), testing::Contains("ntw10e5"));
  EXPECT_TRUE(catalog_names("nowhere").empty());
  EXPECT_EQ(find_machine("ntw10e5", "platforms/data").name, "ntw10e5");
  EXPECT_EQ(find_machine("platforms/data/ntw10e5", "platforms/data").name, "ntw10e5");
  EXPECT_EQ(find_machine("platforms/data/ntw10e5/machine.yaml", "nowhere").name, "ntw10e5");
  try {
    find_machine("ibm", "platforms/data");
    FAIL() << "found";
  } catch (const InputError& e) {
    EXPECT_THAT(e.what(), testing::MatchesRegex(
                              "machine 'ibm': is neither in the catalog nor a file; the catalog has .*ntw10e5.*; or "
                              "give --xml FILE --nodes N"));
  }
  try {
    find_machine("ntw10e55", "platforms/data");
    FAIL() << "found";
  } catch (const InputError& e) {
    EXPECT_STREQ(
        e.what(),
        "machine 'ntw10e55': is neither in the catalog nor a file; did you mean ntw10e5? `strata machines` lists all");
  }
  const fs::path empty = fs::path(testing::TempDir()) / "empty";
  fs::create_directories(empty);
  EXPECT_THROW(find_machine(empty, "platforms/data"), InputError);
  EXPECT_THROW(save_machine(find_machine("ntw10e5", "platforms/data"), "/nowhere"), InputError);
}

TEST(Units, FactorsAreExactAndByDimension) {
  EXPECT_EQ(unit_factor("bandwidth", "Gb/s"), 125e6);
  EXPECT_EQ(unit_factor("bandwidth", "GiB/s"), 1073741824.0);
  EXPECT_EQ(unit_factor("size", "KiB"), 1024);
  EXPECT_EQ(unit_factor("size", "kB"), 1000);
  EXPECT_EQ(unit_factor("time", "us"), 1e-6);
  EXPECT_EQ(unit_factor("time", "GB/s"), 0);
  EXPECT_EQ(unit_factor("time", "US"), 0);
  EXPECT_EQ(unit_names("time"), (std::vector<std::string>{"ns", "us", "ms", "s"}));
  EXPECT_EQ((Bytes(3e9) / BytesPerSecond(1.5e9)).value, 2);
}

}  // namespace
}  // namespace strata
