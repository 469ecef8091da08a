// SPDX-License-Identifier: LGPL-2.1-only
// The records of a replay, one by one, and the slack of its messages, worked out from the figures of small_machine.h.
#include "replay/history.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "replay/slack.h"
#include "tests/replay/small_machine.h"
#include "tests/replay/steps.h"

namespace strata::replay {
namespace {

using What = History::What;
using ::testing::DoubleNear;
using ::testing::ElementsAre;

// "block 2 m0 0.0": its kind, rank, message, and time in us.
std::vector<std::string> texts_of(const History& history) {
  std::vector<std::string> all;
  for (const History::Record& r : history.records()) {
    const char* const what = r.what == What::kBegin     ? "begin"
                             : r.what == What::kWork    ? "work"
                             : r.what == What::kSend    ? "send"
                             : r.what == What::kReceive ? "receive"
                             : r.what == What::kArrive  ? "arrive"
                             : r.what == What::kBlock   ? "block"
                             : r.what == What::kWait    ? "wait"
                             : r.what == What::kCome    ? "come"
                             : r.what == What::kMeet    ? "meet"
                             : r.what == What::kProbe   ? "probe"
                             : r.what == What::kEnd     ? "end"
                                                        : "other";
    std::string text = what;
    if (r.rank >= 0) text += fmt::format(" {}", r.rank);
    if (r.message >= 0) text += fmt::format(" m{}", r.message);
    all.push_back(text + fmt::format(" {:.1f}", r.at / kMicrosecond));
  }
  return all;
}

TEST(HistoryRecords, AComputationAndAMessage) {
  const Trace t = trace_of({{flops(5000), send(2, 84), wait(1)}, {}, {receive(2, 84), wait(1)}, {}});
  History history;
  replay(t, small_machine(), t.cores, {.history = &history});
  // Rank 0 computes for 5 us and spends the overhead until 7 us.
  EXPECT_THAT(texts_of(history),
              ElementsAre("begin 0 0.0", "end 1 0.0", "end 3 0.0", "receive 2 m0 0.0", "block 2 m0 0.0", "work 0 5.0",
                          "begin 0 5.0", "work 0 7.0", "send 0 m0 7.0", "end 0 7.0", "arrive m0 15.1", "wait 2 m0 15.1",
                          "end 2 15.1"));
  ASSERT_EQ(history.messages().size(), 1u);
  const History::Message& m = history.messages()[0];
  EXPECT_EQ(m.from, 0);
  EXPECT_EQ(m.to, 2);
  EXPECT_TRUE(m.eager);
  EXPECT_EQ(m.bytes, 84);
  EXPECT_NEAR(m.sent, 7e-6, 1e-11);
  EXPECT_EQ(m.posted, 0);
  EXPECT_NEAR(m.began, 7e-6, 1e-11);
  EXPECT_NEAR(m.arrived, 15.1e-6, 1e-11);
  EXPECT_NEAR(history.end(), 15.1e-6, 1e-11);
}

TEST(HistoryRecords, ALongMessageBeginsWhenItsReceiverComes) {
  const Trace t = trace_of({{send(2, 1984), wait(1)}, {}, {sleep(4e-6), receive(2, 1984), wait(1)}, {}});
  History history;
  replay(t, small_machine(), t.cores, {.history = &history});
  const History::Message& m = history.messages().at(0);
  EXPECT_FALSE(m.eager);
  EXPECT_EQ(m.sent, 0);
  EXPECT_NEAR(m.posted, 4e-6, 1e-11);
  EXPECT_NEAR(m.began, 4e-6, 1e-11);
  EXPECT_NEAR(m.arrived, 14e-6, 1e-11);
}

TEST(Slack, OfTheMessageThatArrivesFirst) {
  // Rank 0 waits for rank 1's message, which arrives at 1.025 us, and for rank 2's, which arrives at 15.1 us.
  const Trace t = trace_of({{receive(1, 84),
                             receive(2, 84),
                             {.kind = TraceStep::Kind::kWait, .modes = TraceStep::kMore, .number = 2},
                             wait(1)},
                            {send(3, 84), wait(1)},
                            {sleep(5e-6), send(2, 84), wait(1)},
                            {}});
  History history;
  replay(t, small_machine(), t.cores, {.history = &history});
  std::vector<double> slack = slack_of_messages(history);
  for (double& s : slack) s /= kMicrosecond;
  ASSERT_EQ(slack.size(), 2u);
  const bool first_of_rank_1 = history.messages()[0].from == 1;
  EXPECT_NEAR(slack[first_of_rank_1 ? 0 : 1], 15.1 - 1.025, 1e-5);
  EXPECT_NEAR(slack[first_of_rank_1 ? 1 : 0], 0, 1e-5);
}

TEST(Slack, OfAMessageForWhichNoRankWaits) {
  const Trace t = trace_of({{send(2, 84), wait(1)}, {}, {receive(2, 84), sleep(1e-6)}, {}});
  History history;
  replay(t, small_machine(), t.cores, {.history = &history});
  EXPECT_THAT(slack_of_messages(history), ElementsAre(History::kNever));
}

}  // namespace
}  // namespace strata::replay
