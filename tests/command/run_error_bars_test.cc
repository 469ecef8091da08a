// SPDX-License-Identifier: LGPL-2.1-only
// strata run --error-bars: the bars of records are those of runs with each figure at the ends of its interval, with
// both engines; tables, reports and comparisons show them.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "analysis/blind_errors.h"
#include "console/number.h"
#include "tests/command/strata_process.h"
#include "tests/platforms/edited_machine.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;
using Words = std::vector<std::string>;
using ::testing::HasSubstr;
using ::testing::Not;

class RunErrorBars : public ::testing::Test {
 protected:
  // ntw10e5 with intervals of three latencies and a speed.
  std::string machine(const std::string& name = "measured", const std::string& latency = "1.62") const {
    std::vector<std::pair<std::string, std::string>> edits = {{"value: 1.62\n", "value: " + latency + "\n"}};
    const auto add = [&](const std::string& value, const std::string& plus_minus, int indent) {
      const std::string line = "value: " + value + "\n";
      edits.emplace_back(line, line + std::string(indent, ' ') + "plus_minus: " + plus_minus + "\n");
    };
    add(latency, "0.08", 8);
    add("0.62", "0.1", 8);
    add("40", "2", 6);
    return edited_machine(folder_, name, "ntw10e5", edits);
  }
  // Two places of ranks; the program prints no time, so that both engines can run it.
  std::string study(const std::string& machine, const std::string& more = "") const {
    return folder_.write("study.yaml", "schema: strata.scenario/1\nname: study\ntitle: Study\nmachine: " + machine +
                                           "\nranks: 24\nprogram: " + built("tests/command/guest.so") +
                                           "\narguments: [pairs, '100000']\nsweep: {map_by: [core, node]}\n"
                                           "metric: {name: simulated_time, unit: s}\n" +
                                           more);
  }
  // The program prints its times.
  std::string broadcast(const std::string& machine) const {
    return folder_.write("broadcast.yaml",
                         "schema: strata.scenario/1\nname: broadcast\ntitle: Broadcast\nmachine: " + machine +
                             "\nranks: 24\nprogram: collective\nmapping: {map_by: node}\n"
                             "sweep: {algorithm: [linear], variant: [native, hierarchical], elements: [1, 1000]}\n"
                             "metric: {name: time, unit: s}\n"
                             "derived: [{name: gain, title: gain, axis: variant, over: native, under: hierarchical}]\n"
                             "plots: [{name: time, title: time, x: elements, y: time, series: [variant]}]\n");
  }
  Ran run(const std::string& file, const std::string& out, const Words& more = {}) const {
    Words words = {"run", file, "--out", path(out)};
    words.insert(words.end(), more.begin(), more.end());
    const Ran ran = run_strata(words);
    EXPECT_EQ(ran.code, 0) << ran.err;
    return ran;
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }
  std::string bytes(const std::string& out) const { return read_text(fs::path(path(out)) / "records.jsonl"); }
  std::vector<Json> records(const std::string& out) const {
    std::vector<Json> all;
    for (const std::string& line : lines_of(bytes(out))) {
      if (!line.empty()) all.push_back(Json::parse(line));
    }
    return all;
  }
  // Each effect is that of a run on the changed machine, and the bar is their sum in quadrature.
  void expect_bars(const std::string& file, const std::vector<Json>& barred, const Words& more) const {
    int changed = 0;
    ASSERT_FALSE(barred.empty());
    std::map<std::string, std::vector<Json>> at;  // by figure and value
    for (const Json& record : barred) {
      const Json& bar = record.at("error_bar");
      double above = 0, below = 0;
      for (const Json& f : bar["figures"]) {
        const double larger = f["larger"], smaller = f["smaller"];
        above = std::hypot(above, std::max({0.0, larger, smaller}));
        below = std::hypot(below, std::max({0.0, -larger, -smaller}));
        if (f["unit"] != "us") continue;  // a time: its interval is value +- plus_minus
        for (const bool up : {true, false}) {
          const double value = f["value"].get<double>() + (up ? 1 : -1) * f["plus_minus"].get<double>();
          const std::string setting =
              "what_if." + f["figure"].get<std::string>() + "=" + Json(value).dump() + f["unit"].get<std::string>();
          if (!at.contains(setting)) {
            Words words = more;
            words.insert(words.end(), {"--set", setting});
            const std::string out = fmt::format("changed{}", at.size());
            run(file, out, words);
            at[setting] = records(out);
          }
          const Json& there = at[setting].at(static_cast<std::size_t>(&record - barred.data()));
          EXPECT_NEAR(f[up ? "larger" : "smaller"].get<double>(),
                      there["value"].get<double>() - record["value"].get<double>(), 1e-15)
              << setting;
          changed += there["value"] != record["value"];
        }
      }
      EXPECT_NEAR(bar["high"].get<double>(), record["value"].get<double>() + above, 1e-15);
      EXPECT_NEAR(bar["low"].get<double>(), record["value"].get<double>() - below, 1e-15);
      EXPECT_GT(bar["without_interval"].get<int>(), 10);
    }
    EXPECT_GT(changed, 2);
  }
  TemporaryFolder folder_;
};

