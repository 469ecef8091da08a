// SPDX-License-Identifier: LGPL-2.1-only
// The scenario hierarchy-creation: the number of communicators and messages of five levels with their roots, compared
// with sums over the levels of the machine. These numbers do not depend on times.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;

TEST(HierarchyCreation, CommunicatorsAndMessages) {
  constexpr int kRanks = 1024;
  const TemporaryFolder folder;
  const std::string out = folder.path() / "results";
  const Ran ran = run_strata({"run", "hierarchy-creation", "--set", "ranks=" + std::to_string(kRanks), "--out", out});
  ASSERT_EQ(ran.code, 0) << ran.err;
  std::map<std::string, std::map<std::string, double>> got;  // by method and metric
  for (const std::string& line : lines_of(read_text(out + "/records.jsonl"))) {
    if (line.empty()) continue;
    const Json record = Json::parse(line);
    got[record["parameters"]["method"]][record["metric"]] = record["value"];
  }
  ASSERT_EQ(got.size(), 3u);

  // Nodes of 128 ranks, packages of 64, L3 of 8, L2 of 2, cores. SMPI creates a communicator by broadcasting an integer
  // to its members: one message for each member except one.
  double communicators = 0, messages = 0;
  double parent = kRanks;
  for (double size : {128, 64, 8, 2, 1}) {
    const double comms = kRanks / size, families = kRanks / parent, siblings = parent / size;
    communicators += comms + families;
    messages += comms * (size - 1) + families * (siblings - 1);
    parent = size;
  }
  // The agreement: with this many ranks SMPI reduces and broadcasts, with a message for each rank except one.
  const double agreement = 2 * (kRanks - 1), copy = kRanks - 1;
  EXPECT_EQ(got["all"]["messages"], messages + agreement);
  EXPECT_EQ(got["kept"]["messages"], messages + agreement + copy);
  // Level by level, each communicator that is split has an agreement. SMPI chooses its algorithm by the size p of the
  // communicator: at least 2 (p - 1) messages, at most p log2 p.
  double least = messages + agreement, most = least;
  for (double size : {128, 64, 8, 2}) {
    least += kRanks / size * 2 * (size - 1);
    most += kRanks * std::log2(size);
  }
  EXPECT_GE(got["levels"]["messages"], least);
  EXPECT_LE(got["levels"]["messages"], most);
  for (auto& [method, metrics] : got) {
    EXPECT_EQ(metrics["levels"], 5) << method;
    EXPECT_EQ(metrics["communicators"], communicators) << method;
    EXPECT_GT(metrics["time"], 0) << method;
  }
  EXPECT_LT(got["all"]["time"], got["levels"]["time"]) << "one agreement takes less time than five";
}

// The program checks the depth that it is given: one that differs from the machine's is a failed simulation.
TEST(HierarchyCreation, WrongDepthIsSeen) {
  const TemporaryFolder folder;
  std::string scenario = read_text(built("scenarios/catalog/hierarchy-creation.yaml"));
  scenario.replace(scenario.find("[--depth, 5]"), 12, "[--depth, 4]");
  scenario.replace(scenario.find("xml: nodes/"), 11, "xml: " + built("scenarios/catalog/nodes/"));
  const Ran ran = run_strata({"run", folder.write("wrong.yaml", scenario), "--out", folder.path() / "results"});
  EXPECT_EQ(ran.code, 3) << ran.out << ran.err;
}

}  // namespace
}  // namespace strata
