// SPDX-License-Identifier: LGPL-2.1-only
// From traces to Gantt charts: numbers known by hand, others compared with the state at each moment, the areas that are
// drawn, and the report.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <sstream>

#include "analysis/gantt.h"
#include "analysis/timeline_queries.h"
#include "analysis/timeline_summary.h"
#include "analysis/write_report.h"
#include "base/error.h"
#include "base/output_error.h"
#include "platforms/machine.h"
#include "records/paje.h"
#include "sim/plugin/thread_timeline.h"
#include "tests/analysis/small_study.h"

namespace strata::analysis {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

std::string slurp(const std::filesystem::path& file) {
  std::ifstream in(file, std::ios::binary);
  return std::string(std::istreambuf_iterator<char>(in), {});
}

class TimelineFolder : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string name = ::testing::TempDir() + "strata-timeline-test-XXXXXX";
    ASSERT_NE(::mkdtemp(name.data()), nullptr);
    folder_ = name;
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    std::ofstream(folder_ / name, std::ios::binary) << text;
    return folder_ / name;
  }
  Timeline read(const sim::Timeline& timeline) const {
    std::ostringstream out;
    write_paje(out, timeline.trace());
    return read_paje(write("trace.paje", out.str()));
  }

  std::filesystem::path folder_;
};

constexpr double kHop = 1e-3;  // s

// A chain of six ranks on eight cores, with no rank on cores 3 and 7, as in IJHPCA'19, Section 5: rank r receives from
// r - 1 (a copy at both ends, kHop). The ranks compute during the whole time.
sim::Timeline chain(const Machine& machine, const std::string& policy) {
  sim::Timeline timeline(machine);
  constexpr int kRanks = 6;
  const auto core = [](int r) { return r < 3 ? r : r + 1; };
  for (int r = 0; r < kRanks; ++r) {
    timeline.add(timeline.add_thread(core(r), r, false), Doing::kComputing, 10, 10 + (kRanks - 1) * kHop);
    timeline.add_phase("time", 10, 10 + (kRanks - 1) * kHop);
  }
  for (int r = 0; r < kRanks; ++r) {
    const int free = policy == "numa" ? (r < 3 ? 3 : 7) : (r % 2 == 0 ? 3 : 7);
    const int thread = timeline.add_thread(policy == "bind" ? core(r) : free, r, true);
    const double from = 10 + (r - 1) * kHop;
    if (r > 0) timeline.add(thread, Doing::kCopying, from, from + kHop);
    if (r + 1 < kRanks) timeline.add(thread, Doing::kCopying, from + kHop, from + 2 * kHop);
  }
  return timeline;
}

double share(const TimelineSummary::Cores& cores, const Timeline& timeline, const std::string& state) {
  return cores.shares[find_state(timeline.core_states, state)];
}

TEST_F(TimelineFolder, SummaryOfAChainByPolicy) {
  const Machine machine = machine_from_tree("numa:1 core:8 pu:1");
  const auto summary_of = [&](const std::string& policy, Timeline& t) {
    t = read(chain(machine, policy));
    const Timeline::Phase phase = find_phase(t, "time");
    EXPECT_EQ(phase.name, "time");
    EXPECT_NEAR(phase.to - phase.from, 5 * kHop, 1e-12);
    TimelineSummary s = summarize(t, phase.from, phase.to);
    EXPECT_NEAR(s.communication_s, 10 * kHop, 1e-12) << "each of five messages has two ends";
    return s;
  };
  Timeline t;
  const TimelineSummary bind = summary_of("bind", t);
  ASSERT_EQ(bind.cores.size(), 2u);
  EXPECT_EQ(bind.cores[0].kind, "application");
  EXPECT_EQ(bind.cores[0].count, 6);
  EXPECT_NEAR(share(bind.cores[0], t, "Both"), 10.0 / 30, 1e-12);
  EXPECT_NEAR(share(bind.cores[0], t, "Computation"), 20.0 / 30, 1e-12);
  EXPECT_EQ(bind.cores[1].kind, "free");
  EXPECT_EQ(bind.cores[1].count, 2);
  EXPECT_EQ(bind.overlapped, 0) << "on its own core nothing is overlapped";
  EXPECT_NEAR(bind.cores_at_once, 2, 1e-9);

  // Both ends of a message are on the same core, except for the message from rank 2 to rank 3.
  const TimelineSummary numa = summary_of("numa", t);
  EXPECT_EQ(numa.cores[1].kind, "communication");
  EXPECT_NEAR(share(numa.cores[0], t, "Computation"), 1, 1e-12);
  EXPECT_NEAR(share(numa.cores[1], t, "Communication"), 6.0 / 10, 1e-12);
  EXPECT_NEAR(numa.overlapped, 1, 1e-12);
  EXPECT_NEAR(numa.cores_at_once, 6.0 / 5, 1e-9);

  const TimelineSummary odd_even = summary_of("odd-even", t);
  EXPECT_NEAR(share(odd_even.cores[1], t, "Communication"), 1, 1e-12);
  EXPECT_NEAR(odd_even.overlapped, 1, 1e-12);
  EXPECT_NEAR(odd_even.cores_at_once, 2, 1e-9);
}

