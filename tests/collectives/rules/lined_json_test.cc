// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/rules/lined_json.h"

#include <gtest/gtest.h>

#include <string>

#include "base/error.h"

namespace strata::collectives {
namespace {

TEST(LinedJson, HasTheLinesOfAFile) {
  const LinedJson root = parse_lined_json("\n{\"a\": [1,\n  {\"b\":\n \"c\"}\n],\n\"a\": -7, \"d\":\n{}}\n", "f", "");
  EXPECT_EQ(root.line, 2);
  ASSERT_EQ(root.items.size(), 3U);
  EXPECT_EQ(root.items[0].key_line, 2);
  ASSERT_EQ(root.items[0].items.size(), 2U);
  EXPECT_EQ(root.items[0].items[0].integer, 1);
  EXPECT_EQ(root.items[0].items[1].line, 3);
  EXPECT_EQ(root.items[0].items[1].items[0].text, "c");
  EXPECT_EQ(root.items[1].key_line, 6);
  EXPECT_EQ(root.items[1].integer, -7);
  EXPECT_EQ(root.find("a"), &root.items[0]);
  EXPECT_EQ(root.find("d")->line, 7);
  EXPECT_EQ(root.find("e"), nullptr);
}

std::string error_in(const std::string& text) {
  try {
    parse_lined_json(text, "f", "it is ignored");
  } catch (const InputError& e) {
    return e.what();
  }
  return "";
}

TEST(LinedJson, RefusesWhatIsNoJson) {
  EXPECT_EQ(error_in("{\"a\":\n 1,}"),
            "f:2: the JSON is wrong at '1,}', so it is ignored; write JSON, in which no comma comes before a closing "
            "bracket");
  EXPECT_EQ(error_in("1\n7\n2\n").substr(0, 29), "f:2: the JSON is wrong at '7'");
  EXPECT_EQ(error_in("{\n").substr(0, 46), "f:2: the JSON is wrong at the end of the file,");
  EXPECT_NE(error_in(""), "");
  EXPECT_NE(error_in("{} {}"), "");
  EXPECT_NE(error_in("{\"a\": \xff}"), "");
  EXPECT_EQ(error_in(std::string(300, '[')), "f:1: objects are nested more than 200 deep; write fewer levels");
  EXPECT_EQ(error_in(std::string(200, '[') + std::string(200, ']')), "");
}

}  // namespace
}  // namespace strata::collectives
