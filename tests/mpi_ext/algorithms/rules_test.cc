// SPDX-License-Identifier: LGPL-2.1-only
// A program of `strata mpi` with the collectives of an MPI library that reads a file of rules.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include "collectives/chosen/chosen.h"
#include "collectives/rules/read_rules.h"
#include "tests/mpi_ext/algorithms/program_runs.h"

namespace strata::collectives {
namespace {

// Broadcasts from 4 ranks and 64 B on are a chain of segments of 1 KiB.
constexpr const char* kChain = "1\n7\n1\n4\n2\n0 0 0 0\n64 2 4 1024\n";
constexpr const char* kChain2 = "rule-file-version-2\n1\n7\n1\n4\n2\n0 0 0 0\n64 2 4 1024 0\n";
constexpr const char* kCsel = R"({"collective=bcast": {"comm_type=intra": {
  "comm_size=pow2": {
    "algorithm=MPIR_Bcast_intra_scatter_recursive_doubling_allgather": {}},
  "comm_size=any": {"algorithm=MPIR_Bcast_intra_scatter_ring_allgather": {}}}}})";

std::filesystem::path written(const TemporaryFolder& folder, const std::string& text) {
  std::filesystem::path file = folder.path() / "rules.conf";
  std::ofstream(file) << text;
  return file;
}

constexpr const char* kCounts = "1,8,511,8192,32768";

Ran run_bcast(const std::string& mpi, int ranks, const std::vector<std::string>& options) {
  return run_with(mpi, ranks, options, {kCollectives, "bcast", kCounts, "0", "once"});
}

// Rank 0 sends what the library chooses by the file, which differs from what it chooses without.
void expect_rules(const std::string& mpi, const char* text_of_rules, int ranks) {
  SCOPED_TRACE(mpi + ", " + text_of_rules);
  const TemporaryFolder folder;
  const std::string rules_file = written(folder, text_of_rules), trace_file = folder.path() / "calls.mpitrace";
  const Ran ran = run_bcast(mpi, ranks, {"--rules", rules_file, "--record", trace_file});
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Library library = parse_library(mpi, "");
  const RuleFile rules = read_rules(rules_file, library);
  const Chooser with(library, &rules), without(library);
  std::string expected, usual;
  for (const std::int64_t count : {1, 8, 511, 8192, 32768}) {
    const Collective call = call_of(Operation::kBcast, ranks, count);
    expected += text(transfers(trace_of(with, call), 0, ""));
    usual += text(transfers(trace_of(without, call), 0, ""));
  }
  EXPECT_EQ(text(transfers(read_trace(trace_file), 0, "")), expected);
  EXPECT_NE(expected, usual);
}

TEST(Rules, AreReadAsTheLibraryReadsThem) {
  expect_rules("openmpi-4.1", kChain, 8);
  expect_rules("openmpi-5.0", kChain2, 8);
  expect_rules("mpich-4.0", kCsel, 8);
  expect_rules("mpich-4.2", kCsel, 6);
}

TEST(Rules, AreRefusedInOneLine) {
  const TemporaryFolder folder;
  const auto error = [&](const std::string& mpi, const std::string& file, int code = 2) {
    const Ran ran = run_bcast(mpi, 6, {"--rules", file});
    EXPECT_EQ(ran.code, code);
    EXPECT_EQ(ran.out, "");
    return ran.err;
  };
  const std::string missing = folder.path() / "missing.conf";
  EXPECT_TRUE(error("openmpi-4.1", missing).starts_with("strata: " + missing + ": ")) << error("openmpi-4.1", missing);
  const std::string file = written(folder, "1\n7\n1\n4\n2\n0 0 0 0\n64 two 4 1024\n");
  EXPECT_TRUE(error("openmpi-4.1", file).starts_with("strata: " + file + ":7: ")) << error("openmpi-4.1", file);
  written(folder, kCsel);  // which Open MPI 4.1 does not read
  EXPECT_TRUE(error("openmpi-4.1", file).starts_with("strata: " + file + ":1: ")) << error("openmpi-4.1", file);
  // Only the call shows that a rule does not suit it.
  written(folder, R"({"collective=bcast": {"comm_type=intra": {
    "algorithm=MPIR_Bcast_intra_smp": {}}}})");
  const std::string unsuitable = error("mpich-4.0", file, 3);
  EXPECT_NE(unsuitable.find(file + ":2: MPIR_Bcast_intra_smp does not suit a bcast of 6 ranks: MPICH ends in an "
                                   "assertion"),
            std::string::npos)
      << unsuitable;
  EXPECT_EQ(error("smpi", written(folder, kChain)),
            "strata: --rules: are for the collectives of an MPI library, and these are SMPI's; add for example --mpi "
            "openmpi-4.1\n");
}

