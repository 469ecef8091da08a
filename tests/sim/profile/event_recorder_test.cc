// SPDX-License-Identifier: LGPL-2.1-only
// The recorder of events: which ones it holds back or leaves out, and how it numbers messages.
#include "records/event_recorder.h"

#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <string>
#include <vector>

#include "sim/profile/last_comers.h"
#include "sim/profile/message_log.h"
#include "tests/process/process.h"
#include "tests/sim/profile/event_text.h"

namespace strata::sim {
namespace {

using Lines = std::vector<std::string>;

constexpr int kSend = 0, kReceive = 1;
constexpr double kNs = 1e-9;  // s

class Recorder : public ::testing::Test {
 protected:
  EventRecorder recorder(bool hold_enters = false) const {
    return {file_, {"app", "two", {"MPI_Send", "MPI_Recv"}, {0, 1, 2}}, hold_enters, [](const OutputError&) {
              std::abort();
            }};
  }
  Lines lines() const { return event_lines(file_); }

  TemporaryFolder folder_;
  const std::filesystem::path file_ = folder_.path() / "run.events";
};

TEST_F(Recorder, BlocksOfNoLengthAreLeftOut) {
  EventRecorder r = recorder();
  r.enter(0, kReceive, 1 * kNs);
  r.block(0, 1 * kNs);
  r.enter(1, kSend, 1 * kNs);
  r.block(1, 1 * kNs);
  r.unblock(1, {}, 1 * kNs, 1 * kNs);
  r.leave(1, 1 * kNs);
  r.enter(1, kReceive, 2 * kNs);
  r.block(1, 2 * kNs);
  r.block(1, 2 * kNs);
  r.unblock(0, {}, 3 * kNs, 3 * kNs);
  r.unblock(0, {}, 3 * kNs, 3 * kNs);
  r.leave(0, 3 * kNs);
  r.unblock(1, {0, 2}, 3 * kNs, 4 * kNs);
  r.leave(1, 4 * kNs);
  r.finish(5 * kNs);
  EXPECT_EQ(lines(), (Lines{"1 enter 0 MPI_Recv", "1 enter 1 MPI_Send", "1 leave 1", "1 block 0", "2 enter 1 MPI_Recv",
                            "2 block 1", "3 unblock 0 began 3", "3 leave 0", "4 unblock 1 last 2 began 3", "4 leave 1",
                            "5 end"}));
}

TEST_F(Recorder, ABlockWithinABlockEndsIt) {
  EventRecorder r = recorder();
  r.enter(0, kReceive, 1 * kNs);
  r.block(0, 1 * kNs);
  r.block(0, 2 * kNs);  // the cause of the first is unknown
  r.unblock(0, {}, 3 * kNs, 3 * kNs);
  r.leave(0, 3 * kNs);
  r.finish(3 * kNs);
  EXPECT_EQ(lines(), (Lines{"1 enter 0 MPI_Recv", "1 block 0", "2 unblock 0 began 1", "2 block 0",
                            "3 unblock 0 began 3", "3 leave 0", "3 end"}));
}

TEST_F(Recorder, MeasuredComputationIsBeforeTheFunction) {
  EventRecorder r = recorder(/*hold_enters=*/true);
  r.enter(0, kSend, 1 * kNs);
  r.enter(1, kReceive, 2 * kNs);
  r.begin(1, 2 * kNs);
  r.begin(0, 5 * kNs);  // 4 ns of computation
  r.begin(0, 6 * kNs);
  r.leave(0, 7 * kNs);
  r.leave(1, 7 * kNs);
  r.enter(0, kSend, 8 * kNs);  // takes no time
  r.leave(0, 8 * kNs);
  r.finish(9 * kNs);
  EXPECT_EQ(lines(), (Lines{"2 enter 1 MPI_Recv", "5 enter 0 MPI_Send", "7 leave 0", "7 leave 1", "8 enter 0 MPI_Send",
                            "8 leave 0", "9 end"}));
}

TEST_F(Recorder, PhasesAreWithinOneAnother) {
  EventRecorder r = recorder();
  r.end_phase(0, "none", 0);
  r.begin_phase(0, "a", 1 * kNs);
  r.begin_phase(0, "b", 2 * kNs);
  r.begin_phase(1, "a", 2 * kNs);
  r.begin_phase(0, "c", 3 * kNs);
  r.end_phase(0, "a", 4 * kNs);
  r.end_phase(0, "c", 5 * kNs);
  r.end_rank(0, 6 * kNs);
  r.finish(7 * kNs);
  EXPECT_EQ(lines(), (Lines{"1 begin 0 a", "2 begin 0 b", "2 begin 1 a", "3 begin 0 c", "4 end 0", "4 end 0", "4 end 0",
                            "4 begin 0 b", "4 begin 0 c", "5 end 0", "6 end 0", "6 ended 0", "7 end 1", "7 end"}));
}

TEST_F(Recorder, NothingFollowsTheEnd) {
  EventRecorder r = recorder();
  r.finish(1 * kNs);
  r.enter(0, kSend, 2 * kNs);
  r.block(0, 2 * kNs);
  r.unblock(0, {}, 3 * kNs, 3 * kNs);
  r.finish(4 * kNs);
  EXPECT_EQ(lines(), Lines{"1 end"});
}

TEST_F(Recorder, AnAbandonedFileNeverBecomesWhole) {
  EventRecorder r = recorder();
  r.enter(0, kSend, 1 * kNs);
  r.abandon();
  r.finish(2 * kNs);
  EXPECT_THROW(lines(), std::runtime_error);
}

constexpr std::array<int, 3> objects = {};
const void* const kFirst = &objects[0];
const void* const kSecond = &objects[1];

TEST_F(Recorder, AMessageArrivesWhenItIsThereAndAwaited) {
  EventRecorder r = recorder();
  MessageLog log(r);
  log.posted(kFirst, false, -1, 1 * kNs);  // posted before it is sent
  log.sent(kFirst, 0, 1, 7, 84, /*eager=*/true, 2 * kNs);
  log.sent(kSecond, 1, 2, 8, 10, /*eager=*/false, 3 * kNs);  // sent before it is posted
  EXPECT_EQ(log.number(kFirst), 1);
  log.complete(kFirst, 2 * kNs, 4 * kNs);
  log.complete(kFirst, 2 * kNs, 5 * kNs);  // for a rank that asks later
  log.posted(kSecond, false, 6 * kNs, 6 * kNs);
  log.complete(kSecond, 6 * kNs, 7 * kNs);
  log.released(kFirst);
  EXPECT_EQ(log.number(kFirst), 0);
  log.released(kSecond);
  EXPECT_EQ(log.number(kSecond), 2) << "the other side still has it";
  log.released(kSecond);
  EXPECT_EQ(log.number(kSecond), 0);
  r.finish(8 * kNs);
  EXPECT_EQ(lines(), (Lines{"2 send #1 0->1 tag 7 84 B", "3 send #2 1->2 tag 8 10 B", "4 arrive #1 posted 1 began 2",
                            "7 arrive #2 posted 6 began 6", "8 end"}));
}

TEST_F(Recorder, AMessageThatIsThereArrivesWhenItIsAwaited) {
  EventRecorder r = recorder();
  MessageLog log(r);
  log.sent(kFirst, 0, 1, 0, 1, /*eager=*/true, 1 * kNs);
  log.complete(kFirst, 1 * kNs, 2 * kNs);
  log.posted(kFirst, true, 1 * kNs, 5 * kNs);
  r.finish(6 * kNs);
  EXPECT_EQ(lines(), (Lines{"1 send #1 0->1 tag 0 1 B", "5 arrive #1 posted 5 began 1", "6 end"}));
}

TEST_F(Recorder, MemoryIsUsedAgainForAnotherMessage) {
  EventRecorder r = recorder();
  MessageLog log(r);
  log.sent(kFirst, 0, 1, 0, 1, /*eager=*/false, 1 * kNs);
  log.posted(kFirst, false, 1 * kNs, 1 * kNs);
  log.complete(kFirst, 1 * kNs, 2 * kNs);
  log.posted(kFirst, false, -1, 3 * kNs);  // another message: the requests of the first were freed
  EXPECT_EQ(log.number(kFirst), 0);
  log.cancelled(kFirst);
  log.sent(kFirst, 2, 1, 0, 1, /*eager=*/true, 4 * kNs);
  EXPECT_EQ(log.number(kFirst), 2);
  log.complete(kFirst, 4 * kNs, 5 * kNs);  // no receive: the earlier one was cancelled
  r.finish(6 * kNs);
  EXPECT_EQ(lines(),
            (Lines{"1 send #1 0->1 tag 0 1 B", "2 arrive #1 posted 1 began 1", "4 send #2 2->1 tag 0 1 B", "6 end"}));
}

TEST(LastComers, OfABarrier) {
  Barriers barriers;
  for (const int rank : {0, 2, 1}) EXPECT_EQ(barriers.come(kFirst, rank), 0);
  EXPECT_EQ(barriers.come(kSecond, 5), 0);
  EXPECT_EQ(barriers.last(kFirst, 0), 1);
  EXPECT_EQ(barriers.come(kFirst, 0), 1) << "again before the others have gone on";
  EXPECT_EQ(barriers.last(kFirst, 0), 1);
  EXPECT_EQ(barriers.last(kFirst, 0), 1);
  EXPECT_EQ(barriers.come(kFirst, 2), 1);
  EXPECT_EQ(barriers.last(kFirst, 1), 2);
}

TEST(LastComers, OfAMutex) {
  Mutexes mutexes;
  EXPECT_EQ(mutexes.take(kFirst, 3), -1);
  EXPECT_EQ(mutexes.take(kFirst, 4), 3);
  EXPECT_EQ(mutexes.take(kSecond, 1), -1);
  EXPECT_EQ(mutexes.take(kFirst, 3), 4);
}

}  // namespace
}  // namespace strata::sim
