// SPDX-License-Identifier: LGPL-2.1-only
// Traces of a study: IJHPCA'19, Figures 4 to 6 (a chain with several placements of its progress threads), and the
// places and times of the levels of a tree (Section 6.3).
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "analysis/timeline_queries.h"
#include "analysis/timeline_summary.h"
#include "records/events.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using analysis::is_communication;
using analysis::Timeline;
using analysis::TimelineSummary;
using ::testing::HasSubstr;

class TimelineStudy : public ::testing::Test {
 protected:
  // Runs the program nbc on knl-7210, with messages that are copied twice, and keeps traces.
  Ran run(const std::string& out, int ranks, const std::string& arguments, const std::string& sweep) {
    const std::string scenario = folder_.write(
        "scenario.yaml",
        "schema: strata.scenario/1\nname: traced\ntitle: traced\nmachine: knl-7210\n"
        "what_if: [{figure: copies, value: 2, unit: copies, source: \"assumed: through a shared segment\"}]\n"
        "program: nbc\nranks: " +
            std::to_string(ranks) + "\nmapping: {map_by: spread}\narguments: [" + arguments + "]\nsweep: {" + sweep +
            "}\nreference: {ranks: all, arguments: [--steps, blocking], metric: work, option: work}\n"
            "metric: {name: time, unit: s}\ntraces: true\n");
    return run_strata({"run", scenario, "--out", path(out)});
  }
  // The same scenario with another setting.
  Ran run_again(const std::string& out, const std::string& setting) {
    return run_strata({"run", path("scenario.yaml"), "--set", setting, "--out", path(out)});
  }
  std::string path(const std::string& name) const { return folder_.path() / name; }

  TemporaryFolder folder_;
};

struct Shown {
  Timeline timeline;
  Timeline::Phase phase;  // the phase in which communication and computation overlap
  TimelineSummary summary;
};

Shown shown(const std::string& trace) {
  Shown s;
  s.timeline = read_paje(trace);
  s.phase = analysis::find_phase(s.timeline, "time");
  EXPECT_EQ(s.phase.name, "time");
  s.summary = analysis::summarize(s.timeline, s.phase.from, s.phase.to);
  return s;
}

// The first and last moment of the phase at which threads of this kind on the core are in a state for which `does` is
// true.
template <typename Does>
Timeline::Phase when(const Shown& s, const Timeline::Core& core, bool progress, const Does& does) {
  Timeline::Phase all{"", std::numeric_limits<double>::infinity(), -std::numeric_limits<double>::infinity()};
  for (const Timeline::Thread& t : core.threads) {
    for (const Timeline::Interval& i : t.intervals) {
      if (t.progress != progress || i.from < s.phase.from || i.to > s.phase.to || !does(i)) continue;
      all.from = std::min(all.from, i.from);
      all.to = std::max(all.to, i.to);
    }
  }
  return all;
}

Timeline::Phase when_progress_communicates(const Shown& s, const Timeline::Core& core) {
  return when(s, core, true, [&](const Timeline::Interval& i) { return is_communication(s.timeline, i); });
}

