// SPDX-License-Identifier: LGPL-2.1-only
// strata collectives tune and evaluate.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using ::testing::HasSubstr;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;

Words words(const std::string& command, const Words& further) {
  Words all = {"collectives", command, "--machine", "ntw10e5"};
  all.insert(all.end(), further.begin(), further.end());
  return all;
}
Ran tune(const Words& further) { return run_strata(words("tune", further)); }
Ran evaluate(const Words& further) { return run_strata(words("evaluate", further)); }

Json document(const Ran& ran) {
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json();
}

const Words kGrid = {"-n", "2,8,16", "--op", "allgather,allreduce,bcast,scatter", "--bytes", "8,2K,64K"};

Words with(Words words, const Words& further) {
  words.insert(words.end(), further.begin(), further.end());
  return words;
}

// The fastest algorithm of each call is that of explain, which times all of them to the end, or faster with settings
// that explain does not try.
TEST(CollectivesTune, FindsWhatExplainFinds) {
  const TemporaryFolder folder;
  const Json tuned = document(tune(with(kGrid, {"--out", folder.path() / "rules.conf", "--jobs", "2", "--json"})));
  ASSERT_EQ(tuned["cells"].size(), 36u);
  int same = 0;
  for (const Json& cell : tuned["cells"]) {
    if (cell["ranks"] != 16) continue;
    const Json explained = document(run_strata(
        words("explain", {"-n", cell["ranks"].dump(), "--op", cell["op"], "--bytes", cell["bytes"].dump(), "--json"})));
    EXPECT_EQ(cell["own"]["number"], explained["number"]) << cell;
    EXPECT_EQ(cell["own_s"], explained["time"]["value"]) << cell;
    const double best_s = explained["algorithms"][0]["time"]["value"];
    if (cell["best"]["segment"] == 0 && cell["best"]["fanout"] == 0) {
      EXPECT_LE(cell["best_s"].get<double>(), best_s) << cell;
      same += cell["best_s"] == best_s ? 1 : 0;
    } else {
      EXPECT_LT(cell["best_s"].get<double>(), best_s) << cell;
    }
  }
  EXPECT_GT(same, 0);
}

// With the rules, no call is slower than without; calls with a rule are faster by at least the least gain.
TEST(CollectivesTune, RulesAreNeverSlowerThanTheLibrary) {
  const TemporaryFolder folder;
  const std::string rules = folder.path() / "rules.conf";
  const Json tuned = document(tune(with(kGrid, {"--out", rules, "--json"})));
  const Json evaluated =
      document(evaluate(with(kGrid, {"--rules", rules, "--cells", rules + ".cells.jsonl", "--json"})));
  ASSERT_EQ(evaluated["chosen_by"], Json({"library", rules}));
  ASSERT_EQ(evaluated["cells"].size(), tuned["cells"].size());
  int faster = 0;
  for (std::size_t i = 0; i < tuned["cells"].size(); ++i) {
    const Json& cell = evaluated["cells"][i];
    const double library = cell["seconds"][0], by_rules = cell["seconds"][1];
    EXPECT_LE(by_rules, library) << cell;
    EXPECT_GE(cell["ratios"][1].get<double>(), 1) << cell;
    if (tuned["cells"][i]["rule"]["number"] == 0) continue;
    EXPECT_LE(by_rules, 0.95 * library) << cell;
    EXPECT_EQ(by_rules, tuned["cells"][i]["best_s"]) << cell;
    ++faster;
  }
  EXPECT_GT(faster, 5);
}

// Threads and finished cells change nothing; an interrupted run continues from the cells that it has finished.
TEST(CollectivesTune, GivesTheSameInThreadsAndAfterAnInterruption) {
  const TemporaryFolder folder;
  const std::string one = folder.path() / "one.conf", two = folder.path() / "two.conf";
  const Ran alone = tune(with(kGrid, {"--out", one, "--jobs", "1"}));
  ASSERT_EQ(alone.code, 0) << alone.err;
  const std::string cells = read_text(one + ".cells.jsonl");
  ASSERT_EQ(lines_of(cells).size(), 37u);  // a header and 36 cells
  folder.write("two.conf.cells.jsonl", cells.substr(0, cells.size() / 2));
  const Ran continued = tune(with(kGrid, {"--out", two, "--jobs", "3"}));
  ASSERT_EQ(continued.code, 0) << continued.err;
  EXPECT_EQ(continued.out, alone.out);
  EXPECT_EQ(read_text(two), read_text(one));
  auto lines = lines_of(read_text(two + ".cells.jsonl")), expected = lines_of(cells);
  std::sort(lines.begin(), lines.end());
  std::sort(expected.begin(), expected.end());
  EXPECT_EQ(lines, expected);
}

TEST(CollectivesTune, ExplainReadsWhatItWrites) {
  const TemporaryFolder folder;
  const std::string rules = folder.path() / "rules.conf";
  const Ran ran = tune({"-n", "16", "--op", "bcast", "--bytes", "1M", "--out", rules});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("1 calls on ntw10e5, Open MPI 4.1.8: 1 with a faster algorithm"));
  EXPECT_THAT(ran.out, HasSubstr("have no intervals"));
  const Json explained = document(
      run_strata(words("explain", {"-n", "16", "--op", "bcast", "--bytes", "1M", "--rules", rules, "--json"})));
  EXPECT_THAT(explained["rule"].get<std::string>(), HasSubstr("rules.conf:"));
}

