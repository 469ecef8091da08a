// SPDX-License-Identifier: LGPL-2.1-only
// Shards of runs: the merged shards equal the unsharded run byte for byte, and an incomplete set of shards is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/results_folder.h"
#include "tests/command/strata_process.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;
using ::testing::HasSubstr;

class Shards : public ::testing::Test {
 protected:
  Shards() {
    folder_.write("machine.yaml", unit_machine());
    // A fixed date makes manifests comparable; the cache is for the compilers of strata mpi.
    around_.environment = {{"SOURCE_DATE_EPOCH", "1500000000"}, {"STRATA_CACHE", at("cache")}};
  }

  std::string scenario(const std::string& program, const std::string& more) const {
    return folder_.write("study.yaml",
                         "schema: strata.scenario/1\nname: study\ntitle: a study\nmachine: ./machine.yaml\nprogram: " +
                             program + "\n" + more);
  }
  std::string echo(const std::string& more) const {
    return scenario(built("tests/sim/echo.so"), "metric: {name: time, unit: s}\n" + more);
  }
  // Eight points on 2 to 8 ranks.
  std::string small() const { return echo("sweep: {ranks: [2, 4, 6, 8], i: [1, 2]}\n"); }

  std::string at(const std::string& name) const { return folder_.path() / name; }
  static std::string name_of(int shard) { return "part" + std::to_string(shard); }

  Ran run(const std::string& file, const std::string& out, const Words& more = {}) const {
    Words words = {"run", file, "--out", at(out)};
    words.insert(words.end(), more.begin(), more.end());
    return run_strata(words, around_);
  }
  Ran run_shard(const std::string& file, int number, int of, const Words& more = {}) const {
    Words words = {"--shard", std::to_string(number) + "/" + std::to_string(of)};
    words.insert(words.end(), more.begin(), more.end());
    return run(file, name_of(number), words);
  }
  Ran merge(const Words& names, const std::string& out = "merged") const {
    Words words = {"submit", "merge"};
    for (const std::string& name : names) words.push_back(at(name));
    words.insert(words.end(), {"--out", at(out)});
    return run_strata(words, around_);
  }
  Json manifest(const std::string& name) const { return Json::parse(read_text(fs::path(at(name)) / "manifest.json")); }
  std::vector<int> points(const std::string& name) const { return manifest(name)["shard"]["points"]; }

  // Runs the scenario unsharded and in shards, and compares the results.
  void expect_same_as_whole(const std::string& file, int of, const Words& more = {}) {
    const Ran calm = run(file, "whole", more);
    ASSERT_EQ(calm.code, 0) << calm.err;
    Words names;
    for (int number = 1; number <= of; ++number) {
      const Ran ran = run_shard(file, number, of, more);
      ASSERT_EQ(ran.code, 0) << ran.err;
      names.push_back(name_of(number));
    }
    std::reverse(names.begin(), names.end());  // in any order
    const Ran merged = merge(names);
    ASSERT_EQ(merged.code, 0) << merged.err;
    const auto whole = files_of(at("whole")), parts = files_of(at("merged"));
    for (const auto& [name, bytes] : whole) {
      ASSERT_TRUE(parts.contains(name)) << name;
      EXPECT_TRUE(parts.at(name) == bytes) << name << " differs";
    }
    EXPECT_EQ(parts.size(), whole.size());
    EXPECT_EQ(run(file, "merged", {"--resume"}).code, 0) << "the folder of a run like any other";
  }
  void clear() const {
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      if (entry.is_directory()) fs::remove_all(entry.path());
    }
  }

  TemporaryFolder folder_;
  Surroundings around_;
};

