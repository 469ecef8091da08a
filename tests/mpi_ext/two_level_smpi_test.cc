// SPDX-License-Identifier: LGPL-2.1-only
// SMPI's two-level algorithms with mpi_ext/preload/supply/two_level.cc: the data are right, the first call on a
// communicator takes the same time as the others, and each takes the time of the second one with SMPI's own set-up.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/mpi_ext/mpi_run.h"
#include "tests/mpi_ext/shim.h"

namespace strata::mpix::testing {
namespace {

using Times = std::map<std::string, std::vector<long>>;  // ps of each round, by collective

Times times_of(const std::string& output) {
  Times times;
  std::istringstream lines(output);
  for (std::string line; std::getline(lines, line);) {
    const std::size_t colon = line.find(": ");
    if (!line.starts_with("time ") || colon == std::string::npos) continue;
    std::istringstream numbers(line.substr(colon + 2));
    for (long time = 0; numbers >> time;) times[line.substr(5, colon - 5)].push_back(time);
  }
  return times;
}

struct Case {
  const char* name;
  const char* bindings;
  std::vector<std::string> options;
  bool ordered = false;
  friend void PrintTo(const Case& c, std::ostream* out) { *out << c.name; }
};

Times run_collectives(const Case& c, const std::vector<std::string>& preload) {
  const Placed p = bound(machine_from_tree("node:2 core:2 pu:1"), c.bindings);
  const Ended e =
      run_under_smpi(p, {.program = "two_level_mpi_program",
                         .words = c.ordered ? std::vector<std::string>{"ordered"} : std::vector<std::string>(),
                         .preload = preload,
                         .options = c.options});
  expect_success(e, static_cast<int>(p.ranks.size()), 50);
  const Times times = times_of(e.output);
  EXPECT_EQ(times.size(), c.ordered ? 21u : 42u) << e.output;  // 7 collectives, 3 sizes, 1 or 2 communicators
  return times;
}

// Several ranks on a core, which is SimGrid's host: as many on each, in blocks and dealt out, and uneven ones.
const char* const kBlocks = "0 0 0\n1 0 0\n2 0 1\n3 0 1\n4 1 0\n5 1 0\n6 1 1\n7 1 1\n";
const char* const kDealt = "0 0 0\n1 0 1\n2 1 0\n3 1 1\n4 0 0\n5 0 1\n6 1 0\n7 1 1\n";
const char* const kUneven = "0 0 0\n1 0 0\n2 0 0\n3 0 1\n4 1 0\n5 1 1\n6 1 1\n7 0 1\n8 1 0\n9 0 0\n";

class TwoLevel : public ::testing::TestWithParam<Case> {};

TEST_P(TwoLevel, EachCallTakesWhatTheSecondTakesWithSmpisSetUp) {
  const std::vector<std::string> supply = {preloaded_library("supply", "smpi")};
  const Times smpis = run_collectives(GetParam(), supply);
  for (const std::vector<std::string>& preload :
       {std::vector<std::string>{preloaded_library("two_level", "smpi"), supply[0]},
        std::vector<std::string>{supply[0], preloaded_library("two_level", "smpi")}}) {
    for (const auto& [collective, times] : run_collectives(GetParam(), preload)) {
      ASSERT_EQ(times.size(), 3u) << collective;
      EXPECT_EQ(times[0], times[1]) << collective;
      EXPECT_EQ(times[2], times[1]) << collective;
      EXPECT_EQ(times[1], smpis.at(collective).at(1)) << collective;
    }
  }
}

std::vector<Case> cases() {
  std::vector<Case> all;
  for (const char* selector : {"ompi", "mpich", "mvapich2", "impi"}) {
    all.push_back({"Blocks", kBlocks, {std::string("--cfg=smpi/coll-selector:") + selector}});
    all.push_back({"Dealt", kDealt, all.back().options});
    all.push_back({"Uneven", kUneven, all.back().options});
  }
  const std::vector<std::string> algorithms = {"--cfg=smpi/allreduce:mvapich2_two_level",
                                               "--cfg=smpi/bcast:mvapich2_intra_node",
                                               "--cfg=smpi/reduce:mvapich2_two_level",
                                               "--cfg=smpi/gather:mvapich2_two_level",
                                               "--cfg=smpi/scatter:mvapich2_two_level_direct",
                                               "--cfg=smpi/allgather:mvapich2_smp",
                                               "--cfg=smpi/barrier:mpich_smp"};
  all.push_back({"Blocks", kBlocks, algorithms, true});  // the allgather needs blocks
  return all;
}

INSTANTIATE_TEST_SUITE_P(Algorithms, TwoLevel, ::testing::ValuesIn(cases()), [](const auto& info) {
  const std::string& option = info.param.options.front();
  return std::string(info.param.name) +
         (info.param.options.size() > 1 ? "_two_level" : "_" + option.substr(option.rfind(':') + 1));
});

}  // namespace
}  // namespace strata::mpix::testing
