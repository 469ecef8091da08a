// SPDX-License-Identifier: LGPL-2.1-only
// Units: exact factors, by dimension.
#include "base/units.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"

namespace strata {
namespace {

TEST(Units, FactorsAreExactAndByDimension) {
  EXPECT_EQ(unit_factor("bandwidth", "Gb/s"), 125e6);
  EXPECT_EQ(unit_factor("bandwidth", "GiB/s"), 1073741824.0);
  EXPECT_EQ(unit_factor("size", "KiB"), 1024);
  EXPECT_EQ(unit_factor("size", "kB"), 1000);
  EXPECT_EQ(unit_factor("time", "us"), 1e-6);
  EXPECT_EQ(unit_factor("time", "GB/s"), 0);
  EXPECT_EQ(unit_factor("time", "US"), 0);
  EXPECT_EQ(unit_names("time"), (std::vector<std::string>{"ns", "us", "ms", "s"}));
  EXPECT_EQ((Bytes(3e9) / BytesPerSecond(1.5e9)).value, 2);
}

}  // namespace
}  // namespace strata
