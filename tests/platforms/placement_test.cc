// SPDX-License-Identifier: LGPL-2.1-only
// Placement: every policy compared with lists made by hand, oversubscription, errors, and bindings files.
#include "platforms/placement.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/error_of.h"
#include "tests/platforms/machines.h"

namespace strata {
namespace {

using ::testing::HasSubstr;

// "node:cpuset" of each rank.
std::string listed(const std::vector<Binding>& ranks) {
  std::string text;
  for (const Binding& b : ranks) text += (text.empty() ? "" : " ") + std::to_string(b.node) + ":" + b.cpuset.list();
  return text;
}

std::string placed(const Topology& t, int np, const std::string& map_by, const std::string& bind_to = "core",
                   bool over = false) {
  const std::vector<Binding> ranks = place(t, np, {.map_by = map_by, .bind_to = bind_to, .oversubscribe = over});
  for (const Binding& b : ranks) {
    EXPECT_EQ(t.node(b.core), b.node);
    EXPECT_TRUE(t.object(b.core)->is_core);
    EXPECT_TRUE(t.object(b.core)->cpuset.intersects(b.cpuset));
  }
  return listed(ranks);
}

std::string refused(const Topology& t, int np, const PlacementOptions& options) {
  return error_of([&] { place(t, np, options); });
}

// The error for an unknown word of an option.
template <class Option>
std::string unknown(const std::string& word) {
  return error_of([&] { Option{word}; });
}

// 2 nodes x 2 packages (each a NUMA node) x 2 L3 x 2 L2 x 1 core of one PU: a node has PUs 0-7.
std::shared_ptr<const Topology> deep() { return parse_tree("node:2 pack:2 [numa] l3:2 l2:2 core:1 pu:1"); }

TEST(Place, EveryMapByDealsItsObjectsInTurn) {
  const auto t = deep();
  EXPECT_EQ(placed(*t, 6, "core"), "0:0 0:1 0:2 0:3 0:4 0:5");
  EXPECT_EQ(placed(*t, 6, "l2"), "0:0 0:1 0:2 0:3 0:4 0:5");
  EXPECT_EQ(placed(*t, 16, "core"), "0:0 0:1 0:2 0:3 0:4 0:5 0:6 0:7 1:0 1:1 1:2 1:3 1:4 1:5 1:6 1:7");
  EXPECT_EQ(placed(*t, 5, "node"), "0:0 1:0 0:1 1:1 0:2");
  EXPECT_EQ(placed(*t, 6, "package"), "0:0 0:4 1:0 1:4 0:1 0:5");
  EXPECT_EQ(placed(*t, 6, "numa"), "0:0 0:4 1:0 1:4 0:1 0:5");
  EXPECT_EQ(placed(*t, 10, "l3"), "0:0 0:2 0:4 0:6 1:0 1:2 1:4 1:6 0:1 0:3");
}

TEST(Place, OpenMpisNamesMeanTheSame) {
  const auto t = deep();
  for (const auto& [theirs, ours] : {std::pair("socket", "package"), std::pair("slot", "core"),
                                     std::pair("l2cache", "l2"), std::pair("l3cache", "l3")}) {
    EXPECT_EQ(placed(*t, 10, theirs, theirs), placed(*t, 10, ours, ours)) << theirs;
    EXPECT_EQ(MapBy(theirs).name(), ours) << "manifests have our name";
  }
}

// The places of ranks of several cores, for a value of --map-by.
std::string placed_by(const Topology& t, int np, const std::string& map_by, PlacementOptions options = {}) {
  read_map_by(map_by, options);
  const std::vector<Binding> ranks = place(t, np, options);
  for (const Binding& b : ranks) EXPECT_EQ(t.object(b.core)->cpuset.first(), b.cpuset.first()) << "its first core";
  return listed(ranks);
}

TEST(SeveralCores, EachRankHasTheNextOfItsObject) {
  const auto t = deep();
  EXPECT_EQ(placed_by(*t, 5, "PE=2"), "0:0-1 0:2-3 0:4-5 0:6-7 1:0-1");
  EXPECT_EQ(placed_by(*t, 4, "PE=3"), "0:0-2 0:3-5 1:0-2 1:3-5");  // none has cores of two nodes
  for (const char* same : {"core:PE=2", "slot:PE=2", "pe=2"})
    EXPECT_EQ(placed_by(*t, 8, same), placed_by(*t, 8, "PE=2"));
  EXPECT_EQ(placed_by(*t, 6, "socket:PE=2"), "0:0-1 0:4-5 1:0-1 1:4-5 0:2-3 0:6-7");
  EXPECT_EQ(placed_by(*t, 4, "package:PE=3"), "0:0-2 0:4-6 1:0-2 1:4-6");
  EXPECT_EQ(placed_by(*t, 4, "node:PE=3"), "0:0-2 1:0-2 0:3-5 1:3-5");
  EXPECT_EQ(placed_by(*t, 3, "node:PE=8", {.oversubscribe = true}), "0:0-7 1:0-7 0:0-7");
  EXPECT_EQ(placed_by(*t, 6, "numa:PE=1"), placed(*t, 6, "numa"));
  // Objects of different sizes: packages with 1 and 4 cores.
  const auto unequal = flat_cluster(test_node("5asymmetric-2p2n5c"), 1);
  EXPECT_EQ(placed(*unequal, 5, "package"), "0:0 0:4 0:1 0:2 0:3");
  EXPECT_EQ(placed_by(*unequal, 2, "package:PE=2"), "0:0-1 0:2-3");
  // A core has all its PUs.
  EXPECT_EQ(placed_by(*parse_tree("core:4 pu:2"), 2, "PE=2"), "0:0-3 0:4-7");
}

TEST(SeveralCores, RoomAndText) {
  PlacementOptions options;
  const auto t = deep();
  EXPECT_EQ(map_by_text(options), "core");
  EXPECT_EQ(room_for_ranks(*t, options), 16);
  read_map_by("socket:PE=3", options);
  EXPECT_EQ(map_by_text(options), "package:PE=3");
  EXPECT_EQ(room_for_ranks(*t, options), 4);
  const std::vector<Binding> ranks = place(*t, 4, options);
  EXPECT_EQ(cores_per_rank(*t, ranks), std::vector<double>(4, 3));
  EXPECT_EQ(core_indexes(*t, ranks), (std::vector<int>{0, 4, 8, 12}));
  read_map_by("node", options);  // a later value replaces the whole
  EXPECT_EQ(map_by_text(options), "node");
}

TEST(SeveralCores, Refusals) {
  const auto t = deep();
  const auto error = [&](int np, const std::string& map_by, PlacementOptions options = {}) {
    return error_of([&] { placed_by(*t, np, map_by, options); });
  };
  EXPECT_EQ(error(9, "PE=2"),
            "--np: 9 ranks of 2 cores each, but there is room for 8; give at most 8, or a smaller PE=, or say "
            "--oversubscribe");
  EXPECT_EQ(error(1, "socket:PE=5"),
            "--map-by: no package has the 5 cores that PE= gives each rank; look at the levels with `strata topo`");
  EXPECT_EQ(error(1, "PE=9"),
            "--map-by: no node has the 9 cores that PE= gives each rank; look at the levels with `strata topo`");
  EXPECT_EQ(error(1, "PE=2", {.bind_to = "numa"}),
            "--bind-to: numa does not go with --map-by PE=2, which also says to which cores a rank is bound; give one "
            "of them");
  EXPECT_EQ(error(1, "spread:PE=2"), "--map-by: spread does not go with PE=2; give for example package:PE=2");
  for (const char* wrong : {"0", "-1", "2x", "", "99999999999"}) {
    EXPECT_EQ(error(1, std::string("PE=") + wrong),
              std::string("--map-by: '") + wrong + "' is not a number of cores; write for example PE=4");
  }
  EXPECT_THAT(error(1, "sockets:PE=2"), HasSubstr("unknown level 'sockets'"));
  EXPECT_THAT(error(1, "socket:PX=2"), HasSubstr("unknown level 'socket:PX=2'"));
}

TEST(CoresPerRank, RanksThatAreBoundToTheSameCoresShareThem) {
  const auto t = deep();
  const auto cores = [&](int np, const std::string& map_by, const std::string& bind_to, bool over = false) {
    return cores_per_rank(*t, place(*t, np, {.map_by = map_by, .bind_to = bind_to, .oversubscribe = over}));
  };
  using Cores = std::vector<double>;
  EXPECT_EQ(cores(3, "core", "core"), (Cores{1, 1, 1}));
  EXPECT_EQ(cores(2, "package", "package"), (Cores{4, 4}));
  EXPECT_EQ(cores(3, "package", "l3"), (Cores{2, 2, 2}));
  EXPECT_EQ(cores(5, "package", "package"), (Cores{2, 4, 4, 4, 2}));
  EXPECT_EQ(cores(3, "core", "none"), (Cores{8. / 3, 8. / 3, 8. / 3}));
  EXPECT_EQ(cores(32, "core", "none", true), Cores(32, 1));  // several ranks take turns on a core
}

TEST(Place, BlockCyclicFillsNodesOverTheirPackages) {
  EXPECT_EQ(placed(*deep(), 11, "block-cyclic"), "0:0 0:4 0:1 0:5 0:2 0:6 0:3 0:7 1:0 1:4 1:1");
  EXPECT_EQ(placed(*deep(), 2, "block-cyclic", "none"), "0:0-7 0:0-7");
  EXPECT_EQ(placed(*parse_tree("node:2 core:2 pu:1"), 5, "block-cyclic", "core", true), "0:0 0:1 1:0 1:1 0:0");
}

// Takes the first nodes that are needed, and each of their cores at most once. Over many seeds the first rank is
// equally often on each core.
TEST(Place, RandomTakesAnyCoresOfTheNodesThatAreNeeded) {
  const auto t = parse_tree("node:3 pack:2 core:2 pu:1");
  std::map<int, int> first;
  for (std::uint64_t seed = 0; seed < 800; ++seed) {
    const std::vector<Binding> ranks = place(*t, 6, {.map_by = "random", .seed = seed});
    std::set<int> used;
    for (const Binding& b : ranks) {
      EXPECT_LT(b.node, 2);
      used.insert(b.core);
    }
    EXPECT_EQ(used.size(), 6u);
    ++first[ranks[0].core];
  }
  ASSERT_EQ(first.size(), 8u);
  for (const auto& [core, times] : first) EXPECT_NEAR(times, 100, 40) << core;  // 4 standard deviations
  EXPECT_EQ(listed(place(*t, 6, {.map_by = "random", .seed = 7})),
            listed(place(*t, 6, {.map_by = "random", .seed = 7})));
  EXPECT_EQ(refused(*t, 13, {.map_by = "random"}),
            "--np: 13 ranks on 12 cores; give at most 12, or say --oversubscribe");
}

TEST(Place, EveryBindToIsTheSmallestObjectOfItsType) {
  const auto t = deep();
  EXPECT_EQ(placed(*t, 3, "core", "core"), "0:0 0:1 0:2");
  EXPECT_EQ(placed(*t, 3, "core", "l2"), "0:0 0:1 0:2");
  EXPECT_EQ(placed(*t, 3, "core", "l3"), "0:0-1 0:0-1 0:2-3");
  EXPECT_EQ(placed(*t, 3, "package", "numa"), "0:0-3 0:4-7 1:0-3");
  EXPECT_EQ(placed(*t, 3, "package", "package"), "0:0-3 0:4-7 1:0-3");
  EXPECT_EQ(placed(*t, 3, "node", "node"), "0:0-7 1:0-7 0:0-7");
  EXPECT_EQ(placed(*t, 3, "node", "none"), "0:0-7 1:0-7 0:0-7");
}

TEST(Place, CoresAreBoundWithAllTheirPus) {
  const auto t = flat_cluster(test_node("32smt-2p4n16c2t"), 1);
  EXPECT_EQ(placed(*t, 3, "numa"), "0:0-1 0:8-9 0:16-17");
}

TEST(Place, PusActAsCores) {
  const auto t = flat_cluster(test_node("8nocore-2p2n"), 1);
  EXPECT_EQ(placed(*t, 8, "core"), "0:0 0:1 0:2 0:3 0:4 0:5 0:6 0:7");
  EXPECT_EQ(placed(*t, 5, "l2"), "0:0 0:2 0:4 0:6 0:1");
  EXPECT_EQ(placed(*t, 3, "package", "l2"), "0:0-1 0:4-5 0:0-1");
}

TEST(Place, FullObjectsAreSkipped) {
  const auto t = flat_cluster(test_node("5asymmetric-2p2n5c"), 2);
  EXPECT_EQ(placed(*t, 10, "package"), "0:0 0:4 1:0 1:4 0:1 1:1 0:2 1:2 0:3 1:3");
  EXPECT_EQ(placed(*t, 10, "node"), "0:0 1:0 0:1 1:1 0:2 1:2 0:3 1:3 0:4 1:4");
}

TEST(Place, DisallowedPusAreNeverUsed) {
  EXPECT_EQ(placed(*flat_cluster(test_node("4disallowed-2p2n"), 2), 6, "core"), "0:0 0:2 0:3 1:0 1:2 1:3");
}

// NUMA nodes in hwloc's order: package 0, package 1, then the machine's, which has the same cores.
TEST(Place, ACoreOfTwoNumaNodesIsDealtOnce) {
  const auto t = flat_cluster(test_node("4nested-2p3n"), 1);
  EXPECT_EQ(placed(*t, 4, "numa"), "0:0 0:2 0:1 0:3");
  EXPECT_EQ(placed(*t, 2, "core", "numa"), "0:0-1 0:0-1");
  EXPECT_EQ(refused(*t, 5, {.map_by = "numa"}), "--np: 5 ranks on 4 cores; give at most 4, or say --oversubscribe");
}

TEST(Place, OversubscribedRoundsRepeatTheFirst) {
  const auto t = flat_cluster(test_node("5asymmetric-2p2n5c"), 1);
  EXPECT_EQ(placed(*t, 12, "package", "core", true), "0:0 0:4 0:1 0:2 0:3 0:0 0:4 0:1 0:2 0:3 0:0 0:4");
  EXPECT_EQ(placed(*t, 3, "core", "core", true), "0:0 0:1 0:2");
}

TEST(Place, Refusals) {
  const auto t = deep();
  const auto pus = flat_cluster(test_node("8nocore-2p2n"), 1);
  EXPECT_EQ(refused(*t, 0, {}), "--np: 0 ranks; give at least 1");
  EXPECT_EQ(refused(*t, -3, {}), "--np: -3 ranks; give at least 1");
  EXPECT_EQ(refused(*t, 17, {}), "--np: 17 ranks on 16 cores; give at most 16, or say --oversubscribe");
  const std::string levels = "; give node, numa, package, group, l3, l2, core";
  EXPECT_EQ(unknown<MapBy>("sockets"),
            "--map-by: unknown level 'sockets'" + levels + ", spread, block-cyclic or random");
  EXPECT_EQ(unknown<MapBy>("none"), "--map-by: unknown level 'none'" + levels + ", spread, block-cyclic or random");
  EXPECT_EQ(unknown<BindTo>("Core"), "--bind-to: unknown level 'Core'" + levels + " or none");
  EXPECT_EQ(refused(*pus, 2, {.map_by = "l3"}),
            "--map-by: the machine has no object of type 'l3'; look at the levels with `strata topo`");
  EXPECT_EQ(refused(*pus, 2, {.bind_to = "l3"}),
            "--bind-to: core 0 of node 0 lies in no object of type 'l3'; look at the levels with `strata topo`");
}

// Every policy on every machine uses each core exactly once.
TEST(Place, UsesEachCoreOnceOnEveryMachine) {
  for (const std::string& name : kNodes) {
    const auto t = flat_cluster(test_node(name), 3);
    for (const char* map_by : {"node", "numa", "package", "l3", "l2", "core", "block-cyclic", "random"}) {
      std::vector<Binding> ranks;
      try {
        ranks = place(*t, static_cast<int>(t->cores().size()), {.map_by = map_by});
      } catch (const InputError&) {
        continue;  // the machine does not have this level
      }
      std::set<int> used;
      for (const Binding& b : ranks) used.insert(b.core);
      EXPECT_EQ(used.size(), t->cores().size()) << name << " by " << map_by;
    }
  }
}

// --- bindings files ------------------------------------------------------------------------------------------------

class Bindings : public testing::Test {
 protected:
  std::string file(const std::string& text) {
    std::ofstream(path_, std::ios::binary) << text;
    return path_;
  }
  std::string error(const std::string& text, int np = 0) {
    try {
      read_bindings(file(text), *t_, np);
    } catch (const InputError& e) {
      const std::string what = e.what();
      EXPECT_EQ(what.rfind(path_, 0), 0u) << what;
      return what.substr(path_.size());
    }
    return "no error";
  }
  const std::string path_ = testing::TempDir() + "bindings.txt";
  const std::shared_ptr<const Topology> t_ = deep();
};

TEST_F(Bindings, AreReadInAnyOrderWithComments) {
  const auto ranks = read_bindings(file("# a comment\n2 1 0-3,7\n\n0 0 5  # another\n  1\t0\t4,6\r\n"), *t_);
  EXPECT_EQ(listed(ranks), "0:5 0:4,6 1:0-3,7");
  EXPECT_EQ(ranks[0].core, t_->cores()[5]);
  EXPECT_EQ(ranks[1].core, t_->cores()[4]);
  EXPECT_EQ(ranks[2].core, t_->cores()[8]);
  EXPECT_EQ(listed(read_bindings(file("0 1 3"), *t_, 1)), "1:3");  // no line feed at the end
}

TEST_F(Bindings, ComeBackAsTheyWereWritten) {
  for (const char* bind_to : {"core", "l3", "numa", "node"}) {
    const auto ranks = place(*t_, 11, {.map_by = "package", .bind_to = bind_to});
    EXPECT_EQ(listed(read_bindings(file(format_bindings(ranks)), *t_, 11)), listed(ranks));
  }
  EXPECT_EQ(format_bindings(place(*t_, 2, {.map_by = "node", .bind_to = "l3"})), "0 0 0-1\n1 1 0-1\n");
}

TEST_F(Bindings, BadFilesAreRefusedWithFileAndLine) {
  EXPECT_EQ(error("0 0\n"), ":1: '0 0' is not `rank node cpuset`; write for example `4 0 0-3,8`");
  EXPECT_EQ(error("0 0 1 2\n"), ":1: '0 0 1 2' is not `rank node cpuset`; write for example `4 0 0-3,8`");
  EXPECT_EQ(error("# x\nzero 0 1\n"), ":2: rank 'zero' is not a whole number; write 0, 1, 2, ...");
  EXPECT_EQ(error("-1 0 1\n"), ":1: rank '-1' is not a whole number; write 0, 1, 2, ...");
  EXPECT_EQ(error("99999999999 0 1\n"), ":1: rank '99999999999' is not a whole number; write 0, 1, 2, ...");
  EXPECT_EQ(error("0 0.5 1\n"), ":1: node '0.5' is not a whole number; write 0, 1, 2, ...");
  EXPECT_EQ(error("0 0 1\n1 2 1\n"), ":2: node 2 is not there; the machine has nodes 0 to 1");
  EXPECT_EQ(error("0 0 1-\n"), ":1: cpuset '1-' is malformed; write a list as `0-3,8`");
  EXPECT_EQ(error("0 0 0x3\n"), ":1: cpuset '0x3' is malformed; write a list as `0-3,8`");
  EXPECT_EQ(error("0 0 6-9\n"), ":1: PU 8 is not on node 0; it has the PUs 0-7");
  EXPECT_EQ(error("0 0 1\n0 0 2\n"), ":2: duplicate rank 0; give each rank one line");
  EXPECT_EQ(error("# nothing\n\n"), ": binds no rank; give a line `rank node cpuset` for each rank");
  EXPECT_EQ(error("0 0 1\n2 0 2\n"), ": rank 1 is missing; give a line for each rank from 0 to 2");
  EXPECT_EQ(error("1 0 1\n"), ": rank 0 is missing; give a line for each rank from 0 to 1");
  EXPECT_EQ(error("0 0 1\n1 0 2\n", 3), ": binds 2 ranks, --np says 3; make them agree");
}

TEST_F(Bindings, MissingFileAndDirectory) {
  const std::string remedy = "; give a bindings file: a line `rank node cpuset` for each rank";
  const auto message = [&](const std::string& path) { return error_of([&] { read_bindings(path, *t_); }); };
  EXPECT_EQ(message("nowhere.txt"), "nowhere.txt: No such file or directory" + remedy);
  EXPECT_EQ(message("/tmp"), "/tmp: is a directory" + remedy);
}

}  // namespace
}  // namespace strata
