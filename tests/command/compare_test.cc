// SPDX-License-Identifier: LGPL-2.1-only
// strata compare as CI uses it: exit codes, planted slowdowns in simulated runs, JUnit XML against its schema, and bad
// input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using ::testing::HasSubstr;
using Words = std::vector<std::string>;

Ran compare(const std::string& base, const std::string& now, const Words& options = {}) {
  Words words = {"compare", base, now};
  words.insert(words.end(), options.begin(), options.end());
  return run_strata(words);
}

Json compared(const std::string& base, const std::string& now, const Words& options = {}) {
  Words all = options;
  all.emplace_back("--json");
  return Json::parse(compare(base, now, all).out);
}

class Compare : public ::testing::Test {
 protected:
  // The document of a run in which ranks on two nodes send messages of `bytes` around a ring.
  std::string ring(const std::string& name, int bytes, const Words& options = {}) const {
    std::string file = folder_.path() / name;
    Words words = {"exec", "--machine", "ntw10e5", "-n", "4", "--map-by", "node", "--no-summary", "--json", file};
    words.insert(words.end(), options.begin(), options.end());
    words.insert(words.end(), {"--", built("tests/command/guest.so"), "ring", std::to_string(bytes), "3"});
    const Ran ran = run_strata(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return file;
  }

  // A run of quickstart with two points.
  std::string study(const std::string& name, const Words& settings = {}) const {
    std::string out = folder_.path() / name;
    Words words = {"run", "quickstart", "--set", "elements=1", "--set", "algorithm=linear", "--out", out};
    for (const std::string& setting : settings) words.insert(words.end(), {"--set", setting});
    const Ran ran = run_strata(words);
    EXPECT_NE(ran.code, 2) << ran.err;
    return out;
  }

  TemporaryFolder folder_;
};

// --- planted slowdowns ---

TEST_F(Compare, AProgramThatSendsTwoPerCentMore) {
  const std::string base = ring("base.json", 1'000'000), same = ring("same.json", 1'000'000);
  const Ran none = compare(base, same);
  EXPECT_EQ(none.code, 0) << none.out;
  EXPECT_THAT(none.out, HasSubstr("passed: 15 equal (tolerance 0.1 %)"));
  // The arguments contain the message size, so the gate sees two different programs.
  const std::string slow = ring("slow.json", 1'020'000);
  expect_refused(compare(base, slow), "slow.json", "arguments is ring 1020000 3, but was ring 1000000 3", "--force");
  const Ran forced = compare(base, slow, {"--force"});
  EXPECT_EQ(forced.code, 1);
  EXPECT_THAT(forced.out, HasSubstr("worse  simulated_time"));
  EXPECT_EQ(compare(base, slow, {"--force", "--tolerance", "3%"}).code, 0);
  EXPECT_EQ(compare(base, slow, {"--force", "--tolerance", "3%", "--metric", "bytes=1%"}).code, 1);
  EXPECT_EQ(compare(slow, base, {"--force"}).code, 0) << "better";
  EXPECT_EQ(compare(slow, base, {"--force", "--both"}).code, 1);
  const Json document = compared(base, slow, {"--force"});
  EXPECT_EQ(document["verdict"], "failed");
  for (const Json& d : document["differences"]) {
    if (d["metric"] != "simulated_time") continue;
    EXPECT_NEAR(d["relative"].get<double>(), 0.02, 0.001) << "1 MB messages are bandwidth";
    EXPECT_EQ(d["fails"], true);
  }
}

TEST_F(Compare, AMachineWhoseLatencyIsTwoPerCentLonger) {
  const std::string base = study("base"), same = study("same");
  EXPECT_EQ(read_text(fs::path(base) / "records.jsonl"), read_text(fs::path(same) / "records.jsonl"));
  const Ran none = compare(base, same);
  EXPECT_EQ(none.code, 0);
  EXPECT_THAT(none.out, HasSubstr("passed: 2 equal (tolerance 0.1 %)"));
  // The same machine with one corrected figure.
  const fs::path machine = folder_.path() / "machine";
  fs::copy(built("platforms/data/ntw10e5"), machine, fs::copy_options::recursive);
  std::string text = read_text(machine / "machine.yaml");
  const std::string latency = "value: 1.62\n";
  ASSERT_NE(text.find(latency), std::string::npos);
  text.replace(text.find(latency), latency.size(), "value: 1.6524\n");
  folder_.write("machine/machine.yaml", text);
  const std::string slow = study("slow", {"machine=" + (machine / "machine.yaml").string()});
  const Ran found = compare(base, slow);
  EXPECT_EQ(found.code, 1) << found.out;
  EXPECT_THAT(found.out, HasSubstr("time    algorithm = linear, variant = "));
  EXPECT_THAT(found.out, HasSubstr("note: the description of ntw10e5 differs"));
  for (const Json& d : compared(base, slow)["differences"]) {
    if (d["metric"] != "time") continue;
    EXPECT_GT(d["relative"].get<double>(), 0);
    EXPECT_LT(d["relative"].get<double>(), 0.02) << "the latency is not all of the time";
  }
  // A what-if counts as another machine.
  const std::string changed = study("changed", {"what_if.System - Cluster.latency=1.02x"});
  expect_refused(compare(base, changed), "changed", "machine is ntw10e5 (what if), but was ntw10e5", "--force");
  EXPECT_EQ(compare(base, changed, {"--force"}).code, 1);
  EXPECT_EQ(compare(slow, changed, {"--force"}).code, 0) << "the same change";
  // A report makes the same comparison.
  EXPECT_EQ(run_strata({"report", slow, "--against", base}).code, run_strata({"report", slow}).code);
}

TEST_F(Compare, MeasuredComputationNeedsRepeats) {
  const Words measured = {"--compute", "measured", "--host-speed", "1 Gflop/s"};
  const auto with = [&](const std::string& repeats) {
    Words words = measured;
    words.insert(words.end(), {"--repeat", repeats});
    return words;
  };
  const std::string few = ring("few.json", 1000, measured), five = ring("five.json", 1000, with("5"));
  EXPECT_EQ(Json::parse(read_text(five))["repeats"]["times"].size(), 5u);
  const Ran undecided = compare(few, five);
  EXPECT_EQ(undecided.code, 3) << undecided.out;
  EXPECT_THAT(undecided.out, HasSubstr("with 1 and 5 values: too few"));
  EXPECT_EQ(compared(five, five)["verdict"], "equal");
  Json slow = Json::parse(read_text(five));
  for (Json& t : slow["repeats"]["times"]) t = t.get<double>() * 10 + 1;
  const Ran found = compare(five, folder_.write("slow.json", slow.dump()));
  EXPECT_EQ(found.code, 1);
  EXPECT_THAT(found.out, HasSubstr("Mann-Whitney U = 25, p = 0.00397, level 0.01"));
}

// --- output files ---

TEST_F(Compare, JunitIsValidByTheSchema) {
  const std::string base = ring("base.json", 1000), slow = ring("slow.json", 1200);
  const std::string file = folder_.path() / "compare.xml";
  for (const auto& [a, b] : {std::pair{base, slow}, std::pair{base, base}}) {
    const Ran ran = compare(a, b, {"--force", "--junit", file});
    EXPECT_THAT(ran.err, HasSubstr(file));
    const Ran checked = Process({"xmllint", "--noout", "--schema", built("schemas/junit.xsd"), file}).wait();
    EXPECT_EQ(checked.code, 0) << checked.err;
  }
  const std::string wrong = folder_.write("wrong.xml", "<testsuites/>");
  EXPECT_NE(Process({"xmllint", "--noout", "--schema", built("schemas/junit.xsd"), wrong}).wait().code, 0);
  EXPECT_EQ(compare(base, base, {"--junit", "/dev/full/x"}).code, 2);
}

TEST_F(Compare, MarkdownAndLines) {
  const std::string base = ring("base.json", 1000), slow = ring("slow.json", 1200);
  const Ran markdown = compare(base, slow, {"--force", "--markdown", "--lines", "1"});
  EXPECT_EQ(markdown.code, 1);
  EXPECT_THAT(markdown.out, HasSubstr("### strata compare: FAILED: "));
  EXPECT_THAT(markdown.out, HasSubstr("| --- | --- | --- | ---: | ---: | ---: |\n| **worse** |"));
  EXPECT_THAT(markdown.out, HasSubstr(" more; --json has all"));
}

TEST_F(Compare, TheSameInputGivesTheSameBytes) {
  const std::string base = ring("base.json", 1000), slow = ring("slow.json", 1200);
  for (const Words& options : std::vector<Words>{{"--force"}, {"--force", "--json"}, {"--force", "--markdown"}})
    EXPECT_EQ(compare(base, slow, options).out, compare(base, slow, options).out);
}

// --- other kinds of results ---

TEST_F(Compare, DocumentsOfOtherCommands) {
  const auto printed = [&](const std::string& name, Words words) {
    words.emplace_back("--json");
    return folder_.write(name, run_strata(words).out);
  };
  const std::string by_core =
      printed("core.json", {"hsplit", "--machine", "ntw10e5", "--np", "24", "--engine", "pure"});
  const std::string by_node =
      printed("node.json", {"hsplit", "--machine", "ntw10e5", "--np", "24", "--engine", "pure", "--map-by", "node"});
  EXPECT_EQ(compare(by_core, by_core).code, 0);
  EXPECT_EQ(compare(by_core, by_node).code, 1);
  const std::string mesh = printed("mesh.json", {"nodecart", "--dims", "16x16", "--ppn", "16", "--engine", "pure"});
  EXPECT_EQ(compare(mesh, mesh).code, 0);
  const std::string matrix = folder_.write("m.mat", "0 9 1\n9 0 1\n1 1 0\n");
  const std::string map = printed("map.json", {"map", "--matrix", matrix, "--machine", "ntw10e5"});
  const std::string again = printed("again.json", {"map", "--matrix", matrix, "--machine", "ntw10e5"});
  EXPECT_EQ(compare(map, again).code, 0) << "wall time is not judged";
  const std::string market =
      folder_.write("m.mtx",
                    "%%MatrixMarket matrix coordinate integer general\n3 3 6\n1 2 9\n1 3 1\n2 1 9\n"
                    "2 3 1\n3 1 1\n3 2 2\n");
  const Ran more = compare(matrix, market);
  EXPECT_EQ(more.code, 1);
  EXPECT_THAT(more.out, HasSubstr("worse  bytes   2 -> 1"));
  expect_refused(compare(matrix, map), "map.json", "is a document of map, but", "of one kind");
}

// --- bad input ---

TEST_F(Compare, BadInputIsRefused) {
  const std::string base = ring("base.json", 1000);
  const std::string none = folder_.path() / "none";
  expect_refused(compare(base, none), none, "there is no such file or folder", "results folders");
  expect_refused(compare(base, folder_.write("cut.json", read_text(base).substr(0, 99))), "cut.json", "is damaged", "");
  expect_refused(compare(base, folder_.write("other.json", "{\"schema\":\"strata.topo/1\"}")), "other.json",
                 "its schema is strata.topo/1", "results folders");
  expect_refused(compare(base, folder_.write("bare.json", "{}")), "bare.json", "names no schema", "results folders");
  expect_refused(compare(base, folder_.write("empty.json", "")), "empty.json", "", "");
  expect_refused(compare(folder_.path(), folder_.path()), "manifest.json", "", "strata run --out");
  expect_refused(compare(base, folder_.write("huge.json", "{\"schema\":\"strata.exec/1\",\"ranks\":1e999}")),
                 "huge.json", "is damaged", "");
  for (const char* tolerance : {"1", "x%", "-1%", "nan%", "inf%", "%", "1%%", "1 percent"})
    expect_refused(compare(base, base, {"--tolerance", tolerance}), "--tolerance", "is not a tolerance", "0.5%");
  for (const char* metric : {"bytes", "=1%", "bytes=1", "bytes=1%,best"})
    expect_refused(compare(base, base, {"--metric", metric}), "--metric", "", "");
  expect_refused(compare(base, base, {"--metric", "bytes=1%", "--metric", "bytes=2%"}), "--metric", "given twice",
                 "once");
  expect_refused(compare(base, base, {"--metric", "speed=1%"}), "--metric", "neither result has a metric 'speed'",
                 "simulated_time");
  for (const char* level : {"0", "0.5", "-1", "nan"})
    expect_refused(compare(base, base, {"--level", level}), "--level", "", "");
  expect_refused(compare(base, base, {"--json", "--markdown"}), "command line", "both go to stdout", "one of them");
}

TEST_F(Compare, ADamagedResultsFolderIsRefused) {
  const std::string base = study("base");
  const fs::path damaged = folder_.path() / "damaged";
  fs::copy(base, damaged, fs::copy_options::recursive);
  const std::string records = read_text(damaged / "records.jsonl");
  for (const char* line : {"nonsense\n", "{\"value\":null}\n"}) {
    folder_.write("damaged/records.jsonl", records + line);
    expect_refused(compare(base, damaged), "records.jsonl:3", "is not a record", "remove the line");
  }
  folder_.write("damaged/records.jsonl", records.substr(0, records.find('\n') + 1));
  const Ran missing = compare(base, damaged);
  EXPECT_EQ(missing.code, 1);
  EXPECT_THAT(missing.out, HasSubstr("missing  time"));
  EXPECT_EQ(compare(base, damaged, {"--allow-missing"}).code, 0);
  EXPECT_EQ(compare(damaged, base).code, 0) << "a new point";
  folder_.write("damaged/records.jsonl", "");
  expect_refused(compare(base, damaged), "records.jsonl", "has no record of 'time'", "");
}

// A file name that is not UTF-8, and thousands of points.
TEST_F(Compare, AHugeSweepUnderAnOddName) {
  const std::string base = study("base");
  const fs::path odd = folder_.path() / "odd\xff\x01<&";
  fs::copy(base, odd, fs::copy_options::recursive);
  Json manifest = Json::parse(read_text(odd / "manifest.json"));
  Json record = Json::parse(read_text(odd / "records.jsonl").substr(0, read_text(odd / "records.jsonl").find('\n')));
  Json& sweep = manifest["study"]["sweep"];
  std::string records;
  int points = 0;
  for (Json& axis : sweep) {
    if (axis["name"] != "elements") continue;
    axis["values"] = Json::array();
    for (int e = 1; e <= 5000; ++e) axis["values"].push_back(e);
  }
  for (int e = 1; e <= 5000; ++e) {
    for (const char* variant : {"native", "hierarchical"}) {
      record["point"] = points++;
      record["parameters"]["elements"] = e;
      record["parameters"]["variant"] = variant;
      record["value"] = e * 1e-6;
      records += record.dump() + "\n";
    }
  }
  const std::string name = odd.filename();
  folder_.write(name + "/manifest.json", manifest.dump());
  folder_.write(name + "/records.jsonl", records);
  const std::string junit = folder_.path() / "huge.xml";
  const Ran ran = compare(odd, odd, {"--junit", junit, "--json"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(Json::parse(ran.out)["counts"]["equal"], 10'000);
  EXPECT_EQ(Process({"xmllint", "--noout", "--schema", built("schemas/junit.xsd"), junit}).wait().code, 0);
  EXPECT_LT(ran.cpu_s, 60) << "not quadratic";
}

}  // namespace
}  // namespace strata
