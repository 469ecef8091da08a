// SPDX-License-Identifier: LGPL-2.1-only
// Sizes separated by x, and texts that are not.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/dims_text.h"

namespace strata {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

TEST(Dims, SizesSeparatedByX) {
  EXPECT_THAT(parse_dims("16x8"), ElementsAre(16, 8));
  EXPECT_THAT(parse_dims("7"), ElementsAre(7));
  EXPECT_THAT(parse_dims("1x0x1", 0), ElementsAre(1, 0, 1));
  for (const char* wrong : {"", "x", "3x", "x3", "3xx4", "3x0", "3x-1", "3 x 4", "3,4", "3x4a", "99999999999"})
    EXPECT_THAT(parse_dims(wrong), IsEmpty()) << wrong;
}

}  // namespace
}  // namespace strata
