// SPDX-License-Identifier: LGPL-2.1-only
// GOAL files and SMPI's actions: what the readers return, the order of a rank's operations, what is refused, and that a
// trace that is written as GOAL is read back unchanged.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <random>
#include <sstream>

#include "platforms/machine.h"
#include "records/foreign/actions.h"
#include "records/foreign/actions_writer.h"
#include "records/foreign/goal.h"
#include "records/foreign/goal_trace.h"
#include "records/foreign/goal_writer.h"
#include "records/trace/fold.h"
#include "replay/engine.h"
#include "tests/error_of.h"
#include "tests/process/process.h"

namespace strata {
namespace {

namespace fs = std::filesystem;
using Kind = TraceStep::Kind;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const fs::path kSamples = "tests/records/foreign";

const Machine& machine() {
  static const Machine m = load_machine(built("platforms/data/blue-waters/machine.yaml"));
  return m;
}

// "S+1:8": MPI_Isend of 8 B to the next rank; "s": MPI_Send; "R+1:8": a receive, with ! for each message that it passes
// over; "w2": a wait for the second last request; "w2&": a wait that continues with the next one; "c100": 100 ns.
std::string text(const std::vector<TraceStep>& folded) {
  std::string all;
  for (const TraceStep& s : unfold(folded)) {
    if (!all.empty()) all += ' ';
    const auto message = [&](char letter) {
      all += letter + ("+" + std::to_string(s.peer)) + ":" + std::to_string(static_cast<long>(s.amount)) +
             std::string(static_cast<std::size_t>(s.passed), '!');
    };
    if (s.kind == Kind::kSend) message((s.modes & TraceStep::kImmediate) != 0 ? 'S' : 's');
    if (s.kind == Kind::kReceive) message('R');
    if (s.kind == Kind::kWait) all += "w" + std::to_string(s.number) + ((s.modes & TraceStep::kMore) != 0 ? "&" : "");
    if (s.kind == Kind::kSeconds) all += "c" + std::to_string(std::lround(s.amount * 1e9));
  }
  return all;
}

class Foreign : public ::testing::Test {
 protected:
  fs::path file(const std::string& bytes, const std::string& name = "a.goal") const {
    std::ofstream(folder_.path() / name, std::ios::binary) << bytes;
    return folder_.path() / name;
  }
  GoalTrace goal(const std::string& bytes) const { return trace_of(read_goal(file(bytes))); }
  // Rank 0 with these operations, and rank 1 with the other ends of its messages.
  GoalTrace alone(const std::string& operations, const std::string& other) const {
    return goal("num_ranks 2\nrank 0 {\n" + operations + "}\nrank 1 {\n" + other + "}\n");
  }
  std::string refusal(const std::string& bytes) const {
    return error_of([&] { goal(bytes); });
  }
  std::string refused_actions(const std::string& bytes) const {
    return error_of([&] { read_actions(file(bytes, "a.txt")); });
  }
  TemporaryFolder folder_;
};

TEST_F(Foreign, TheHeadersExample) {
  const GoalTrace g = goal(
      "num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 5\n}\nrank 1 {\nl1: recv 8b from 0 tag 5\nl2: calc 100\n"
      "l2 requires l1\n}\n");
  EXPECT_EQ(text(*g.trace.ranks[0]), "s+1:8 w1");
  EXPECT_EQ(text(*g.trace.ranks[1]), "R+1:8 w1 c100");
  EXPECT_THAT(g.notes, IsEmpty());
  EXPECT_THAT(g.trace.functions, IsEmpty());
  EXPECT_EQ(unfold(*g.trace.ranks[0])[0].tag, 5);
}

// A binary file of txt2bin has the same content as the text from which it was made.
TEST_F(Foreign, TextAndBinaryAreTheSame) {
  const GoalSchedule text_form = read_goal(kSamples / "mixed.goal"), binary = read_goal(kSamples / "mixed.bin");
  ASSERT_EQ(text_form.ranks.size(), 3);
  ASSERT_EQ(binary.ranks.size(), 3);
  EXPECT_TRUE(binary.binary);
  for (std::size_t r = 0; r < 3; ++r) {
    const GoalRank &one = text_form.ranks[r], &other = binary.ranks[r];
    ASSERT_EQ(one.operations.size(), other.operations.size());
    for (std::size_t o = 0; o < one.operations.size(); ++o) {
      const GoalOperation &a = one.operations[o], &b = other.operations[o];
      EXPECT_EQ(a.kind, b.kind);
      EXPECT_EQ(a.size, b.size);
      EXPECT_EQ(a.cpu, b.cpu);
      if (a.kind == GoalOperation::Kind::kCalc) continue;
      EXPECT_EQ(a.peer, b.peer);
      EXPECT_EQ(a.tag, b.tag);
    }
    ASSERT_EQ(one.dependencies.size(), other.dependencies.size());
    for (std::size_t d = 0; d < one.dependencies.size(); ++d) {
      EXPECT_EQ(one.dependencies[d].later, other.dependencies[d].later);
      EXPECT_EQ(one.dependencies[d].earlier, other.dependencies[d].earlier);
      EXPECT_EQ(one.dependencies[d].started, other.dependencies[d].started);
    }
  }
  const GoalTrace t = trace_of(text_form);
  EXPECT_EQ(text(*t.trace.ranks[0]), "R+2:8 c1500 c10 S+1:100000 S+2:8 w2& w3& w1");
  EXPECT_EQ(text(*t.trace.ranks[1]), "R+2:100000 w1 c250");
  EXPECT_EQ(text(*t.trace.ranks[2]), "R+1:8 S+1:8 w1& w2");
}

// Independent operations of a rank run in LogGOPSim's order; receives do not wait for the core.
TEST_F(Foreign, OrderOfOperations) {
  // Two operations become free at the same time: sends come before computation.
  EXPECT_EQ(text(*alone("c: calc 5\ns: send 8b to 1\n", "recv 8b from 0\n").trace.ranks[0]), "S+1:8 c5 w1");
  // Operations run in the order in which they become free: b before c, which waits for a.
  EXPECT_EQ(text(*alone("a: calc 1\nc: calc 3\nb: calc 2\nc requires a\n", "").trace.ranks[0]), "c1 c2 c3");
  // A receive that starts together with a computation is posted before it.
  EXPECT_EQ(text(*alone("a: calc 1\nr: recv 8b from 1\nr irequires a\n", "send 8b to 0\n").trace.ranks[0]),
            "R+1:8 c1 w1");
  // calc 0 only joins its requirements.
  EXPECT_EQ(text(*alone("a: recv 8b from 1\nb: recv 9b from 1\nj: calc 0\nj requires a\nj requires b\nc: calc 1\n"
                        "c requires j\n",
                        "send 8b to 0\nsend 9b to 0\n")
                      .trace.ranks[0]),
            "R+1:8 R+1:9 w2& w1 c1");
}

TEST_F(Foreign, SendsThatTheProgramGoesOnFrom) {
  // MPI_Send; MPI_Isend because the next operation irequires it; MPI_Isend because another operation precedes its wait.
  EXPECT_EQ(text(*alone("a: send 8b to 1\nc: calc 1\nc requires a\n", "recv 8b from 0\n").trace.ranks[0]),
            "s+1:8 w1 c1");
  EXPECT_EQ(
      text(*alone("a: send 8b to 1\nc: calc 1\nc requires a\nc irequires a\n", "recv 8b from 0\n").trace.ranks[0]),
      "S+1:8 w1 c1");
  EXPECT_EQ(text(*alone("a: send 8b to 1\nc: calc 1\n", "recv 8b from 0\n").trace.ranks[0]), "S+1:8 c1 w1");
}

TEST_F(Foreign, WhatDependsOnTimeIsSaid) {
  // Each of two computations needs a message, and the messages come from two ranks.
  const std::string senders = "rank 1 {\nsend 8b to 0\n}\nrank 2 {\nsend 8b to 0\n}\n";
  const GoalTrace two = goal(
      "num_ranks 3\nrank 0 {\na: recv 8b from 1\nb: recv 8b from 2\nx: calc 1\nx requires a\ny: calc 2\ny requires b\n"
      "}\n" +
      senders);
  EXPECT_EQ(text(*two.trace.ranks[0]), "R+1:8 R+2:8 w2 c1 w1 c2");
  EXPECT_THAT(two.trace.functions, ElementsAre(kGoalOrder));
  EXPECT_THAT(two.trace.doubts, ElementsAre(1));
  ASSERT_EQ(two.notes.size(), 1);
  EXPECT_THAT(two.notes[0], HasSubstr("a.goal:5"));
  // A computation needs a message while the rank computes: the second computation may come before or after it.
  const GoalTrace on =
      alone("a: recv 8b from 1\nx: calc 1\nx requires a\ny: calc 2\nz: calc 3\nz requires y\n", "send 8b to 0\n");
  EXPECT_EQ(text(*on.trace.ranks[0]), "R+1:8 c2 c3 w1 c1");
  EXPECT_THAT(on.trace.doubts, ElementsAre(1));
  // No notes: messages of one sender and size cannot overtake each other, or all computations wait for the same
  // message.
  EXPECT_THAT(alone("a: recv 8b from 1\nb: recv 8b from 1\nx: calc 1\nx requires a\ny: calc 2\ny requires b\n",
                    "send 8b to 0\nsend 8b to 0\n")
                  .notes,
              IsEmpty());
  EXPECT_THAT(alone("a: recv 8b from 1\nx: calc 1\nx requires a\ny: calc 2\ny requires a\n", "send 8b to 0\n").notes,
              IsEmpty());
}

TEST_F(Foreign, ReceivesFindTheirMessagesByTag) {
  EXPECT_EQ(
      text(*goal("num_ranks 2\nrank 0 {\nsend 1b to 1 tag 1\nsend 2b to 1 tag 2\nsend 3b to 1 tag 1\n}\nrank 1 {\n"
                 "recv 2b from 0 tag 2\nrecv 1b from 0 tag -1\nrecv 3b from 0 tag 1\n}\n")
                .trace.ranks[1]),
      "R+1:2! R+1:1 R+1:3 w3& w2& w1");
}

TEST_F(Foreign, PublishedSchedule) {
  const GoalTrace g = trace_of(read_goal(kSamples / "binary_tree_32.goal"));
  ASSERT_EQ(g.trace.ranks.size(), 32);
  EXPECT_THAT(g.notes, IsEmpty());
  EXPECT_EQ(text(*g.trace.ranks[0]), "S+1:1 S+2:1 S+4:1 S+8:1 S+16:1 w5& w4& w3& w2& w1");
  EXPECT_EQ(text(*g.trace.ranks[1]), "R+31:1 w1 S+2:1 S+4:1 S+8:1 S+16:1 w4& w3& w2& w1");
  EXPECT_EQ(text(*g.trace.ranks[31]), "R+16:1 w1");
  EXPECT_EQ(replay::replay(g.trace, machine(), g.trace.cores).messages, 31);
}

TEST_F(Foreign, BadSchedulesAreRefusedByLine) {
  const auto expect = [&](const std::string& bytes, const std::string& place, const std::string& what) {
    EXPECT_THAT(refusal(bytes), HasSubstr("a.goal" + place)) << bytes;
    EXPECT_THAT(refusal(bytes), HasSubstr(what)) << bytes;
  };
  const auto in = [](const std::string& operations) { return "num_ranks 1\nrank 0 {\n" + operations + "}\n"; };
  expect("rank 0 {\n}\n", ":1", "num_ranks N");
  expect("num_ranks 0\n", ":1", "there is no rank");
  expect("num_ranks 999999\nrank 0 {\n}\n", ":1", "more than the file has");
  expect("num_ranks 2\nrank 0 {\n}\n", ": ", "there is no rank 1");
  expect("num_ranks 1\nrank 0 {\n}\nrank 0 {\n}\n", ":4", "twice");
  expect("num_ranks 1\nrank 1 {\n}\n", ":2", "no rank 1");
  expect("num_ranks 1\nrank 0 {\n", ":3", "the end of the file");
  expect("num_ranks 1\n/* rank 0", ":2", "does not end");
  expect(in("send 8 to 0\n"), ":3", "'to'");
  expect(in("send 8b from 0\n"), ":3", "'from'");
  expect(in("send 8b to 1\n"), ":3", "a rank is 1");
  expect(in("calc 99999999999999999999\n"), ":3", "too large");
  expect(in("calc 1 tag 5\n"), ":3", "'tag'");
  expect(in("calc 1 cpu 300\n"), ":3", "255");
  expect(in("l1: calc 1\nl1: calc 2\n"), ":4", "that of line 3");
  expect(in("l1: calc 1\nl1 requires l2\n"), ":4", "label l2");
  expect(in("l1: calc 1\nl2: calc 1\nl1 requires l2\nl2 requires l1\n"), ":3", "requires itself");
  expect(in("recv 8b from -1\n"), ":3", "any source");
  expect(in("recv 8b from 0\n"), ":3", "sends nothing that this receives");
  expect(in("send 8b to 0 tag -1\n"), ":3", "any tag");
  expect(in("send 8b to 0\n"), ":3", "nothing receives");
  expect(in("send 8b to 0\nrecv 4b from 0\n"), ":4", "4 B of a message of 8 B");
  expect(in("calc 1\ncalc 2 cpu 1\n"), ":3", "cpu 1");
}

// Operations on two cpus that follow each other are read like operations on one.
TEST_F(Foreign, SeveralCoresInTurn) {
  EXPECT_EQ(text(*alone("a: calc 1\nb: calc 2 cpu 1\nb requires a\n", "").trace.ranks[0]), "c1 c2");
}

TEST_F(Foreign, CutAndDamagedBinariesAreRefused) {
  std::ifstream in(kSamples / "mixed.bin", std::ios::binary);
  const std::string whole{std::istreambuf_iterator<char>(in), {}};
  for (std::size_t size = 8; size < whole.size(); ++size)
    EXPECT_THAT(refusal(whole.substr(0, size)), HasSubstr("a.goal")) << size;
  std::string spent = whole;
  spent[0] = static_cast<char>(2342 & 0xff);
  spent[1] = static_cast<char>(2342 >> 8);
  EXPECT_THAT(refusal(spent), HasSubstr("used"));
}

// --- written and read back ---

// A ring of ranks: computation, eager and long messages, blocking and nonblocking, waits for one and for all, out of
// order.
Trace ring(int ranks, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::vector<TraceStep>> steps(ranks);
  const TraceStep wait1{.kind = Kind::kWait, .number = 1}, wait2{.kind = Kind::kWait, .number = 2};
  for (int round = 0; round < 40; ++round) {
    const double bytes = random() % 2 == 0 ? 100 : 100000;
    const auto shape = random() % 4;
    for (int r = 0; r < ranks; ++r) {
      std::vector<TraceStep>& s = steps[r];
      s.push_back({.kind = Kind::kSeconds, .amount = 1e-9 * static_cast<double>(random() % 5000)});
      const TraceStep isend{.kind = Kind::kSend, .modes = TraceStep::kImmediate, .peer = 1, .amount = bytes};
      const TraceStep send{.kind = Kind::kSend, .peer = 1, .amount = bytes};
      const TraceStep receive{.kind = Kind::kReceive, .peer = ranks - 1, .amount = bytes};
      const TraceStep both{.kind = Kind::kWait, .modes = TraceStep::kMore, .number = 2};
      const TraceStep behind{.kind = Kind::kReceive, .peer = ranks - 1, .passed = 1, .amount = bytes};
      const std::vector<std::vector<TraceStep>> shapes = {{receive, isend, both, wait1},
                                                          {receive, send, wait1, wait2},
                                                          {isend, receive, wait1, wait2},
                                                          {isend,
                                                           isend,
                                                           behind,
                                                           receive,
                                                           wait2,
                                                           wait1,
                                                           {.kind = Kind::kWait, .number = 4},
                                                           {.kind = Kind::kWait, .number = 3}}};
      s.insert(s.end(), shapes[shape].begin(), shapes[shape].end());
    }
  }
  Trace t;
  t.program = "ring";
  for (int r = 0; r < ranks; ++r) {
    t.cores.push_back(r);
    t.ranks.push_back(std::make_shared<const std::vector<TraceStep>>(steps[r]));
  }
  t.ended.resize(t.cores.size());
  return t;
}

// A schedule written from a trace reproduces the trace's times, and writing it again gives the same file.
TEST_F(Foreign, GoalOutAndInAgain) {
  for (unsigned seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE(seed);
    const Trace before = ring(6, seed);
    const fs::path file = folder_.path() / "out.goal", again = folder_.path() / "again.goal";
    write_goal(before, machine(), "ring", file);
    const GoalTrace after = trace_of(read_goal(file));
    EXPECT_THAT(after.notes, IsEmpty());
    const replay::Replayed a = replay::replay(before, machine(), before.cores),
                           b = replay::replay(after.trace, machine(), before.cores);
    EXPECT_EQ(a.messages, b.messages);
    for (std::size_t r = 0; r < a.ended.size(); ++r) EXPECT_NEAR(a.ended[r], b.ended[r], 1e-9 * a.ended[r]) << r;
    Trace named = after.trace;
    named.program = before.program;
    write_goal(named, machine(), "ring", again);
    std::ifstream one(file), two(again);
    EXPECT_TRUE(std::equal(std::istreambuf_iterator<char>(one), {}, std::istreambuf_iterator<char>(two), {}));
  }
}

// Rounding errors do not add up: a rank is never more than 1 ns off.
TEST_F(Foreign, RoundedTimesAddUp) {
  Trace t = ring(1, 1);
  t.ranks = {std::make_shared<const std::vector<TraceStep>>(1000, TraceStep{.kind = Kind::kSeconds, .amount = 0.3e-9})};
  const fs::path file = folder_.path() / "out.goal";
  write_goal(t, machine(), "ring", file);
  double ns = 0;
  const GoalSchedule written = read_goal(file);
  for (const GoalOperation& o : written.ranks[0].operations) ns += static_cast<double>(o.size);
  EXPECT_EQ(ns, 300);
}

TEST_F(Foreign, WhatOtherFormatsHaveNoWordsFor) {
  const auto refused = [&](const TraceStep& step) {
    Trace t = ring(1, 1);
    t.functions = {"MPI_Ssend"};
    t.doubts = {0};
    t.groups = {{0}};
    t.ranks = {std::make_shared<const std::vector<TraceStep>>(
        std::vector<TraceStep>{{.kind = Kind::kSleep, .amount = 1}, {.kind = Kind::kCall}, step})};
    return error_of([&] { write_goal(t, machine(), "a.mpitrace", folder_.path() / "out.goal"); });
  };
  EXPECT_THAT(refused({.kind = Kind::kSend, .modes = TraceStep::kSynchronous, .amount = 8}),
              HasSubstr("a.mpitrace: rank 0, MPI_Ssend: GOAL has no word for"));
  EXPECT_THAT(refused({.kind = Kind::kArrival}), HasSubstr("a probe"));
  EXPECT_THAT(refused({.kind = Kind::kMeet}), HasSubstr("a meeting"));
  EXPECT_THAT(refused({.kind = Kind::kReadClock}), HasSubstr("start together"));
}

// --- SMPI's actions ---

TEST_F(Foreign, ActionsInOneFileAndInSeveral) {
  const ActionFiles one = read_actions(kSamples / "actions_with_isend.txt");
  EXPECT_EQ(one.ranks, 3);
  EXPECT_THAT(one.files, ElementsAre(fs::absolute(kSamples / "actions_with_isend.txt")));
  for (const char* name : {"actions_alltoall.txt", "actions_allgatherv.txt", "actions_reducescatter.txt"})
    EXPECT_GT(read_actions(kSamples / name).ranks, 1) << name;
  // Collectives of ranks in different files belong together.
  file("0 init\n0 barrier\n0 bcast 8\n", "c0");
  file("1 init\n1 barrier\n1 bcast 9\n", "c1");
  EXPECT_THAT(error_of([&] { read_actions(file("c0\nc1\n", "list")); }),
              HasSubstr("c1:3: rank 1 calls bcast with a block of 9 B, and rank 0 (" +
                        (folder_.path() / "c0").string() + ":3) with 8 B"));
  // Names are relative to the list's own folder.
  file("0 init\n0 send 1 0 8\n", "p0");
  file("1 init\n1 recv 0 0 8\n", "p1");
  const ActionFiles two = read_actions(file("p0\np1\n", "list"));
  EXPECT_EQ(two.ranks, 2);
  EXPECT_THAT(two.files, ElementsAre(folder_.path() / "p0", folder_.path() / "p1"));
}

TEST_F(Foreign, BadActionsAreRefusedByLine) {
  const auto expect = [&](const std::string& bytes, const std::string& place, const std::string& what) {
    EXPECT_THAT(refused_actions(bytes), HasSubstr("a.txt" + place)) << bytes;
    EXPECT_THAT(refused_actions(bytes), HasSubstr(what)) << bytes;
  };
  expect("", "", "is empty");
  expect("hello\n", "", "is not a trace");
  expect("0 init\n0 flyby 1\n", ":2", "'flyby'");
  expect("0 init\nzero init\n", ":2", "'zero' is not a rank");
  expect("0 init\n7 init\n", "", "8 ranks and 2 actions");
  expect("0 init\n0\n", ":2", "no action");
  expect("0 init\n1 barrier\n", ":2", "before init");
  expect("0 init\n0 send 1 0 8\n", ":2", "a rank is 1");
  expect("0 init\n0 send 0 0\n", ":2", "send has 2 arguments");
  expect("0 init\n0 send 0 0 8 99\n", ":2", "a datatype is 99");
  expect("0 init\n0 send 0 0 1e10\n", ":2", "a count is 1e10");
  expect("0 init\n0 compute x\n", ":2", "'x'");
  expect("0 init\n0 compute -1\n", ":2", "-1");
  expect("0 init\n0 alltoallv 8 1\n", ":2", "arguments");
  expect("0 init\n0 wait 0 0 0\n", ":2", "has started nothing");
  expect("# of p0\n\n0 init\n1 init\n0 gather 1 1 5\n", ":5", "a rank is 5");
}

// SMPI's replayer crashes or waits for ever if ranks do not fit together.
TEST_F(Foreign, ActionsOfDifferentRanksFitTogether) {
  const auto of_two = [&](const std::string& first, const std::string& second) {
    return refused_actions("0 init\n1 init\n" + first + second);
  };
  const auto expect = [&](const std::string& first, const std::string& second, const std::string& place,
                          const std::string& what) {
    const std::string error = of_two(first, second);
    EXPECT_THAT(error, HasSubstr("a.txt:" + place + ": ")) << first << second;
    EXPECT_THAT(error, HasSubstr(what)) << first << second;
  };
  const auto expect_right = [&](const std::string& first, const std::string& second) {
    EXPECT_NO_THROW(read_actions(file("0 init\n1 init\n" + first + second, "a.txt"))) << first << second;
  };
  expect("0 barrier\n", "1 bcast 8\n", "4", "rank 1 calls bcast where rank 0 (");
  expect("0 barrier\n0 barrier\n", "1 barrier\n", "4", "rank 1 does not take part in this barrier of rank 0");
  expect("0 bcast 8 0\n", "1 bcast 8 1\n", "4", "the root of bcast is 1");
  expect("0 bcast 8\n", "1 bcast 9\n", "4", "a block of 9 B");
  expect("0 bcast 2 0 1\n", "1 bcast 2 0 0\n", "4", "a block of 16 B");  // MPI_INT, MPI_DOUBLE
  expect_right("0 bcast 2 0 1\n", "1 bcast 8\n");
  expect("0 reduce 8 1e6 1\n", "1 reduce 8 1e6 0\n", "4", "the root of reduce is 0");
  expect("0 allreduce 8 0\n", "1 allreduce 4 0\n", "4", "a block of 4 B");
  expect("0 allgather 8 4\n", "1 allgather 8 8\n", "3", "sends blocks of 8 B and receives blocks of 4 B");
  expect("0 gather 8 8 0\n", "1 gather 9 8 0\n", "4", "a block of 9 B");
  expect("0 gather 8 9 0\n", "1 gather 8 8 0\n", "3", "the root of gather counts 9 B");
  expect_right("0 gather 0 8 0\n", "1 gather 8 99 0\n");  // the root's part is in place
  expect_right("0 gather 8 8 0\n", "1 gather 8 99 0\n");  // counts to receive matter at the root
  expect("0 scatter 8 8 0\n", "1 scatter 8 7 0\n", "4", "a block of 7 B");
  expect("0 gatherv 8 8 9 0\n", "1 gatherv 8 1 1 0\n", "4", "the block of rank 1 in gatherv has 8 B, and 9 B are");
  expect_right("0 gatherv 8 8 9 0\n", "1 gatherv 9 1 1 0\n");
  expect("0 scatterv 8 9 9 0\n", "1 scatterv 8 9 9 0\n", "3", "the block of rank 0 in scatterv has 9 B");
  expect("0 allgatherv 8 8 9\n", "1 allgatherv 9 9 9\n", "4", "with other counts");
  expect("0 reducescatter 8 9 0\n", "1 reducescatter 9 8 0\n", "4", "with other counts");
  expect_right("0 alltoallv 9 1 2 9 1 3\n", "1 alltoallv 9 3 4 9 2 4\n");
  expect("0 alltoallv 9 1 2 9 1 3\n", "1 alltoallv 9 3 4 9 1 4\n", "3", "counts of this alltoallv differ");
  expect("0 alltoallv 1 1 2 9 1 3\n", "1 alltoallv 9 3 4 9 2 4\n", "3", "larger than its buffer");
  expect("0 allgather 2000000000 2000000000\n", "1 allgather 2000000000 2000000000\n", "3", "moves 4000000000 B");

  expect("0 send 1 5 8\n", "", "3", "rank 1 does not receive the message from rank 0 with tag 5");
  expect("", "1 recv 0 5 8\n", "3", "no rank sends the message from rank 0 with tag 5");
  expect("0 send 1 5 8\n", "1 recv 0 6 8\n", "3", "does not receive");
  expect("0 send 1 5 8\n", "1 recv 0 5 7\n", "4", "receives at most 7 B of a message of 8 B from rank 0");
  expect_right("0 send 1 5 8\n", "1 recv 0 5 9\n");
  expect_right("0 send 1 5 8\n", "1 recv 0 5 -1\n");
  expect_right("0 send 1 5 8\n", "1 recv -555 -444 8\n");
  expect("", "1 recv -333 5 8\n", "3", "from any source, which SMPI writes as -333");
  expect("", "1 recv -555 5 8\n", "3", "rank 1 receives more messages than are sent to it");
  expect("0 send 1 -2 8\n", "1 recv 0 -2 8\n", "3", "a tag is -2");
  expect("0 isend 1 5 8\n0 wait 0 1 6\n", "1 recv 0 5 8\n", "4", "which it has not started");
  expect("0 isend 1 5 8\n0 wait 0 1 5\n0 isend 1 6 8\n0 wait 0 1 5\n", "1 recv 0 5 8\n1 recv 0 6 8\n", "6",
         "which it has not started");
  expect_right("0 send 1 5 8\n", "1 irecv -555 5 8\n1 wait 0 1 5\n");

  // What SMPI reads otherwise than it is written.
  expect("0 bcast 8.5\n", "1 bcast 8.5\n", "3", "a count is 8.5");
  expect("0 reducescatter 5e1 8 0\n", "1 reducescatter 5e1 8 0\n", "3", "'5e1' is not a count");
  expect("0 bcast 8 0 06\n", "1 bcast 8 0 6\n", "3", "a datatype is written '06'");
  expect("00 barrier\n", "1 barrier\n", "3", "the rank is written '00'");
  expect("0 barrier\v\n", "1 barrier\n", "3", "the control character 11");
  expect("0 init 1\n", "", "3", "calls init with an argument, unlike an earlier rank");
  expect("0 finalize\n0 barrier\n", "1 barrier\n1 finalize\n", "4", "after finalize");
  EXPECT_THAT(of_two("0 finalize\n", ""), HasSubstr("rank 1 has no finalize"));
  const std::string four = "0 init\n1 init\n2 init\n3 init\n";
  EXPECT_THAT(refused_actions(four + "0 allgatherv 1 1 1 1 1 0 0 0 1 2\n"),
              HasSubstr("allgatherv has 3 displacements"));
  EXPECT_THAT(refused_actions(four + "0 allgatherv 1 1 1 1 1 0 1 2 4\n"), HasSubstr("a displacement is 4"));
}

TEST_F(Foreign, ActionsOut) {
  Trace t = ring(2, 1);
  const auto rank = [](std::vector<TraceStep> steps) {
    return std::make_shared<const std::vector<TraceStep>>(std::move(steps));
  };
  const TraceStep wait{.kind = Kind::kWait, .number = 1};
  t.ranks = {rank({{.kind = Kind::kSend, .peer = 1, .amount = 8},
                   wait,
                   {.kind = Kind::kSend, .modes = TraceStep::kImmediate, .peer = 1, .amount = 9},
                   wait,
                   {.kind = Kind::kSleep, .amount = 0.5}}),
             rank({{.kind = Kind::kReceive, .peer = 1, .passed = 1, .amount = 16},
                   {.kind = Kind::kReceive, .peer = 1, .amount = 8},
                   wait,
                   {.kind = Kind::kWait, .number = 2},
                   {.kind = Kind::kExecute, .amount = 1e6}})};
  const fs::path list = folder_.path() / "app.ti";
  write_actions(t, machine(), "ring", list);
  const ActionFiles read = read_actions(list);
  ASSERT_EQ(read.ranks, 2);
  const auto whole = [](const fs::path& file) {
    std::ifstream in(file);
    return std::string(std::istreambuf_iterator<char>(in), {});
  };
  EXPECT_EQ(whole(read.files[0]), "0 init\n0 send 1 0 8\n0 isend 1 1 9\n0 wait 0 1 1\n0 sleep 0.5\n0 finalize\n");
  EXPECT_EQ(whole(read.files[1]),
            "1 init\n1 irecv 0 1 16\n1 recv 0 0 8\n1 wait 0 1 1\n1 compute 1000000\n1 finalize\n");
}

// Cores share memory, which the format cannot say: work on data in memory has the time of a rank that is alone.
TEST_F(Foreign, WorkInMemoryTakesItsTimeAlone) {
  const Machine shared = load_machine(built("platforms/data/ntw10e5/machine.yaml"));
  ASSERT_TRUE(shared.memory);
  constexpr double kBytes = 1e9;  // more than any cache of the machine
  const std::vector<TraceStep> works = {{.kind = Kind::kCopy, .amount = kBytes},
                                        {.kind = Kind::kCombine, .amount = kBytes},
                                        {.kind = Kind::kStream, .amount = 1e6, .moved = kBytes},
                                        {.kind = Kind::kWork, .amount = 1e12, .moved = kBytes}};
  double all_s = 0;
  for (const TraceStep& work : works) {
    Trace t = ring(1, 1);
    t.ranks = {std::make_shared<const std::vector<TraceStep>>(std::vector<TraceStep>{work})};
    const double alone_s = replay::replay(t, shared, t.cores).ended[0];
    all_s += alone_s;
    const fs::path list = folder_.path() / "app.ti";
    EXPECT_DOUBLE_EQ(write_actions(t, shared, "ring", list), alone_s);
    double flops = 0;
    std::ifstream actions(read_actions(list).files[0]);
    for (std::string line; std::getline(actions, line);) {
      std::istringstream words(line);
      std::string rank, action;
      double amount = 0;
      if (words >> rank >> action >> amount && action == "compute") flops += amount;
    }
    EXPECT_DOUBLE_EQ(flops / shared.core_speed.si, alone_s);
  }
  EXPECT_GT(all_s, 0.1);
}

}  // namespace
}  // namespace strata
