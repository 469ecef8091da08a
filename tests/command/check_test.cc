// SPDX-License-Identifier: LGPL-2.1-only
// strata check as users run it: the quick run and its counts, keys, scenarios in CI, bad input, and interruption.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "sim/simgrid/version.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using Arguments = std::vector<std::string>;

Ran check(Arguments arguments, const Surroundings& surroundings = {}) {
  arguments.insert(arguments.begin(), "check");
  return run_strata(arguments, surroundings);
}

Json document_of(Arguments arguments, int code = 0) {
  arguments.emplace_back("--json");
  const Ran ran = check(arguments);
  EXPECT_EQ(ran.code, code) << ran.err;
  const Json document = Json::parse(ran.out, nullptr, false);
  EXPECT_FALSE(document.is_discarded()) << ran.out;
  EXPECT_EQ(document.value("schema", ""), "strata.check/1");
  return document;
}

// --- areas ---

TEST(CheckCommand, QuickRunHolds) {
  const Json document = document_of({"--quick"});
  EXPECT_EQ(document["verdict"], "holds");
  std::map<std::string, std::pair<long, long>> counts;  // by area: cases within the bounds, distinct cases
  for (const Json& area : document["areas"]) {
    counts[area["name"]] = {area["cases"], area["distinct"]};
    EXPECT_EQ(area["verdict"], "holds");
    for (const Json& property : area["properties"]) {
      EXPECT_EQ(property["verdict"], "holds") << area["name"] << "/" << property["name"];
      EXPECT_GT(property["cases"].get<long>(), 0) << area["name"] << "/" << property["name"] << " spoke of nothing";
    }
  }
  const std::map<std::string, std::pair<long, long>> expected = {
      {"hsplit", {150958, 75541}},  {"nodecart", {26789, 7863}}, {"mapping", {15030, 15030}}, {"trees", {2424, 216}},
      {"schedule", {26454, 25704}}, {"progress", {2412, 1822}},  {"sessions", {53750, 26881}}};
  EXPECT_EQ(counts, expected);
}

TEST(CheckCommand, TheCountsDoNotDependOnHowManyWorkersThereAre) {
  std::vector<Json> documents;
  for (const char* jobs : {"1", "2", "5"}) {
    documents.push_back(document_of({"hsplit", "sessions", "--quick", "--bound", "hsplit.vertices=6", "--jobs", jobs}));
    for (Json& area : documents.back()["areas"]) area.erase("seconds");
  }
  EXPECT_EQ(documents[0]["areas"].size(), 2u);
  EXPECT_EQ(documents[0], documents[1]);
  EXPECT_EQ(documents[0], documents[2]);
}

// The merged documents of all shards equal the document of the whole check.
TEST(CheckCommand, ShardsAddUp) {
  const Arguments what = {"hsplit", "sessions", "--quick", "--bound", "hsplit.vertices=6", "--random", "50"};
  Json whole = document_of(what);
  const TemporaryFolder folder;
  Arguments files;
  long largest = 0;
  for (const char* shard : {"1/3", "2/3", "3/3"}) {
    Arguments arguments = what;
    arguments.insert(arguments.end(), {"--shard", shard});
    const Json part = document_of(arguments);
    largest = std::max(largest, part["areas"][0]["cases"].get<long>());
    files.push_back(folder.write(std::string(1, shard[0]) + ".json", part.dump()));
  }
  EXPECT_LT(largest, whole["areas"][0]["cases"].get<long>() / 2) << "shards have similar numbers of cases";
  const auto merge = [&](Arguments arguments) {
    arguments.insert(arguments.begin(), {"submit", "merge"});
    return run_strata(arguments);
  };
  Arguments json = files;
  json.insert(json.end(), {"--json", "--out", folder.path() / "all.json"});
  const Ran merged = merge(json);
  ASSERT_EQ(merged.code, 0) << merged.err;
  EXPECT_EQ(merged.out, read_text(folder.path() / "all.json"));
  Json sum = Json::parse(merged.out);
  for (Json* document : {&whole, &sum}) {
    for (Json& area : (*document)["areas"]) area.erase("seconds");
  }
  EXPECT_EQ(sum, whole);
  EXPECT_THAT(merge(files).out, HasSubstr("no violation within these bounds: 2 areas"));

  expect_refused(merge({files[0], files[2]}), "command line", "shard 2/3 is missing",
                 "`strata check --shard 2/3 hsplit sessions --quick --bound hsplit.vertices=6 --random 50 --json`");
  expect_refused(merge({files[0], files[1], files[1]}), files[1], "is shard 2/3, as " + files[1] + " is",
                 "one of them");
  const auto expect_foreign = [&](const auto& change, const std::string& what) {
    Json other = Json::parse(read_text(files[1]));
    change(other);
    const std::string file = folder.write("other.json", other.dump());
    expect_refused(merge({files[0], file, files[2]}), file, what, "");
  };
  expect_foreign([](Json& d) { d["areas"][1]["seed"] = 2; }, "its areas, bounds, random cases or seed differ");
  expect_foreign([](Json& d) { d["areas"][0]["bounds"]["vertices"] = 5; }, "its areas, bounds, random cases or seed");
  expect_foreign([](Json& d) { d["shard"]["version"] = "0.0.1"; }, "its version of Strata differ");
  expect_foreign([](Json& d) { d["shard"]["program_hash"] = "0"; }, "its program differ");
  expect_foreign([](Json& d) { d.erase("shard"); }, "is not of a shard");
  const std::string cut = folder.write("cut.json", read_text(files[1]).substr(0, 500));
  expect_refused(merge({files[0], cut, files[2]}), cut, "is not a whole document", "--shard i/N --json");

  expect_refused(check({"hsplit", "--shard", "1/3"}), "--shard 1/3", "needs --json", "strata submit merge");
  expect_refused(check({"quickstart", "--shard", "1/3", "--json"}), "--shard 1/3", "goes with areas and programs",
                 "strata run");
}

