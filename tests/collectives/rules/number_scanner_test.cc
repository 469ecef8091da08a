// SPDX-License-Identifier: LGPL-2.1-only
// Numbers and words as fscanf reads them.
#include "collectives/rules/number_scanner.h"

#include <gtest/gtest.h>

#include <vector>

namespace strata::collectives {
namespace {

std::vector<std::int64_t> numbers_of(const std::string& text) {
  NumberScanner scanner(text);
  std::vector<std::int64_t> all;
  while (const auto n = scanner.number()) all.push_back(n->value);
  return all;
}

using Numbers = std::vector<std::int64_t>;

TEST(NumberScanner, ReadsNumbersInAnyText) {
  EXPECT_EQ(numbers_of(""), Numbers{});
  EXPECT_EQ(numbers_of("1 2\n3\t4"), (Numbers{1, 2, 3, 4}));
  EXPECT_EQ(numbers_of("8K # 9\n x2y3,4"), (Numbers{8, 2, 3, 4}));
  EXPECT_EQ(numbers_of("0x10 010 08 -5 +6"), (Numbers{16, 8, 0, 8, -5, 6}));
  EXPECT_EQ(numbers_of("rule-file-version-2\n1"), (Numbers{-2, 1}));
  EXPECT_EQ(numbers_of("# 1\n## 2 # 3\n4#5\n6"), (Numbers{4, 6}));
  EXPECT_EQ(numbers_of("99999999999999999999 7"), (Numbers{INT64_MAX, 7}));
  EXPECT_EQ(numbers_of("-"), Numbers{});
}

TEST(NumberScanner, SaysWhatItSkipsAndWhere) {
  NumberScanner scanner("1\n8K\n\n16 010");
  EXPECT_EQ(scanner.number()->line, 1);
  EXPECT_EQ(scanner.number()->skipped, "");
  const auto n = scanner.number();
  EXPECT_EQ(n->value, 16);
  EXPECT_EQ(n->line, 4);
  EXPECT_EQ(n->skipped, "K");
  EXPECT_EQ(n->skipped_line, 2);
  EXPECT_TRUE(n->is_decimal);
  EXPECT_FALSE(scanner.number()->is_decimal);
  EXPECT_FALSE(scanner.number().has_value());
}

TEST(NumberScanner, ReadsWordsAndCharacters) {
  NumberScanner scanner("#c d\nbcast # e\n  intra_node @simple [ 1 2 ]\n7 8");
  EXPECT_EQ(scanner.word()->text, "bcast");
  const auto level = scanner.word();
  EXPECT_EQ(level->text, "intra_node");
  EXPECT_EQ(level->line, 3);
  EXPECT_TRUE(scanner.takes('@').value());
  EXPECT_EQ(scanner.word()->text, "simple");
  EXPECT_FALSE(scanner.takes('@').value());
  EXPECT_TRUE(scanner.takes('[').value());
  EXPECT_FALSE(scanner.takes(']').value());
  EXPECT_EQ(scanner.number()->value, 1);
  EXPECT_EQ(scanner.number()->value, 2);
  EXPECT_TRUE(scanner.is_digit_next() == false);
  EXPECT_TRUE(scanner.takes(']').value());
  EXPECT_FALSE(scanner.is_digit_next());  // it is on the next line
  EXPECT_EQ(scanner.number()->value, 7);
  EXPECT_TRUE(scanner.is_digit_next());
  EXPECT_EQ(scanner.number()->value, 8);
  EXPECT_FALSE(scanner.takes('x').has_value());
  EXPECT_FALSE(scanner.word().has_value());
  EXPECT_EQ(NumberScanner(std::string(40, 'a')).word()->text.size(), 32U);
}

}  // namespace
}  // namespace strata::collectives
