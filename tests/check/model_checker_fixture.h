// SPDX-License-Identifier: LGPL-2.1-only
// A fixture for tests that explore; they are skipped if SimGrid's model checker is not installed.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>

#include "check/messages/model_checker.h"

namespace strata::check {

class WithModelChecker : public ::testing::Test {
 protected:
  void SetUp() override {
    if (std::getenv("HOME") == nullptr) ::setenv("STRATA_CACHE", "/nowhere", 0);
    const auto found = find_model_checker();
    if (!found.has_value()) GTEST_SKIP() << "SimGrid's model checker is not installed: ./strata check --install-mc";
    checker_ = *found;
  }

  ModelChecker checker_;
};

}  // namespace strata::check
