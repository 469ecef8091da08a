// SPDX-License-Identifier: LGPL-2.1-only
// Timelines: the trace of a simulation whose times follow by hand, read by pj_dump and by our own reader; and the
// states of random intervals, compared with a search of all intervals at each moment.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <map>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "records/paje.h"
#include "sim/launcher/simulation.h"
#include "sim/launcher/smpimain.h"
#include "sim/plugin/thread_timeline.h"
#include "tests/command/strata_process.h"
#include "tests/sim/unit_machine.h"

namespace strata {
namespace {

using Timeline = PajeTrace;
using ::testing::HasSubstr;

constexpr double kMs = 1e-3;         // s
constexpr double kClockStep = 1e-9;  // s: far above the rounding error of doubles of a few thousand seconds

struct Stretch {
  double from = 0, to = 0;  // s
  std::string state;
};
void PrintTo(const Stretch& s, std::ostream* out) { *out << s.state << " " << s.from << " to " << s.to; }
using Rows = std::map<std::string, std::vector<Stretch>>;  // by the name of a core or thread

Rows rows_of(const Timeline& timeline) {
  Rows rows;
  const auto add = [&](const std::string& name, const std::vector<Timeline::Interval>& intervals,
                       const std::vector<Timeline::State>& states) {
    for (const Timeline::Interval& i : intervals) rows[name].push_back({i.from, i.to, states[i.state].name});
  };
  for (const Timeline::Core& core : timeline.cores) {
    add(core.name, core.intervals, timeline.core_states);
    for (const Timeline::Thread& t : core.threads) {
      add((t.progress ? "progress thread of " : "rank ") + std::to_string(t.rank), t.intervals, timeline.thread_states);
    }
  }
  for (const Timeline::Phase& p : timeline.phases) rows["phases"].push_back({p.from, p.to, p.name});
  return rows;
}

// The output of pj_dump for a trace: lines "State, CONTAINER, TYPE, START, END, DURATION, IMBRICATION, VALUE".
Rows rows_of_pj_dump(const std::string& trace) {
  Process process({"pj_dump", "--float-precision=12", trace});
  const Ran ran = process.wait();
  EXPECT_EQ(ran.code, 0) << ran.err;
  Rows rows;
  for (const std::string& line : lines_of(ran.out)) {
    std::vector<std::string> words;
    for (size_t at = 0; at < line.size();) {
      const size_t end = std::min(line.find(", ", at), line.size());
      words.push_back(line.substr(at, end - at));
      at = end + 2;
    }
    if (words.size() != 8 || words[0] != "State") continue;
    if (words[2] == "Phase") words[1] = "phases";
    if (words[7] != "No phase") rows[words[1]].push_back({std::stod(words[3]), std::stod(words[4]), words[7]});
  }
  return rows;
}

void expect_rows(const Rows& got, const Rows& wanted) {
  ASSERT_EQ(got.size(), wanted.size());
  for (const auto& [name, stretches] : wanted) {
    SCOPED_TRACE(name);
    ASSERT_EQ(got.count(name), 1u);
    const std::vector<Stretch>& ours = got.at(name);
    ASSERT_EQ(ours.size(), stretches.size()) << ::testing::PrintToString(ours);
    for (size_t i = 0; i < ours.size(); ++i) {
      EXPECT_EQ(ours[i].state, stretches[i].state);
      EXPECT_NEAR(ours[i].from, stretches[i].from, kClockStep);
      EXPECT_NEAR(ours[i].to, stretches[i].to, kClockStep);
    }
  }
}

// Six ranks of timeline_mpi_program.cc on the first node of the unit machine, where 1 MB takes a core 1 ms. Ranks 0 to
// 2 run on cores 0 to 2, the progress thread of rank 0 on core 0 too, and those of 1 and 2 on core 3.
class Traced : public ::testing::Test {
 protected:
  Traced() {
    folder_.write("machine.yaml", unit_machine());
    std::string hosts, bindings;
    for (const int core : {0, 1, 2, 0, 3, 3}) {
      hosts += "node0.core" + std::to_string(core) + "\n";
      bindings += std::to_string(ranks_++) + " 0 " + std::to_string(core) + "\n";
    }
    folder_.write("hosts", hosts);
    folder_.write("placement", "node-synthetic l3:2 core:2 pu:1\nnetwork 2\nbindings " +
                                   folder_.write("bindings", bindings) + "\napplication 3\n");
  }

