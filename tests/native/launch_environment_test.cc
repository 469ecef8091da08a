// SPDX-License-Identifier: LGPL-2.1-only
// The variables of a rank, its locality, and which places are right.
#include <gtest/gtest.h>

#include <array>

#include "native/launch/environment.h"
#include "native/launch/locality.h"
#include "native/launch/places.h"
#include "tests/error_of.h"
#include "tests/process/process.h"

namespace strata::native {
namespace {

Places round_robin() {
  return {.nodes = {{"node0", "fat.xml"}, {"node1", ""}}, .ranks = {{0, 0, "0"}, {1, 0, "0-3"}, {0, 1, "1"}}};
}

TEST(Places, RanksByNode) {
  EXPECT_EQ(ranks_by_node(round_robin()), (std::vector<std::vector<int>>{{0, 2}, {1}}));
  Places places = round_robin();
  for (RankPlace& rank : places.ranks) rank.local_rank = 9;
  number_local_ranks(places);
  EXPECT_EQ(places.ranks[2].local_rank, 1);
  EXPECT_EQ(places.ranks[1].local_rank, 0);
}

TEST(Places, Faults) {
  const auto fault = [](const std::function<void(Places&)>& change) {
    Places places = round_robin();
    change(places);
    try {
      check_places(places);
    } catch (const std::invalid_argument& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(fault([](Places&) {}), "");
  EXPECT_EQ(fault([](Places& p) { p.ranks.clear(); }), "places: no ranks");
  EXPECT_EQ(fault([](Places& p) { p.ranks[0].node = 2; }), "places: there is no node 2");
  EXPECT_EQ(fault([](Places& p) { p.ranks[2].local_rank = 0; }), "places: local ranks are not in the order of ranks");
  EXPECT_EQ(fault([](Places& p) { p.nodes[1].host = "node0"; }), "places: two nodes have the host name node0");
}

TEST(Environment, LeavesOutOtherLaunchersAndNodes) {
  const std::array<const char*, 13> variables = {"HOME=/h",
                                                 "EMPTY=",
                                                 "PMI_RANK=4",
                                                 "PMIX_RANK=4",
                                                 "PMIX_MCA_gds=x",
                                                 "SLURM_JOBID=1",
                                                 "OMPI_MCA_pml=ob1",
                                                 "OMPI_MCA_orte_x=1",
                                                 "HWLOC_XMLFILE=x",
                                                 "HWLOC_HIDE_ERRORS=1",
                                                 "A=b=c",
                                                 "OMPI_COMM_WORLD_RANK=1",
                                                 nullptr};
  const Environment expected = {
      {"HOME", "/h"}, {"EMPTY", ""}, {"PMIX_MCA_gds", "x"}, {"OMPI_MCA_pml", "ob1"}, {"HWLOC_HIDE_ERRORS", "1"},
      {"A", "b=c"}};
  EXPECT_EQ(inherited(variables.data()), expected);
}

TEST(Environment, TheUsersSettingsWin) {
  Environment environment = {{"OMPI_MCA_pml", "ob1"}};
  add_settings(environment, Library::Kind::kOpenMpi);
  EXPECT_EQ(environment.at("OMPI_MCA_pml"), "ob1");
  EXPECT_EQ(environment.at("OMPI_MCA_btl"), "self");
  Environment mpich;
  add_settings(mpich, Library::Kind::kMpich);
  for (const auto& [name, value] : mpich) EXPECT_FALSE(name.starts_with("OMPI_")) << name;
  Environment unknown;
  add_settings(unknown, Library::Kind::kUnknown);
  EXPECT_EQ(unknown.at("OMPI_MCA_pml"), "ucx");
}

TEST(Environment, OfARank) {
  Environment environment;
  add_rank(environment, round_robin(), 2);
  const Environment expected = {{"HWLOC_THISSYSTEM", "0"},
                                {"HWLOC_XMLFILE", "fat.xml"},
                                {"MPI_LOCALNRANKS", "2"},
                                {"MPI_LOCALRANKID", "1"},
                                {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                                {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                                {"OMPI_COMM_WORLD_NODE_RANK", "1"},
                                {"OMPI_COMM_WORLD_RANK", "2"},
                                {"OMPI_COMM_WORLD_SIZE", "3"},
                                {"OMPI_UNIVERSE_SIZE", "3"},
                                {"PMI_RANK", "2"},
                                {"PMI_SIZE", "3"},
                                {"SLURM_LOCALID", "1"},
                                {"SLURM_NODEID", "0"},
                                {"SLURM_NTASKS", "3"},
                                {"SLURM_PROCID", "2"}};
  EXPECT_EQ(environment, expected);
}

TEST(Locality, OfBindings) {
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "node.xml").string();
  ASSERT_EQ(
      Process({"lstopo-no-graphics", "-i", "pack:2 numa:1 l3:1 l2:4 core:1 pu:2", "--of", "xml", file}).wait().code, 0);
  const NodeTopology node(file);
  EXPECT_EQ(node.locality("0-1"), "hwloc:NM0:SK0:L30:L20:CR0:HT0-1");
  EXPECT_EQ(node.locality("10"), "hwloc:NM1:SK1:L31:L25:CR5:HT10");
  EXPECT_EQ(node.locality("6-9"), "hwloc:NM0-1:SK0-1:L30-1:L23-4:CR3-4:HT6-9");
  EXPECT_EQ(node.locality(""), "");
  EXPECT_EQ(node.locality("0-15"), "");
  EXPECT_EQ(error_of([&] { (void)node.locality("core 1"); }),
            file + ": 'core 1' is not a binding; write OS indexes, for example 0-3,8");
  EXPECT_EQ(error_of([&] { NodeTopology(folder.write("bad.xml", "<x>")); }),
            (folder.path() / "bad.xml").string() + ": libhwloc cannot load it; write it with lstopo node.xml");
}

}  // namespace
}  // namespace strata::native
