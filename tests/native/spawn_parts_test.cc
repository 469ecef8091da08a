// SPDX-License-Identifier: LGPL-2.1-only
// The pure parts of spawning: names of jobs, published names, meetings.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "native/coordinator/launcher_meetings.h"
#include "native/launch/job_names.h"
#include "native/launch/published_names.h"

namespace strata::native {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// Open MPI compares the numbers, and sends them as text.
TEST(JobNames, TheirNumbersAscendAndHaveTenDigits) {
  for (const unsigned seed : {0U, 1U, 31'999U, 99'999U, 4'000'000'000U}) {
    JobNames names(seed);
    std::uint32_t fourth = 999'999'999, fifth = 999'999'999;
    for (int i = 0; i < 200; ++i) {
      const std::string name = names.next();
      EXPECT_EQ(name.size(), 16U);
      EXPECT_GT(open_mpi_4_number(name), fourth) << name;
      EXPECT_GT(open_mpi_5_number(name), fifth) << name;
      fourth = open_mpi_4_number(name);
      fifth = open_mpi_5_number(name);
    }
  }
}

TEST(PublishedNames, AreThereUntilTheyAreUnpublishedOrRead) {
  PublishedNames<int> names;
  EXPECT_TRUE(names.publish("ocean", 1, Until::kUnpublished));
  EXPECT_FALSE(names.publish("ocean", 2, Until::kUnpublished));
  EXPECT_EQ(names.look_up("ocean"), 1);
  EXPECT_EQ(names.look_up("ocean"), 1);
  EXPECT_TRUE(names.unpublish("ocean"));
  EXPECT_FALSE(names.unpublish("ocean"));
  EXPECT_EQ(names.look_up("ocean"), std::nullopt);
  EXPECT_TRUE(names.publish("port", 3, Until::kRead));
  EXPECT_TRUE(names.publish("port", 4, Until::kRead));
  EXPECT_EQ(names.look_up("port"), 3);
  EXPECT_EQ(names.look_up("port"), 4);
  EXPECT_EQ(names.look_up("port"), std::nullopt);
}

TEST(Meetings, BeginWhenAllAreThere) {
  Meetings meetings;
  EXPECT_THAT(meetings.come(7, 3, 2), IsEmpty());
  EXPECT_THAT(meetings.come(8, 1, 1), ElementsAre(1));
  EXPECT_THAT(meetings.come(7, 0, 2), ElementsAre(3, 0));
  EXPECT_THAT(meetings.come(7, 0, 2), IsEmpty());
  EXPECT_THAT(meetings.announce(7), IsEmpty());
  meetings.await(7, 5);
  EXPECT_THAT(meetings.announce(7), ElementsAre(5));
  EXPECT_THAT(meetings.announce(7), IsEmpty());
}

}  // namespace
}  // namespace strata::native