TEST_F(TimelineFolder, SummaryIsWhatTheMomentsSay) {
  const Machine machine = machine_from_tree("numa:1 core:5 pu:1");
  for (unsigned seed = 1; seed <= 30; ++seed) {
    SCOPED_TRACE(seed);
    std::mt19937 random(seed);
    const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
    sim::Timeline told(machine);
    for (int r = 0; r < 8; ++r) {
      const int thread = told.add_thread(r < 4 ? r : below(5), r % 4, r >= 4);
      for (int at = below(3); at < 40; at += below(4)) {
        const int length = 1 + below(5);
        told.add(thread, static_cast<Doing>(below(4)), at, at + length);
        at += length;
      }
    }
    const Timeline t = read(told);
    const int from = 7, to = 31;
    const auto at = [](const std::vector<Timeline::Interval>& intervals, double time) {
      for (const Timeline::Interval& i : intervals) {
        if (i.from <= time && time < i.to) return i.state;
      }
      return -1;
    };
    int moments = 0, communicating = 0, moving = 0, overlapped = 0;
    for (double time = from + 0.5; time < to; ++time) {
      int cores = 0;
      for (const Timeline::Core& core : t.cores) {
        const std::string& state = t.core_states[at(core.intervals, time)].name;
        cores += state == "Communication" || state == "Both" || state == "Application communication";
        for (const Timeline::Thread& p : core.threads) {
          const std::string& does = t.thread_states[at(p.intervals, time)].name;
          if (!p.progress || (does != "Copy" && does != "Combination")) continue;
          ++moving;
          for (const Timeline::Core& other : t.cores) {
            for (const Timeline::Thread& rank : other.threads) {
              overlapped += !rank.progress && rank.rank == p.rank && &other != &core &&
                            t.thread_states[at(rank.intervals, time)].name == "Computation";
            }
          }
        }
      }
      communicating += cores;
      moments += cores > 0;
    }
    const TimelineSummary s = summarize(t, from, to);
    EXPECT_NEAR(s.communication_s, moving, 1e-9);
    EXPECT_NEAR(s.overlapped * moving, overlapped, 1e-9);
    EXPECT_NEAR(s.cores_at_once * moments, communicating, 1e-9);
    for (const TimelineSummary::Cores& kind : s.cores) {
      double sum = 0;
      for (const double x : kind.shares) sum += x;
      EXPECT_NEAR(sum, 1, 1e-12) << kind.kind;
    }
  }
}

TEST_F(TimelineFolder, APhaseOrWhatIsNotIdle) {
  const Machine machine = machine_from_tree("numa:1 core:2 pu:1");
  sim::Timeline told(machine);
  told.add(told.add_thread(0, 0, false), Doing::kComputing, 3, 5);
  told.add(told.add_thread(1, 1, false), Doing::kWaiting, 4, 9);
  const Timeline::Phase busy = find_phase(read(told), "time");
  EXPECT_EQ(busy.name, "");
  EXPECT_EQ(busy.from, 3);
  EXPECT_EQ(busy.to, 9);
  told.add_phase("warm", 3, 4);
  told.add_phase("time", 4, 6);
  told.add_phase("time", 7, 9);
  const Timeline phases = read(told);
  EXPECT_THAT(phases.phases, ::testing::SizeIs(3));
  EXPECT_EQ(find_phase(phases, "time").to, phases.end);
}