TEST_F(Shards, SimulationsWithTracesAndTraffic) {
  const std::string file = scenario("collective",
                                    "arguments: [--collective, bcast]\nmetric: {name: time, unit: s}\ntraces: true\n"
                                    "traffic: messages\nsweep: {ranks: [4, 8], elements: [1, 1000, 5000]}\n");
  expect_same_as_whole(file, 3);
  EXPECT_TRUE(fs::exists(at("merged") + "/traffic/point-5/messages.csv"));
  EXPECT_TRUE(fs::exists(at("merged") + "/traces/point-5.events"));
  EXPECT_TRUE(fs::exists(at("merged") + "/bindings/ranks=8.txt"));
}

TEST_F(Shards, ReplaysOfRecordings) {
  const std::string file =
      scenario(built("tests/command/guest.so"),
               "engine: replay\nranks: 4\narguments: [pairs, '{rounds}']\nmetric: {name: simulated_time, unit: s}\n"
               "what_if:\n  - {figure: eager_limit, value: '{eager}', unit: KiB, source: 'assumed: what if'}\n"
               "sweep: {rounds: [10, 20, 30], eager: [1, 4, 64]}\n");
  expect_same_as_whole(file, 4);
  EXPECT_EQ(std::distance(fs::directory_iterator(at("merged") + "/recordings"), fs::directory_iterator()), 3);
  // A shard that is given recordings does not record again.
  clear();
  ASSERT_EQ(run(file, "whole", {"--record", at("kept")}).code, 0);
  const Ran ran = run_shard(file, 2, 4, {"--record", at("kept")});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, ::testing::Not(HasSubstr("recordings:")));
  EXPECT_FALSE(fs::exists(at("part2") + "/recordings"));
}

// Each shard measures the reference, as the unsharded run does.
TEST_F(Shards, AStudyWithAReference) {
  expect_same_as_whole(echo("ranks: 6\nsweep: {i: [1, 2, 3]}\n"
                            "reference: {ranks: all, arguments: [--load, 0.1], metric: load, option: work}\n"),
                       2);
  EXPECT_EQ(manifest("merged")["reference"], 0.1);
}

TEST_F(Shards, AProgramThatTheScenarioBuilds) {
  const std::string made = at("made.so");
  expect_same_as_whole(scenario(made, "build: cp " + built("tests/sim/echo.so") + " " + made +
                                          "\nranks: 2\nmetric: {name: time, unit: s}\nsweep: {i: [1, 2, 3]}\n"),
                       2);
}

TEST_F(Shards, AnyNumberOfThem) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::mt19937 random(seed);
  const std::string file = echo("sweep: {ranks: [2, 4], i: [1, 2, 3]}\n");
  for (const int of : {1, 2 + static_cast<int>(random() % 4), 7 + static_cast<int>(random() % 3)}) {
    clear();
    expect_same_as_whole(file, of);
  }
}

TEST_F(Shards, AnEmptyOneIsAFinishedFolder) {
  const std::string file = echo("ranks: 2\nsweep: {i: [1, 2]}\n");
  const Ran ran = run_shard(file, 3, 3);
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_EQ(ran.out, "study: shard 3/3, 0 of 2 points\n");
  EXPECT_EQ(read_text(at("part3") + "/records.jsonl"), "");
  EXPECT_NE(manifest("part3")["end"], "");
  EXPECT_EQ(points("part3"), std::vector<int>());
}

// Costs are ranks * (1 + i / 2): 3, 4, 6, 8, 9, 12, 12, 16. Points are dealt from the largest cost on, each to the
// shard with the smallest sum so far: 16 + 6, 12 + 9 + 3, 12 + 8 + 4.
TEST_F(Shards, PointsAreDealtByRanksAndSizes) {
  const std::string file = small();
  std::set<int> all;
  std::vector<double> cost(3);
  for (int number = 1; number <= 3; ++number) {
    ASSERT_EQ(run_shard(file, number, 3).code, 0);
    for (const int p : points(name_of(number))) {
      EXPECT_TRUE(all.insert(p).second);
      const double ranks = 2 * (p / 2 + 1), i = p % 2 + 1;
      cost[number - 1] += ranks * (1 + i / 2);
    }
  }
  EXPECT_EQ(all.size(), 8u);
  EXPECT_THAT(cost, ::testing::ElementsAre(22, 24, 24));
}