TEST(CheckCommand, OnePropertyIsAsked) {
  const Json document = document_of({"hsplit/roots", "--quick", "--bound", "vertices=6", "--random", "0"});
  ASSERT_EQ(document["areas"].size(), 1u);
  const Json& area = document["areas"][0];
  EXPECT_EQ(area["random_cases"], 0);
  EXPECT_EQ(area["bounds"]["vertices"], 6);
  ASSERT_EQ(area["properties"].size(), 2u);  // the other property is that the code returns
  EXPECT_EQ(area["properties"][0]["name"], "roots");
  EXPECT_EQ(area["properties"][1]["name"], "returns");
}

// A key made by hand: two nodes of two cores, with a rank on each of three cores and one that is not bound.
TEST(CheckCommand, AKeyIsLookedAtAgain) {
  const std::string key = "hsplit/slow-reading:s2m2ccm2cc:c0,c1,c2,m1";
  const Json document = document_of({"--replay", key});
  EXPECT_EQ(document["verdict"], "holds");
  EXPECT_EQ(document["key"], key);
  EXPECT_THAT(document["drawing"].get<std::string>(), HasSubstr("rank"));
  const TemporaryFolder folder;
  const std::string file = folder.path() / "case.svg";
  EXPECT_EQ(check({"--replay", key, "--svg", file}).code, 0);
  EXPECT_THAT(read_text(file), HasSubstr("</svg>"));
}

TEST(CheckCommand, TheListHasEveryAreaAndProtocol) {
  const Ran ran = check({"--list"});
  EXPECT_EQ(ran.code, 0);
  for (const char* name : {"hsplit: ", "nodecart: ", "mapping: ", "trees: ", "schedule: ", "progress: ", "sessions: ",
                           "strict-subset", "protocols/hierarchy.", "protocols/nonblocking."})
    EXPECT_THAT(ran.out, HasSubstr(name));
}

// --- scenarios ---

class CheckScenario : public ::testing::Test {
 protected:
  // Rank 1 receives a message from rank 0; the claim limits the time.
  std::string scenario(const std::string& claimed) const {
    return folder_.write("mine.yaml",
                         "schema: strata.scenario/1\nname: mine\ntitle: a ping-pong\nmachine: {xml: " +
                             built("tests/sim/data/24l3-3l8c.xml") +
                             ", nodes: 1}\nprogram: pingpong\nranks: 2\nsweep: {bytes: [8, 1000]}\n"
                             "metric: {name: time, unit: s}\nmodels: {loggp: 0.02}\nclaims:\n"
                             "  - {id: fast, paper: none, text: it is fast, quantity: time, over: max, value: " +
                             claimed + ", relation: at_most}\n");
  }
  // Small messages of four ranks on one node, checked with a model of messages between nodes.
  std::string outside() const {
    return folder_.write("outside.yaml",
                         "schema: strata.scenario/1\nname: outside\ntitle: a halo exchange in a node\nmachine: {xml: " +
                             built("tests/sim/data/24l3-3l8c.xml") +
                             ", nodes: 1}\nprogram: ncartperf\nranks: 4\nsweep: {comm: [world], n: [8]}\n"
                             "arguments: [--dims, 2x2, --sweeps, 4]\n"
                             "metric: {name: time, unit: s}\nmodels: {max-rate: 0.02}\n");
  }
  Arguments arguments(const std::string& file) const { return {file, "--out", folder_.path() / "out"}; }
  const TemporaryFolder folder_;
};

