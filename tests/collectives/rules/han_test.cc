// SPDX-License-Identifier: LGPL-2.1-only
// Files of rules for Open MPI's HAN.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/rules/han_file.h"
#include "tests/collectives/rules/rule_texts.h"

namespace strata::collectives {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kBcast =
    "1 # number of collectives\n"
    "bcast\n"
    "2 # levels\n"
    "intra_node\n"
    "1\n"
    "1 2\n"
    "0 sm\n"
    "8192 tuned\n"
    "2 # global_communicator\n"
    "1\n"
    "1 2\n"
    "0 han\n"
    "1024 han @simple\n";

TEST(Han, IsRead) {
  const RuleFile file = read_text(kBcast, kOpenMpi50);
  EXPECT_EQ(file.format, Format::kHan);
  ASSERT_EQ(file.collectives.size(), 1U);
  EXPECT_EQ(file.collectives[0].id, 7);
  ASSERT_EQ(file.collectives[0].levels.size(), 2U);
  const LevelRules &node = file.collectives[0].levels[0], &global = file.collectives[0].levels[1];
  EXPECT_EQ(node.level, Level::kIntraNode);
  EXPECT_EQ(node.communicators[0].rules[1],
            (MessageRule{.from_bytes = 8192, .choice = {.component = "tuned"}, .line = 8}));
  EXPECT_EQ(global.level, Level::kGlobal);
  EXPECT_EQ(global.line, 9);
  EXPECT_EQ(global.communicators[0].rules[1],
            (MessageRule{.from_bytes = 1024, .choice = {.algorithm = 2, .component = "han"}, .line = 13}));
}

// Open MPI 4.1 reads neither names of levels nor algorithms.
TEST(Han, DependsOnTheVersion) {
  EXPECT_THAT(error_of(kBcast, kOpenMpi41),
              HasSubstr("rules.conf:4: Open MPI 4.1.8 reads the number of a level, not intra_node, so Open MPI ignores "
                        "the whole file and uses the parameters coll_han_*_dynamic_*_module; write 0"));
  EXPECT_EQ(error_of("1 7 1 0 1 1 1 0 tuned", kOpenMpi41), "");
  EXPECT_NE(error_of("1 7 1 2 1 1 1 0 han @simple", kOpenMpi41), "");
  EXPECT_THAT(remarks_of("1 alltoall 1 2 1 1 1 0 han", kOpenMpi50),
              ElementsAre("1: HAN has no alltoall in Open MPI 5.0.9, so Open MPI does not use these rules"));
  EXPECT_EQ(error_of("1 alltoall 1 2 1 1 1 0 han @smsc", kOpenMpi60), "");
}

TEST(Han, IsCutAnywhere) {
  const std::string text(kBcast);
  for (size_t i = text.find("8192"); i < text.rfind("han @"); ++i) {
    EXPECT_THAT(error_of(text.substr(0, i), kOpenMpi50),
                HasSubstr("so Open MPI ignores the whole file and uses the parameters coll_han_*_dynamic_*_module"))
        << i;
  }
}

TEST(Han, RefusesWhatOpenMpiIgnores) {
  const auto error = [](const std::string& text) { return error_of(text, kOpenMpi50, Reading::kAsTheLibrary); };
  EXPECT_THAT(error("0 han"), HasSubstr("the number of collectives is 0"));
  EXPECT_THAT(error("1 bcats 1 0 1 1 1 0 sm"), HasSubstr("'bcats' is not a collective"));
  EXPECT_THAT(error("1 bcast 1 node 1 1 1 0 sm"), HasSubstr("'node' is not a level"));
  EXPECT_THAT(error("1 bcast 1 3 1 1 1 0 sm"), HasSubstr("'3' is not a level"));
  EXPECT_THAT(error("1 bcast 1 0 1 2 1 0 sm"), HasSubstr("the first communicator size of bcast is 2"));
  EXPECT_THAT(error("1 bcast 1 0 1 1 1 8 sm"), HasSubstr("the first message size of bcast is 8"));
  // The example of Open MPI's own header.
  EXPECT_THAT(error("1\nbcast\n1\n0\n1\n1\n2\n0 3\n128 sm"), HasSubstr("rules.conf:8: '3' is not a component of HAN"));
  EXPECT_THAT(error("1 bcast 1 2 1 1 1 0 han@simple"), HasSubstr("write a blank before the @"));
  EXPECT_THAT(error("1 bcast 1 2 1 1 1 0 han @fast"),
              HasSubstr("HAN's bcast has no algorithm 'fast' in Open MPI 5.0.9, so Open MPI ignores the whole file"));
}

TEST(Han, RemarksWhatOpenMpiAccepts) {
  const auto remarks = [](const std::string& text) {
    EXPECT_NE(error_of(text, kOpenMpi50), "");
    return remarks_of(text, kOpenMpi50);
  };
  EXPECT_THAT(remarks("1 bcast 1 0 1 1 1 0 han"),
              ElementsAre("1: han is only for level 2, global_communicator, so Open MPI finds no component for this "
                          "rule"));
  EXPECT_THAT(remarks("1 bcast 1 0 1 1 1 0 tuned [ 1024 2048 ]"),
              ElementsAre("1: there is a list of segment lengths, so Open MPI reads it and does not use it"));
  EXPECT_THAT(remarks("1 bcast 1 0 2 1 1 0 tuned 1 1 0 sm"), ::testing::SizeIs(1));
  EXPECT_THAT(remarks("1 bcast 2 0 1 1 1 0 tuned 0 1 1 1 0 sm"),
              ElementsAre("1: bcast has rules for this level already, so Open MPI uses the last ones"));
  EXPECT_THAT(remarks("1 bcast 1 0 1 1 1 0 tuned 7"),
              ElementsAre("1: '7' comes after the last rule, so Open MPI does not read it"));
}

}  // namespace
}  // namespace strata::collectives