TEST_F(Shards, PointsAreDealtByTheSecondsOfAnEarlierRun) {
  const std::string file = small();
  ASSERT_EQ(run(file, "before").code, 0);
  std::ofstream(at("before") + "/seconds.csv") << "point,seconds\n0,100\n1,1\n2,1\n3,1\n4,1\n5,1\n6,1\n7,1\n";
  ASSERT_EQ(run_shard(file, 1, 2, {"--balance", at("before")}).code, 0);
  ASSERT_EQ(run_shard(file, 2, 2, {"--balance", at("before")}).code, 0);
  EXPECT_EQ(points("part1"), std::vector<int>{0});
  EXPECT_EQ(points("part2").size(), 7u);
  EXPECT_EQ(merge({"part1", "part2"}).code, 0);
  // A resumed shard keeps its points.
  EXPECT_EQ(run_shard(file, 1, 2, {"--resume"}).code, 0);
  EXPECT_EQ(points("part1"), std::vector<int>{0});
  // Shards that were dealt by different rules do not fit together.
  ASSERT_EQ(run_shard(file, 2, 2).code, 0);
  expect_refused(merge({"part1", "part2"}, "other"), at("part2"), "has point 0, which is in " + at("part1") + " too",
                 "--balance");

  expect_refused(run(file, "no", {"--balance", at("before")}), "--balance", "says how points are dealt", "--shard");
  fs::remove(at("before") + "/seconds.csv");
  expect_refused(run_shard(file, 3, 3, {"--balance", at("before")}), "--balance " + at("before"),
                 "has no seconds of points of this scenario", "leave --balance out");
}

TEST_F(Shards, WhatIsNoShardIsRefused) {
  const std::string file = small();
  for (const char* text : {"0/3", "4/3", "3", "1/", "/3", "1/3x", "-1/3", "a/b", "1/9999999"})
    expect_refused(run(file, "out", {"--shard", text}), std::string("--shard ") + text, "is not a shard", "1/8 to 8/8");
  EXPECT_FALSE(fs::exists(at("out")));
}

TEST_F(Shards, AFolderOfAnotherExtentIsNotContinued) {
  const std::string file = small();
  ASSERT_EQ(run_shard(file, 1, 2).code, 0);
  expect_refused(run(file, "part1"), at("part1"), "holds shard 1/2, not a whole run", "choose another --out");
  expect_refused(run(file, "part1", {"--resume", "--shard", "2/2"}), at("part1"), "holds shard 1/2, not shard 2/2",
                 "choose another --out");
  ASSERT_EQ(run(file, "whole").code, 0);
  expect_refused(run(file, "whole", {"--shard", "1/2"}), at("whole"), "holds a whole run, not shard 1/2",
                 "choose another --out");
}

TEST_F(Shards, WhatIsNoWholeSetIsRefused) {
  const std::string file = small();
  for (int number = 1; number <= 3; ++number) ASSERT_EQ(run_shard(file, number, 3).code, 0);
  ASSERT_EQ(run(file, "whole").code, 0);
  const std::string again = "strata run " + file + " --shard ";
  expect_refused(merge({"part1", "part3"}), "command line", "shard 2/3 is missing", again + "2/3 --out DIR`");
  expect_refused(merge({"part2"}), "command line", "shards 1/3, 3/3 are missing", again + "1/3 --out DIR`");
  fs::copy(at("part2"), at("copy"), fs::copy_options::recursive);
  expect_refused(merge({"part1", "part2", "copy", "part3"}), at("copy"), "is shard 2/3, as " + at("part2") + " is",
                 "name one of them");
  expect_refused(merge({"part1", "part2", "whole"}), at("whole"), "holds a whole run, not a shard", "strata report");
  expect_refused(merge({"part1", "part2", "part3", "none"}), at("none"), "No such file", "strata run");
  ASSERT_EQ(run(file, "half", {"--shard", "2/2"}).code, 0);
  expect_refused(merge({"part1", "half"}), at("half"), "is shard 2/2, but " + at("part1") + " is 1/3", "one run");
  EXPECT_FALSE(fs::exists(at("merged")));
  EXPECT_FALSE(fs::exists(at("merged.merging")));

  fs::create_directory(at("full"));
  std::ofstream(at("full") + "/file") << "x";
  expect_refused(merge({"part1", "part2", "part3"}, "full"), at("full"), "exists", "another --out");
  fs::create_directory(at("empty"));
  EXPECT_EQ(merge({"part1", "part2", "part3"}, "empty/").code, 0);
}

