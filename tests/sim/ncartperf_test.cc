// SPDX-License-Identifier: LGPL-2.1-only
// The catalog's halo exchange: its time compared with equations made by hand, and its number of partners with that of
// the pure core for the same mapping. The program itself checks that each neighbour is one step away, and fails
// otherwise.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/partners.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

constexpr char kPartners[] =
    "also: [{name: bandwidth, unit: MB/s}, {name: on_node_min, unit: \"1\"}, {name: on_node_max, unit: \"1\"}, "
    "{name: on_node_avg, unit: \"1\"}, {name: off_node_min, unit: \"1\"}, {name: off_node_max, unit: \"1\"}, "
    "{name: off_node_avg, unit: \"1\"}, {name: moved, unit: \"1\"}]\n";
constexpr int kRanksPerNode = 4;

using Values = std::map<std::string, std::map<std::string, double>>;
class Ncartperf : public UnitMachine {};

// A message of 8 B occupies its sender for 1 us and arrives 24 ns later. In a mesh of 2x4 the processes in the middle
// have three neighbours; they send for 3 us per sweep, to the right last. So the second process of a row begins its
// k-th sweep at 3 (k - 1) us. The third, which waits for the second, begins 24 ns later from its second sweep on. The
// fourth waits for the third, and gets the last message of all at 3 k us + 48 ns, or after a single sweep at 3 us + 24
// ns.
TEST_F(Ncartperf, OfSmallMessagesTakesItsSendersTime) {
  for (const int sweeps : {1, 2, 5}) {
    Values values = run("ncartperf", 8, "comm: [world, cart], n: [1]",
                        "arguments: [--dims, 2x4, --sweeps, " + std::to_string(sweeps) + "]\n" + kPartners);
    ASSERT_EQ(ran_.code, 0) << ran_.err;
    const double expected = (3000 + (sweeps == 1 ? 24.0 : 48.0 / sweeps)) * kNs;
    for (const char* comm : {"world 1", "cart 1"}) {
      EXPECT_NEAR(values["time"][comm], expected, kTolerance) << sweeps;
      EXPECT_NEAR(values["bandwidth"][comm], 4 * 8 / expected / 1e6, 1e-6) << sweeps;
    }
  }
}

// Messages of 16,000 B wait for their receivers, which are ready: 1 us, then 16,016 ns in both directions at once.
TEST_F(Ncartperf, OfLongMessagesTakesAsLongAsTheyFlow) {
  Values values = run("ncartperf", 2, "comm: [world, cart], n: [2000]", "arguments: [--dims, 1x2, --repeats, 3]\n");
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const char* comm : {"world 2000", "cart 2000"}) EXPECT_NEAR(values["time"][comm], 17016 * kNs, 1e-12);
}

// By hand: a row of four processes is on one node, so its ends have one partner on the node and the others two. In
// blocks of 2x2 each process has two. A periodic dimension of 1 adds two partners, the process itself.
TEST_F(Ncartperf, CountsPartnersOnAndOffTheNode) {
  const std::string one = "arguments: [--dims, 2x4]\n";
  Values values = run("ncartperf", 8, "comm: [world, cart, nodecart], n: [1]", one + kPartners);
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const char* comm : {"world 1", "cart 1"}) {
    EXPECT_EQ(values["on_node_min"][comm], 1);
    EXPECT_EQ(values["on_node_max"][comm], 2);
    EXPECT_EQ(values["on_node_avg"][comm], 1.5);
    EXPECT_EQ(values["off_node_min"][comm], 2);
    EXPECT_EQ(values["off_node_max"][comm], 3);
    EXPECT_EQ(values["off_node_avg"][comm], 2.5);
    EXPECT_EQ(values["moved"][comm], 0);
  }
  EXPECT_EQ(values["on_node_min"]["nodecart 1"], 2);
  EXPECT_EQ(values["on_node_max"]["nodecart 1"], 2);
  EXPECT_EQ(values["off_node_avg"]["nodecart 1"], 2);
  // The last two processes of the first row change places with the first two of the second row.
  EXPECT_EQ(values["moved"]["nodecart 1"], 4);

  values = run("ncartperf", 8, "comm: [world, cart], n: [1]",
               "arguments: [--dims, 8x1, --periods, 0x1]\n" + std::string(kPartners));
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const char* comm : {"world 1", "cart 1"}) {
    EXPECT_EQ(values["on_node_min"][comm], 3);
    EXPECT_EQ(values["on_node_avg"][comm], 3.5);
  }
}

