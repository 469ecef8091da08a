// SPDX-License-Identifier: LGPL-2.1-only
// The real Open MPI and MPICH read the file that `strata collectives tune` writes, and their collectives then take the
// times that tune predicts.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::json;

constexpr int kDouble = 8;       // B, the elements of the program
constexpr double kApart = 1e-5;  // of the time

// s. `variables`: for the program's environment. `library`: "openmpi" or "mpich".
double simulated(const std::string& library, const Json& cell, const std::vector<std::string>& variables) {
  const TemporaryFolder folder;
  const std::string json = folder.path() / "run.json";
  std::vector<std::string> words = {"exec",   "--machine", "ntw10e5",     "-n", cell["ranks"].dump(),
                                    "--json", json,        "--no-summary"};
  for (const std::string& variable : variables) words.insert(words.end(), {"-x", variable});
  words.insert(words.end(), {"--", built("tests/collectives/proof/collectives_mpi_program_" + library), cell["op"],
                             std::to_string(cell["bytes"].get<int>() / kDouble), "0", "once"});
  const Ran ran = run_strata(words);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? Json::parse(read_text(json))["simulated_time"]["value"].get<double>() : 0;
}

TEST(TunedRules, TakeEffectInTheLibrary) {
  const TemporaryFolder folder;
  const std::string rules = folder.path() / "rules.conf";
  const Ran ran = run_strata({"collectives", "tune", "--machine", "ntw10e5", "-n", "6,16", "--op",
                              "bcast,gather,scatter,allgather", "--bytes", "1K,64K", "--out", rules, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json tuned = Json::parse(ran.out);
  ASSERT_EQ(tuned["cells"].size(), 16u);
  int ruled = 0;
  for (const Json& cell : tuned["cells"]) {
    const double own = cell["own_s"], best = cell["best_s"];
    EXPECT_NEAR(simulated("openmpi", cell, {}), own, kApart * own) << cell;
    if (cell["rule"]["number"] == 0) continue;
    ++ruled;
    EXPECT_LT(best, 0.95 * own) << cell;
    EXPECT_NEAR(
        simulated("openmpi", cell,
                  {"OMPI_MCA_coll_tuned_use_dynamic_rules=1", "OMPI_MCA_coll_tuned_dynamic_rules_filename=" + rules}),
        best, kApart * best)
        << cell;
  }
  EXPECT_GT(ruled, 2);
}

TEST(TunedRules, TakeEffectInMpich) {
  const TemporaryFolder folder;
  const std::string rules = folder.path() / "rules.json";
  const Ran ran = run_strata({"collectives", "tune", "--machine", "ntw10e5", "-n", "6,26", "--mpi", "mpich-4.0", "--op",
                              "allgather,allreduce,reduce,scan", "--bytes", "1K,64K", "--out", rules, "--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json tuned = Json::parse(ran.out);
  ASSERT_EQ(tuned["cells"].size(), 16u);
  std::vector<std::string> variables = tuned["variables"];
  EXPECT_FALSE(variables.empty());
  variables.push_back("MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" + rules);
  int faster = 0;
  for (const Json& cell : tuned["cells"]) {
    const double own_s = cell["own_s"], rule_s = cell["rule_s"];
    EXPECT_NEAR(simulated("mpich", cell, {}), own_s, kApart * own_s) << cell;
    EXPECT_NEAR(simulated("mpich", cell, variables), rule_s, kApart * rule_s) << cell;
    faster += rule_s < 0.95 * own_s ? 1 : 0;
  }
  EXPECT_GT(faster, 2);
}

// The file replaces MPICH's tree, so it must have all other collectives, too.
TEST(TunedRules, LeaveMpichItsOtherCollectives) {
  const TemporaryFolder folder;
  const std::string rules = folder.path() / "rules.json";
  const Ran ran = run_strata({"collectives", "tune", "--machine", "ntw10e5", "-n", "6", "--mpi", "mpich-4.0", "--op",
                              "allreduce", "--bytes", "1K", "--least-gain", "0", "--out", rules});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const std::string with = "MPIR_CVAR_COLL_SELECTION_TUNING_JSON_FILE=" + rules;
  for (const std::string program : {"all_collectives", "two_groups"}) {
    const Ran run = run_strata({"exec", "--machine", "ntw10e5", "-n", "6", "--no-summary", "-x", with, "--",
                                built("tests/collectives/proof/other_mpi_program_mpich"), program});
    EXPECT_EQ(run.code, 0) << run.err;
    EXPECT_EQ(run.out, "done\n");
  }
}

}  // namespace
}  // namespace strata
