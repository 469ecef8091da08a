// SPDX-License-Identifier: LGPL-2.1-only
// Machines read back as they were saved, differ in their hashes, and are found by name, folder and file.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "base/output_error.h"
#include "platforms/ideal_machine.h"
#include "platforms/machine.h"
#include "platforms/memory.h"
#include "tests/platforms/good_machine.h"
#include "tests/platforms/machines.h"

namespace strata {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

void expect_equal(const Figure& a, const Figure& b) {
  EXPECT_EQ(a.value, b.value);
  EXPECT_EQ(a.unit, b.unit);
  EXPECT_EQ(a.source, b.source);
  EXPECT_EQ(a.si, b.si);
  EXPECT_EQ(a.plus_minus, b.plus_minus);
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
    EXPECT_EQ(back.memory->cached, m.memory->cached);
    ASSERT_EQ(back.memory->shared_cache_bandwidth.has_value(), m.memory->shared_cache_bandwidth.has_value());
    if (m.memory->shared_cache_bandwidth)
      expect_equal(*back.memory->shared_cache_bandwidth, *m.memory->shared_cache_bandwidth);
  }
  ASSERT_EQ(back.ports.has_value(), m.ports.has_value());
  if (m.ports) {
    EXPECT_EQ(back.ports->at, m.ports->at);
    EXPECT_EQ(back.ports->rule, m.ports->rule);
    expect_equal(back.ports->bandwidth, m.ports->bandwidth);
    ASSERT_EQ(back.ports->far_latency.has_value(), m.ports->far_latency.has_value());
    if (m.ports->far_latency) expect_equal(*back.ports->far_latency, *m.ports->far_latency);
    ASSERT_EQ(back.ports->stripe_from.has_value(), m.ports->stripe_from.has_value());
    if (m.ports->stripe_from) expect_equal(*back.ports->stripe_from, *m.ports->stripe_from);
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
  odd.ports = NetworkPorts{.at = {"Package 0", "Package 1"}, .bandwidth = odd.copy_bandwidth};
  expect_saved_and_loaded(odd, "ports");
  odd.ports->rule = PortRule::kTurns;
  odd.ports->far_latency = odd.levels[0].latency;
  odd.ports->stripe_from = odd.eager_limit;
  expect_saved_and_loaded(odd, "ports with all figures");
  odd.memory->stated_combine_bandwidth = odd.memory->cache_bandwidth = odd.memory->shared_cache_bandwidth =
      odd.copy_bandwidth;
  odd.memory->cached = CachedBy::kBuffers;
  odd.name = "~";
  odd.description = "two: \"lines\"\nand #, - ' \\ \xC3\xA9";
  odd.core_speed.value = 0.1 + 0.2;  // needs 17 digits
  odd.core_speed.si = odd.core_speed.value * 1e9;
  odd.levels[0].latency.value = 1e-7;
  odd.levels[0].latency.si = 1e-7 * 1e-6;
  odd.levels[0].latency.plus_minus = 2e-9;
  odd.levels[0].overhead = odd.levels[0].latency;
  expect_saved_and_loaded(odd, "odd texts and numbers");
  expect_saved_and_loaded(load_machine(write(with_protocols(std::string(kSegments) + kDuplex + kGap))), "segments");
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
  EXPECT_THROW(save_machine(find_machine("ntw10e5", "platforms/data"), "/nowhere"), OutputError);
}

}  // namespace
}  // namespace strata
