// SPDX-License-Identifier: LGPL-2.1-only
// Numbers as text: rounding at a power of ten, the choice of units, and quoting for a shell.
#include "analysis/format.h"

#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace strata::analysis {
namespace {

TEST(Format, SignificantDigits) {
  EXPECT_EQ(significant(12.345678, 4), "12.35");
  EXPECT_EQ(significant(9.9996, 4), "10.00");  // rounds up to the next power of ten; still four digits
  EXPECT_EQ(significant(123456, 4), "123456");
  EXPECT_EQ(significant(0, 4), "0");
  EXPECT_EQ(significant(-0.5, 3), "-0.500");
  EXPECT_EQ(significant(1.5e-7, 3), "1.50e-07");
  EXPECT_EQ(significant(2.5e12, 3), "2.50e+12");
}

TEST(Format, Shortest) {
  EXPECT_EQ(shortest(21), "21");
  EXPECT_EQ(shortest(0.5), "0.5");
  EXPECT_EQ(shortest(15.16), "15.16");
}

TEST(Format, UnitsByMagnitude) {
  EXPECT_EQ(with_unit(1.2346e-5, "s", 4), "12.35 us");
  EXPECT_EQ(with_unit(1.8765, "1", 3), "1.88") << "a plain number";
  EXPECT_EQ(with_unit(0.002, "s", 3), "2.00 ms");
  EXPECT_EQ(with_unit(0.00099999999, "s", 4), "1.000 ms");  // and not 1000 us
  EXPECT_EQ(with_unit(2400, "s", 4), "2400 s");             // and not 2.4 ks
  EXPECT_EQ(with_unit(0, "s", 4), "0 s");
  EXPECT_EQ(with_unit(4e9, "B/s", 3), "4.00 GB/s");
  EXPECT_EQ(with_unit(0.25, "B", 3), "0.250 B");  // there are no millibytes
  EXPECT_EQ(with_unit(15, "", 3), "15.0");
  EXPECT_EQ(with_unit(1500, "messages", 4), "1500 messages");
}

TEST(Format, Ranges) {
  EXPECT_EQ(range_text(8.1e-4, 8.8e-4, "s"), "810 to 880 us");
  EXPECT_EQ(range_text(730.744e-6, 730.904e-6, "s"), "730.74 to 730.90 us");
  EXPECT_EQ(range_text(9e-4, 1.2e-3, "s"), "0.90 to 1.20 ms");
  EXPECT_EQ(range_text(9e-4, std::nextafter(9e-4, 1), "s"), "900 us");
  EXPECT_EQ(range_text(-2e-6, 1.5e-5, "s"), "-2 to 15 us");
  EXPECT_EQ(range_text(-3e-3, -2.9e-3, "s"), "-3.00 to -2.90 ms");
  EXPECT_EQ(range_text(0, 0, "s"), "0 s");
  EXPECT_EQ(range_text(5e-6, 5e-6, "s"), "5.00 us");
  EXPECT_EQ(range_text(0, 12.7, ""), "0 to 13");
}

TEST(Format, Ticks) {
  EXPECT_EQ(tick_text(1e-5, "s"), "10 us");
  EXPECT_EQ(tick_text(1, "s"), "1 s");
  EXPECT_EQ(tick_text(1e5, ""), "100k");
  EXPECT_EQ(tick_text(0.5, ""), "0.5");
  EXPECT_EQ(tick_text(0, ""), "0");
}

TEST(Format, Parameters) {
  const Json p = {{"algorithm", "linear"}, {"elements", 1000}};
  EXPECT_EQ(parameters_text(p), "algorithm = linear, elements = 1000");
  EXPECT_EQ(label_text(p), "linear, elements 1000");
  EXPECT_EQ(label_text(Json::object()), "");
}

TEST(Format, ShellWords) {
  EXPECT_EQ(shell_text({"strata", "run", "--set", "a=[1, 2]", "it's", ""}),
            "strata run --set 'a=[1, 2]' 'it'\\''s' ''");
}

}  // namespace
}  // namespace strata::analysis