// Figures 4 to 6: 62 ranks, 1 MB.
TEST_F(TimelineStudy, AChainByThePlacementOfItsProgressThreads) {
  const Ran ran = run("out", 62, "--collective, iscan, --bytes, 1000000", "progress: [bind, numa, odd-even]");
  ASSERT_EQ(ran.code, 0) << ran.err;

  // bind: a diagonal over all cores that run ranks. The communication of each begins and ends after that of its
  // predecessor; two neighbours communicate at the same time, when one sends and the other receives. There is no
  // overlap with computation.
  const Shown bind = shown(path("out/traces/point-0.paje"));
  Timeline::Phase before{"", -1, -1};
  int cores = 0;
  for (const Timeline::Core& core : bind.timeline.cores) {
    if (core.threads.empty()) continue;
    const Timeline::Phase now = when_progress_communicates(bind, core);
    EXPECT_GT(now.from, before.from) << core.name;
    EXPECT_GT(now.to, before.to) << core.name;
    EXPECT_TRUE(cores == 0 || now.from < before.to) << core.name;
    before = now;
    ++cores;
  }
  EXPECT_EQ(cores, 62);
  EXPECT_EQ(bind.summary.overlapped, 0);
  EXPECT_GT(bind.summary.cores_at_once, 1.3);

  // numa: one communication core after the other. The second begins with the message from rank 30 to rank 31.
  const Shown numa = shown(path("out/traces/point-1.paje"));
  const Timeline::Phase first = when_progress_communicates(numa, numa.timeline.cores[31]);
  const Timeline::Phase second = when_progress_communicates(numa, numa.timeline.cores[63]);
  const double message = (first.to - first.from) / 31;  // s per rank: receive, combine, send
  EXPECT_NEAR(first.to, second.from, message);
  EXPECT_LT(numa.summary.cores_at_once, 1.01);

  // odd-even: both communication cores all the time, one sending while the other receives.
  const Shown odd_even = shown(path("out/traces/point-2.paje"));
  for (const int core : {31, 63}) {
    const Timeline::Phase all = when_progress_communicates(odd_even, odd_even.timeline.cores[core]);
    EXPECT_GT(all.to - all.from, 0.9 * (before.to - before.from) / 2) << core;
  }
  EXPECT_NEAR(odd_even.summary.cores_at_once, bind.summary.cores_at_once, 0.01);
  EXPECT_EQ(odd_even.summary.cores[1].kind, "communication");
  EXPECT_EQ(odd_even.summary.cores[1].count, 2);
  EXPECT_GT(odd_even.summary.overlapped, 0.99);

  // A second run gives the same bytes, and the report draws them.
  ASSERT_EQ(run("again", 62, "--collective, iscan, --bytes, 1000000", "progress: [bind, numa, odd-even]").code, 0);
  for (const char* trace : {"traces/point-0.paje", "traces/point-1.paje", "traces/point-2.paje",
                            "traces/point-0.events", "traces/point-1.events", "traces/point-2.events"}) {
    EXPECT_EQ(read_text(path("out") + "/" + trace), read_text(path("again") + "/" + trace)) << trace;
  }
  const Ran report = run_strata({"report", path("out")});
  ASSERT_EQ(report.code, 0) << report.err;
  EXPECT_THAT(read_text(path("out/report/report.md")), HasSubstr("](gantt-2.svg)"));
  EXPECT_THAT(read_text(path("out/report/gantt-2.svg")), HasSubstr("communication core 31"));

  folder_.write("out/traces/point-1.paje", read_text(path("out/traces/point-1.paje")).substr(0, 5000));
  const Ran damaged = run_strata({"report", path("out")});
  EXPECT_EQ(damaged.code, 2);
  EXPECT_THAT(damaged.err, HasSubstr("point-1.paje:"));
}

// Recording does not change results. SMPI's ranks are those of the application, followed by their progress threads.
TEST_F(TimelineStudy, TracesChangeNoRecord) {
  ASSERT_EQ(run("with", 6, "--collective, ireduce, --bytes, 10000", "progress: [numa, bind]").code, 0);
  ASSERT_EQ(run_again("without", "traces=false").code, 0);
  EXPECT_EQ(read_text(path("with/records.jsonl")), read_text(path("without/records.jsonl")));
  EXPECT_EQ(read_text(path("with/output/point-1.out")), read_text(path("without/output/point-1.out")));
  EXPECT_FALSE(std::filesystem::exists(path("without/traces")));
  EventReader events(path("with/traces/point-1.events"));
  EXPECT_EQ(events.header().program, "nbc");
  EXPECT_EQ(events.header().machine, "knl-7210 (what if)");
  EXPECT_EQ(events.header().cores.size(), 12u);
  Event last;
  int sent = 0;
  while (events.next(last)) sent += last.kind == Event::Kind::kSend ? 1 : 0;
  EXPECT_GT(sent, 0);
  EXPECT_GT(last.time, 0);
}

// Section 6.3: with S levels on the application's cores, a reduce executes them in the call, before the computation,
// and a broadcast in the wait, after it. Progress threads execute the other levels in the meantime.
TEST_F(TimelineStudy, LowLevelsRunInTheCallOrInTheWait) {
  for (const bool reduce : {true, false}) {
    SCOPED_TRACE(reduce ? "ireduce" : "ibcast");
    const std::string name = reduce ? "ireduce" : "ibcast";
    const Ran ran = run(name, 58, "--collective, " + name + ", --bytes, 2000000", "steps: [0, 2], progress: [numa]");
    ASSERT_EQ(ran.code, 0) << ran.err;
    for (const int steps : {0, 2}) {
      const Shown s = shown(path(name + "/traces/point-" + std::to_string(steps / 2) + ".paje"));
      int communicating = 0;
      for (const Timeline::Core& core : s.timeline.cores) {
        const auto is = [&](const char* state) {
          return [&s, state](const Timeline::Interval& i) { return s.timeline.thread_states[i.state].name == state; };
        };
        const auto moves = [&](const Timeline::Interval& i) { return is_communication(s.timeline, i); };
        const Timeline::Phase communicates = when(s, core, false, moves),
                              computes = when(s, core, false, is("Computation"));
        if (communicates.from > communicates.to) continue;
        ++communicating;
        EXPECT_TRUE(reduce ? communicates.to <= computes.from : communicates.from >= computes.to) << core.name;
      }
      EXPECT_EQ(communicating, steps == 0 ? 0 : 58) << "each rank is an end of one of the 29 lowest messages";
      if (steps == 2) {
        EXPECT_GT(s.summary.overlapped, 0.9) << "the few messages that are left for the communication cores";
      }
    }
  }
}

}  // namespace
}  // namespace strata
