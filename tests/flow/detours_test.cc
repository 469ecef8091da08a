// SPDX-License-Identifier: LGPL-2.1-only
// When a message takes a detour, and via which router. The test sets the queues.
#include "flow/detours.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <string>
#include <vector>

#include "platforms/fabric.h"
#include "platforms/machine.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/fabric_machines.h"

namespace strata::flow {
namespace {

// A row of routers, each connected with every other by a link of 4.5 GB/s; a message alone gets 2 GB/s. The minimal
// route has one link, a detour has two.
std::string row_of_routers(int routers) {
  return fabric_yaml("dragonfly", "all connected",
                     "{groups: 1, rows: 1, columns: " + std::to_string(routers) +
                         ", nodes_per_router: 2, row: Blade, router: Aries, routing: adaptive}",
                     "    row: {value: 4.5, unit: GB/s, source: measured}\n",
                     network_level("Blade", "1.5") + network_level("Aries", "1.4"));
}

class Row : public ::testing::Test {
 protected:
  explicit Row(int routers = 8)
      : machine_(load_machine(folder_.write("machine.yaml", row_of_routers(routers)))),
        tree_(machine_),
        queued_(tree_.num_links()) {}

  Detours detours() { return Detours(tree_, machine_.fabric->fabric->num_routers(), queued_); }

  int link(int from, int to) const {
    std::vector<int> links;
    machine_.fabric->fabric->route(from, to, 0, links);
    return tree_.first_fabric_link() + links.front();
  }

  // The routers on the route of a message from a core of `from` to a core of `to` on its other node, both included.
  std::vector<int> way(Detours& d, int from, int to) {
    std::vector<FairShares::Use> uses;
    const double hops = d.find(8 * from, 8 * to + 5, 0, uses).hops;
    std::vector<int> routers = {from};
    while (routers.back() != to) {
      const auto next = std::find_if(uses.begin(), uses.end(), [&](const FairShares::Use& u) {
        const int l = u.link - tree_.first_fabric_link();
        return l >= 0 && machine_.fabric->fabric->ends(l).from == routers.back();
      });
      if (next == uses.end()) return {};
      EXPECT_EQ(next->weight, 1);
      routers.push_back(machine_.fabric->fabric->ends(next->link - tree_.first_fabric_link()).to);
    }
    EXPECT_EQ(routers.size(), 1 + hops);
    return routers;
  }

  TemporaryFolder folder_;
  Machine machine_;
  RouteTree tree_;
  std::vector<double> queued_;
};

// With four messages waiting, a message is the fifth: 5 * 2 GB/s is more than twice the 4.5 GB/s of the link, so a
// detour over twice as many links pays off. With three waiting it does not.
TEST_F(Row, GoesAroundFromTwiceAsFullOn) {
  for (const int waiting : {0, 1, 2, 3, 4, 5, 40}) {
    Detours d = detours();
    queued_[link(2, 6)] = waiting;
    for (int i = 0; i < 50; ++i) EXPECT_EQ(way(d, 2, 6).size(), waiting < 4 ? 2u : 3u) << waiting;
    EXPECT_EQ(way(d, 6, 2), (std::vector<int>{6, 2})) << "the link back is a different one";
  }
}

// The load of a detour is that of its fuller link: if the second links of all detours are as full, none is taken.
TEST_F(Row, NeverGoesAroundByWhatIsAsFull) {
  Detours d = detours();
  for (int from = 0; from < 8; ++from) {
    if (from != 6) queued_[link(from, 6)] = 40;
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(way(d, 2, 6).size(), 2u);
  for (int from = 0; from < 8; ++from) {
    if (from != 6 && from != 2) queued_[link(from, 6)] = 20;  // 21 * 2 links > 41 * 1 link
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(way(d, 2, 6).size(), 2u);
  for (int from = 0; from < 8; ++from) {
    if (from != 6 && from != 2) queued_[link(from, 6)] = 19;
  }
  for (int i = 0; i < 50; ++i) EXPECT_EQ(way(d, 2, 6).size(), 3u);
}

// Detours use each router except the two ends, and each equally often. The same messages draw the same routers.
TEST_F(Row, DrawsAllOtherRoutersAlike) {
  Detours d = detours(), again = detours();
  queued_[link(2, 6)] = 40;
  std::map<int, int> by;
  for (int i = 0; i < 6000; ++i) {
    const std::vector<int> routers = way(d, 2, 6);
    ASSERT_EQ(routers.size(), 3u);
    ASSERT_EQ(way(again, 2, 6), routers);
    ++by[routers[1]];
  }
  EXPECT_EQ(by.size(), 6u);
  for (const auto& [router, times] : by) EXPECT_NEAR(times, 1000, 150) << router;
}

// A message within a router uses no link between routers. With only two routers there is no detour.
TEST_F(Row, ARouterHasNoWayAroundToItself) {
  Detours d = detours();
  EXPECT_EQ(way(d, 3, 3), (std::vector<int>{3}));
}

class TwoRouters : public Row {
 protected:
  TwoRouters() : Row(2) {}
};

TEST_F(TwoRouters, HaveNoWayAround) {
  Detours d = detours();
  queued_[link(0, 1)] = 1e6;
  EXPECT_EQ(way(d, 0, 1), (std::vector<int>{0, 1}));
}

}  // namespace
}  // namespace strata::flow