TEST(CollectivesTune, SaysWhatItLeavesOut) {
  const TemporaryFolder folder;
  const Ran ran =
      tune({"-n", "64", "--op", "alltoall", "--bytes", "8", "--steps", "0.002", "--out", folder.path() / "rules.conf"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("more than 0.002 million steps"));
  EXPECT_THAT(ran.out, HasSubstr("alltoall on 64 ranks: "));
  EXPECT_THAT(ran.out, HasSubstr("pairwise (1)"));
}

TEST(CollectivesEvaluate, FindsViolationsAndDrawsThem) {
  const TemporaryFolder folder;
  // Broadcasts from 8 ranks on along a pipeline: short ones take longer than a scatter and an allgather.
  const std::string slow = folder.write("slow.conf", "1\n7\n1\n8\n1\n0 3 0 0\n"), svg = folder.path() / "regret.svg";
  const Words grid = {"-n", "16", "--op", "bcast", "--bytes", "8,1M", "--rules", slow};
  const Ran ran = evaluate(with(grid, {"--svg", svg}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("bcast(n) <= scatter(n/p) + allgather(n/p)"));
  const Json d = document(evaluate(with(grid, {"--json"})));
  bool is_violated = false;
  for (const Json& v : d["violations"]) {
    EXPECT_GT(v["left_s"].get<double>(), 1.05 * v["right_s"].get<double>());
    is_violated = is_violated || (v["chosen_by"] == slow && v["bytes"] == 1 << 20);
  }
  EXPECT_TRUE(is_violated) << d["violations"];
  const std::string picture = read_text(svg);
  EXPECT_THAT(picture, HasSubstr("bcast of 1048576 B on 16 ranks: "));
  EXPECT_THAT(picture, HasSubstr("slow.conf"));
}

// Strata's own collectives stand beside the library's choice, in the table, the picture and the document. If ranks are
// dealt to the nodes one after the other, each message of Open MPI's binomial tree crosses the network, and most of the
// hierarchical ones do not.
TEST(CollectivesEvaluate, TimesStratasOwnCollectives) {
  const TemporaryFolder folder;
  const std::string svg = folder.path() / "regret.svg";
  const Words grid = {"-n", "48", "--map-by", "node", "--op", "bcast,allgather,alltoall", "--bytes", "4K,256K"};
  const Ran ran = evaluate(with(grid, {"--svg", svg}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("hierarchical (RR-9077): of 4 calls, "));
  EXPECT_THAT(ran.out, HasSubstr("split tree (IJHPCA'19): of 2 calls, "));
  EXPECT_THAT(read_text(svg), HasSubstr("split tree (IJHPCA"));
  const Json d = document(evaluate(with(grid, {"--json"})));
  for (const Json& cell : d["cells"]) {
    ASSERT_EQ(cell["own"].size(), 2u) << cell;
    const std::string op = cell["op"];
    for (const Json& own : cell["own"]) {
      const bool has_it = op == "bcast" || (op == "allgather" && own["name"] == "hierarchical (RR-9077)");
      ASSERT_EQ(own["seconds"].is_number(), has_it) << cell;
      EXPECT_EQ(own["gain"].is_number(), has_it) << cell;
      EXPECT_EQ(!own["algorithm"].get<std::string>().empty(), has_it) << cell;
      if (!has_it) continue;
      EXPECT_DOUBLE_EQ(own["gain"].get<double>(), 1 - own["seconds"].get<double>() / cell["seconds"][0].get<double>());
      if (op == "bcast") {
        EXPECT_GT(own["gain"].get<double>(), 0.3) << cell;
      }
    }
  }
}

TEST(CollectivesTune, BadInput) {
  const TemporaryFolder folder;
  const std::string out = folder.path() / "rules.conf";
  const auto refused = [&](Words further) { return tune(with(std::move(further), {"--out", out})); };
  expect_refused(refused({"-n", "8", "--op", "broadcast"}), "--op", "no operation 'broadcast'", "bcast");
  expect_refused(refused({"-n", "8", "--bytes", "8,,16"}), "--bytes", "empty part", "16,64,256");
  expect_refused(refused({"-n", "8", "--bytes", "64..8"}), "--bytes", "not a range", "smaller end first");
  expect_refused(refused({"-n", "8", "--op", "reduce", "--bytes", "6"}), "--bytes", "MPI_FLOAT", "4 B");
  expect_refused(refused({"-n", "1"}), "-n", "'1' is not a number of ranks", "from 2 on");
  expect_refused(refused({"-n", "8,x"}), "-n", "'x' is not a number of ranks", "16..256");
  expect_refused(refused({"-n", "1000"}), "1000", "240", "");
  expect_refused(refused({"-n", "64", "--ranks-per-node", "4"}), "-n", "64 ranks do not fit", "--ranks-per-node");
  expect_refused(refused({"-n", "8", "--mpi", "openmpi-4.1.4", "--format", "tuned-2"}), "--format", "does not read",
                 "4.1.8");
  expect_refused(refused({"-n", "8", "--least-gain", "100"}), "--least-gain", "100", "below 100");
  folder.write("cut.conf", "1\n7\n1\n");
  expect_refused(evaluate({"-n", "8", "--rules", folder.path() / "cut.conf"}), "cut.conf", "", "Open MPI");
  EXPECT_FALSE(std::filesystem::exists(out));
  const Ran unwritable = tune({"-n", "8", "--op", "bcast", "--bytes", "8", "--out", "/nonexistent/rules.conf"});
  EXPECT_EQ(unwritable.code, 2) << unwritable.err;
  EXPECT_EQ(lines_of(unwritable.err).size(), 1u) << unwritable.err;
}

}  // namespace
}  // namespace strata
