// SPDX-License-Identifier: LGPL-2.1-only
// Instances of hardware resources compared with hwloc itself, on every machine of the importer's tests: whether a
// binding is within an instance, and which bindings are within the same one.
#include "mpi_ext/hierarchy/resource.h"

#include <gtest/gtest.h>
#include <hwloc.h>

#include <cstdlib>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "mpi_ext/hierarchy/guided.h"
#include "platforms/node_tree.h"

namespace strata::mpix {
namespace {

std::string node_file(const std::string& name) {
  return std::string(std::getenv("TEST_SRCDIR")) + "/strata/tests/platforms/data/" + name + ".xml";
}

class Hwloc {
 public:
  explicit Hwloc(const std::string& file) {
    if (hwloc_topology_init(&handle_) != 0 || hwloc_topology_set_xml(handle_, file.c_str()) != 0 ||
        hwloc_topology_load(handle_) != 0) {
      std::abort();
    }
    const auto add_all = [&](int depth) {
      for (unsigned i = 0; i < static_cast<unsigned>(hwloc_get_nbobjs_by_depth(handle_, depth)); ++i) {
        hwloc_obj_t o = hwloc_get_obj_by_depth(handle_, depth, i);
        if (!hwloc_bitmap_iszero(o->cpuset)) objects_.push_back(o);
      }
    };
    for (int depth = 0; depth < hwloc_topology_get_depth(handle_); ++depth) add_all(depth);
    add_all(HWLOC_TYPE_DEPTH_NUMANODE);
  }
  ~Hwloc() { hwloc_topology_destroy(handle_); }
  Hwloc(const Hwloc&) = delete;
  Hwloc& operator=(const Hwloc&) = delete;

  const std::vector<hwloc_obj_t>& objects() const { return objects_; }

  // The smallest object for which `asked` is true and that includes the binding; its cpuset identifies it.
  template <class Asked>
  std::string instance(Asked asked, hwloc_const_bitmap_t binding) const {
    hwloc_obj_t best = nullptr;
    for (hwloc_obj_t o : objects_) {
      if (!asked(o) || !hwloc_bitmap_isincluded(binding, o->cpuset)) continue;
      if (best == nullptr || hwloc_bitmap_weight(o->cpuset) < hwloc_bitmap_weight(best->cpuset)) best = o;
    }
    if (best == nullptr) return "none";
    char text[256] = "";
    hwloc_bitmap_list_snprintf(text, sizeof text, best->cpuset);
    return text;
  }

