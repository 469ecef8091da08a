// SPDX-License-Identifier: LGPL-2.1-only
// The simulations of held-out operations, worked out by hand.
#include "calibration/prediction_plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace strata::calibration {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

HeldOut alltoall(int sizes) {
  HeldOut h{.operation = Operation::kAlltoall, .ranks = 48, .source = "imb.txt"};
  for (int i = 0; i < sizes; ++i) {
    h.bytes.push_back(8 * (i + 1));
    h.measured_s.push_back(1e-6 * (i + 1));
  }
  return h;
}

// An all-to-all exchange of 48 ranks has 48 * 48 messages, and one repetition more for the warm-up.
constexpr double kMessages = 48 * 48 * 2;

TEST(PredictionPlan, SimulatesAllSizesIfTheyFit) {
  std::vector<std::string> notes;
  const std::vector<SimulationPart> plan = plan_of({alltoall(3)}, 3 * kMessages, notes);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_THAT(plan[0].sizes, ElementsAre(0, 1, 2));
  EXPECT_THAT(plan[0].arguments,
              ElementsAre("--operation", "alltoall", "--bytes", "8,16,24", "--repetitions", "1", "--warm-up", "1"));
  EXPECT_THAT(notes, IsEmpty());
}

TEST(PredictionPlan, SpreadsFewerSizesEvenly) {
  std::vector<std::string> notes;
  const std::vector<SimulationPart> plan = plan_of({alltoall(20)}, 3 * kMessages, notes);
  ASSERT_EQ(plan.size(), 1u);
  EXPECT_THAT(plan[0].sizes, ElementsAre(0, 9, 19));
  EXPECT_THAT(notes, ElementsAre("imb.txt: alltoall on 48 ranks: 3 of 20 sizes are simulated; more with "
                                 "--most-messages"));
}

// The operation with one size leaves the rest of its half to the other.
TEST(PredictionPlan, SharesWhatOthersLeave) {
  std::vector<std::string> notes;
  const std::vector<SimulationPart> plan = plan_of({alltoall(20), alltoall(1)}, 4 * kMessages, notes);
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_THAT(plan[0].sizes, ElementsAre(0, 9, 19));
  EXPECT_EQ(plan[1].of, 1u);
}

// The probe repeats short messages more often, so they are another simulation.
TEST(PredictionPlan, MakesASimulationForEachNumberOfRepetitions) {
  HeldOut h = alltoall(0);
  h.manner = Manner::kProbe;
  h.bytes = {8, 4096, 8192, 3e9};  // the last one is above MPI's int
  h.measured_s = {1, 2, 3, 4};
  std::vector<std::string> notes;
  const std::vector<SimulationPart> plan = plan_of({h}, 1e9, notes);
  ASSERT_EQ(plan.size(), 2u);
  EXPECT_THAT(plan[0].sizes, ElementsAre(0, 1));
  EXPECT_THAT(plan[0].arguments,
              ElementsAre("--operation", "alltoall", "--bytes", "8,4096", "--repetitions", "10", "--as-probe"));
  EXPECT_THAT(plan[1].sizes, ElementsAre(2));
}

TEST(PredictionPlan, AddsTheTimesThatThereAre) {
  const HeldOut h = alltoall(3);
  Predicted predicted{h, {}};
  add_times({5e-6}, {.of = 0, .sizes = {1, 2}, .arguments = {}}, predicted);
  ASSERT_EQ(predicted.sizes.size(), 1u);
  EXPECT_EQ(predicted.sizes[0].bytes, 16);
  EXPECT_EQ(predicted.sizes[0].measured_s, 2e-6);
  EXPECT_EQ(predicted.sizes[0].predicted_s, 5e-6);
}

}  // namespace
}  // namespace strata::calibration