TEST_F(RunErrorBars, OfReplaysAreThoseOfStrataReplay) {
  const std::string m = machine(), file = study(m, "engine: replay\n");
  run(file, "plain", {"--record", path("recordings")});
  run(file, "barred", {"--error-bars", "--jobs", "2", "--record", path("recordings")});
  std::string without;
  const std::vector<Json> barred = records("barred");
  ASSERT_EQ(barred.size(), 2u);
  for (Json record : barred) {
    record.erase("error_bar");
    without += record.dump() + "\n";
  }
  EXPECT_EQ(without, bytes("plain")) << "values are the same, and without the option nothing is added";
  const std::string trace = fs::directory_iterator(path("recordings"))->path();
  for (const Json& record : barred) {
    const Ran replay = run_strata({"replay", trace, "--machine", m, "-n", "24", "--map-by",
                                   record["parameters"]["map_by"], "--error-bars", "--json"});
    ASSERT_EQ(replay.code, 0) << replay.err;
    const Json document = Json::parse(replay.out), &bar = document["error_bar"], &ours = record["error_bar"];
    EXPECT_EQ(ours["low"], bar["low"]);
    EXPECT_EQ(ours["high"], bar["high"]);
    EXPECT_EQ(ours["without_interval"], bar["without_interval"]);
    std::size_t next = 0;
    for (const Json& f : bar["figures"]) {
      if (f["larger"] == 0 && f["smaller"] == 0) continue;
      const Json& figure = ours["figures"].at(next++);
      for (const auto& [key, value] : figure.items()) EXPECT_EQ(value, f[key]) << key;
    }
    EXPECT_EQ(next, ours["figures"].size());
  }
}

TEST_F(RunErrorBars, OfSimulationsAreThoseOfReplays) {
  const std::string m = machine();
  run(study(m), "simulated", {"--error-bars"});
  run(study(m, "engine: replay\nerror_bars: true\n"), "replayed");
  const std::vector<Json> simulated = records("simulated"), replayed = records("replayed");
  ASSERT_EQ(simulated.size(), replayed.size());
  for (std::size_t i = 0; i < simulated.size(); ++i) {
    EXPECT_NEAR(simulated[i]["error_bar"]["low"].get<double>(), replayed[i]["error_bar"]["low"].get<double>(), 1e-10);
    EXPECT_NEAR(simulated[i]["error_bar"]["high"].get<double>(), replayed[i]["error_bar"]["high"].get<double>(), 1e-10);
    // Pairs of neighbouring cores use only levels without intervals.
    const bool crosses_nodes = simulated[i]["parameters"]["map_by"] == "node";
    EXPECT_EQ(simulated[i]["error_bar"]["low"] < simulated[i]["value"], crosses_nodes);
  }
}