 private:
  hwloc_topology_t handle_ = nullptr;
  std::vector<hwloc_obj_t> objects_;
};

// The objects that names refer to, written by hand.
struct Asked {
  std::vector<const char*> names;
  bool (*of)(hwloc_obj_t);
};

const Asked kAsked[] = {
    {{"Machine", "machine", "MACHINE"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_MACHINE; }},
    {{"Package", "package", "Socket"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_PACKAGE; }},
    {{"NUMANode", "numanode", "NUMA"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_NUMANODE; }},
    {{"L3", "l3", "L3Cache", "L3u"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_L3CACHE; }},
    {{"L2", "L2Cache"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_L2CACHE; }},
    {{"L1", "l1"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_L1CACHE; }},
    {{"L1d"},
     [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_L1CACHE && o->attr->cache.type == HWLOC_OBJ_CACHE_DATA; }},
    {{"Core", "core"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_CORE; }},
    {{"PU", "pu"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_PU; }},
    {{"Group", "group"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_GROUP; }},
    {{"Group0"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_GROUP && o->attr->group.depth == 0; }},
    {{"Die"}, [](hwloc_obj_t o) { return o->type == HWLOC_OBJ_DIE; }},
    {{"", "L1i", "Packagexyz", "Bridge", "Switch", "hwloc://L3"}, [](hwloc_obj_t) { return false; }},
};

class Machines : public ::testing::TestWithParam<const char*> {};

TEST_P(Machines, InstancesAreThoseOfHwloc) {
  const std::string file = node_file(GetParam());
  const Hwloc hwloc(file);
  const auto topology = flat_cluster(import_node_xml(file), 2);
  // Bindings on both nodes: every object, and the union of each two neighbours in hwloc's list.
  std::vector<hwloc_bitmap_t> bindings;
  for (size_t i = 0; i < hwloc.objects().size(); ++i) {
    bindings.push_back(hwloc_bitmap_dup(hwloc.objects()[i]->cpuset));
    if (i == 0) continue;
    bindings.push_back(hwloc_bitmap_alloc());
    hwloc_bitmap_or(bindings.back(), hwloc.objects()[i - 1]->cpuset, hwloc.objects()[i]->cpuset);
  }
  int inside = 0, outside = 0;
  for (const Asked& asked : kAsked) {
    // A NUMA node without PUs has no instance here; hwloc gives it the cpuset of its parent.
    if (std::string(asked.names[0]) == "NUMANode" && std::string(GetParam()) == "4memory-2p3n") continue;
    for (const char* name : asked.names) {
      std::vector<std::string> expected;
      std::vector<int> got;
      for (int node = 0; node < 2; ++node) {
        for (hwloc_bitmap_t b : bindings) {
          const std::string instance = hwloc.instance(asked.of, b);
          expected.push_back(instance == "none" ? "none" : std::to_string(node) + ":" + instance);
          got.push_back(ResourceType::named(name).instance(*topology, topology->covering(node, Cpuset(b))));
        }
      }
      for (size_t i = 0; i < expected.size(); ++i) {
        ASSERT_EQ(expected[i] == "none", got[i] < 0) << name << " " << i;
        (got[i] < 0 ? outside : inside) += 1;
        for (size_t j = 0; j < i && got[i] >= 0; ++j) {
          ASSERT_EQ(expected[i] == expected[j], got[i] == got[j]) << name << " " << i << " " << j;
        }
      }
    }
  }
  EXPECT_GT(inside, 100);
  EXPECT_GT(outside, 100);
  for (hwloc_bitmap_t b : bindings) hwloc_bitmap_free(b);
}

INSTANTIATE_TEST_SUITE_P(Nodes, Machines,
                         ::testing::Values("32smt-2p4n16c2t", "32knl-2n8c4t", "8nocore-2p2n", "16groups-2g2g2p2c",
                                           "4nested-2p3n", "5asymmetric-2p2n5c", "4memory-2p3n", "4disallowed-2p2n",
                                           "4io-2p2n"),
                         [](const auto& info) {
                           std::string name = info.param;
                           for (char& c : name) c = c == '-' ? '_' : c;
                           return name;
                         });

// Levels of the network are types too, regardless of case. If they are nested, the innermost counts.
TEST(Network, LevelsAreTypes) {
  const auto t = parse_tree("pod:2 switch:2 node:2 core:2 pu:1");
  const auto instance = [&](const char* name, int node) {
    return ResourceType::named(name).instance(*t, t->covering(node, *Cpuset::parse("0")));
  };
  for (int a = 0; a < 8; ++a) {
    EXPECT_LT(instance("rack", a), 0);
    for (int b = 0; b < 8; ++b) {
      EXPECT_EQ(instance("SWITCH", a) == instance("switch", b), a / 2 == b / 2);
      EXPECT_EQ(instance("Pod", a) == instance("pod", b), a / 4 == b / 4);
      EXPECT_EQ(instance("machine", a) == instance("Machine", b), a == b);
      EXPECT_EQ(instance("System - Cluster", a), 0);
    }
  }
  const auto nested = parse_tree("switch:2 switch:2 node:1 core:1 pu:1");
  const int v = nested->covering(3, *Cpuset::parse("0"));
  EXPECT_EQ(ResourceType::named("Switch").instance(*nested, v), nested->parent(nested->node_vertex(3)));
}

TEST(Uris, SayWhereATypeIsFound) {
  const auto t = parse_tree("switch:2 node:2 pack:2 core:2 pu:1");
  const int v = t->covering(3, *Cpuset::parse("2"));
  EXPECT_EQ(ResourceType::at_uri("hwloc://package")->instance(*t, v), t->parent(v));
  EXPECT_EQ(ResourceType::at_uri("HWLOC://Core")->instance(*t, v), v);
  EXPECT_LT(ResourceType::at_uri("hwloc://switch")->instance(*t, v), 0);
  EXPECT_EQ(ResourceType::at_uri("strata://switch")->instance(*t, v), t->parent(t->node_vertex(3)));
  EXPECT_LT(ResourceType::at_uri("strata://package")->instance(*t, v), 0);
  EXPECT_FALSE(ResourceType::at_uri("pci://0"));
  EXPECT_FALSE(ResourceType::at_uri("Package"));
  EXPECT_EQ(ResourceType::node().instance(*t, v), t->node_vertex(3));
}

TEST(Uris, AreThoseOfTheNodeAndTheNetwork) {
  const auto uris = [](const char* tree) {
    const auto t = parse_tree(tree);
    return resource_uris(*t, t->covering(t->num_nodes() - 1, *Cpuset::parse("0")));
  };
  using Strings = std::vector<std::string>;
  EXPECT_EQ(uris("switch:2 node:2 pack:2 [numa] l3:1 core:2 pu:2"),
            (Strings{"strata://switch", "hwloc://Machine", "hwloc://Package", "hwloc://NUMANode", "hwloc://L3",
                     "hwloc://Core", "hwloc://PU"}));
  EXPECT_EQ(uris("node:3 core:2 pu:1"), (Strings{"hwloc://Machine", "hwloc://NUMANode", "hwloc://Core", "hwloc://PU"}));
}

// The groups into which a guided split divides bindings on one node: "{0,1} {3,4}".
std::string guided(const Topology& t, const char* type, const std::vector<std::string>& cpusets) {
  std::vector<int> vertices, instances;
  for (const std::string& set : cpusets) {
    vertices.push_back(t.covering(0, *Cpuset::parse(set)));
    instances.push_back(ResourceType::named(type).instance(t, vertices.back()));
  }
  const Hierarchy h = split_by_instance(t.parents(), vertices, instances);
  std::string text;
  for (const Communicator& c : h.comms) {
    std::string members;
    for (int m : c.members) members += (members.empty() ? "" : ",") + std::to_string(m);
    text += (text.empty() ? "{" : " {") + members + "}";
  }
  return text;
}

// Eight ranks of three cores each on L3s of eight cores: ranks 2 and 5 span two L3s, and are in no group.
TEST(OpenMpiIssue12812, GuidedByL3) {
  std::vector<std::string> cpusets;
  for (int r = 0; r < 8; ++r) cpusets.push_back(std::to_string(3 * r) + "-" + std::to_string(3 * r + 2));
  EXPECT_EQ(guided(*parse_tree("l3:3 core:8 pu:1"), "L3", cpusets), "{0,1} {3,4} {6,7}");
}

// Unbound ranks are not within one core, package or L3, so they do not form a group each; they share the node.
TEST(OpenMpiIssue10416, GuidedUnbound) {
  const auto t = parse_tree("pack:2 l3:2 core:2 pu:1");
  const std::vector<std::string> unbound(4, "0-7");
  for (const char* type : {"Core", "PU", "L3", "Package"}) EXPECT_EQ(guided(*t, type, unbound), "") << type;
  EXPECT_EQ(guided(*t, "Machine", unbound), "{0,1,2,3}");
}

// Groups need not be strict subsets: all ranks may be together.
TEST(Guided, AllMayShareOneInstance) {
  EXPECT_EQ(guided(*parse_tree("pack:2 core:4 pu:1"), "Package", {"0", "1-2", "0-3"}), "{0,1,2}");
  EXPECT_EQ(guided(*parse_tree("pack:1 numa:1 l3:1 l2:1 core:1 pu:1"), "L2", {"0", "0"}), "{0,1}");
}

}  // namespace
}  // namespace strata::mpix
