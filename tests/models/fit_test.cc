// SPDX-License-Identifier: LGPL-2.1-only
// The fit recovers the figures behind the points, and refuses points that do not determine them.
#include "models/fit.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <stdexcept>
#include <string>

#include "base/error.h"
#include "tests/models/round_machines.h"

namespace strata::models {
namespace {

std::filesystem::path fresh_folder(const std::string& name) {
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / name;
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(Fit, RecoversAlphaAndBeta) {
  std::vector<MeasuredPoint> points;
  for (double m = 1; m <= 1e7; m *= 10) points.push_back({m, 1.7e-6 + m / 3.2e9});
  const HockneyFit fit = fit_hockney(points);
  EXPECT_NEAR(fit.latency.value, 1.7e-6, 1e-10 * 1.7e-6);
  EXPECT_NEAR(fit.bandwidth.value, 3.2e9, 1e-10 * 3.2e9);
  EXPECT_LT(fit.max_relative_residual, 1e-10);
}

// Points 1 % above and below the line, at 0 B and at 1 MB. Each pair alone determines its end of the line: the sum of
// (1 - a/t)^2 over t = 0.99 and 1.01 is minimal at a = (1/0.99 + 1/1.01) / (1/0.99^2 + 1/1.01^2) = 2 * 0.9999 / 2.0002.
TEST(Fit, EachSizeCountsByItsRelativeErrors) {
  const double a = 2 * 0.9999 / 2.0002;
  const std::vector<MeasuredPoint> points = {{0, 0.99e-6}, {0, 1.01e-6}, {1e6, 0.99e-3}, {1e6, 1.01e-3}};
  const HockneyFit fit = fit_hockney(points);
  EXPECT_NEAR(fit.latency.value, a * 1e-6, 1e-15);
  EXPECT_NEAR(1e6 / fit.bandwidth.value + fit.latency.value, a * 1e-3, 1e-12);
  EXPECT_NEAR(fit.max_relative_residual, 1 - a / 1.01, 1e-9);
}

// All points are on a line, except the largest message, which takes 10 us (1 %) too long. alpha stays 1 us. A
// least-squares fit of the times themselves would change it by more than 1 us.
TEST(Fit, LargeMessagesDoNotDecideAlpha) {
  std::vector<MeasuredPoint> points;
  for (const double m : {0.0, 100.0, 1e3, 1e4, 1e5}) points.push_back({m, 1e-6 + m / 1e9});
  points.push_back({1e6, 1.011e-3});
  EXPECT_NEAR(fit_hockney(points).latency.value, 1e-6, 0.01e-6);
}

TEST(Fit, RefusesPointsThatDetermineNothing) {
  const std::vector<MeasuredPoint> none, one_size = {{8, 1e-6}, {8, 1.1e-6}}, free = {{8, 0}, {16, 1e-6}},
                                         falling = {{8, 2e-6}, {1000, 1e-6}};
  EXPECT_THROW(fit_hockney(none), std::invalid_argument);
  EXPECT_THROW(fit_hockney(one_size), std::invalid_argument);
  EXPECT_THROW(fit_hockney(free), std::invalid_argument);
  EXPECT_THROW(fit_hockney(falling), std::invalid_argument);
}

Record point(int number, const std::string& level, double bytes, double seconds) {
  return {.scenario = "s",
          .point = number,
          .parameters = {{"level", level}, {"bytes", bytes}},
          .metric = "time",
          .value = seconds,
          .unit = "s",
          .seed = 1};
}

TEST(FitLevels, ComparesEachLevelWithTheMachine) {
  // The points come from other figures than the machine's: latency is 10 % higher at the cluster level, bandwidth is
  // half within a package.
  Machine machine = uniform_machine("node:2 pack:2 core:2 pu:1");  // 1 us, 1 GB/s
  const std::filesystem::path folder = fresh_folder("fit_levels");
  save_machine(machine, folder);
  Results results;
  results.folder = folder;
  results.manifest.study.program = "pingpong";
  int number = 0;
  for (const double bytes : {0.0, 1000.0, 1e6}) {
    results.records.push_back(point(number++, "System - Cluster", bytes, 1.1e-6 + (bytes + 16) / 1e9));
    results.records.push_back(point(number++, "Package", bytes, 1e-6 + (bytes + 16) / 0.5e9));
  }
  const std::vector<LevelFit> fits = fit_levels(results);
  ASSERT_EQ(fits.size(), 2U);
  EXPECT_EQ(fits[0].level, "System - Cluster");
  EXPECT_NEAR(fits[0].fitted.latency.value, 1.1e-6, 1e-15);
  EXPECT_NEAR(fits[0].latency.value, 1e-6, 1e-18);
  EXPECT_NEAR(fits[0].latency_difference, 0.1, 1e-8);
  EXPECT_NEAR(fits[0].bandwidth_difference, 0, 1e-8);
  EXPECT_EQ(fits[1].level, "Package");
  EXPECT_NEAR(fits[1].latency_difference, 0, 1e-8);
  EXPECT_NEAR(fits[1].bandwidth_difference, -0.5, 1e-8);
}

// Points below, at and above the beginning of a segment, which is compared with the payload, not with the bytes on the
// wire.
TEST(FitLevels, FitsEachSegmentOfALevel) {
  Machine machine = uniform_machine("node:2 pack:2 core:2 pu:1");  // 1 us, 1 GB/s
  level_of(machine, "Package").segments = {segment(500, {.latency_us = 3, .overhead_us = 1, .bandwidth_gbs = 2}),
                                           segment(8192, {.latency_us = 9, .overhead_us = 1, .bandwidth_gbs = 4})};
  const std::filesystem::path folder = fresh_folder("fit_segments");
  save_machine(machine, folder);
  Results results;
  results.folder = folder;
  results.manifest.study.program = "pingpong";
  int number = 0;
  for (const double bytes : {0.0, 490.0, 499.0})
    results.records.push_back(point(number++, "Package", bytes, 1e-6 + (bytes + 16) / 1e9));
  for (const double bytes : {500.0, 4000.0, 8191.0})
    results.records.push_back(point(number++, "Package", bytes, 3.3e-6 + (bytes + 16) / 2e9));
  for (const double bytes : {8192.0, 1e6})
    results.records.push_back(point(number++, "Package", bytes, 9e-6 + (bytes + 16) / 8e9));
  const std::vector<LevelFit> fits = fit_levels(results);
  ASSERT_EQ(fits.size(), 3U);
  EXPECT_EQ(fits[0].from_bytes, 0);
  EXPECT_EQ(fits[1].from_bytes, 500);
  EXPECT_EQ(fits[2].from_bytes, 8192);
  EXPECT_NEAR(fits[0].latency_difference, 0, 1e-8);
  EXPECT_NEAR(fits[0].bandwidth_difference, 0, 1e-8);
  EXPECT_NEAR(fits[1].latency_difference, 0.1, 1e-8);
  EXPECT_NEAR(fits[1].bandwidth_difference, 0, 1e-8);
  EXPECT_NEAR(fits[2].latency_difference, 0, 1e-8);
  EXPECT_NEAR(fits[2].bandwidth_difference, 1, 1e-8);

  results.records = {point(0, "Package", 0, 1e-6), point(1, "Package", 100, 2e-6), point(2, "Package", 500, 3e-6)};
  try {
    fit_levels(results);
    FAIL() << "one size of a segment";
  } catch (const InputError& e) {
    EXPECT_NE(std::string(e.what()).find("level 'Package' has points of only one size, of messages from 500 B on"),
              std::string::npos)
        << e.what();
  }
}

TEST(FitLevels, RefusesWhatItCannotFit) {
  const std::filesystem::path folder = fresh_folder("fit_refuses");
  save_machine(uniform_machine("node:2 pack:2 core:2 pu:1"), folder);
  Results results;
  results.folder = folder;
  results.manifest.study.program = "pingpong";
  EXPECT_THROW(fit_levels(results), InputError);  // no records
  results.records = {point(0, "Package", 8, 1e-6)};
  EXPECT_THROW(fit_levels(results), InputError);  // only one size
  results.records = {point(0, "L7", 8, 1e-6), point(1, "L7", 80, 2e-6)};
  EXPECT_THROW(fit_levels(results), InputError);  // the level does not exist
  results.records = {point(0, "Package", 8, 1e-6), point(1, "Package", 80, 2e-6)};
  EXPECT_EQ(fit_levels(results).size(), 1U);
  results.manifest.study.program = "collective";
  EXPECT_THROW(fit_levels(results), InputError);
}

Record overhead(int number, const std::string& metric, const std::string& level, double bytes, double seconds) {
  Record r = point(number, level, bytes, seconds);
  r.metric = metric;
  return r;
}

// The mean of each segment's sizes. The cluster's send overhead of 0.25 us is measured 20 % too long.
TEST(FitOverheads, ComparesEachSegmentWithTheMachine) {
  Machine machine = uniform_machine("node:2 pack:2 core:2 pu:1");  // overhead 0.25 us
  level_of(machine, "Package").segments = {segment(500, {.latency_us = 3, .overhead_us = 1, .bandwidth_gbs = 2})};
  level_of(machine, "Package").receive_overhead = microseconds(0.5);
  const std::filesystem::path folder = fresh_folder("fit_overheads");
  save_machine(machine, folder);
  Results results;
  results.folder = folder;
  results.manifest.study.program = "busy";
  EXPECT_THROW(fit_overheads(results), InputError);  // no records
  results.records = {overhead(0, "send_overhead", "System - Cluster", 0, 0.29e-6),
                     overhead(0, "send_overhead", "System - Cluster", 9, 0.31e-6),
                     overhead(0, "receive_overhead", "System - Cluster", 0, 1e-15),
                     overhead(1, "send_overhead", "Package", 499, 0.25e-6),
                     overhead(1, "receive_overhead", "Package", 499, 0.5e-6),
                     overhead(1, "send_overhead", "Package", 500, 1e-6),
                     overhead(1, "receive_overhead", "Package", 500, 0.25e-6)};
  const std::vector<OverheadFit> fits = fit_overheads(results);
  ASSERT_EQ(fits.size(), 3U);
  EXPECT_EQ(fits[0].level, "System - Cluster");
  EXPECT_NEAR(fits[0].send.value, 0.3e-6, 1e-15);
  EXPECT_NEAR(fits[0].send_difference, 0.2, 1e-8);
  EXPECT_EQ(fits[0].receive.value, 0);
  EXPECT_EQ(fits[0].receive_difference, 0);
  EXPECT_EQ(fits[1].level, "Package");
  EXPECT_EQ(fits[1].from_bytes, 0);
  EXPECT_NEAR(fits[1].send_difference, 0, 1e-8);
  EXPECT_NEAR(fits[1].receive_difference, 0, 1e-8);
  EXPECT_EQ(fits[2].from_bytes, 500);
  EXPECT_NEAR(fits[2].machine_send.value, 1e-6, 1e-15);
  EXPECT_NEAR(fits[2].receive_difference, -0.5, 1e-8);

  results.records.pop_back();
  EXPECT_THROW(fit_overheads(results), InputError);  // only one metric of a segment
  results.manifest.study.program = "pingpong";
  EXPECT_THROW(fit_overheads(results), InputError);
}

}  // namespace
}  // namespace strata::models
