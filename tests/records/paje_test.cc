// SPDX-License-Identifier: LGPL-2.1-only
// Paje traces: the exact text of a small trace, random traces written and read back, and damaged traces refused with
// file and line. tests/sim/plugin/timeline_test.cc reads written traces with pj_dump.
#include "records/paje.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <sstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "tests/command/strata_process.h"

namespace strata {
namespace {

using ::testing::EndsWith;
using ::testing::HasSubstr;

std::string text_of(const PajeTrace& trace) {
  std::ostringstream out;
  write_paje(out, trace);
  return out.str();
}

// Two cores of node 1: one with a rank that computes, then waits, and one with the progress thread of another rank.
PajeTrace small() {
  const std::vector<PajeTrace::Interval> computes = {{0, 0.25, kThreadComputes}, {0.25, 1, kThreadWaits}};
  const std::vector<PajeTrace::Interval> copies = {{0, 0.5, kThreadIdle}, {0.5, 0.75, kThreadCopies}, {0.75, 1, 0}};
  return {
      .machine = "m",
      .core_states = paje_core_states(),
      .thread_states = paje_thread_states(),
      .cores =
          {{2,
            1,
            "node1.core0",
            {{0, 0.25, kCoreComputes}, {0.25, 0.5, kCoreWaits}, {0.5, 0.75, kCoreCommunicates}, {0.75, 1, kCoreWaits}},
            {{0, 0, false, computes}, {3, 1, true, copies}}},
           {3, 1, "node1.core1", {{0, 1, kCoreIdle}}, {}}},
      .phases = {{"warm", 0, 0.25}, {"time", 0.5, 1}},
      .end = 1};
}

TEST(Paje, IsThisText) {
  const std::string text = text_of(small());
  EXPECT_THAT(text, ::testing::StartsWith("%EventDef PajeDefineContainerType 0\n%  Alias string\n"));
  EXPECT_THAT(text, EndsWith(R"(0 M 0 Machine
0 N M Node
0 c N Core
0 t c Thread
1 Ms M Phase
1 cs c "Core state"
1 ts t "Thread state"
2 Mv0 Ms "No phase" "0.97 0.89 0.73"
2 Mv1 Ms "warm" "0 0.62 0.45"
2 Mv2 Ms "time" "0 0.62 0.45"
2 cv0 cs "Idle" "0.97 0.89 0.73"
2 cv1 cs "Waiting" "0.84 0.37 0"
2 cv2 cs "Computation" "0 0.62 0.45"
2 cv3 cs "Communication" "0 0.45 0.70"
2 cv4 cs "Both" "0.80 0.47 0.65"
2 cv5 cs "Application communication" "0.34 0.71 0.91"
2 tv0 ts "Idle" "0.97 0.89 0.73"
2 tv1 ts "Waiting" "0.84 0.37 0"
2 tv2 ts "Computation" "0 0.62 0.45"
2 tv3 ts "Copy" "0 0.45 0.70"
2 tv4 ts "Combination" "0.34 0.71 0.91"
3 0.000000000000 M0 M 0 "m"
3 0.000000000000 N1 N M0 "node1"
3 0.000000000000 c2 c N1 "node1.core0"
3 0.000000000000 t0 t c2 "rank 0"
3 0.000000000000 t3 t c2 "progress thread of 1"
3 0.000000000000 c3 c N1 "node1.core1"
5 0.000000000000 Ms M0 Mv1
5 0.000000000000 cs c2 cv2
5 0.000000000000 cs c3 cv0
5 0.000000000000 ts t0 tv2
5 0.000000000000 ts t3 tv0
5 0.250000000000 Ms M0 Mv0
5 0.250000000000 cs c2 cv1
5 0.250000000000 ts t0 tv1
5 0.500000000000 Ms M0 Mv2
5 0.500000000000 cs c2 cv3
5 0.500000000000 ts t3 tv3
5 0.750000000000 cs c2 cv1
5 0.750000000000 ts t3 tv0
4 1.000000000000 c c3
4 1.000000000000 t t3
4 1.000000000000 t t0
4 1.000000000000 c c2
4 1.000000000000 N N1
4 1.000000000000 M M0
)"));
}

// Intervals of random states that fill [0, end]; neighbours differ, because a place only writes changes of its state.
// Times are multiples of 1/1024 s, which twelve decimals represent exactly.
std::vector<PajeTrace::Interval> random_intervals(std::mt19937_64& random, long end, std::size_t states) {
  std::vector<PajeTrace::Interval> intervals;
  int last = -1;
  for (long at = 0; at < end;) {
    const long to = std::min(end, at + 1 + static_cast<long>(random() % 300));
    const int state = (last + 1 + static_cast<int>(random() % (states - 1))) % static_cast<int>(states);
    intervals.push_back({static_cast<double>(at) / 1024, static_cast<double>(to) / 1024, state});
    last = state;
    at = to;
  }
  return intervals;
}

PajeTrace random_trace(std::mt19937_64& random) {
  const auto below = [&](unsigned n) { return static_cast<int>(random() % n); };
  PajeTrace trace{.machine = "machine " + std::to_string(below(100)),
                  .core_states = paje_core_states(),
                  .thread_states = paje_thread_states(),
                  .cores = {},
                  .phases = {}};
  const long end = below(4) == 0 ? 0 : 1 + below(5000);
  trace.end = static_cast<double>(end) / 1024;
  int thread = 0, core = 0;
  for (int node = below(3), nodes = node + 1 + below(3); node < nodes; ++node) {
    core += below(4);
    for (int cores = 1 + below(3); cores > 0; --cores, ++core) {
      trace.cores.push_back({core,
                             node,
                             "node" + std::to_string(node) + ".core" + std::to_string(core),
                             random_intervals(random, end, trace.core_states.size()),
                             {}});
      for (int threads = below(3); threads > 0; --threads, thread += 1 + below(3)) {
        trace.cores.back().threads.push_back(
            {thread, below(1000), below(2) == 0, random_intervals(random, end, trace.thread_states.size())});
      }
    }
  }
  for (long at = below(3) * 100; at < end;) {
    const long to = std::min(end, at + 1 + below(1000));
    trace.phases.push_back(
        {below(2) == 0 ? "time" : "another phase", static_cast<double>(at) / 1024, static_cast<double>(to) / 1024});
    at = to + 1 + below(50);
  }
  return trace;
}

TEST(Paje, IsReadBack) {
  const TemporaryFolder folder;
  const std::uint64_t first = std::random_device{}();
  for (std::uint64_t seed = first; seed < first + 300; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const PajeTrace trace = random_trace(random);
    const PajeTrace back = read_paje(folder.write("trace", text_of(trace)));
    EXPECT_EQ(back.machine, trace.machine);
    EXPECT_EQ(back.phases, trace.phases);
    EXPECT_EQ(back.end, trace.end);
    EXPECT_TRUE(back == trace);
    EXPECT_EQ(text_of(back), text_of(trace));
  }
}

TEST(Paje, QuotesInNamesBecomeApostrophes) {
  const TemporaryFolder folder;
  PajeTrace trace = small();
  trace.machine = "a \"b\"\n";
  trace.phases.front().name = "say \"x\"";
  const PajeTrace back = read_paje(folder.write("trace", text_of(trace)));
  EXPECT_EQ(back.machine, "a 'b''");
  EXPECT_EQ(back.phases.front().name, "say 'x'");
}

TEST(Paje, DamagedTracesAreRefusedWithFileAndLine) {
  const TemporaryFolder folder;
  const std::string whole = text_of(small());
  const auto error_of = [&](const std::string& text) -> std::string {
    try {
      read_paje(folder.write("damaged", text));
    } catch (const InputError& e) {
      const std::string error = e.what();
      const std::string file = "/damaged:";
      EXPECT_THAT(error, HasSubstr(file));
      return error.substr(error.find(file) + file.size());
    }
    return "";
  };
  const auto changed = [&](const std::string& from, const std::string& to) {
    std::string text = whole;
    const size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
  };
  EXPECT_EQ(error_of(whole), "");
  EXPECT_THAT(error_of(""), HasSubstr("is empty"));
  EXPECT_THAT(error_of("hello world\n"), HasSubstr("1: begins with no event that is defined above"));
  EXPECT_THAT(error_of(changed("PajeSetState", "PajeNewEvent")),
              HasSubstr("no timeline of a simulation has an event 'PajeNewEvent'"));
  EXPECT_THAT(error_of(changed("5 0.000000000000 cs c2 cv2", "5 0.000000000000 cs c2")),
              HasSubstr(": PajeSetState has 5 words, not 4"));
  EXPECT_THAT(error_of(changed("cs c2 cv2", "cs c2 cv9")), HasSubstr(": no value 'cv9' of its type is defined above"));
  EXPECT_THAT(error_of(changed("cs c2 cv2", "cs c2 tv2")), HasSubstr(": no value 'tv2' of its type is defined above"));
  EXPECT_THAT(error_of(changed("cs c2 cv2", "ts c2 tv2")), HasSubstr(": a Core has no such state"));
  EXPECT_THAT(error_of(changed("cs c2 cv2", "cs c9 cv2")), HasSubstr(": container 'c9' does not exist here"));
  EXPECT_THAT(error_of(changed("\"rank 0\"", "\"rank\"")), HasSubstr("'rank' is neither a rank nor a progress thread"));
  EXPECT_THAT(error_of(changed("\"rank 0\"", "\"rank 0")), HasSubstr(": a quote that does not end"));
  EXPECT_THAT(error_of(changed("0 0.45 0.70", "0 0.45")), HasSubstr("'0 0.45' is not a colour"));
  EXPECT_THAT(error_of(changed("N1 N M0", "Nx N M0")), HasSubstr(": container 'N1' does not exist here"));
  EXPECT_THAT(error_of(changed("c2 c N1", "cx c N1")), HasSubstr(": 'x' is not a number"));
  EXPECT_THAT(error_of(changed("c2 c N1", "\"\" c N1")), HasSubstr(": '' is not a number"));
  EXPECT_THAT(error_of(changed("c2 c N1", "c2 c M0")), HasSubstr(": a core that is on no node"));
  EXPECT_THAT(error_of(changed("t3 t c2", "t3 t N1")), HasSubstr(": a thread that is on no core"));
  EXPECT_THAT(error_of(changed("t3 t c2", "t0 t c2")), HasSubstr(": a second container 't0'"));
  EXPECT_THAT(error_of(changed("2 tv4", "2 tv3")), HasSubstr(": a second value 'tv3'"));
  EXPECT_THAT(error_of(changed("5 0.500000000000 Ms", "5 0.200000000000 Ms")),
              HasSubstr(": time goes back, from 0.25"));
  EXPECT_THAT(error_of(changed("5 0.500000000000 Ms", "5 nan Ms")), HasSubstr(": time goes back"));
  EXPECT_THAT(error_of(changed("5 0.500000000000 Ms", "5 0.50x Ms")), HasSubstr(": '0.50x' is not a number"));
  EXPECT_THAT(error_of(whole.substr(0, whole.rfind("4 "))), HasSubstr("ends before M0 is destroyed"));
  // The file cut at any place.
  for (size_t end = 1; end + 1 < whole.size(); end += 7) EXPECT_NE(error_of(whole.substr(0, end)), "") << end;
  EXPECT_THROW(read_paje(folder.path() / "none"), InputError);
  EXPECT_THROW(read_paje(folder.path()), InputError);
}

// Whichever bytes change, the trace is read or refused.
TEST(Paje, ChangedBytesAreReadOrRefused) {
  const TemporaryFolder folder;
  const std::string whole = text_of(small());
  const std::uint64_t first = std::random_device{}();
  for (std::uint64_t seed = first; seed < first + 500; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    std::string text = whole;
    for (std::uint64_t n = 1 + random() % 4; n > 0; --n) {
      text[random() % text.size()] =
          static_cast<char>(random() % 4 == 0 ? random() % 256 : whole[random() % whole.size()]);
    }
    try {
      read_paje(folder.write("changed", text));
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr("/changed:"));
    }
  }
}

}  // namespace
}  // namespace strata