// Meshes of 5 to 8 ranks in one to three dimensions, with every method that accepts all of them.
TEST_F(Ncartperf, CountsAsThePureCoreDoes) {
  struct Case {
    std::string text, periods_text;
    mpix::Mesh mesh;
  };
  const std::vector<Case> cases = {{"8", "0", {{8}, {false}}},
                                   {"2x2x2", "0x0x0", {{2, 2, 2}, {false, false, false}}},
                                   {"1x4x2", "1x1x0", {{1, 4, 2}, {true, true, false}}},
                                   {"2x3", "0x1", {{2, 3}, {false, true}}},
                                   {"7", "1", {{7}, {true}}},
                                   {"5x1", "0x1", {{5, 1}, {false, true}}}};
  for (const Case& c : cases) {
    const int ranks = c.mesh.size();
    const mpix::Places places = mpix::packed_places({std::min(ranks, kRanksPerNode), ranks - kRanksPerNode});
    Values values = run("ncartperf", ranks, "comm: [nodecart], method: [auto, cart, hyperplane, kdtree, strips]",
                        "arguments: [--dims, " + c.text + ", --periods, " + c.periods_text + ", --n, 0]\n" + kPartners);
    ASSERT_EQ(ran_.code, 0) << c.text << ": " << ran_.err;
    for (const char* method : {"auto", "cart", "hyperplane", "kdtree", "strips"}) {
      const mpix::Mapping mapping = mpix::map_processes(c.mesh, places, *mpix::find_cart_method(method));
      const mpix::Partners partners =
          mpix::count_partners(c.mesh, mpix::groups_by_position(mapping.new_rank, places.nodes()));
      const std::string at = std::string("nodecart ") + method;
      EXPECT_DOUBLE_EQ(values["on_node_avg"][at], static_cast<double>(partners.on.total) / ranks) << c.text << method;
      EXPECT_DOUBLE_EQ(values["off_node_avg"][at], static_cast<double>(partners.off.total) / ranks) << c.text << method;
      if (std::string(method) == "auto") continue;  // its choice among equals depends on the machine's other levels
      EXPECT_EQ(values["on_node_min"][at], partners.on.min) << c.text << " " << method;
      EXPECT_EQ(values["on_node_max"][at], partners.on.max) << c.text << " " << method;
      EXPECT_EQ(values["off_node_min"][at], partners.off.min) << c.text << " " << method;
      EXPECT_EQ(values["off_node_max"][at], partners.off.max) << c.text << " " << method;
    }
  }
}

TEST_F(Ncartperf, ChoosesDimensionsItself) {
  Values values = run("ncartperf", 8, "comm: [world, cart], ndims: [1, 2, 3]", kPartners);
  ASSERT_EQ(ran_.code, 0) << ran_.err;
  for (const std::string comm : {"world", "cart"}) {
    EXPECT_EQ(values["on_node_avg"][comm + " 1"], 1.5);  // 8
    EXPECT_EQ(values["on_node_avg"][comm + " 2"], 2);    // 4x2
    EXPECT_EQ(values["on_node_avg"][comm + " 3"], 2);    // 2x2x2
  }
}

TEST_F(Ncartperf, RefusesMeshesThatAreNone) {
  const std::map<std::string, std::string> cases = {
      {"--dims, 3x2", "--dims: the product of 3x2 is not the number of ranks, 8"},
      {"--dims, 4x4", "--dims: the product of 4x4 is not the number of ranks, 8"},
      {"--dims, 4x0", "--dims: '4x0' is not whole numbers above 0 as 16x8x8"},
      {"--dims, cube", "--dims: 'cube' is not whole numbers above 0 as 16x8x8"},
      {"--dims, 2x4, --periods, 1", "--periods: '1' is not 0 or 1 for each of the 2 dimensions, as 0x1"},
      {"--dims, 2x4, --periods, 0x2", "--periods: '0x2' is not 0 or 1 for each of the 2 dimensions, as 0x1"},
      {"--dims, 2x4, --periods, 0x1x", "--periods: '0x1x' is not 0 or 1 for each of the 2 dimensions, as 0x1"},
      {"--dims, 2x4, --comm, nodecart, --method, magic", "--method: 'magic' is no method of MPIX_Comm_set_nodecart"},
      {"--dims, 2x4, --comm, telepathy", "--comm: 'telepathy' is not one of world, cart, nodecart"},
      {"--dims, 2x4, --ndims, 2", "--dims and --ndims cannot be given together"}};
  for (const auto& [arguments, message] : cases) {
    run("ncartperf", 8, "n: [1]", "arguments: [" + arguments + "]\n");
    EXPECT_EQ(ran_.code, 2) << arguments;
    EXPECT_THAT(ran_.err, ::testing::HasSubstr(message));
    EXPECT_EQ(lines_of(ran_.err).size(), 1u) << ran_.err;
  }
}

// Of six ranks four are on one node and two on the other.
TEST_F(Ncartperf, RefusesThePapersMethodWhereNodesAreUnequal) {
  run("ncartperf", 6, "n: [1]", "arguments: [--dims, 2x3, --comm, nodecart, --method, nodecart]\n");
  EXPECT_EQ(ran_.code, 2);
  EXPECT_THAT(ran_.err, ::testing::HasSubstr("--method: nodecart is not possible for these ranks per node"));
  EXPECT_EQ(lines_of(ran_.err).size(), 1u) << ran_.err;
}

}  // namespace
}  // namespace strata
