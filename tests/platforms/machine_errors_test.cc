// SPDX-License-Identifier: LGPL-2.1-only
// Every error in a machine.yaml, with file, line and remedy.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "base/utf8.h"
#include "tests/platforms/good_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

TEST_F(MachineYaml, MustBeUtf8) {
  EXPECT_EQ(error("two switches", "two \xA2"),
            ":3: has a byte that is not UTF-8; save the file as UTF-8, for example with iconv");
  EXPECT_EQ(error("two switches", "deux \xC3\xA9tages"), "no error");
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

// Ports are added to line 7, their figures to line 16.
std::string with_ports(const std::string& ports, const std::string& figures) {
  std::string text = kGood;
  const std::string groups = "network:\n", levels = "  levels:\n";
  text.replace(text.find(groups), groups.size(), groups + "  ports: " + ports + "\n");
  if (!figures.empty()) text.replace(text.find(levels), levels.size(), "  ports: " + figures + "\n" + levels);
  return text;
}

TEST_F(MachineYaml, Ports) {
  const std::string figures = "{bandwidth: {value: 1250, unit: MB/s, source: measured}}";
  const auto error_of_ports = [&](const std::string& ports) { return error_of(with_ports(ports, figures)); };
  EXPECT_EQ(error_of_ports("{at: [Package 0, Package 1, NUMANode 0, Machine, Core 3]}"), "no error");
  EXPECT_EQ(error_of_ports("{at: [Package 0], rule: turns}"), "no error");
  EXPECT_EQ(error_of_ports("{rule: turns}"),
            ":7: network.ports: 'at' is missing; list the objects, for example `at: [Package 0, Package 1]`");
  EXPECT_EQ(error_of_ports("{at: []}"),
            ":7: network.ports.at: is empty; leave `ports` out where a node has a single port");
  EXPECT_EQ(
      error_of_ports("{at: [Package 0, Package 2]}"),
      ":7: network.ports.at[1]: node 0 has no 'Package 2' with cores; give an object as `strata topo --full` lists "
      "it, without L#: \"Package 0\"");
  EXPECT_THAT(error_of_ports("{at: [Package 0], rule: near}"), testing::HasSubstr("network.ports.rule"));
  EXPECT_EQ(error_of(with_ports("{at: [Package 0]}", "")),
            ":13: costs: 'ports' is missing; give the ports' `bandwidth`");
  EXPECT_THAT(error("  levels:", "  ports: " + figures + "\n  levels:"),
              testing::HasSubstr("costs: unknown key 'ports'"));
  // Messages between nodes get 1.25 GB/s.
  const std::string narrow = "{bandwidth: {value: 0.7, unit: GB/s, source: measured}";
  EXPECT_EQ(error_of(with_ports("{at: [Package 0, Package 1]}", narrow + "}")),
            ":22: costs.levels[0].bandwidth: is more than the ports carry of one message; give at most "
            "costs.ports.bandwidth, or state costs.ports.stripe_from");
  const std::string striped = narrow + ", stripe_from: {value: 4, unit: KiB, source: measured}}";
  EXPECT_EQ(error_of(with_ports("{at: [Package 0, Package 1]}", striped)), "no error");
  EXPECT_EQ(error_of(with_ports("{at: [Package 0]}", striped)),
            ":22: costs.levels[0].bandwidth: is more than the ports carry of one message; give at most "
            "costs.ports.bandwidth for each port");
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
  for (const char* good : {"", "a", "\xC3\xA4", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\uFEFFa"})
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
  EXPECT_EQ(
      error(groups, " {switch: 3}\n"),
      ":6: network: unknown key 'switch'; known keys are nodes, groups, torus, dragonfly, fat_tree, switches, ports");
}

TEST_F(MachineYaml, FigureErrors) {
  const std::string speed = "{value: 2.5, unit: Gflop/s, source: \"published: a paper\"}";
  EXPECT_EQ(error(speed, "2.5"),
            ":13: costs.core.speed: is not a mapping; it has the keys value, unit, plus_minus, source");
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
  EXPECT_EQ(error("{value: 2, unit: us,", "{value: 2, unit: us, plus_minus: -1,"),
            ":18: costs.levels[0].latency.plus_minus: is negative; write 0 or more");
  for (const char* source :
       {"published", "assumed", "published:", "assumed:   ", "guess", "measuredly", "Published: x", "publishedx"}) {
    EXPECT_EQ(error(speed, "{value: 2, unit: Gflop/s, source: \"" + std::string(source) + "\"}"),
              ":13: costs.core.speed.source: '" + std::string(source) +
                  "' names no source; begin with `measured`, `published: <where>` or `assumed: <why>`");
  }
  EXPECT_EQ(error("unit: Gflop/s, ", "unit: Gflop/s, note: x, "),
            ":13: costs.core.speed: unknown key 'note'; known keys are value, unit, plus_minus, source");
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
  EXPECT_EQ(error("    - level: Switch\n      latency", "    - level: Switch\n      jitter: 1\n      latency"),
            ":23: costs.levels[1]: unknown key 'jitter'; known keys are level, latency, overhead, receive_overhead, "
            "bandwidth, send_copy, receive_copy, "
            "link_bandwidth, segments, duplex_bandwidth, gap");
  EXPECT_EQ(error("  core:\n", "  cores: 1\n  core:\n"),
            ":12: costs: unknown key 'cores'; known keys are core, eager_limit, copies, queue_search, polling, memory, "
            "levels");
  EXPECT_EQ(error("  eager_limit: {value: 4, unit: KiB, source: \"measured: by hand\"}\n", ""),
            ":12: costs: 'eager_limit' is missing; add it");
  EXPECT_EQ(error("    copy_bandwidth: {value: 10, unit: GB/s, source: measured}\n", ""),
            ":13: costs.core: 'copy_bandwidth' is missing; add it");
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
  EXPECT_EQ(error("overhead: {value: 2, unit: us",
                  "receive_overhead: {value: 1.1, unit: us, source: measured}\n          "
                  "overhead: {value: 2, unit: us"),
            ":30: costs.levels[1].segments[0].receive_overhead: is longer than the rest of the latency, which includes "
            "both overheads; give at most the latency less the overhead");
  EXPECT_EQ(error("overhead: {value: 2, unit: us",
                  "send_copy: {value: 0.1, unit: GB/s, source: measured}\n          "
                  "overhead: {value: 2, unit: us"),
            ":30: costs.levels[1].segments[0].send_copy: is less than what one message gets; give at least the "
            "`bandwidth`, or leave it out");
  std::string inside = kGood;
  inside.insert(inside.find("    - level: Package"), kGap);
  EXPECT_EQ(
      error_of(inside),
      ":32: costs.levels[2].gap: is between messages that leave a node, and 'NUMANode' is inside one; leave it out");
}

}  // namespace
}  // namespace strata