TEST_F(Shards, ShardsOfOtherRunsAreRefused) {
  const std::string file = small();
  ASSERT_EQ(run_shard(file, 1, 2).code, 0);
  ASSERT_EQ(run_shard(file, 2, 2).code, 0);
  const auto expect_foreign = [&](const Words& settings, const std::string& different) {
    fs::remove_all(at("part2"));
    ASSERT_EQ(run_shard(file, 2, 2, settings).code, 0);
    expect_refused(merge({"part1", "part2"}), at("part2"),
                   "is shard 2/2 of another run than " + at("part1") + ": its " + different + " differs",
                   "--shard 2/2 --out " + at("part2"));
  };
  expect_foreign({"--set", "i=1,3"}, "scenario");
  expect_foreign({"--set", "seed=2"}, "seed");
  expect_foreign({"--set", "map_by=node"}, "placement of ranks");
  expect_foreign({"--set", "what_if.eager_limit=8KiB"}, "machine");

  // An inconsistent manifest, which no command line can produce.
  fs::remove_all(at("part2"));
  ASSERT_EQ(run_shard(file, 2, 2).code, 0);
  const Json good = manifest("part2");
  const auto expect_changed = [&](const Json& patch, const std::string& different) {
    Json changed = good;
    changed.merge_patch(patch);
    std::ofstream(at("part2") + "/manifest.json") << changed;
    expect_refused(merge({"part1", "part2"}), at("part2"), "its " + different + " differs", "--shard 2/2");
  };
  expect_changed({{"versions", {{"strata", "0.0.1"}}}}, "version of Strata");
  expect_refused(run_shard(file, 2, 2, {"--resume"}), at("part2"), "was begun with another version of Strata", "--out");
  expect_changed({{"shard", {{"program_hash", "0123456789abcdef"}}}}, "program");
  expect_refused(run_shard(file, 2, 2, {"--resume"}), at("part2"), "was begun with another program", "--out");
  expect_changed({{"reference", 3}}, "reference value");
  Json lost = good;
  lost["shard"]["points"].erase(0);
  std::ofstream(at("part2") + "/manifest.json") << lost;
  expect_refused(merge({"part1", "part2"}), "command line",
                 "no shard has point " + std::to_string(good["shard"]["points"][0].get<int>()), "--balance");
}