TEST(GanttBars, WideIntervalsAreBarsAndThinOnesShareAPixel) {
  const std::vector<Timeline::Interval> intervals = {{0, 10, 0},  {10, 10.5, 1}, {10.5, 10.75, 0}, {10.75, 11, 1},
                                                     {11, 14, 1}, {14, 14.5, 2}, {14.5, 20, 0}};
  EXPECT_THAT(gantt_bars(intervals, 2, 18, 1),
              ElementsAre(GanttBar{2, 10, 0, 1, 0}, GanttBar{10, 11, 0, 0.25, 0}, GanttBar{10, 11, 0.25, 1, 1},
                          GanttBar{11, 14, 0, 1, 1}, GanttBar{14, 15, 0, 0.5, 0}, GanttBar{14, 15, 0.5, 1, 2},
                          GanttBar{15, 18, 0, 1, 0}));
}

TEST(GanttBars, AreaIsTime) {
  for (unsigned seed = 1; seed <= 50; ++seed) {
    std::mt19937 random(seed);
    std::exponential_distribution<double> length(seed % 2 == 0 ? 0.3 : 3);  // pixels: wide and narrow intervals
    std::vector<Timeline::Interval> intervals;
    for (double at = 0; at < 300;) {
      const double to = at + length(random);
      intervals.push_back({at, to, static_cast<int>(random() % 4)});
      at = to;
    }
    const double from = 20.3, to = 250.7;
    std::vector<double> time(4), area(4);
    for (const Timeline::Interval& i : intervals) {
      time[i.state] += std::max(0.0, std::min(i.to, to) - std::max(i.from, from));
    }
    const std::vector<GanttBar> bars = gantt_bars(intervals, from, to, 1);
    for (const GanttBar& b : bars) {
      EXPECT_GE(b.from, from);
      EXPECT_LE(b.to, to);
      EXPECT_LT(b.low, b.high);
      area[b.state] += (b.to - b.from) * (b.high - b.low);
    }
    for (int s = 0; s < 4; ++s) EXPECT_NEAR(area[s], time[s], 1e-9) << seed << " " << s;
    EXPECT_LE(bars.size(), 2 * 4 * (to - from)) << "however thin the intervals are";
  }
}

TEST_F(TimelineFolder, TheChartHasARowACoreAndNamesCommunicationCores) {
  const Timeline t = read(chain(machine_from_tree("numa:1 core:8 pu:1"), "odd-even"));
  const std::string script = gantt_script(t, {"Chain", 0, 5 * kHop, std::nullopt});
  EXPECT_THAT(script, HasSubstr("'core 0' 7.5,"));
  EXPECT_THAT(script, HasSubstr("'communication core 3' 4.5,"));
  EXPECT_THAT(script, HasSubstr("'communication core 7' 0.5)"));
  for (const Timeline::State& s : t.core_states) EXPECT_THAT(script, HasSubstr("'" + s.name + "'"));
  EXPECT_THAT(script, HasSubstr("'Chain'"));
  EXPECT_THAT(script, Not(HasSubstr("What the frame holds")));
  EXPECT_EQ(script, gantt_script(t, {"Chain", 0, 5 * kHop, std::nullopt}));
  // Core 3 communicates from 0 to 5 hops, without a gap.
  EXPECT_THAT(script, HasSubstr(" 0 0.005 4 "));

  const std::string zoomed = gantt_script(t, {"Chain", 0, 5 * kHop, GanttZoom{kHop, 2 * kHop, {2, 3, 6, 7}}});
  EXPECT_THAT(zoomed, HasSubstr("object 100 rect from 0.001,4 to 0.002,6 front"));
  EXPECT_THAT(zoomed, HasSubstr("object 101 rect from 0.001,0 to 0.002,2 front"));
  EXPECT_THAT(zoomed, HasSubstr("What the frame holds"));
}

TEST_F(TimelineFolder, ZoomShowsSomeMessagesInTheMiddle) {
  const Machine machine = machine_from_tree("numa:1 core:64 pu:1");
  sim::Timeline told(machine);
  for (int r = 0; r < 64; ++r) {
    const int thread = told.add_thread(r, r, false);
    told.add(thread, Doing::kCopying, r, r + 1);
    for (int i = 0; i < 9; ++i) told.add(thread, Doing::kCopying, 2e-3 * i, 2e-3 * i + 1e-3);  // too short to count
  }
  const Timeline t = read(told);
  const std::optional<GanttZoom> zoom = find_zoom(t, 0, 64);
  ASSERT_TRUE(zoom);
  EXPECT_EQ(zoom->from, 26.5);  // ten messages around rank 31's: the short ones make the first half a little longer
  EXPECT_EQ(zoom->to, 36.5);
  EXPECT_EQ(zoom->cores.front(), 25);
  EXPECT_EQ(zoom->cores.back(), 37);
  EXPECT_FALSE(find_zoom(t, 0, 12)) << "ten messages are most of these";
  EXPECT_FALSE(find_zoom(t, 64, 64)) << "no communication";
}

