// SPDX-License-Identifier: LGPL-2.1-only
// The analyses of strata replay. Traffic and timelines equal those of the recorded simulation, and the critical path
// equals that of its events. The effect of a percent of a figure equals the extra time of replays on changed machines.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "analysis/blind_errors.h"
#include "tests/command/expect_refused.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/edited_machine.h"
#include "tests/platforms/fabric_machines.h"

namespace strata {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

const std::string kGuest = "tests/command/guest.so";

Words joined(Words a, const Words& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

Json replayed(const Words& words) {
  const Ran ran = run_strata(joined({"replay", "--json"}, words));
  EXPECT_EQ(ran.code, 0) << ran.err;
  return ran.code == 0 ? Json::parse(ran.out) : Json::object();
}

double sum(const Json& shares) {
  double all = 0;
  for (const Json& s : shares) all += s["seconds"].get<double>();
  return all;
}

double part(const Json& by_kind, const std::string& kind) { return by_kind.value(kind, 0.0); }

class Analysis : public ::testing::Test {
 protected:
  // Simulates the guest program, and records it.
  std::string record(const Words& program, const Words& options) const {
    std::string file = folder_.path() / "app.mpitrace";
    const Words all = joined(joined({"exec", "--no-summary", "--record", file}, options), {"--", built(kGuest)});
    const Ran ran = run_strata(joined(all, program));
    EXPECT_EQ(ran.code, 0) << ran.err;
    return file;
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;
};

TEST_F(Analysis, TrafficIsThatOfTheSimulation) {
  std::ofstream(path("torus.yaml")) << kTorusYaml;
  for (const Words& place :
       {Words{"--machine", "ntw10e5", "-n", "24", "--map-by", "node"}, Words{"--machine", "theta", "-n", "70"},
        Words{"--machine", path("torus.yaml"), "-n", "20", "--map-by", "node"}}) {
    const std::string trace = record({"pairs", "100000"}, joined(place, {"--traffic", path("simulated")}));
    replayed({trace, place[0], place[1], "--traffic", path("replayed")});
    for (const char* file : {"links.csv", "levels.csv", "size.mtx", "msg.mtx"})
      EXPECT_EQ(read_text(path("replayed/" + std::string(file))), read_text(path("simulated/" + std::string(file))))
          << place[1] << ", " << file;
  }
}

// The messages in a Perfetto document, and the states longer than zero, by rank.
struct Timeline {
  std::set<std::string> messages;
  std::multiset<std::tuple<std::string, std::string, double, double>> states;
};

Timeline timeline(const std::string& file) {
  Timeline t;
  std::map<std::string, std::vector<std::pair<std::string, double>>> open;
  const Json document = Json::parse(read_text(file));
  for (const Json& e : document["traceEvents"]) {
    const std::string kind = e["ph"], place = e["pid"].dump() + "/" + e.value("tid", Json()).dump();
    if (kind == "s" || kind == "f") t.messages.insert(kind + place + e["ts"].dump());
    if (kind == "B") open[place].emplace_back(e["name"], e["ts"].get<double>());
    if (kind != "E" || open[place].empty()) continue;
    const auto [name, from] = open[place].back();
    open[place].pop_back();
    const double to = e["ts"];
    if (to > from) t.states.emplace(place, name, from, to);
  }
  return t;
}

TEST_F(Analysis, TimelineIsThatOfTheSimulation) {
  const std::string trace = record({"pairs", "100000"}, {"--machine", "ntw10e5", "-n", "12", "--timeline",
                                                         path("simulated.json"), "--timeline-messages"});
  replayed({trace, "--timeline", path("replayed.json"), "--timeline-messages"});
  const Timeline simulated = timeline(path("simulated.json")), again = timeline(path("replayed.json"));
  EXPECT_FALSE(simulated.messages.empty());
  EXPECT_FALSE(simulated.states.empty());
  EXPECT_EQ(again.messages, simulated.messages);
  EXPECT_EQ(again.states, simulated.states);
}

// The path is computed twice: from the engine's records in the replay, and from the events of the simulation.
TEST_F(Analysis, TheCriticalPathIsThatOfTheSimulation) {
  for (const Words& place : {Words{"--machine", "ntw10e5", "-n", "12"}, Words{"--machine", "theta", "-n", "70"}}) {
    const std::string trace =
        record({"pairs", "100000"}, joined(place, {"--critical-path", "--json", path("run.json")}));
    const Json document = replayed({trace, "--critical-path"});
    const Json& path_here = document["critical_path"];
    const Json there = Json::parse(read_text(path("run.json")))["critical_path"];
    const double seconds = path_here["seconds"];
    EXPECT_EQ(seconds, there["seconds"].get<double>());
    EXPECT_EQ(path_here["last_rank"], there["last_rank"]);
    EXPECT_EQ(path_here["messages"], there["messages"]);
    const double rounding = 1e-9 * seconds;
    for (const char* kind : {"computing", "latency", "transfer"})
      EXPECT_NEAR(part(path_here["by_kind"], kind), part(there["by_kind"], kind), rounding) << kind;
    for (const char* list : {"by_rank", "by_call", "by_level"})
      EXPECT_NEAR(sum(path_here[list]), seconds, rounding) << list;
    double kinds = 0;
    for (const auto& [kind, value] : path_here["by_kind"].items()) kinds += value.get<double>();
    EXPECT_NEAR(kinds, seconds, rounding);
    double at = 0;
    for (const Json& p : path_here["pieces"]) {
      EXPECT_EQ(p["from"].get<double>(), at);
      at = p["to"];
    }
    EXPECT_EQ(at, seconds);
    long messages = document["slack"]["unawaited"];
    for (const Json& bin : document["slack"]["histogram"]) messages += bin["messages"].get<long>();
    EXPECT_EQ(messages, document["messages"].get<long>());
    EXPECT_GE(document["slack"]["histogram"][0]["messages"].get<long>(), path_here["messages"].get<long>());
  }
}

struct Study {
  std::string name, scenario;
  Words settings;
};

class Programs : public ::testing::TestWithParam<Study> {
 protected:
  TemporaryFolder folder_;
};

// Five programs of the catalog. The largest effects by replays are compared with replays on machines changed by --set.
// Effects along the critical path are compared with those by replays.
TEST_P(Programs, APercentIsWorthWhatReplaysTakeMore) {
  const std::string out = folder_.path() / "out", traces = folder_.path() / "traces";
  Words words = {"run", GetParam().scenario, "--out", out, "--record", traces};
  for (const std::string& s : GetParam().settings) words.insert(words.end(), {"--set", s});
  const Ran ran = run_strata(words);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const Words on = {traces + "/point-0.mpitrace", "--machine", out + "/machine.yaml"};
  const Json document = replayed(joined(on, {"--sensitivity", "--critical-path"}));
  const double now = document["simulated_time"]["value"];
  const double contention = part(document["critical_path"]["by_kind"], "contention");
  std::printf("%s: %.6g s, contention on the path %.3g s\n", GetParam().name.c_str(), now, contention);
  Json all = document["sensitivity"];
  std::stable_sort(all.begin(), all.end(), [](const Json& a, const Json& b) {
    return std::abs(a["replays"].get<double>()) > std::abs(b["replays"].get<double>());
  });
  int compared = 0;
  for (const Json& s : all) {
    const double by_replays = s["replays"], by_path = s["path"];
    if (by_replays == 0 && by_path == 0) continue;
    const std::string figure = s["figure"];
    std::printf("  %-32s path %12.5g s, replays %12.5g s%s%s\n", figure.c_str(), by_path, by_replays,
                s["same"] ? "" : ", differ", s["kink"] ? ", kink" : "");
    // Without contention on the path, the two can only differ if another path takes over.
    if (contention == 0 && !s["kink"] && !s["more"].is_null() && !s["less"].is_null()) {
      EXPECT_TRUE(s["same"].get<bool>()) << figure;
    }
    if (++compared > 3 || s["more"].is_null() || s["less"].is_null()) continue;
    const auto with = [&](const std::string& factor) {
      return replayed(joined(on, {"--set", "what_if." + figure + "=" + factor + "x"}))["simulated_time"]["value"]
          .get<double>();
    };
    EXPECT_NEAR((with("1.01") - with("0.99")) / 2, by_replays, 1e-11) << figure;
  }
  EXPECT_GE(compared, 2);
}

INSTANTIATE_TEST_SUITE_P(
    Five, Programs,
    ::testing::Values(Study{"broadcast", "quickstart", {"algorithm=binomial", "elements=10000"}},
                      Study{"summa", "rr9077/fig11-summa-ntw10e5", {"variant=topological"}},
                      Study{"halo", "eurompi18/fig6-halo-theta", {"mesh=16x16", "n=1024"}},
                      Study{"allgather", "pdsec20/fig6-allgather", {"ranks=48", "elements=100", "iterations=3"}},
                      Study{"cg", "pdsec20/fig7-cg-standard", {"ranks=64", "class=A"}}),
    [](const auto& study) { return study.param.name; });

// ntw10e5 with intervals of some figures, and the errors of two predictions.
std::string measured_machine(const TemporaryFolder& folder) {
  std::vector<std::pair<std::string, std::string>> edits;
  const auto add = [&](const std::string& value, const std::string& plus_minus, int indent) {
    const std::string line = "value: " + value + "\n";
    edits.emplace_back(line, line + std::string(indent, ' ') + "plus_minus: " + plus_minus + "\n");
  };
  add("1.62", "0.08", 8);
  add("3.2918", "0.4", 8);
  add("0.62", "0.1", 8);
  add("40", "2", 6);
  const auto entry = [](const char* median, const char* worst) {
    return std::string("  - {operation: bcast, ranks: 4, from_bytes: 8, to_bytes: 64, samples: 3, median_error: ") +
           median + ", worst_error: " + worst + ", source: measured}\n";
  };
  const std::string file = edited_machine(folder, "measured", "ntw10e5", edits);
  std::ofstream(file, std::ios::app) << "validation:\n" << entry("1.1", "1.5") << entry("1.2", "1.3");
  return file;
}

TEST_F(Analysis, TheErrorBarIsThatOfReplaysAtTheEndsOfIntervals) {
  const std::string trace =
      record({"pairs", "100000"}, {"--machine", measured_machine(folder_), "-n", "24", "--map-by", "node"});
  const Json plain = replayed({trace}), document = replayed({trace, "--error-bars", "--jobs", "2"});
  EXPECT_FALSE(plain.contains("error_bar"));
  const double now = plain["simulated_time"]["value"];
  const Json& bar = document["error_bar"];
  const auto at = [&](const Json& f, double value) {
    return replayed({trace, "--set",
                     "what_if." + f["figure"].get<std::string>() + "=" + Json(value).dump() +
                         f["unit"].get<std::string>()})["simulated_time"]["value"]
               .get<double>() -
           now;
  };
  double later = 0, earlier = 0;
  int both = 0, one = 0;
  for (const Json& f : bar["figures"]) {
    const double larger = f["larger"], smaller = f["smaller"];
    later = std::hypot(later, std::max({0.0, larger, smaller}));
    earlier = std::hypot(earlier, std::max({0.0, -larger, -smaller}));
    // A message gets all of the link between nodes, so only one end of this bandwidth is possible.
    EXPECT_EQ(f["estimated"].get<bool>(), f["figure"] == "System - Cluster.bandwidth");
    EXPECT_NEAR(smaller, at(f, f["low"]), 1e-15) << f["figure"];
    if (f["estimated"].get<bool>()) {
      EXPECT_EQ(larger, -smaller);
      ++one;
    } else {
      EXPECT_NEAR(larger, at(f, f["high"]), 1e-15) << f["figure"];
      ++both;
    }
  }
  EXPECT_EQ(both, 3);
  EXPECT_EQ(one, 1);
  EXPECT_GT(later, 0);
  EXPECT_NEAR(bar["high"].get<double>(), now + later, 1e-15);
  EXPECT_NEAR(bar["low"].get<double>(), now - earlier, 1e-15);
  EXPECT_GT(bar["without_interval"].get<int>(), 10);
  EXPECT_EQ(bar["predictions"]["operations"], 2);
  EXPECT_NEAR(bar["predictions"]["median_error"].get<double>(), 1.15, 1e-12);
  EXPECT_EQ(bar["predictions"]["worst_error"], 1.5);

  const Ran text = run_strata({"replay", trace, "--error-bars"}), without = run_strata({"replay", trace});
  EXPECT_THAT(text.out, ::testing::StartsWith(without.out));
  EXPECT_THAT(text.out,
              ::testing::ContainsRegex("\nsimulated time  [0-9.]+ .s  \\(95 %: [0-9.]+ to [0-9.]+ .s, from the "
                                       "intervals of 4 figures; [0-9]+ others have none\\)\n"));
  EXPECT_THAT(text.out, ::testing::HasSubstr("1.62 us         1.54 to 1.7 "));
  EXPECT_THAT(text.out, ::testing::HasSubstr("\n2 operations predicted, not fitted: error 1.15 in the median, 1.50 at "
                                             "worst; "));
  EXPECT_THAT(text.out, ::testing::EndsWith(analysis::blind_errors_text()));
  EXPECT_EQ(bar["blind_errors"], Json::parse(analysis::blind_errors_json().dump()));
  EXPECT_EQ(text.err, "");
}

TEST_F(Analysis, ARunHasTheErrorBarOfItsReplay) {
  const Words place = {"exec",         "--machine", measured_machine(folder_), "-n", "24",
                       "--error-bars", "--json",    path("run.json")};
  const Ran ran = run_strata(joined(place, {"--record", path("run.mpitrace"), "--", built(kGuest), "pairs", "100000"}));
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(ran.err, ::testing::HasSubstr("from the intervals of 4 figures"));
  const Json run = Json::parse(read_text(path("run.json")));
  EXPECT_EQ(run["error_bar"], replayed({path("run.mpitrace"), "--error-bars"})["error_bar"]);
  // Without a recording of its own, and with a program that cannot be replayed.
  const Ran alone = run_strata(joined(place, {"--no-summary", "--", built(kGuest), "pairs", "100000"}));
  EXPECT_EQ(alone.err, "");
  EXPECT_EQ(Json::parse(read_text(path("run.json")))["error_bar"], run["error_bar"]);
  const Ran none = run_strata(joined(place, {"--no-summary", "--", built(kGuest), "generalized"}));
  EXPECT_EQ(none.code, 0);
  EXPECT_EQ(none.err, "strata: no error bar: the program calls MPI_Grequest_start, which a trace does not hold\n");
  EXPECT_FALSE(Json::parse(read_text(path("run.json"))).contains("error_bar"));
}

TEST_F(Analysis, WithoutIntervalsALineNamesCalibrate) {
  const std::string trace = record({"pairs", "10"}, {"--machine", "ntw10e5", "-n", "12"});
  const Ran ran = run_strata({"replay", trace, "--error-bars"});
  EXPECT_EQ(ran.code, 0);
  EXPECT_THAT(ran.out,
              ::testing::EndsWith("\n\nno error bar: no figure of ntw10e5 has an interval (plus_minus); make the "
                                  "machine from measurements with strata calibrate, which writes intervals\n" +
                                  analysis::blind_errors_text()));
  const Json bar = replayed({trace, "--error-bars"})["error_bar"];
  EXPECT_TRUE(bar["low"].is_null() && bar["high"].is_null() && bar["figures"].empty());
  EXPECT_FALSE(bar.contains("predictions"));
}

// Two mappings on one machine share its errors; another machine has its own.
TEST_F(Analysis, ComparesReplaysWithErrorBars) {
  const std::string machine = measured_machine(folder_);
  const std::string trace = record({"pairs", "100000"}, {"--machine", machine, "-n", "24"});
  const auto kept = [&](const std::string& name, const Words& options) {
    std::ofstream(path(name)) << replayed(joined({trace, "--error-bars"}, options)).dump();
    return path(name);
  };
  const std::string base = kept("base.json", {}), scattered = kept("scattered.json", {"--map-by", "node"});
  const Ran mapping = run_strata({"compare", base, scattered});
  EXPECT_EQ(mapping.code, 1) << mapping.out << mapping.err;
  EXPECT_THAT(mapping.out, ::testing::HasSubstr("simulated_time: the difference is "));
  EXPECT_THAT(mapping.out, ::testing::Not(::testing::HasSubstr("not distinguishable")));
  // A little more latency is within the interval of the measured one.
  const std::string slower =
      kept("slower.json", {"--map-by", "node", "--set", "what_if.System - Cluster.latency=1.63us"});
  const Ran close = run_strata({"compare", scattered, slower, "--force", "--tolerance", "5%"});
  EXPECT_EQ(close.code, 0) << close.out << close.err;
  EXPECT_THAT(close.out, ::testing::HasSubstr("%, not distinguishable"));
  const Json document = Json::parse(run_strata({"compare", scattered, slower, "--force", "--json"}).out);
  for (const Json& d : document["differences"])
    EXPECT_EQ(d.contains("error_bar"), d["metric"] == "simulated_time") << d["metric"];
}

TEST_F(Analysis, RanksInAnotherOrder) {
  const Words place = {"--machine", "ntw10e5", "-n", "24", "--map-by", "node"};
  const std::string trace = record({"pairs", "100000"}, place);
  const double before = replayed({trace})["simulated_time"]["value"];
  const Ran exec =
      run_strata(joined(joined({"exec", "--no-summary", "--reorder", "treematch", "--json", path("run.json")}, place),
                        {"--", built(kGuest), "pairs", "100000"}));
  ASSERT_EQ(exec.code, 0) << exec.err;
  const double simulated = Json::parse(read_text(path("run.json")))["simulated_time"]["value"];
  const double after = replayed({trace, "--reorder", "treematch"})["simulated_time"]["value"];
  EXPECT_EQ(after, simulated);
  EXPECT_LT(after, before);
  replayed({trace, "--traffic", path("traffic")});
  EXPECT_EQ(replayed({trace, "--reorder", path("traffic/size.mtx")})["simulated_time"]["value"].get<double>(), after);
}

TEST_F(Analysis, APageHasTheReplay) {
  const std::string trace = record({"pairs", "1000"}, {"--machine", "ntw10e5", "-n", "12"});
  const Ran ran = run_strata({"replay", trace, "--report", path("page.html")});
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_THAT(read_text(path("page.html")), ::testing::HasSubstr("strata replay"));
}

TEST_F(Analysis, TablesSayWhatDecides) {
  const std::string trace = record({"pairs", "1000"}, {"--machine", "ntw10e5", "-n", "12"});
  const Ran ran = run_strata({"replay", trace, "--critical-path", "--sensitivity", "--jobs", "2"});
  ASSERT_EQ(ran.code, 0) << ran.err;
  for (const char* text : {"critical path", "latency", "its MPI functions", "its levels of the machine", "its ranks",
                           "slack by level", "1 % more of", "which holds"})
    EXPECT_THAT(ran.out, ::testing::HasSubstr(text));
}

TEST_F(Analysis, WrongInputIsRefused) {
  const std::string trace = record({"pairs", "10"}, {"--machine", "ntw10e5", "-n", "12"});
  expect_refused(run_strata({"replay", trace, "--timeline", path("run.xyz")}), "--timeline", "", "paje");
  expect_refused(run_strata({"replay", trace, "--timeline", path("run.json"), "--timeline-ranks", "12"}), "12", "", "");
  expect_refused(run_strata({"replay", trace, "--traffic", trace}), trace, "cannot be made", "choose another place");
  expect_refused(run_strata({"replay", trace, "--report", "/nowhere/page.html"}), "/nowhere/page.html", "cannot be",
                 "");
  expect_refused(run_strata({"replay", trace, "--reorder", "nowhere.mtx"}), "nowhere.mtx", "", "");
}

}  // namespace
}  // namespace strata