TEST_F(RunErrorBars, OfWhatAProgramMeasures) {
  const std::string file = broadcast(machine());
  const Ran ran = run(file, "barred", {"--error-bars", "--jobs", "2"});
  const std::vector<Json> barred = records("barred");
  ASSERT_EQ(barred.size(), 4u);
  expect_bars(file, barred, {});
  // The table has each range, and that of the ratio, in which one figure changes both times at once.
  const Json &native = barred[0], &hierarchical = barred[2];
  const double ratio = native["value"].get<double>() / hierarchical["value"].get<double>();
  double above = 0, below = 0;
  const auto effect = [](const Json& record, const Json& figure, const char* end) {
    for (const Json& f : record["error_bar"]["figures"]) {
      if (f["figure"] == figure) return f[end].get<double>();
    }
    return 0.0;
  };
  for (const char* figure : {"System - Cluster.latency", "Package.latency", "core.speed", "core.copy_bandwidth"}) {
    for (const char* end : {"larger", "smaller"}) {
      const double there = (native["value"].get<double>() + effect(native, figure, end)) /
                           (hierarchical["value"].get<double>() + effect(hierarchical, figure, end));
      (there > ratio ? above : below) = std::hypot(there > ratio ? above : below, there - ratio);
    }
  }
  EXPECT_THAT(ran.out, HasSubstr(" (" + console::range_text(ratio - below, ratio + above, "") + ")"));
  EXPECT_THAT(ran.out, HasSubstr("ranges in brackets: 95 %, from the intervals of the machine's figures; "));
  EXPECT_THAT(ran.out, HasSubstr(analysis::blind_errors_text()));
  // The report and its plot.
  const Ran report = run_strata({"report", path("barred")});
  ASSERT_EQ(report.code, 0) << report.err;
  const std::string markdown = read_text(path("barred/report/report.md"));
  EXPECT_THAT(markdown, ::testing::ContainsRegex("[0-9] us \\([0-9.]+ to [0-9.]+ us\\)"));
  const Ran page = run_strata({"report", path("barred"), "--report", path("page.html")});
  ASSERT_EQ(page.code, 0) << page.err;
}

TEST_F(RunErrorBars, DecideWhatStrataCompareCanTell) {
  // Two machines with a latency within the other's interval, and one far away.
  run(broadcast(machine("base")), "base", {"--error-bars"});
  run(broadcast(machine("close", "1.64")), "close", {"--error-bars"});
  run(broadcast(machine("far", "3.24")), "far", {"--error-bars"});
  const Ran close = run_strata({"compare", path("base"), path("close"), "--tolerance", "50%"});
  EXPECT_EQ(close.code, 0) << close.err;
  EXPECT_THAT(close.out, HasSubstr(", not distinguishable"));
  EXPECT_THAT(close.out, HasSubstr("time at algorithm = linear, variant = native, elements = 1: the difference is "));
  const Json document = Json::parse(run_strata({"compare", path("base"), path("far"), "--json"}).out);
  int barred = 0;
  for (const Json& d : document["differences"]) {
    if (d["metric"] != "time") continue;
    ++barred;
    EXPECT_EQ(d["error_bar"]["distinguishable"], true);
    EXPECT_GT(d["error_bar"]["low"], 0);
  }
  EXPECT_EQ(barred, 4);
  // On one machine, the difference is off by less than each of the times.
  EXPECT_THAT(run_strata({"compare", path("base"), path("base"), "--json"}).out, Not(HasSubstr("error_bar")));
  // A report against the other run has the bars of the ratio.
  const Ran report = run_strata({"report", path("far"), "--against", path("base")});
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(read_text(path("far/report/against/report.md")),
              ::testing::ContainsRegex("\\| 0\\.[0-9]+ \\(0\\.[0-9]+ to 0\\.[0-9]+\\)"));
}

TEST_F(RunErrorBars, BelongToTheStudy) {
  const std::string file = study(machine(), "engine: replay\n");
  run(file, "out", {"--error-bars"});
  const std::string whole = bytes("out");
  run(file, "out", {"--error-bars", "--resume"});
  EXPECT_EQ(bytes("out"), whole);
  const Ran other = run_strata({"run", file, "--out", path("out"), "--resume"});
  EXPECT_EQ(other.code, 2);
  EXPECT_THAT(other.err, HasSubstr("its study differs"));
  const Json manifest = Json::parse(read_text(path("out/manifest.json")));
  EXPECT_EQ(manifest["study"]["error_bars"], true);
}

TEST_F(RunErrorBars, NeedIntervals) {
  const Ran ran = run(study("ntw10e5"), "none", {"--error-bars"});
  for (const Json& record : records("none")) EXPECT_FALSE(record.contains("error_bar"));
  EXPECT_THAT(ran.out, HasSubstr("no error bar: no figure of ntw10e5 has an interval (plus_minus); make the machine"));
}

}  // namespace
}  // namespace strata