TEST_F(TimelineFolder, DrawsTheSameBytesTwice) {
  const Timeline t = read(chain(machine_from_tree("numa:1 core:8 pu:1"), "numa"));
  draw_gantt(folder_ / "trace.paje", folder_ / "a.svg", "time", "it's a <chain>");
  draw_gantt(folder_ / "trace.paje", folder_ / "b.svg", "time", "it's a <chain>");
  const std::string svg = slurp(folder_ / "a.svg");
  EXPECT_EQ(svg, slurp(folder_ / "b.svg"));
  EXPECT_THAT(svg, HasSubstr("it's a &lt;chain>"));
  EXPECT_THAT(svg, HasSubstr("communication core 3"));
  EXPECT_THROW(draw_gantt(t, folder_ / "none" / "a.svg", {"t", 0, 1e-3, std::nullopt}), OutputError);
}

TEST(GanttScript, RefusesMoreCoresThanAChartHasRoomFor) {
  Timeline t;
  t.core_states = {{"Idle", "#FFFFFF"}};
  t.cores.resize(kMostGanttCores + 1);
  EXPECT_THROW(gantt_script(t, {"t", 0, 1, std::nullopt}), OutputError);
}

TEST_F(TimelineFolder, TheReportHasAChartAndNumbersForEachTrace) {
  Results results = small_results();
  results.folder = folder_;
  const Machine machine = machine_from_tree("numa:1 core:8 pu:1");
  for (const auto& [point, policy] : {std::pair{1, "numa"}, {6, "bind"}}) {
    std::ostringstream out;
    write_paje(out, chain(machine, policy).trace());
    write("traces/point-" + std::to_string(point) + ".paje", out.str());
  }
  const ReportFiles files = write_report(results, {}, folder_ / "report");
  const std::string text = slurp(files.markdown);
  EXPECT_THAT(text,
              HasSubstr("### Broadcast a\\|b on toy\\_4x8: algorithm = linear, elements = 1, variant = hierarchical\n"
                        "\n![Broadcast a\\|b on toy\\_4x8: algorithm = linear, elements = 1, variant = "
                        "hierarchical](gantt-1.svg)\n\n"
                        "| cores | Idle | Waiting | Computation | Communication | Both | Application "
                        "communication |\n"
                        "| --- | ---: | ---: | ---: | ---: | ---: | ---: |\n"
                        "| 6 application | 0.0 % | 0.0 % | 100.0 % | 0.0 % | 0.0 % | 0.0 % |\n"
                        "| 2 communication | 40.0 % | 0.0 % | 0.0 % | 60.0 % | 0.0 % | 0.0 % |\n"
                        "\n5.000 ms of `traces/point-1.paje`, its phase time. Progress threads copied and combined for "
                        "10.00 ms in all; 100.0 % of it overlapped computation. While any core communicated, 1.20 "
                        "did so on average.\n"));
  EXPECT_THAT(text, HasSubstr("; 0.0 % of it overlapped computation. While any core communicated, 2.00 did"));
  EXPECT_THAT(slurp(folder_ / "report" / "gantt-6.svg"), HasSubstr("</svg>"));
  EXPECT_EQ(std::count(files.plots.begin(), files.plots.end(), folder_ / "report" / "gantt-6.svg"), 1);

  // A program without recorded states.
  sim::Timeline nothing(machine);
  nothing.add_thread(0, 0, false);
  std::ostringstream out;
  write_paje(out, nothing.trace());
  write("traces/point-1.paje", out.str());
  EXPECT_THAT(slurp(write_report(results, {}, folder_ / "report").markdown),
              HasSubstr("variant = hierarchical\n\nNot drawn: nothing is recorded of what this program does.\n\n###"));
  EXPECT_THROW(draw_gantt(folder_ / "traces/point-1.paje", folder_ / "a.svg", "time", "t"), OutputError);

  write("traces/point-1.paje", "damaged");
  EXPECT_THROW(write_report(results, {}, folder_ / "report"), InputError);
}

}  // namespace
}  // namespace strata::analysis
