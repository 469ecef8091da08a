// SPDX-License-Identifier: LGPL-2.1-only
// strata map --trace and --objective time: a replay of the written placement takes the time in the document, which is
// never more than that of a starting placement; and bad input.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/edited_machine.h"

namespace strata {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;
using ::testing::HasSubstr;

class MapByTime : public ::testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = std::make_unique<TemporaryFolder>();
    trace_ = folder_->path() / "random.mpitrace";
    const Ran ran = run_strata({"exec", "--no-summary", "--machine", "ntw10e5", "-n", "48", "--record", trace_, "--",
                                built("tests/benchmarks/patterns.so"), "random", "--bytes", "30000"});
    ASSERT_EQ(ran.code, 0) << ran.err;
  }
  static void TearDownTestSuite() { folder_.reset(); }

  static Ran map(const Words& words) {
    Words all = {"map"};
    all.insert(all.end(), words.begin(), words.end());
    return run_strata(all);
  }
  static Json document(const Words& words) {
    Words all = words;
    all.emplace_back("--json");
    const Ran ran = map(all);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? Json::parse(ran.out) : Json::object();
  }
  static double replayed(const Words& words) {
    Words all = {"replay", trace_, "--json"};
    all.insert(all.end(), words.begin(), words.end());
    const Ran ran = run_strata(all);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran.code == 0 ? Json::parse(ran.out)["simulated_time"]["value"].get<double>() : -1;
  }

  static std::unique_ptr<TemporaryFolder> folder_;
  static std::string trace_;
};

std::unique_ptr<TemporaryFolder> MapByTime::folder_;
std::string MapByTime::trace_;

TEST_F(MapByTime, ThePlacementTakesTheTimeThatIsSaid) {
  const std::string file = folder_->path() / "bindings.txt";
  for (const Words& where : {Words{}, Words{"--map-by", "node"}, Words{"--machine", "theta"}}) {
    Words words = {"--objective", "time", "--trace", trace_, "--budget", "20", "--out", file};
    words.insert(words.end(), where.begin(), where.end());
    const Json d = document(words);
    const Json& times = d["simulated_time"];
    EXPECT_EQ(d["algorithm"], "time");
    EXPECT_EQ(d["evaluations"], 20);
    EXPECT_EQ(times["identity"], replayed(where));
    for (const char* start : {"identity", "treematch", "scotch"}) EXPECT_LE(times["mapped"], times[start]);
    std::printf("%s: %g %g %g, mapped %g s\n", ::testing::PrintToString(where).c_str(), times["identity"].get<double>(),
                times["treematch"].get<double>(), times["scotch"].get<double>(), times["mapped"].get<double>());
    Words again = {"--bindings", file};
    if (!where.empty() && where[0] == "--machine") again.insert(again.end(), where.begin(), where.end());
    EXPECT_EQ(times["mapped"], replayed(again));
  }
}

TEST_F(MapByTime, GivesTheSameForTheSameBudget) {
  const Words words = {"--objective", "time", "--trace", trace_, "--budget", "15", "--seed", "4"};
  Json first = document(words), second = document(words);
  first.erase("seconds");
  second.erase("seconds");
  EXPECT_EQ(first, second);
  EXPECT_GE(document({"--objective", "time", "--trace", trace_, "--budget", "0.2s"})["evaluations"], 3);
}

TEST_F(MapByTime, SaysWhatWasFound) {
  const Ran ran = map({"--objective", "time", "--trace", trace_, "--budget", "5"});
  EXPECT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.out, HasSubstr("random.mpitrace: 48 ranks on ntw10e5 (10 nodes), by time in "));
  EXPECT_THAT(ran.out, HasSubstr("5 mappings were replayed; the best one comes from "));
}

