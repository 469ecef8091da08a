// SPDX-License-Identifier: LGPL-2.1-only
// The model of the matrix multiplication: worked out by hand, and properties that hold for all grids.
#include "models/summa.h"

#include <gtest/gtest.h>

#include <array>
#include <iterator>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "models/prediction.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

using Kind = Operation::Kind;
using Lines = SummaCase::Lines;

Schedule schedule(const std::string& tree, int np, const SummaCase& what) {
  const Machine m = uniform_machine(tree);
  return summa_schedule(*m.topology, place(*m.topology, np), what);
}

// Sender and receiver of each message, by sender and then in the order of its sends.
std::vector<std::pair<int, int>> messages_of(const Schedule& s) {
  std::vector<std::pair<int, int>> sent;
  for (int r = 0; r < static_cast<int>(s.size()); ++r) {
    for (const Operation& o : s[r]) {
      if (o.kind == Kind::kSend || o.kind == Kind::kStartSend) sent.emplace_back(r, o.peer);
    }
  }
  return sent;
}

// 2 x 2 processes on four nodes. A block of 8 x 8 is 528 B on the wire and eager: a message takes 1.528 us and occupies
// the sender for 0.25 us. Arithmetic takes 1.024 us per step. A broadcast between two processes is one message, first
// in rows, then in columns. Times in us:
//   step 1   0 -> 1 and 2 -> 3 arrive at 1.528, their senders continue at 0.25; then 0 -> 2 arrives at 1.778, and
//            1 -> 3, sent at 1.528, at 3.056 (rank 1 continues at 1.778)
//            done 0.5, 1.778, 1.778, 3.056; computed 1.524, 2.802, 2.802, 4.080
//   step 2   1 -> 0 arrives at 4.330 (1 continues at 3.052), 3 -> 2 at 5.608 (3 at 4.330); then 3 -> 1, sent at 4.330,
//            arrives at 5.858, and 2 -> 0, sent at 5.608, at 7.136 (2 continues at 5.858)
//            done 7.136, 5.858, 5.858, 4.580; then 1.024 for each
TEST(Summa, OfFourProcessesByLogGP) {
  Machine m = uniform_machine("node:4 pack:1 core:1 pu:1");
  m.core_speed.si = 1e9;  // flop/s
  const std::vector<Binding> ranks = place(*m.topology, 4);
  const Schedule s = summa_schedule(*m.topology, ranks, {.lines = Lines::kFlat, .groups = {1, 1}, .block = 8});
  const Prediction mean = predict_loggp(m, ranks, s, TimeOf::kMean), last = predict_loggp(m, ranks, s);
  EXPECT_NEAR(mean.time.value, ((7.136 + 5.858 + 5.858 + 4.580) / 4 + 1.024) * 1e-6, 1e-17);
  EXPECT_NEAR(last.time.value, (7.136 + 1.024) * 1e-6, 1e-17);
  EXPECT_EQ(mean.outside, "");
}

// The same with blocks of 16 x 16, which are not eager: 2064 B on the wire take 3.064 us, and in Hockney's model a
// message occupies both ends for that time. Arithmetic takes 8.192 us.
//   step 1   0 -> 1 and 2 -> 3 until 3.064, then 0 -> 2 and 1 -> 3 until 6.128; computed at 14.320 everywhere
//   step 2   1 -> 0 and 3 -> 2, then 3 -> 1 and 2 -> 0 in the same way
TEST(Summa, OfFourProcessesByHockney) {
  Machine m = uniform_machine("node:4 pack:1 core:1 pu:1");
  m.core_speed.si = 1e9;
  const std::vector<Binding> ranks = place(*m.topology, 4);
  const Schedule s = summa_schedule(*m.topology, ranks, {.lines = Lines::kFlat, .groups = {1, 1}, .block = 16});
  const Prediction p = predict_hockney(m, ranks, s, TimeOf::kMean);
  EXPECT_NEAR(p.time.value, 2 * (2 * 3.064 + 8.192) * 1e-6, 1e-17);
}

// One row of three processes in groups of one. In each step a root other than 0 first sends to 0, which sends to both
// others.
TEST(Summa, OverGroupsARootSendsToTheFirst) {
  const Schedule s = schedule("node:3 pack:1 core:1 pu:1", 3, {.lines = Lines::kGroups, .groups = {1, 3}, .block = 2});
  const std::vector<std::pair<int, int>> expected = {{0, 1}, {0, 2}, {0, 1}, {0, 2}, {0, 1}, {0, 2}, {1, 0}, {2, 0}};
  EXPECT_EQ(messages_of(s), expected);
  for (const auto& operations : s) {
    EXPECT_EQ(operations.back(), (Operation{Kind::kCompute, -1, 16}));
    for (const Operation& o : operations) EXPECT_EQ(o.amount, o.kind == Kind::kCompute ? 16 : 32);
  }
}

// C steps of R (C - 1) + C (R - 1) messages. Hierarchies need one more message for each step of a row or column whose
// root is not its first member: in every row in all steps except one, in every column in all steps except 0, R, 2R, ...
TEST(Summa, SendsEveryBlockOnceToEverybody) {
  for (const auto& [np, rows, columns] : {std::array{1, 1, 1},
                                          {2, 1, 2},
                                          {6, 2, 3},
                                          {7, 1, 7},
                                          {12, 3, 4},
                                          {16, 4, 4},
                                          {24, 4, 6},
                                          {30, 5, 6},
                                          {32, 4, 8}}) {
    SCOPED_TRACE(np);
    const int flat = columns * (2 * rows * columns - rows - columns);
    const int column_firsts = (columns + rows - 1) / rows;
    const int more = rows * (columns - 1) + columns * (columns - column_firsts);
    const std::string tree = "node:4 pack:2 core:4 pu:1";
    EXPECT_EQ(std::ssize(messages_of(schedule(tree, np, {.lines = Lines::kFlat, .groups = {1, 1}, .block = 1}))), flat);
    for (const SummaCase& what : {SummaCase{.lines = Lines::kTopology, .groups = {1, 1}, .block = 1},
                                  SummaCase{.lines = Lines::kGroups, .groups = {rows, 1}, .block = 1}}) {
      EXPECT_EQ(std::ssize(messages_of(schedule(tree, np, what))), flat + more);
    }
  }
}

TEST(Summa, RefusesWhatIsNone) {
  const std::string tree = "node:6 pack:1 core:1 pu:1";  // 2 x 3
  EXPECT_THROW(schedule(tree, 6, {.lines = Lines::kFlat, .groups = {1, 1}, .block = 0}), std::invalid_argument);
  EXPECT_THROW(schedule(tree, 6, {.lines = Lines::kGroups, .groups = {3, 1}, .block = 1}), std::invalid_argument);
  EXPECT_THROW(schedule(tree, 6, {.lines = Lines::kGroups, .groups = {1, 2}, .block = 1}), std::invalid_argument);
  EXPECT_THROW(schedule(tree, 6, {.lines = Lines::kGroups, .groups = {0, 3}, .block = 1}), std::invalid_argument);
  EXPECT_THROW(summa_schedule(*uniform_machine(tree).topology, {}, {}), std::invalid_argument);
}

}  // namespace
}  // namespace strata::models
