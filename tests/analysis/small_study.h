// SPDX-License-Identifier: LGPL-2.1-only
// A study small enough to work out by hand, with everything that a report can show: a metric, a ratio, two models,
// claims that hold, fail or cannot be judged, and texts with characters that Markdown and gnuplot would interpret.
#pragma once

#include <string>
#include <vector>

#include "models/crosscheck.h"
#include "records/record.h"

namespace strata::analysis {

// Times in us, in the order of the points (algorithm, elements, variant):
//                        native  hierarchical  native / hierarchical
//   linear    1             100            10                     10
//   linear    1000          300            20                     15
//   binomial  1              16             8                      2
//   binomial  1000           40            32                   1.25
inline const std::vector<double> kSmallTimes_us = {100, 10, 300, 20, 16, 8, 40, 32};

inline Results small_results() {
  Results r;
  r.folder = "small";
  Manifest& m = r.manifest;
  m.machine = "toy_4x8";
  m.machine_hash = "00112233445566778899aabbccddeeff";
  m.versions = {{"simgrid", "3.32"}, {"strata", "0.1"}};
  m.command_line = {"strata", "run", "small", "--set", "elements=[1, 1000]"};
  m.seed = 7;
  m.start = "2024-01-01T00:00:00Z";
  m.end = "2024-01-01T00:00:09Z";
  Study& s = m.study;
  s.scenario = "small";
  s.title = "Broadcast a|b on toy_4x8";
  s.program = "bcast_bench";
  s.metric = "time";
  s.unit = "s";
  s.ranks = 32;
  s.sweep = {{"algorithm", {"linear", "binomial"}}, {"elements", {1, 1000}}, {"variant", {"native", "hierarchical"}}};
  s.derived = {{"enhancement", "enhancement factor, native / hierarchical", "variant", "native", "hierarchical"}};
  s.models = {{"hockney", 0.02}, {"loggp", 0.05}};
  s.claims = {
      {"best", "RR-9077, Figure 5", "best factor, a|b", "enhancement", Over::kMax, Json::object(), 21, Relation::kAbout,
       2, "their MPI differs"},
      {"trees",
       "RR-9077, Figure 5",
       "trees hardly gain",
       "enhancement",
       Over::kMax,
       {{"algorithm", "binomial"}},
       1.2,
       Relation::kAbout,
       1.5,
       "",
       "",
       Missing::kParameter},
      {"fast",
       "RR-9077, Table 2",
       "quickest broadcast",
       "time",
       Over::kMin,
       {{"elements", 1000}},
       10e-6,
       Relation::kAbout,
       3,
       ""},
      {"far", "RR-9077, Table 3", "at 10^6", "time", Over::kMin, {{"elements", 1000000}}, 1, Relation::kAbout, 2, ""},
  };
  s.plots = {
      {"time", "Time on toy_4x8", "elements", "time", {"algorithm", "variant"}, true, true, {}},
      {"enhancement", "Enhancement", "elements", "enhancement", {"algorithm"}, true, false, {}},
  };
  const std::vector<Json> points = s.points();
  for (size_t i = 0; i < points.size(); ++i) {
    r.records.push_back({s.scenario, static_cast<int>(i), points[i], "time", kSmallTimes_us[i] * 1e-6, "s", 7});
  }
  return r;
}

/// A residual of r means simulated = predicted (1 + r). Hockney: +1 %, -1.5 % and 0 agree; +25 % is outside the model
/// because of contention; -50 % disagrees. LogGP has no rows.
inline std::vector<models::CheckRow> small_checks() {
  const Results r = small_results();
  const auto row = [&](size_t point, double residual, models::Verdict verdict, const std::string& reason) {
    const double simulated = r.records[point].value;
    return models::CheckRow{
        "hockney", r.records[point].parameters, simulated / (1 + residual), simulated, residual, 0.02, verdict, reason};
  };
  return {
      row(0, 0.01, models::Verdict::kAgrees, ""),
      row(1, -0.015, models::Verdict::kAgrees, ""),
      row(2, 0.25, models::Verdict::kOutside,
          "contention: 8 messages at once on the up link of node_0 | ask for 9 GB/s of 4"),
      row(4, 0, models::Verdict::kAgrees, ""),
      row(6, -0.5, models::Verdict::kDisagrees, ""),
  };
}

// A second study: a program that measures parts of its time, and a ratio of every variant to one of them. Times in us:
//
//   block  variant      computing  communicating  time  time / topological
//   8      simple              10            110   120                   4
//   8      2-groups            10             50    60                   2
//   8      topological         10             20    30
//   16     simple              40             80   120                   2
//   16     2-groups            40              5    45                0.75
//   16     topological         40             20    60
inline Results parts_results() {
  Results r;
  r.folder = "parts";
  Manifest& m = r.manifest;
  m.machine = "toy_4x8";
  m.machine_hash = "00112233445566778899aabbccddeeff";
  m.seed = 7;
  m.command_line = {"strata", "run", "parts"};
  Study& s = m.study;
  s.scenario = "parts";
  s.title = "Matrix multiplication on toy_4x8";
  s.program = "matmul";
  s.metric = "time";
  s.unit = "s";
  s.also = {{"computing", "s"}, {"communicating", "s"}};
  s.ranks = 32;
  s.sweep = {{"block", {8, 16}}, {"variant", {"simple", "2-groups", "topological"}}};
  s.derived = {{"speedup", "speed-up of topological", "variant", Json(), "topological"}};
  s.claims = {
      {"least", "RR-9077, Figure 11", "topological is the least", "speedup", Over::kMin, Json::object(), 1,
       Relation::kAtLeast, 1, ""},
      {"same",
       "RR-9077, Figure 11",
       "the computing is the same",
       "computing",
       Over::kSpread,
       {{"block", 8}},
       1,
       Relation::kAbout,
       1.01,
       ""},
  };
  s.plots = {{"parts", "Parts of the time", "variant", "time", {}, true, true, {"computing", "communicating"}}};
  const std::vector<Json> points = s.points();
  const std::vector<double> computing_us = {10, 10, 10, 40, 40, 40}, communicating_us = {110, 50, 20, 80, 5, 20};
  for (size_t i = 0; i < points.size(); ++i) {
    const auto record = [&](const std::string& metric, double us) {
      r.records.push_back({s.scenario, static_cast<int>(i), points[i], metric, us * 1e-6, "s", 7});
    };
    record("time", computing_us[i] + communicating_us[i]);
    record("computing", computing_us[i]);
    record("communicating", communicating_us[i]);
  }
  return r;
}

}  // namespace strata::analysis
