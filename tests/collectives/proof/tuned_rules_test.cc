// SPDX-License-Identifier: LGPL-2.1-only
// The real Open MPI reads the file that `strata collectives tune` writes, and its collectives then take the times that
// tune predicts.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::json;

constexpr int kDouble = 8;  // B, the elements of the program

// s. `variables`: for the program's environment.
double simulated(const Json& cell, const std::vector<std::string>& variables) {
  const TemporaryFolder folder;
  const std::string json = folder.path() / "run.json";
  std::vector<std::string> words = {"exec",   "--machine", "ntw10e5",     "-n", cell["ranks"].dump(),
                                    "--json", json,        "--no-summary"};
  for (const std::string& variable : variables) words.insert(words.end(), {"-x", variable});
  words.insert(words.end(), {"--", built("tests/collectives/proof/collectives_mpi_program_openmpi"), cell["op"],
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
    EXPECT_NEAR(simulated(cell, {}), own, 1e-5 * own) << cell;
    if (cell["rule"]["number"] == 0) continue;
    ++ruled;
    EXPECT_LT(best, 0.95 * own) << cell;
    EXPECT_NEAR(simulated(cell, {"OMPI_MCA_coll_tuned_use_dynamic_rules=1",
                                 "OMPI_MCA_coll_tuned_dynamic_rules_filename=" + rules}),
                best, 1e-5 * best)
        << cell;
  }
  EXPECT_GT(ruled, 2);
}

}  // namespace
}  // namespace strata