TEST_F(CheckScenario, AVerdictALine) {
  const Json document = document_of(arguments(scenario("1")));
  ASSERT_EQ(document["scenarios"].size(), 1u);
  const Json& checks = document["scenarios"][0]["checks"];
  ASSERT_EQ(checks.size(), 2u);
  EXPECT_EQ(checks[0]["kind"], "model");
  EXPECT_EQ(checks[0]["name"], "loggp");
  EXPECT_EQ(checks[0]["verdict"], "holds");
  EXPECT_EQ(checks[1]["kind"], "claim");
  EXPECT_EQ(checks[1]["name"], "fast");
  EXPECT_EQ(checks[1]["verdict"], "holds");
  // Checks an existing results folder.
  const Ran ran = check({folder_.path() / "out"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_EQ(lines_of(ran.out).size(), 3u) << ran.out;
}

TEST_F(CheckScenario, AClaimThatDoesNotHoldIsAViolationUnlessItIsExpected) {
  const std::string file = scenario("1e-12");
  const Json document = document_of(arguments(file), 1);
  EXPECT_EQ(document["verdict"], "violated");
  EXPECT_EQ(document["scenarios"][0]["checks"][1]["verdict"], "violated");

  const std::string expected = folder_.write("expected.json", document.dump());
  EXPECT_EQ(check({folder_.path() / "out", "--expect", expected}).code, 0);

  // A claim that was expected to hold is a change too.
  Json other = document;
  other["scenarios"][0]["checks"][1]["verdict"] = "holds";
  const Ran ran = check({folder_.path() / "out", "--expect", folder_.write("other.json", other.dump())});
  EXPECT_EQ(ran.code, 1);
  EXPECT_THAT(ran.out, HasSubstr("EXPECTED: holds"));

  // A check that no longer exists is reported as missing.
  other["scenarios"][0]["checks"][1]["name"] = "slow";
  const Ran missing = check({folder_.path() / "out", "--expect", folder_.write("missing.json", other.dump())});
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.out, HasSubstr("missing"));
  EXPECT_THAT(missing.out, HasSubstr("no longer in the scenario"));
}

// If no message leaves a node, the max-rate model has no prediction. No point is compared, so nothing holds.
TEST_F(CheckScenario, AModelThatCoversNoPointIsNotCovered) {
  Json document = document_of(arguments(outside()));
  EXPECT_EQ(document["verdict"], "not covered");
  EXPECT_EQ(document["scenarios"][0]["verdict"], "not covered");
  ASSERT_EQ(document["scenarios"][0]["checks"].size(), 1u);
  EXPECT_EQ(document["scenarios"][0]["checks"][0]["verdict"], "not covered");

  const Ran ran = check({folder_.path() / "out"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("not covered model"));

  // Compared with expected results that agree, and with others that do not.
  EXPECT_EQ(check({folder_.path() / "out", "--expect", folder_.write("same.json", document.dump())}).code, 0);
  document["scenarios"][0]["checks"][0]["verdict"] = "holds";
  const Ran other = check({folder_.path() / "out", "--expect", folder_.write("other.json", document.dump())});
  EXPECT_EQ(other.code, 1);
  EXPECT_THAT(other.out, HasSubstr("EXPECTED: holds"));

  document["scenarios"][0]["checks"][0]["verdict"] = "fine";
  expect_refused(check({folder_.path() / "out", "--expect", folder_.write("fine.json", document.dump())}), "fine.json",
                 "not a document", "--json");
}

TEST_F(CheckScenario, NothingToCheckIsRefused) {
  const std::string file = folder_.write(
      "bare.yaml",
      "schema: strata.scenario/1\nname: bare\ntitle: nothing\nmachine: {xml: " + built("tests/sim/data/24l3-3l8c.xml") +
          ", nodes: 1}\nprogram: pingpong\nranks: 2\nsweep: {bytes: [8]}\nmetric: {name: time, unit: s}\n");
  // Before the simulations: nothing has run, and the results folder was not made.
  expect_refused(check(arguments(file)), "bare.yaml", "has neither models nor claims", "add `models:` or `claims:`");
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out"));

  // The same for results that are there.
  ASSERT_EQ(run_strata({"run", file, "--out", folder_.path() / "done"}).code, 0);
  expect_refused(check({folder_.path() / "done"}), "bare", "has neither models nor claims", "add `models:`");
}

// --- bad input ---

TEST(CheckCommand, BadInputIsToldInOneLine) {
  expect_refused(check({"nosuch"}), "'nosuch'", "not an area", "strata check --list");
  expect_refused(check({"hsplit/nosuch", "--quick"}), "hsplit", "no property 'nosuch'", "strict-subset");
  expect_refused(check({"hsplit", "--bound", "ranks"}), "--bound", "ranks", "hsplit.ranks=4");
  expect_refused(check({"hsplit", "--bound", "ranks=99"}), "--bound ranks", "out of range", "1 to");
  expect_refused(check({"hsplit", "--bound", "length=3"}), "--bound length=3", "none of the areas", "--list");
  expect_refused(check({"--all", "hsplit"}), "--all", "hsplit", "give one");
  expect_refused(check({"--replay", ""}), "--replay", "is empty", "leave the option out");
  expect_refused(check({"--replay="}), "--replay", "missing", "--help");
  expect_refused(check({"--replay", "hsplit"}), "--replay", "is not a key", "area/property:case");
  expect_refused(check({"--replay", "nosuch/roots:c"}), "--replay", "no area 'nosuch'", "--list");
  expect_refused(check({"--replay", "hsplit/roots:s2m"}), "s2m", "", "");
  expect_refused(check({"protocols/nosuch"}), "protocols/nosuch", "no protocol", "--list");
  expect_refused(check({"quickstart", "--expect", "/nosuch.json"}), "/nosuch.json", "No such file", "--json");
  expect_refused(check({"--program", "./prog"}), "--np", "how many ranks", "");
  expect_refused(check({"--program", "./prog", "--np", "2", "--buffering", "some"}), "--buffering", "'some'",
                 "all, none");
}

TEST(CheckCommand, WithoutSimGridsModelCheckerItSaysHowToGetIt) {
  const TemporaryFolder folder;
  Surroundings without;
#ifdef STRATA_SIMGRID_3_32
  without.environment = {{"STRATA_CACHE", folder.path()}, {"STRATA_SIMGRID_MC", ""}};
  const std::string thing = "model checker", fault = "is not installed", right = "do: strata check --install-mc";
#else  // the model checker is part of this system's SimGrid
  without.environment = {{"STRATA_SIMGRID_MC", folder.path()}};
  const std::string thing = "STRATA_SIMGRID_MC", fault = "holds no smpimain and libsimgrid.so.4.0", right = "unset it";
#endif
  for (const Arguments& arguments : {Arguments{"--all"}, Arguments{"protocols"},
                                     Arguments{"--program", built("tests/check/orders.so"), "--np", "2"}})
    expect_refused(check(arguments, without), thing, fault, right);
}

// The merged shards of a program have the same sums for any number of shards, and the same counter-example.
TEST(CheckCommand, ShardsOfAProgramAddUp) {
  const TemporaryFolder folder;
  for (const auto& [program, code] : {std::pair("wildcard", 0), std::pair("busy-first", 1)}) {
    std::string first;
    for (const int shards : {1, 2, 5}) {
      Arguments merge = {"submit", "merge", "--json"};
      for (int i = 1; i <= shards; ++i) {
        const std::string shard = std::to_string(i) + "/" + std::to_string(shards);
        const Ran part = check(
            {"--program", built("tests/check/orders.so"), "--np", "4", "--shard", shard, "--json", "--", program});
        if (part.code == 2 && part.err.find("is not installed") != std::string::npos) GTEST_SKIP() << part.err;
        ASSERT_LE(part.code, 1) << part.err;
        merge.push_back(folder.write(std::to_string(i) + ".json", part.out));
      }
      const Ran merged = run_strata(merge);
      EXPECT_EQ(merged.code, code) << merged.err;
      Json document = Json::parse(merged.out);
      for (Json& result : document["programs"]) result.erase("seconds");
      // Shards without the violation explore all of their orders, so the sums of a violated check depend on the number
      // of shards.
      if (code == 1) document = document["programs"][0]["counter_example"]["key"];
      if (first.empty()) first = document.dump();
      EXPECT_EQ(document.dump(), first) << program << " in " << shards << " shards";
    }
    EXPECT_THAT(first, HasSubstr(code == 1 ? "orders" : "\"verdict\":\"holds\"")) << first;
  }
}

TEST(CheckCommand, AFullDiskIsTold) {
  Surroundings full;
  full.standard_output = "/dev/full";
  const Ran ran = check({"--list"}, full);
  EXPECT_EQ(ran.code, 2);
  EXPECT_THAT(ran.err, HasSubstr("stdout: cannot be written"));
}

TEST(CheckCommand, WhoeverInterruptsItLeavesNoWorkerBehind) {
  Process process(strata_command({"check", "hsplit", "--jobs", "2"}));
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  ::kill(process.pid(), SIGINT);
  const Ran ran = process.wait();  // also waits for its workers, which hold its stdout open
  EXPECT_EQ(ran.code, 130) << ran.err;
  EXPECT_THAT(ran.err, HasSubstr("interrupted"));
}

}  // namespace
}  // namespace strata