TEST(Rules, AndWhoseCollectivesTheRunHadAreInTheSummary) {
  const TemporaryFolder folder;
  const std::string file = written(folder, kChain), json = folder.path() / "run.json";
  const auto summary = [&](const std::vector<std::string>& options, const std::string& program) {
    std::vector<std::string> words = {"exec", "--machine", "ntw10e5", "-n", "4", "--json", json};
    words.insert(words.end(), options.begin(), options.end());
    for (const char* const word : {"--", program.c_str(), "bcast", "8", "0", "once"}) words.emplace_back(word);
    return run_strata(words).err;
  };
  const std::string program = built(kCollectives);
  EXPECT_NE(summary({}, program)
                .find("\ncollectives: SMPI's own; --mpi openmpi-4.1 and the like have those of a "
                      "library\n"),
            std::string::npos);
  EXPECT_NE(summary({"--mpi", "mpich-4.0"}, program).find("\ncollectives: those of MPICH 4.0.3, simulated\n"),
            std::string::npos);
  EXPECT_NE(summary({"--mpi", "openmpi-4.1", "--rules", file}, program)
                .find("\ncollectives: those of Open MPI 4.1.8, simulated, by the rules of " + file + "\n"),
            std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(read_text(json))["collectives_rules"], file);
  EXPECT_NE(summary({}, program.substr(0, program.size() - 3) + "_mpich").find("\ncollectives: those of MPICH 4."),
            std::string::npos);
}

// With HAN's file, a rule for tuned has a schedule: tuned's own choice.
TEST(Rules, OfHanMaySayTuned) {
  RuleFile rules;
  rules.format = Format::kHan;
  const auto say = [&](const std::string& component) {
    rules.collectives = {{7, {{Level::kGlobal, {{.from_ranks = 2, .rules = {{.choice = {.component = component}}}}}}}}};
  };
  const Chooser chooser(kOpenMpi50, &rules);
  const Collective call = call_of(Operation::kBcast, 8, 32768);
  say("tuned");
  EXPECT_EQ(chooser.choose(call).decision.name, Chooser(kOpenMpi50).choose(call).decision.name);
  say("libnbc");
  EXPECT_EQ(chooser.choose(call).algorithm, nullptr);
  EXPECT_EQ(chooser.choose(call).decision.name, "of component libnbc");
}

TEST(Rules, AreAnAxisOfScenarios) {
  const TemporaryFolder folder;
  written(folder, kChain);
  const std::filesystem::path file = folder.path() / "study.yaml";
  const auto run = [&](const std::string& engine, std::vector<std::string> more = {}) {
    const std::filesystem::path out = folder.path() / engine;
    std::ofstream(file) << "schema: strata.scenario/1\nname: rules\ntitle: rules\nmachine: ntw10e5\nprogram: " +
                               built(kCollectives) + "\narguments: [bcast, '32768', '0', once]\nengine: " + engine +
                               "\nranks: 32\nmpi: openmpi-4.1\nsweep: {mpi_rules: [none, rules.conf]}\n";
    std::vector<std::string> words = {"run", file, "--out", out};
    words.insert(words.end(), more.begin(), more.end());
    return run_strata(words);
  };
  const Ran first = run("simulation");
  EXPECT_EQ(first.code, 0) << first.err;
  EXPECT_NE(first.err.find("collectives: those of Open MPI 4.1.8, simulated, by the rules of the file of each point\n"),
            std::string::npos)
      << first.err;
  EXPECT_EQ(run("replay").code, 0);
  const auto simulated = times_in(folder.path() / "simulation", "mpi_rules");
  const auto replayed = times_in(folder.path() / "replay", "mpi_rules");
  EXPECT_GT(std::abs(simulated.at("rules.conf") / simulated.at("none") - 1), 0.1);
  for (const auto& [rules, time] : simulated) EXPECT_NEAR(replayed.at(rules), time, 1e-9 * time) << rules;
  // Results belong to the text of the rules.
  EXPECT_EQ(run("replay", {"--resume"}).code, 0);
  written(folder, "1\n7\n1\n4\n2\n0 0 0 0\n64 2 4 2048\n");
  EXPECT_EQ(run("replay", {"--resume"}).code, 2);
  std::filesystem::remove(folder.path() / "rules.conf");
  const Ran ran = run("simulation");
  EXPECT_EQ(ran.code, 2);
  EXPECT_NE(ran.err.find("rules.conf"), std::string::npos) << ran.err;
}

}  // namespace
}  // namespace strata::collectives
