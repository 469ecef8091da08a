// SPDX-License-Identifier: LGPL-2.1-only
// The recorder of traces, called by hand in the way that ranks do.
#include "records/trace/trace_recorder.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <string>
#include <vector>

#include "records/trace/trace_file.h"
#include "tests/process/process.h"

namespace strata {
namespace {

using Kind = TraceStep::Kind;

[[noreturn]] void give_up(const OutputError&) { std::abort(); }

TraceRecorder recorder(const std::string& file) {
  return TraceRecorder("app", "ideal", {"MPI_Send", "MPI_Recv"}, {0, 1}, file, give_up);
}

TEST(TraceRecorder, StepsHaveTheSpansOfTheirBuffers) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.mpitrace";
  TraceRecorder r = recorder(file);
  char requests[2] = {}, message = 0;
  r.send(0, &requests[0], 1, 0, 0, 8, 0, 64);
  r.sent(&requests[0], &message);
  r.receive(1, &requests[1], 0, 0, 0, 8, 0, 96);
  r.received_by(&requests[1], &message);
  r.write("");
  const Trace t = read_trace(file);
  EXPECT_EQ(t.ranks[0]->back(), (TraceStep{.kind = Kind::kSend, .peer = 1, .amount = 8, .moved = 64}));
  EXPECT_EQ(t.ranks[1]->back(), (TraceStep{.kind = Kind::kReceive, .peer = 1, .amount = 8, .moved = 96}));
}

TEST(TraceRecorder, CountsCollectivesByFunctionCommunicatorAndSize) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.mpitrace";
  TraceRecorder r = recorder(file);
  r.collective(1, {1, 0}, 8);
  r.collective(0, {0, 1}, 16);
  r.collective(1, {1, 0}, 8);
  r.collective(1, {1, 0}, 12);
  r.write("");
  const Trace t = read_trace(file);
  EXPECT_EQ(t.communicators, (std::vector<std::vector<int>>{{1, 0}, {0, 1}}));
  EXPECT_EQ(t.collectives,
            (std::vector<CollectiveCalls>{{"MPI_Send", 1, 16, 1}, {"MPI_Recv", 0, 8, 2}, {"MPI_Recv", 0, 12, 1}}));
}

TEST(TraceRecorder, ReceivesThatNothingComesForAreNotInTheTrace) {
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.mpitrace";
  TraceRecorder r = recorder(file);
  char requests[4] = {}, messages[4] = {};
  r.receive(0, &requests[0], 1, 0, 0, 8, 0);  // cancelled
  r.received_by(&requests[0], &messages[0]);
  r.receive(0, &requests[1], 1, 0, 0, 8, 0);
  r.received_by(&requests[1], &messages[1]);
  r.cancelled(&messages[0]);
  r.wait(0, &requests[0], 0);
  r.receive(0, &requests[2], 1, 0, 0, 8, 0);  // never sent
  r.send(1, &requests[3], 0, 0, 0, 8, 0);
  r.sent(&requests[3], &messages[1]);
  r.wait(0, &requests[1], 0);
  r.end(0, 1);
  r.end(1, 1);
  r.write("");
  const Trace back = read_trace(file);
  EXPECT_EQ(*back.ranks[0], (std::vector<TraceStep>{{.kind = Kind::kReceive, .peer = 1, .amount = 8},
                                                    {.kind = Kind::kWait, .number = 1}}));
  EXPECT_EQ(*back.ranks[1], (std::vector<TraceStep>{{.kind = Kind::kSend, .peer = 1, .amount = 8}}));
}

// Every message has a different size, so there are no loops to fold.
TEST(TraceRecorder, MemoryIsBoundedWithoutLoops) {
  constexpr int kMessages = 700'000;
  constexpr std::size_t kMost = TraceRecorder::kMostKept / 2 + 1;
  const TemporaryFolder folder;
  const std::string file = folder.path() / "a.mpitrace";
  TraceRecorder r = recorder(file);
  char sending = 0, receiving = 0, message = 0;
  std::size_t most = 0;
  const auto bytes_of = [](int i) { return static_cast<double>(i) * 7919; };
  for (int i = 0; i < kMessages; ++i) {
    r.send(0, &sending, 1, 0, 0, bytes_of(i), 0);
    r.sent(&sending, &message);
    r.wait(0, &sending, 0);
    r.receive(1, &receiving, 0, 0, 0, bytes_of(i), 0);
    r.received_by(&receiving, &message);
    r.wait(1, &receiving, 0);
    most = std::max({most, r.steps_in_memory(0), r.steps_in_memory(1)});
  }
  EXPECT_LE(most, kMost) << "steps in memory";
  EXPECT_GT(most, kMost / 2);
  r.end(0, 1);
  r.end(1, 1);
  r.write("");
  const Trace back = read_trace(file);
  for (const auto& [rank, kind] : {std::pair<std::size_t, Kind>{0, Kind::kSend}, {1, Kind::kReceive}}) {
    const std::vector<TraceStep>& steps = *back.ranks[rank];
    ASSERT_EQ(steps.size(), std::size_t{2} * kMessages);
    for (int i = 0; i < kMessages; ++i) {
      const TraceStep message_step{.kind = kind, .peer = 1, .amount = bytes_of(i)};
      ASSERT_EQ(steps[static_cast<std::size_t>(2 * i)], message_step) << i;
      ASSERT_EQ(steps[static_cast<std::size_t>(2 * i + 1)], (TraceStep{.kind = Kind::kWait, .number = 1})) << i;
    }
  }
}

}  // namespace
}  // namespace strata