TEST_F(Shards, HalfWrittenOnesAreRefused) {
  const std::string file = small();
  ASSERT_EQ(run_shard(file, 1, 2).code, 0);
  ASSERT_EQ(run_shard(file, 2, 2).code, 0);
  const std::string resume = "strata run " + file + " --shard 2/2 --resume --out " + at("part2");
  const fs::path records = at("part2") + "/records.jsonl", manifest_file = at("part2") + "/manifest.json";
  const std::string good = read_text(records), said = read_text(manifest_file);

  Json unfinished = Json::parse(said);
  unfinished["end"] = "";
  std::ofstream(manifest_file) << unfinished;
  expect_refused(merge({"part1", "part2"}), at("part2"), "shard 2/2 is not finished", resume);
  std::ofstream(manifest_file) << said;

  const auto expect_records = [&](const std::string& text, const std::string& what) {
    std::ofstream(records, std::ios::trunc) << text;
    expect_refused(merge({"part1", "part2"}), records, what, resume);
  };
  const int last = points("part2").back();
  expect_records(good.substr(0, good.size() - 20), "is cut off");
  expect_records(good.substr(0, good.find("{\"schema\"", good.size() / 2)), "of point");
  expect_records("", "has no record of point " + std::to_string(points("part2").front()) + " in its place");
  expect_records(good + good.substr(0, good.find('\n') + 1), "is of point");
  expect_records("{}\n" + good, "is not a record of this run");
  std::string damaged = good;
  damaged[damaged.rfind("\"value\"") + 8] = '}';
  expect_records(damaged, "is not a record of this run");
  fs::remove(records);
  expect_refused(merge({"part1", "part2"}), records, "is missing", resume);
  std::ofstream(records) << good;

  const fs::path output = at("part2") + "/output/point-" + std::to_string(last) + ".out";
  fs::rename(output, at("kept"));
  expect_refused(merge({"part1", "part2"}), output, "is missing", "copy the shard's folder again");
  fs::rename(at("kept"), output);
  EXPECT_EQ(merge({"part1", "part2"}).code, 0);
}

// A record that was changed after it was written is well-formed, so only its checksum shows it.
TEST_F(Shards, ChangedRecordsAreNoticed) {
  const std::string file = small();
  ASSERT_EQ(run_shard(file, 1, 2).code, 0);
  ASSERT_EQ(run_shard(file, 2, 2).code, 0);
  const fs::path records = at("part2") + "/records.jsonl", checksums = at("part2") + "/checksums.csv";
  const std::string good = read_text(records), sums = read_text(checksums);
  ASSERT_EQ(merge({"part1", "part2"}, "good").code, 0);
  const std::string resume = "strata run " + file + " --shard 2/2 --resume --out " + at("part2");
  const auto expect_noticed = [&](const std::string& text, const std::string& what) {
    std::ofstream(records, std::ios::trunc) << text;
    expect_refused(merge({"part1", "part2"}), records, what, resume);
    EXPECT_FALSE(fs::exists(at("merged")));
    // The shard repairs itself.
    const Ran resumed = run_shard(file, 2, 2, {"--resume"});
    EXPECT_EQ(resumed.code, 0) << resumed.err;
    EXPECT_EQ(read_text(records), good);
    EXPECT_EQ(read_text(checksums), sums);
    ASSERT_EQ(merge({"part1", "part2"}).code, 0);
    EXPECT_EQ(files_of(at("merged")), files_of(at("good")));
    fs::remove_all(at("merged"));
  };
  const std::string point = std::to_string(points("part2").back());
  std::string changed = good;
  const size_t value = changed.rfind("\"value\":") + 8;
  changed[value] = changed[value] == '9' ? '8' : '9';
  expect_noticed(changed, "the records of point " + point + " are not those that the run has written");
  std::string twice = good;  // a second record of the last point
  twice += good.substr(good.rfind('\n', good.size() - 2) + 1);
  expect_noticed(twice, "the records of point " + point + " are not those");

  std::ofstream(checksums) << "point,checksum\n0,xyz\n";
  expect_refused(merge({"part1", "part2"}), "checksums.csv:2", "is not 'point,checksum'", "");
  std::ofstream(checksums, std::ios::trunc) << "point,checksum\n";
  expect_refused(merge({"part1", "part2"}), checksums, "has no checksum of point", resume);

  // A shard of an older version has none, which the merge says.
  fs::remove(checksums);
  const Ran merged = merge({"part1", "part2"});
  EXPECT_EQ(merged.code, 0) << merged.err;
  EXPECT_THAT(merged.err, HasSubstr(at("part2") + ": has no checksums.csv, because an older version"));
}

}  // namespace
}  // namespace strata
