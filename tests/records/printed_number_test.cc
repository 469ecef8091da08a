// SPDX-License-Identifier: LGPL-2.1-only
// Numbers in the output of programs, and names in braces in their arguments.
#include "base/printed_number.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>
#include <vector>

#include "records/placeholders.h"

namespace strata {
namespace {

TEST(PrintedNumber, IsGroupOneOfTheLastLineThatMatches) {
  const std::string output = "step 1: FOM = 1\nFOM   = 12.5 (z/s)\r\nFOM: none\nElapsed 3\n";
  const auto found = last_number(R"(FOM\s*=\s*(\S+))", output);
  ASSERT_TRUE(found);
  EXPECT_EQ(found->text, "12.5");
  EXPECT_EQ(found->value, 12.5);
  EXPECT_EQ(last_number(R"(^FOM\s*=\s*(\S+) \((\S+)\)$)", output)->value, 12.5) << "without the carriage return";
  EXPECT_EQ(last_number(R"(Elapsed (\d+))", "Elapsed 7")->value, 7) << "a last line without a line feed";
  EXPECT_FALSE(last_number(R"(Elapsed = (\d+))", output));
  EXPECT_FALSE(last_number(R"(1$\n(\w+))", output)) << "a pattern sees one line";
  EXPECT_FALSE(last_number("(x)", ""));
}

TEST(PrintedNumber, Forms) {
  const auto value = [](const std::string& text) { return last_number("^v (.*)$", "v " + text)->value; };
  EXPECT_EQ(value("+3"), 3);
  EXPECT_EQ(value("-.5"), -0.5);
  EXPECT_EQ(value("1e6"), 1e6);
  EXPECT_EQ(value("1.25E-03"), 1.25e-3);
  EXPECT_EQ(value("0.125D+02"), 12.5) << "Fortran";
  for (const char* none : {"", "x", "1 s", "1,5", "0x10", "nan", "inf", "1e999", "+-1", "1.5.2"})
    EXPECT_FALSE(value(none)) << none;
}

// Programs print bytes that are not UTF-8, and lines without a line feed.
TEST(PrintedNumber, OfAnyBytes) {
  EXPECT_EQ(last_number(R"(t = (\d+) \S+s$)", std::string("\xFF\0\x80 t = 8 \xB5s", 12))->value, 8);
  EXPECT_EQ(last_number("t = (\\d+) \xC2\xB5s", "t = 8 \xC2\xB5s")->value, 8);
  EXPECT_EQ(last_number(R"((a*)*b|(\d)$)", std::string(1 << 20, 'a') + " 7")->text, "") << "in linear time";
}

TEST(PrintedNumber, PatternsThatCannotBeUsed) {
  EXPECT_EQ(pattern_fault(R"(FOM = (\S+))"), std::nullopt);
  EXPECT_EQ(pattern_fault("FOM = ("), "missing ): FOM = (");
  EXPECT_EQ(pattern_fault("FOM = 12"), "no group in parentheses for the number");
  EXPECT_EQ(pattern_fault("FOM = (?:12)"), "no group in parentheses for the number");
  EXPECT_EQ(pattern_fault(R"((\S+)\1)"), R"(invalid escape sequence: \1)");
}

TEST(Placeholders, AreNamesInBraces) {
  EXPECT_EQ(names_in_braces("-s={size}:{side-2}{x_1}"), (std::vector<std::string>{"size", "side-2", "x_1"}));
  EXPECT_TRUE(names_in_braces("{{size} }").empty()) << "a brace";
  for (const char* wrong : {"{", "{}", "{ size}", "a{size", "{{{", "{a b}"})
    EXPECT_THROW(names_in_braces(wrong), std::invalid_argument) << wrong;
}

TEST(Placeholders, GetValues) {
  const Json parameters = {{"size", 30}, {"text", "a \"b\" {size}"}, {"x", 0.1}};
  EXPECT_EQ(with_values("-s={size}:{size}", parameters), "-s=30:30");
  EXPECT_EQ(with_values("{text}", parameters), "a \"b\" {size}") << "once";
  EXPECT_EQ(with_values("{x}", parameters), "0.1");
  EXPECT_EQ(with_values("{{size}}", parameters), "{size}}");
  EXPECT_EQ(with_values("{other} {", parameters), "{other} {");
}

}  // namespace
}  // namespace strata
