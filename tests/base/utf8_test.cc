// SPDX-License-Identifier: LGPL-2.1-only
// Where UTF-8 ends in a text.
#include "base/utf8.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace strata {
namespace {

TEST(Utf8, WhereItEnds) {
  constexpr size_t kNowhere = std::string_view::npos;
  for (const char* text :
       {"", "a\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80", "\xF4\x8F\xBF\xBF", "\xEF\xBB\xBF", "\xEF\xBF\xBE"}) {
    EXPECT_EQ(first_not_utf8(text), kNowhere) << text;
  }
  EXPECT_EQ(first_not_utf8("ab\xA2"), 2u);
  EXPECT_EQ(first_not_utf8("x\xE2\x82"), 1u);  // incomplete
  EXPECT_EQ(first_not_utf8(std::string_view("a\0\xFF", 3)), 2u);
  // Overlong forms, a surrogate, a value above U+10FFFF, and a byte with which no character begins.
  for (const char* text :
       {"\xC0\x80", "\xE0\x80\x80", "\xF0\x8F\xBF\xBF", "\xED\xA0\x80", "\xF4\x90\x80\x80", "\xFF"}) {
    EXPECT_EQ(first_not_utf8(text), 0u) << text;
  }
}

}  // namespace
}  // namespace strata
