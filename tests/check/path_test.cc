// SPDX-License-Identifier: LGPL-2.1-only
// Steps of an execution in SimGrid's notation and in that of keys.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>

#include "base/error.h"
#include "check/messages/execution_path.h"

namespace strata::check {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(Path, IsTheSameInBothNotations) {
  const Path path = path_of_record("1;3/1;3");
  EXPECT_THAT(path, ElementsAre("1", "3/1", "3"));
  EXPECT_EQ(key_text_of(path), "1,3/1,3");
  EXPECT_EQ(path_of_key("1,3/1,3"), path);
  EXPECT_EQ(record_of(path), "1;3/1;3");
  EXPECT_EQ(actor_of(path[1]), "3");
}

// A program may fail before its first step.
TEST(Path, MayHaveNoSteps) {
  EXPECT_TRUE(path_of_record("").empty());
  EXPECT_EQ(record_of({}), "0");
  EXPECT_EQ(key_text_of({}), "0");
  EXPECT_TRUE(path_of_key("0").empty());
}

TEST(Path, OfAKeyThatHasNoneIsRefused) {
  const std::pair<std::string, std::string> refused[] = {
      {"", "character 1: not a step"},   {"nonsense", "character 1: not a step"},
      {"1,", "character 3: not a step"}, {"1,03", "character 3: not a step"},
      {"1/", "character 3: not a step"}, {"1;3", "character 2: neither a further step nor the end"}};
  for (const auto& [text, fault] : refused) {
    try {
      path_of_key(text);
      ADD_FAILURE() << text;
    } catch (const InputError& error) {
      EXPECT_THAT(error.what(), HasSubstr("case '" + text + "', " + fault));
    }
  }
}

}  // namespace
}  // namespace strata::check
