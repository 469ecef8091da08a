// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/workers.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <map>
#include <stdexcept>
#include <string>

#include "base/child.h"
#include "base/error.h"

namespace strata::sim {
namespace {

std::map<std::size_t, Answer> answers(std::size_t count, int workers, double limit_s,
                                      const std::function<std::string(std::size_t)>& calculate) {
  const SignalGuard guard;
  std::map<std::size_t, Answer> all;
  run_in_workers(count, workers, limit_s, calculate, [&](std::size_t i, const Answer& answer) {
    EXPECT_TRUE(all.emplace(i, answer).second) << i << " ended twice";
    return true;
  });
  return all;
}

TEST(Workers, EachCalculationIsAnsweredOnce) {
  for (const int workers : {1, 2, 7}) {
    for (const std::size_t count : {0, 1, 5, 300}) {
      const auto all = answers(count, workers, 60, [](std::size_t i) { return fmt::format("{}", i * i); });
      ASSERT_EQ(all.size(), count);
      for (const auto& [i, answer] : all) EXPECT_EQ(answer.text, fmt::format("{}", i * i));
    }
  }
}

TEST(Workers, ALongAnswerArrivesWhole) {
  const auto all = answers(3, 2, 60, [](std::size_t i) { return std::string(3'000'000 + i, 'a'); });
  for (const auto& [i, answer] : all) EXPECT_EQ(answer.text.size(), 3'000'000 + i);
}

TEST(Workers, AFaultIsOfItsCalculationAlone) {
  const auto all = answers(6, 2, 60, [](std::size_t i) -> std::string {
    if (i == 1) throw InputError("file:3", "is wrong", "mend it");
    if (i == 2) throw std::runtime_error("a fault");
    if (i == 3) ::kill(::getpid(), SIGKILL);
    return "fine";
  });
  ASSERT_EQ(all.size(), 6u);
  EXPECT_EQ(all.at(1).failure, "file:3: is wrong; mend it");
  EXPECT_TRUE(all.at(1).bad_usage);
  EXPECT_EQ(all.at(2).failure, "a fault");
  EXPECT_FALSE(all.at(2).bad_usage);
  EXPECT_THAT(all.at(3).failure, ::testing::HasSubstr("killed by signal 9"));
  for (const std::size_t i : {0, 4, 5}) EXPECT_EQ(all.at(i).text, "fine") << all.at(i).failure;
}

TEST(Workers, WhatTakesTooLongFails) {
  const auto all = answers(4, 2, 0.3, [](std::size_t i) {
    if (i == 2) ::pause();
    return std::string("fine");
  });
  ASSERT_EQ(all.size(), 4u);
  EXPECT_THAT(all.at(2).failure, ::testing::HasSubstr("no end after 0.3 s of wall time"));
  for (const std::size_t i : {0, 1, 3}) EXPECT_EQ(all.at(i).text, "fine") << all.at(i).failure;
}

TEST(Workers, ASignalEndsThem) {
  const SignalGuard guard;
  std::size_t ended = 0;
  EXPECT_THROW(run_in_workers(
                   100, 2, 60,
                   [](std::size_t i) {
                     if (i > 1) ::pause();
                     return std::string();
                   },
                   [&](std::size_t, const Answer&) {
                     if (++ended == 2) ::raise(SIGTERM);
                     return true;
                   }),
               Interrupted);
  EXPECT_EQ(ended, 2u);
}

TEST(Workers, TheCallerMayStop) {
  const SignalGuard guard;
  std::size_t ended = 0;
  run_in_workers(
      100, 2, 60, [](std::size_t) { return std::string(); }, [&](std::size_t, const Answer&) { return ++ended < 5; });
  EXPECT_EQ(ended, 5u);
}

}  // namespace
}  // namespace strata::sim
