// SPDX-License-Identifier: LGPL-2.1-only
// strata check with its full bounds and many random cases beyond them. It takes too long for every change: `./strata
// test --all` runs it.
#include <gtest/gtest.h>

#include <map>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

Json check(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), {"check", "--json"});
  const Ran ran = run_strata(arguments);
  EXPECT_EQ(ran.code, 0) << ran.err;
  return Json::parse(ran.out, nullptr, false);
}

std::map<std::string, long> cases_of(const Json& document) {
  std::map<std::string, long> cases;
  for (const Json& area : document["areas"]) {
    EXPECT_EQ(area["verdict"], "holds") << area.dump();
    cases[area["name"]] = area["cases"];
  }
  return cases;
}

TEST(CheckNightly, EveryAreaHoldsWithinItsFullBounds) {
  const auto quick = cases_of(check({"--quick", "--random", "0"}));
  const auto full = cases_of(check({"--all", "--no-protocols", "--random", "0"}));
  ASSERT_EQ(full.size(), quick.size());
  for (const auto& [area, cases] : full) EXPECT_GE(cases, quick.at(area)) << area;
  EXPECT_GT(full.at("hsplit"), 10 * quick.at("hsplit"));
}

TEST(CheckNightly, EveryAreaHoldsOnRandomCases) {
  const std::string seed = std::to_string(std::random_device()());
  SCOPED_TRACE("--seed " + seed);
  const Json document = check({"--quick", "--random", "20000", "--seed", seed});
  for (const Json& area : document["areas"]) {
    EXPECT_EQ(area["verdict"], "holds") << area.dump();
    EXPECT_EQ(area["random_cases"], 20000) << area["name"];
  }
}

}  // namespace
}  // namespace strata
