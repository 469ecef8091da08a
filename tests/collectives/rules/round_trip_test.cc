// SPDX-License-Identifier: LGPL-2.1-only
// Written rules are read as the same rules, for random files of every format; and cut or damaged files are refused or
// read, but nothing else happens.
#include <gtest/gtest.h>

#include <string>

#include "collectives/rules/look_up.h"
#include "tests/collectives/rules/random_rules.h"
#include "tests/collectives/rules/rule_texts.h"

namespace strata::collectives {
namespace {

struct Case {
  Format format;
  Library library;
};

const Case kCases[] = {{Format::kTuned, kOpenMpi41}, {Format::kTuned2, kOpenMpi50}, {Format::kTunedJson, kOpenMpi60},
                       {Format::kHan, kOpenMpi41},   {Format::kHan, kOpenMpi50},    {Format::kCsel, kMpich40},
                       {Format::kCsel, kMpich50}};

TEST(RoundTrip, WhatIsWrittenIsRead) {
  for (const Case& c : kCases) {
    for (unsigned seed = 1; seed <= 100; ++seed) {
      SCOPED_TRACE(testing::Message() << word_of(kFormats, c.format) << ", " << title_of(c.library) << ", seed "
                                      << seed);
      const RuleFile file = RandomRules(c.format, c.library, seed).make();
      const std::string text = write_rules(file);
      RuleFile read;
      ASSERT_NO_THROW(read = read_text(text, c.library)) << text;
      ASSERT_TRUE(same_rules(file, read)) << text << "\n" << write_rules(read);
      ASSERT_EQ(write_rules(read), text);
    }
  }
}

// Looks up what remains of a file: no input makes a reader or a look-up do anything but throw InputError.
TEST(RoundTrip, DamagedFilesAreRefusedOrRead) {
  for (const Case& c : kCases) {
    for (unsigned seed = 1; seed <= 60; ++seed) {
      SCOPED_TRACE(testing::Message() << word_of(kFormats, c.format) << ", " << title_of(c.library) << ", seed "
                                      << seed);
      const std::string text = damaged(write_rules(RandomRules(c.format, c.library, seed).make()), seed);
      if (text.empty()) continue;
      try {
        const RuleFile file = read_text(text, c.library, Reading::kAsTheLibrary);
        for (const auto& [operation, name] : kOperations) {
          for (const int ranks : {1, 2, 7, 64, 5000}) {
            look_up(file, c.library, {.operation = operation, .ranks = ranks, .bytes = std::int64_t{1} << (seed % 30)});
          }
        }
      } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("rules.conf"), std::string::npos) << e.what();
      }
    }
  }
}

}  // namespace
}  // namespace strata::collectives