// ntw10e5, whose network has another latency in one of 20 cases. All mappings of random messages need the network, so
// its latency is off in all of them by the same.
TEST_F(MapByTime, SaysWhetherTheTimesDiffer) {
  const auto machine = [&](const std::string& name, const std::string& interval) {
    const std::string latency = "value: 1.62\n        unit: us\n";
    return edited_machine(*folder_, name, "ntw10e5", {{latency, latency + interval}});
  };
  const auto words = [&](const std::string& file, const std::string& budget) {
    return Words{"--objective", "time", "--trace", trace_, "--budget", budget, "--machine", file, "--error-bars"};
  };
  const std::string file = machine("interval", "        plus_minus: 0.1\n");
  const Json d = document(words(file, "10"));
  const Json &times = d["simulated_time"], &longer = d["longer_than_mapped"];
  for (const char* const start : {"identity", "treematch", "scotch"}) {
    const double difference = times[start].get<double>() - times["mapped"].get<double>();
    EXPECT_LE(longer[start]["low"], difference) << start;
    EXPECT_GE(longer[start]["high"], difference) << start;
    const bool is_above = longer[start]["low"] > 0;
    EXPECT_EQ(longer[start]["distinguishable"], is_above) << start;
  }
  // The search's start is the mapping itself if it finds nothing better.
  EXPECT_EQ(longer["identity"]["distinguishable"], true);
  const Json same = document(words(file, "3"));
  const std::string best = same["start"];
  EXPECT_EQ(same["longer_than_mapped"][best], Json::parse(R"({"low": 0.0, "high": 0.0, "distinguishable": false})"));
  const Ran ran = map(words(file, "3"));
  EXPECT_THAT(ran.out, HasSubstr(" longer than mapped\n"));
  EXPECT_THAT(ran.out, HasSubstr("  not distinguishable from mapped\n"));
  const std::string plain = machine("plain", "");
  EXPECT_TRUE(document(words(plain, "3"))["longer_than_mapped"].is_null());
  EXPECT_THAT(map(words(plain, "3")).out, HasSubstr("  no error bar: no figure of ntw10e5 has an interval"));
}

// The matrix of a trace contains its messages.
TEST_F(MapByTime, HopBytesAreOfTheTracesMessages) {
  const Json d = document({"--trace", trace_});
  EXPECT_EQ(d["algorithm"], "treematch");
  EXPECT_LE(d["cost"]["mapped"]["hop_bytes"], d["cost"]["identity"]["hop_bytes"]);
  EXPECT_FALSE(d.contains("simulated_time"));
  EXPECT_GT(d["cost"]["identity"]["hop_bytes"], 0);
}

TEST_F(MapByTime, RefusesBadInput) {
  const auto refused = [&](const Words& words, const std::string& where, const std::string& what,
                           const std::string& remedy) { expect_refused(map(words), where, what, remedy); };
  refused({"--machine", "ntw10e5"}, "command line", "neither --matrix nor --trace", "--help");
  refused({"--machine", "ntw10e5", "--objective", "time", "--matrix", trace_}, "--objective time",
          "needs a recorded run", "strata exec --record FILE");
  refused({"--trace", trace_, "--budget", "20"}, "--budget", "is for --objective time", "add --objective time");
  refused({"--trace", trace_, "--error-bars"}, "--error-bars", "is for --objective time", "add --objective time");
  for (const std::string budget : {"0", "-3", "3m", "s", "0s", "1e99", "nan"}) {
    refused({"--trace", trace_, "--objective", "time", "--budget=" + budget}, "--budget",
            "'" + budget + "' is neither a number of mappings nor a time", "500, or 90s");
  }
  refused({"--trace", trace_, "--objective", "time", "--algorithm", "scotch"}, "--algorithm",
          "is for --objective hop-bytes", "leave it out");
  refused({"--trace", trace_, "--objective", "time", "--messages"}, "--messages", "is for --objective hop-bytes",
          "leave it out");
  refused({"--trace", trace_, "--np", "7"}, "-n", "the trace has 48 ranks, not 7", "leave -n out");
}

}  // namespace
}  // namespace strata
