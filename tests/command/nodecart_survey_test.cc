// SPDX-License-Identifier: LGPL-2.1-only
// strata nodecart survey as users see it: the figures for one seed, their consistency, and refused input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;

Ran survey(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"nodecart", "survey", "--inputs", "500"});
  return run_strata(arguments);
}

TEST(NodecartSurvey, FiguresFitTogether) {
  const Ran ran = survey({"--json"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Json document = Json::parse(ran.out);
  EXPECT_EQ(document["schema"], "strata.nodecart-survey/1");
  EXPECT_EQ(document["inputs"], 500);
  EXPECT_EQ(document["seed"], 1);
  EXPECT_EQ(document["max_processes"], 4096);
  ASSERT_EQ(document["nodes"].size(), 2U);
  EXPECT_EQ(document["nodes"][0]["inputs"], 304);
  EXPECT_EQ(document["nodes"][0]["inputs"].get<int>() + document["nodes"][1]["inputs"].get<int>(), 500);
  for (const Json& group : document["nodes"]) {
    const bool equal = group["nodes"] == "equal";
    std::map<std::string, Json> methods;
    for (const Json& m : group["methods"]) {
      methods[m["method"]] = m;
      EXPECT_EQ(m["possible"], group["inputs"]);
      EXPECT_EQ(m["better"].get<int>() + m["equal"].get<int>() + m["worse"].get<int>(), m["possible"]);
      EXPECT_GE(m["over_best"]["mean"], 1);
      EXPECT_GE(m["over_best"]["worst"], m["over_best"]["mean"]);
      EXPECT_EQ(m["over_blocks"].is_null(), !equal);
    }
    EXPECT_EQ(methods.size(), equal ? 8U : 5U);
    EXPECT_EQ(methods["auto"]["worse"], 0);
    EXPECT_EQ(methods["auto"]["best"], group["inputs"]);
    EXPECT_EQ(methods["auto"]["over_best"], Json({{"mean", 1.0}, {"worst", 1.0}}));
    EXPECT_EQ(methods["cart"]["equal"], group["inputs"]);
    EXPECT_EQ(methods["cart"]["best"], methods["auto"]["equal"]);
    if (equal) {
      EXPECT_EQ(methods["blocks"]["over_blocks"], Json({{"mean", 1.0}, {"worst", 1.0}}));
      EXPECT_EQ(methods["nodecart"]["better"], 166);
      EXPECT_EQ(methods["nodecart"]["worse"], 22);
    }
  }
}

TEST(NodecartSurvey, TextMarkdownAndSeeds) {
  const Ran text = survey({}), again = survey({}), other = survey({"--seed", "2"}), markdown = survey({"--markdown"});
  EXPECT_EQ(text.out, again.out);
  EXPECT_NE(text.out, other.out);
  EXPECT_THAT(text.out, HasSubstr("500 random inputs of up to 4096 processes, seed 1"));
  EXPECT_THAT(markdown.out,
              HasSubstr("| method | possible | better | equal | worse | best | / blocks | worst | / best | "
                        "worst |\n| --- | ---: |"));
}

TEST(NodecartSurvey, Refuses) {
  const auto refused = [](std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), {"nodecart", "survey"});
    return run_strata(arguments);
  };
  expect_refused(refused({"--inputs", "0"}), "--inputs", "'0' is too small", "give 1 to 10000000");
  expect_refused(refused({"--max-processes", "1"}), "--max-processes", "'1' is too small", "give 2 to 16777216");
  expect_refused(refused({"--json", "--markdown"}), "--markdown and --json", "cannot be given together",
                 "strata nodecart survey --help");
}

}  // namespace
}  // namespace strata
