// SPDX-License-Identifier: LGPL-2.1-only
// The events and the traffic of a replay. The critical path that analysis/ finds in the events is that of the records;
// the times of the ranks add up; the traffic has the messages and bytes that were sent.
#include "replay/replayed_events.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>

#include "analysis/time_report.h"
#include "platforms/machine.h"
#include "replay/engine.h"
#include "replay/replayed_path.h"
#include "tests/process/process.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

const Machine& machine() {
  static const Machine m = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  return m;
}

double of(const CriticalPath& path, PathKind kind) { return path.whole.seconds(kind); }

class Seeds : public ::testing::TestWithParam<unsigned> {};

TEST_P(Seeds, EventsAndTrafficAreThoseOfTheRecords) {
  RandomProgram random(GetParam());
  const Trace trace = random.make(6, 60, 1e-5 * machine().core_speed.si, true);
  History history;
  Traffic traffic;
  const Replayed run = replay(trace, machine(), trace.cores, {.history = &history, .traffic = &traffic});
  const EventStore events = EventStore::in_memory();
  const Profile profile = write_events(history, {"app", machine().name, {"MPI_Wait"}, trace.cores}, events);
  EXPECT_EQ(profile.simulated_time, run.simulated_time);
  ASSERT_EQ(profile.ranks.size(), run.ended.size());
  for (std::size_t r = 0; r < run.ended.size(); ++r) EXPECT_EQ(profile.ranks[r].end, run.ended[r]);

  const analysis::TimeReport report = analysis::time_report(events, &machine());
  const CriticalPath path = critical_path(critical_steps(history), history, machine(), trace.cores);
  std::printf("seed %u: %.6g s, %ld messages on the path\n", GetParam(), path.seconds,
              static_cast<long>(path.whole.messages));
  EXPECT_EQ(report.path.seconds, path.seconds);
  EXPECT_EQ(report.path.last_rank, path.last_rank);

  long messages = 0;
  double bytes = 0;
  for (const LevelMessages& l : traffic.levels()) {
    messages += static_cast<long>(l.messages);
    bytes += static_cast<double>(l.bytes);
  }
  EXPECT_EQ(messages, run.messages);
  EXPECT_EQ(bytes, run.bytes);
}

INSTANTIATE_TEST_SUITE_P(Random, Seeds, ::testing::Range(1U, 9U));

// Rank 1 waits in a function for the message of rank 0. No two events happen at the same time.
TEST(ReplayedEvents, ThePathIsThatOfTheRecords) {
  const double second = machine().core_speed.si, size = 1 << 20;
  const TraceStep function = call(0), own = call(-1);
  const Trace trace = trace_of({{flops(second), function, send(1, size, TraceStep::kImmediate), wait(1)},
                                {function, receive(1, size), wait(1), own, flops(second / 2)}});
  History history;
  replay(trace, machine(), trace.cores, {.history = &history});
  const EventStore events = EventStore::in_memory();
  const Profile profile = write_events(history, {"app", machine().name, {"MPI_Wait"}, trace.cores}, events);
  const analysis::TimeReport report = analysis::time_report(events, &machine());
  const CriticalPath path = critical_path(critical_steps(history), history, machine(), trace.cores);
  const auto there = [&](PathKind kind) { return report.path.whole.seconds(kind); };
  EXPECT_EQ(report.path.seconds, path.seconds);
  EXPECT_NEAR(there(PathKind::kComputing), of(path, PathKind::kComputing), 1e-9);
  EXPECT_NEAR(there(PathKind::kMpi), of(path, PathKind::kOverhead), 1e-12);
  EXPECT_NEAR(there(PathKind::kLatency), of(path, PathKind::kLatency), 1e-12);
  EXPECT_NEAR(there(PathKind::kTransfer), of(path, PathKind::kTransfer), 1e-12);
  EXPECT_NEAR(profile.ranks[0].computing, 1, 1e-9);
  EXPECT_NEAR(profile.ranks[1].computing, 0.5, 1e-9);
  EXPECT_NEAR(profile.ranks[1].waiting, 1 + of(path, PathKind::kOverhead), 1e-9);
  ASSERT_EQ(profile.calls.size(), 1);
  EXPECT_EQ(profile.calls[0].count, 2);
}

}  // namespace
}  // namespace strata::replay
