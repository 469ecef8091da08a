// SPDX-License-Identifier: LGPL-2.1-only
// Bad input as users see it.
#pragma once

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "tests/command/strata_process.h"

namespace strata {

/// Expects exit code 2, nothing on stdout, and one line on stderr that names the place, the error, and what would be
/// right.
inline void expect_refused(const Ran& ran, const std::string& where, const std::string& what,
                           const std::string& remedy) {
  EXPECT_EQ(ran.code, 2) << ran.err;
  EXPECT_EQ(ran.signal, 0);
  EXPECT_EQ(ran.out, "");
  EXPECT_THAT(ran.err, ::testing::StartsWith("strata: "));
  EXPECT_EQ(lines_of(ran.err).size(), 1u) << ran.err;
  EXPECT_EQ(ran.err.back(), '\n');
  EXPECT_THAT(ran.err, ::testing::HasSubstr(where));
  EXPECT_THAT(ran.err, ::testing::HasSubstr(what));
  EXPECT_THAT(ran.err, ::testing::HasSubstr(remedy));
}

}  // namespace strata
