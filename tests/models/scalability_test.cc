// SPDX-License-Identifier: LGPL-2.1-only
#include "models/scalability.h"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "base/error.h"

namespace strata::models {
namespace {

class ScalabilityFile : public testing::Test {
 protected:
  std::string write(const std::string& text) {
    const std::filesystem::path file = std::filesystem::path(testing::TempDir()) / "times";
    std::ofstream(file) << text;
    return file;
  }
};

TEST(Scalability, LinearAndAmdahl) {
  const Scalability linear = read_scalability("linear");
  EXPECT_DOUBLE_EQ(linear.time(32) / linear.time(64), 2);
  // A tenth is serial: 9 cores take 0.1 + 0.9 / 9 = 0.2 of the time of one core.
  const Scalability amdahl = read_scalability("amdahl:0.1");
  EXPECT_DOUBLE_EQ(amdahl.time(9) / amdahl.time(1), 0.2);
  EXPECT_DOUBLE_EQ(read_scalability("amdahl:0").time(32) / read_scalability("amdahl:0").time(64), 2);
  for (const char* wrong : {"amdahl:", "amdahl:x", "amdahl:-0.1", "amdahl:1.1", "amdahl:nan", "amdahl:0.1x"}) {
    EXPECT_THROW(read_scalability(wrong), InputError) << wrong;
  }
}

TEST_F(ScalabilityFile, InterpolatesTheSpeed) {
  const Scalability s = read_scalability(write("# cores time\n64 1.5\n\n16 4  # 0.25 a second\n32 2\n"));
  EXPECT_EQ(s.least_cores, 16);
  EXPECT_EQ(s.most_cores, 64);
  EXPECT_DOUBLE_EQ(s.time(16), 4);
  EXPECT_DOUBLE_EQ(s.time(64), 1.5);
  EXPECT_DOUBLE_EQ(s.time(24), 1 / 0.375);  // half way between 1/4 and 1/2
  EXPECT_DOUBLE_EQ(s.time(20), 1 / 0.3125);
  const Scalability linear = read_scalability(write("1 64\n64 1\n"));
  for (int cores = 1; cores <= 64; ++cores) EXPECT_NEAR(linear.time(cores), 64.0 / cores, 1e-12);
}

TEST_F(ScalabilityFile, RefusesWithTheLine) {
  const std::string good = "64 1\n";
  for (const char* wrong : {"x 1", "64", "32 0", "32 -1", "32 inf", "32 nan", "0 1", "1.5 1", "32 1 1", "64 2"}) {
    try {
      read_scalability(write(good + wrong + "\n"));
      ADD_FAILURE() << wrong;
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find("times:2: "), std::string::npos) << e.what();
    }
  }
  EXPECT_THROW(read_scalability(write("# none\n")), InputError);
  EXPECT_THROW(read_scalability("no-such-file"), InputError);
  EXPECT_THROW(read_scalability(testing::TempDir()), InputError);  // a folder
}

}  // namespace
}  // namespace strata::models