  Ran run(const std::string& argument, const std::string& trace, Surroundings surroundings = {}) {
    surroundings.folder = folder_.path();
    sim::Stage stage;
    stage.folder = folder_.path();
    stage.ranks = ranks_;
    stage.eager_limit_bytes = 65536;  // SMPI's default
    for (const auto& [name, value] : environment_of(stage)) {
      if (value) surroundings.environment[name] = *value;
    }
    surroundings.environment["STRATA_TIMELINE"] = trace;
    Process process(words_of(stage, {.platform = built("sim/plugin/libstrata_platform.so"),
                                     .hosts = "hosts",
                                     .scratch = ".",
                                     .program = built("tests/sim/plugin/timeline_mpi_program.so"),
                                     .arguments = {argument}}),
                    surroundings);
    return process.wait();
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;
  int ranks_ = 0;
};

// The expected states of a round that begins at `t` (s), and of the idle time after it until `next`.
void expect_round(Rows& rows, double t, double next) {
  const auto add = [&](const std::string& name, std::vector<Stretch> round) {
    double from = t;
    for (Stretch& s : round) {
      s.from = from;
      s.to = from = t + s.to * kMs;
      rows[name].push_back(s);
    }
    if (next <= from) return;
    if (rows[name].empty() || rows[name].back().state != "Idle") rows[name].push_back({from, next, "Idle"});
    rows[name].back().to = next;
  };
  // Both have half of core 0 until the progress thread's work of one millisecond is done.
  add("rank 0", {{0, 4, "Computation"}});
  add("progress thread of 0", {{0, 2, "Copy"}});
  add("node0.core0", {{0, 2, "Both"}, {0, 4, "Computation"}});
  // The rank reports that it waits from 1 to 3 ms, but combines during that time.
  add("rank 1", {{0, 1, "Copy"}, {0, 1.5, "Waiting"}, {0, 2, "Combination"}, {0, 3, "Waiting"}});
  add("node0.core1", {{0, 1, "Application communication"},
                      {0, 1.5, "Waiting"},
                      {0, 2, "Application communication"},
                      {0, 3, "Waiting"}});
  add("rank 2", {});
  add("node0.core2", {});
  // The first copy and the combination, half a millisecond each, have half a core; then the second copy runs alone.
  add("progress thread of 1", {{0, 1.5, "Copy"}});
  add("progress thread of 2", {{0, 1, "Combination"}});
  add("node0.core3", {{0, 1.5, "Communication"}});
}

TEST_F(Traced, WhatEachCoreDid) {
  const Ran ran = run("once", path("trace"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  Rows expected;
  expect_round(expected, 0, 4 * kMs);
  const Timeline timeline = read_paje(path("trace"));
  expect_rows(rows_of(timeline), expected);
  EXPECT_EQ(timeline.machine, "ones");
  EXPECT_EQ(timeline.cores.size(), 4u) << "the node that runs nothing is not there";
}

TEST_F(Traced, PhasesAloneAreShownOneAfterAnother) {
  const Ran ran = run("phases", path("trace"));
  ASSERT_EQ(ran.code, 0) << ran.err;
  constexpr double kSecond = 4 * kMs + 0.02 * 8 * kMs;  // between phases: a fiftieth of the total time of all phases
  Rows expected;
  expect_round(expected, 0, kSecond);
  expect_round(expected, kSecond, kSecond + 4 * kMs);
  expected["phases"] = {{0, 4 * kMs, "first"}, {kSecond, kSecond + 4 * kMs, "second"}};
  expect_rows(rows_of(read_paje(path("trace"))), expected);
}

TEST_F(Traced, PjDumpReadsTheSame) {
  if (Process({"sh", "-c", "command -v pj_dump"}).wait().out.empty()) GTEST_SKIP() << "Debian's pajeng is not there";
  for (const char* program : {"once", "phases"}) {
    SCOPED_TRACE(program);
    ASSERT_EQ(run(program, path(program)).code, 0);
    Rows phases = rows_of_pj_dump(path(program));
    expect_rows(phases, rows_of(read_paje(path(program))));
  }
}

TEST_F(Traced, SameBytesHoweverTheSimulationEnds) {
  ASSERT_EQ(run("once", path("trace")).code, 0);
  for (const char* end : {"once", "exit", "deadlock"}) {
    run(end, path(end));
    EXPECT_EQ(read_text(path(end)), read_text(path("trace"))) << end;
  }
}

TEST_F(Traced, AFullDiskIsSaid) {
  Surroundings small;
  small.largest_file = 1000;
  small.ignored_signals = {SIGXFSZ};
  const Ran full = run("once", path("trace"), small);
  EXPECT_EQ(full.code, 2);
  EXPECT_THAT(full.err, HasSubstr("@strata platform " + path("trace") + ": cannot be written: File too large"));
  EXPECT_FALSE(std::filesystem::exists(path("trace")));
  const Ran nowhere = run("once", path("none/trace"));
  EXPECT_EQ(nowhere.code, 2);
  EXPECT_THAT(nowhere.err, HasSubstr("@strata platform STRATA_TIMELINE " + path("none/trace") + ": No such file"));
}

// An interval as it was reported: what a thread on a core does.
struct Told {
  int core, rank;
  bool progress;
  Doing what;
  double from, to;
};

std::string state_of_thread(const std::vector<Told>& all, int rank, bool progress, double at) {
  std::string state = "Idle";
  const std::map<Doing, std::string> names = {{Doing::kWaiting, "Waiting"},
                                              {Doing::kComputing, "Computation"},
                                              {Doing::kCopying, "Copy"},
                                              {Doing::kCombining, "Combination"}};
  for (const Doing what : {Doing::kWaiting, Doing::kComputing, Doing::kCopying, Doing::kCombining}) {
    for (const Told& t : all) {
      if (t.rank == rank && t.progress == progress && t.what == what && t.from <= at && at < t.to)
        state = names.at(what);
    }
  }
  return state;
}

std::string state_of_core(const std::vector<Told>& all, int core, double at) {
  bool computes = false, communicates = false, progress_communicates = false, waits = false;
  for (const Told& t : all) {
    if (t.core != core) continue;
    const std::string state = state_of_thread(all, t.rank, t.progress, at);
    const bool moves = state == "Copy" || state == "Combination";
    if (t.progress) progress_communicates |= moves;
    if (!t.progress) communicates |= moves;
    if (!t.progress) computes |= state == "Computation";
    if (!t.progress) waits |= state == "Waiting";
  }
  if (computes) return communicates || progress_communicates ? "Both" : "Computation";
  if (progress_communicates) return "Communication";
  if (communicates) return "Application communication";
  return waits ? "Waiting" : "Idle";
}

TEST(TimelineOfRandomIntervals, IsWhatAMomentSays) {
  const TemporaryFolder folder;
  const Machine machine = load_machine(folder.write("machine.yaml", unit_machine()));
  for (unsigned seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    sim::Timeline timeline(machine);
    std::vector<Told> told;
    const int ranks = 1 + below(4);
    for (int r = 0; r < 2 * ranks; ++r) {
      const bool progress = r >= ranks;
      const int core = progress ? below(4) : r, thread = timeline.add_thread(core, r % ranks, progress);
      for (int i = below(8); i > 0; --i) {
        const double from = below(20), to = from + below(6);
        told.push_back({core, r % ranks, progress, static_cast<Doing>(below(4)), from, to});
        timeline.add(thread, told.back().what, from, to);
      }
    }
    std::ostringstream out;
    write_paje(out, timeline.trace());
    const Rows rows = rows_of(read_paje(folder.write("trace", out.str())));
    for (const auto& [name, stretches] : rows) {
      EXPECT_EQ(stretches.front().from, 0) << name;
      for (size_t i = 0; i < stretches.size(); ++i) {
        const Stretch& s = stretches[i];
        if (i > 0) {
          EXPECT_EQ(s.from, stretches[i - 1].to) << name;
          EXPECT_NE(s.state, stretches[i - 1].state) << name;
        }
        for (double at = s.from + 0.5; at < s.to; ++at) {
          const bool core = name.starts_with("node");
          EXPECT_EQ(s.state, core ? state_of_core(told, name.back() - '0', at)
                                  : state_of_thread(told, name.back() - '0', name.starts_with("progress"), at))
              << name << " at " << at;
        }
      }
    }
  }
}

TEST(Phases, OfSeveralRanksAreOneAndThoseOfTwoNamesDoNotOverlap) {
  const TemporaryFolder folder;
  const Machine machine = load_machine(folder.write("machine.yaml", unit_machine()));
  sim::Timeline timeline(machine);
  timeline.add(timeline.add_thread(0, 0, false), Doing::kComputing, 5, 100);
  timeline.add_phase("a", 10, 12);
  timeline.add_phase("b", 13, 20);
  timeline.add_phase("a", 11, 14);  // another rank in the first phase: it ends when b begins
  timeline.add_phase("a", 30, 33);  // a second phase of that name
  timeline.add_phase("c", 40, 40);  // an empty phase
  std::ostringstream out;
  write_paje(out, timeline.trace());
  const Rows rows = rows_of(read_paje(folder.write("trace", out.str())));
  // Phases of 3, 7 and 3 s, with 0.02 * 13 s between them.
  expect_rows({{"phases", rows.at("phases")}}, {{"phases", {{0, 3, "a"}, {3.26, 10.26, "b"}, {10.52, 13.52, "a"}}}});
  EXPECT_NEAR(rows.at("rank 0").front().to, 3, kClockStep);
}

}  // namespace
}  // namespace strata
