// SPDX-License-Identifier: LGPL-2.1-only
// Hostfiles and rankfiles: placements compared with lists made by hand, errors, and rankfiles that are written and
// read.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "platforms/hostfile.h"
#include "platforms/machine.h"
#include "platforms/rankfile.h"
#include "tests/error_of.h"
#include "tests/process/process.h"

namespace strata {
namespace {

// Two nodes, each with two packages of three cores.
class MpirunFiles : public ::testing::Test {
 protected:
  // "node:cores" of each rank.
  static std::string listed(const std::vector<Binding>& ranks) {
    std::string text;
    for (const Binding& b : ranks) text += (text.empty() ? "" : " ") + std::to_string(b.node) + ":" + b.cpuset.list();
    return text;
  }
  std::string on_hosts(const std::string& hostfile, int np = 0, const PlacementOptions& options = {.bind_to = "core"}) {
    const std::string file = folder_.write("hosts", hostfile);
    return listed(place_on_hosts(tree_, read_hostfile(file, tree_, {}), np, options));
  }
  std::vector<Binding> by_rankfile(const std::string& rankfile, int np = 0) {
    return read_rankfile(folder_.write("ranks", rankfile), tree_, {}, np);
  }

  const Machine machine_ = machine_from_tree("node:2 pack:2 core:3");
  const Topology& tree_ = *machine_.topology;
  const TemporaryFolder folder_;
};

TEST_F(MpirunFiles, HostfilesGiveSlots) {
  EXPECT_EQ(on_hosts("# two\nnode1 slots=2\nnode0:1\n"), "1:0 1:1 0:0");
  EXPECT_EQ(on_hosts("node1 slots=2\nnode0:1\n", 2), "1:0 1:1");
  EXPECT_EQ(on_hosts("node1 slots=2\nnode0:1\n", 0, {.map_by = "node", .bind_to = "core"}), "1:0 0:0 1:1");
  // One line without slots: all cores. Several lines: as many slots.
  EXPECT_EQ(on_hosts("alpha\nbeta\nbeta\n"), "0:0 0:1 0:2 0:3 0:4 0:5 1:0 1:1");
}

TEST_F(MpirunFiles, HostfilesAreRefusedAtTheirLine) {
  const auto refused = [&](const std::string& text, int np = 0) {
    return error_of([&] { on_hosts(text, np); }, folder_.path().string() + "/");
  };
  EXPECT_EQ(refused("node0\nalpha\n"),
            "hosts:2: 'alpha' is beside names of another kind; call nodes node0, node1, ... throughout");
  EXPECT_EQ(refused("node2\n"), "hosts:1: 'node2' is node 2 of the machine, which has 2; its nodes are node0 to node1");
  EXPECT_EQ(refused("node0:x\n"), "hosts:1: 'x' is not a number of slots; write lines such as `node0 slots=4`");
  EXPECT_EQ(refused("# none\n"), "hosts: names no node; write lines such as `node0 slots=4`");
  EXPECT_EQ(refused("node0:2\n", 3),
            "--hostfile: 3 ranks, but it has 2 slots; name more nodes, give slots=N, or add --oversubscribe");
}

TEST_F(MpirunFiles, RankfilesBindToCoresAndSockets) {
  EXPECT_EQ(listed(by_rankfile("rank 1=+n0 slot=1:0-1\nrank 0=+n1 slot=2,3\n")), "1:2-3 0:3-4");
  EXPECT_EQ(listed(by_rankfile("rank 0=node1 slot=1:*\n")), "1:3-5");
}

TEST_F(MpirunFiles, RankfilesAreRefusedAtTheirLine) {
  const auto refused = [&](const std::string& text, int np = 0) {
    return error_of([&] { by_rankfile(text, np); }, folder_.path().string() + "/");
  };
  EXPECT_EQ(refused("rank 0=node0 slot=6\n"), "ranks:1: core 6 does not exist; give 0 to 5");
  EXPECT_EQ(refused("rank 0=node0 slot=2:0\n"), "ranks:1: node 0 has no socket '2'; it has 2, counted from 0");
  EXPECT_EQ(refused("rank 1=node0 slot=0\n"), "ranks: rank 0 is missing; write lines such as `rank 0=node0 slot=0-3`");
  EXPECT_EQ(refused("rank 0=node0 slot=0\nrank 0=node0 slot=1\n"),
            "ranks:2: rank 0 is there twice; give each rank one line");
  EXPECT_EQ(refused("rank 0=node0 slot=0\n", 2),
            "ranks: places 1 ranks, but -n says 2; leave -n out, or give a line for each rank");
}

TEST_F(MpirunFiles, RankfilesThatAreWrittenAreReadAgain) {
  const std::vector<Binding> ranks = place(tree_, 4, {.map_by = "package", .bind_to = "package"});
  const std::string text = format_rankfile(tree_, ranks, {});
  EXPECT_EQ(text.substr(0, text.find('\n')), "rank 0=+n0 slot=0-2");
  EXPECT_EQ(listed(by_rankfile(text)), listed(ranks));
  EXPECT_EQ(format_rankfile(tree_, {ranks[0]}, {"host7"}), "rank 0=host7 slot=0-2\n");
}

}  // namespace
}  // namespace strata
