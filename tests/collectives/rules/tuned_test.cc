// SPDX-License-Identifier: LGPL-2.1-only
// Files of numbers for Open MPI's tuned.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/rules/tuned_file.h"
#include "tests/collectives/rules/rule_texts.h"

namespace strata::collectives {
namespace {

using ::testing::ElementsAre;

constexpr Library kOpenMpi414{Library::Family::kOpenMpi, 4, 1, 4};

constexpr const char* kBcast =
    "1         # number of collectives\n"
    "7         # bcast\n"
    "2         # number of communicator sizes\n"
    "2\n"
    "1\n"
    "0 1 0 0\n"
    "64        # from this many ranks on\n"
    "2         # number of message sizes\n"
    "0 0 0 0   # the fixed decision\n"
    "8192 6 4 1024\n";

TEST(Tuned, IsRead) {
  const RuleFile file = read_text(kBcast, kOpenMpi414);
  EXPECT_EQ(file.format, Format::kTuned);
  ASSERT_EQ(file.collectives.size(), 1U);
  EXPECT_EQ(file.collectives[0].id, 7);
  EXPECT_EQ(file.collectives[0].line, 2);
  const auto& sizes = file.collectives[0].levels[0].communicators;
  ASSERT_EQ(sizes.size(), 2U);
  EXPECT_EQ(sizes[1].from_ranks, 64);
  EXPECT_EQ(sizes[1].line, 7);
  ASSERT_EQ(sizes[1].rules.size(), 2U);
  EXPECT_EQ(
      sizes[1].rules[1],
      (MessageRule{.from_bytes = 8192, .choice = {.algorithm = 6, .faninout = 4, .segment_bytes = 1024}, .line = 10}));
  EXPECT_TRUE(file.remarks.empty());
}

TEST(Tuned, Version2MayStateRequests) {
  const std::string text = "rule-file-version-2\n1 3 1 64 2\n0 0 0 0\n4096 4 0 0 8\n";
  const RuleFile file = read_text(text, kOpenMpi41);
  EXPECT_EQ(file.format, Format::kTuned2);
  const auto& rules = file.collectives[0].levels[0].communicators[0].rules;
  EXPECT_EQ(rules[0].choice.max_requests, std::nullopt);
  EXPECT_EQ(rules[1].choice.max_requests, 8);
  EXPECT_EQ(error_of(text, kOpenMpi414),
            "rules.conf:1: Open MPI 4.1.4 does not know rule-file-version, and reads it as a negative number, so Open "
            "MPI ignores the whole file and uses its fixed decisions; leave it out; Open MPI 4.1.8 and 5.0.7 know it");
  EXPECT_EQ(error_of("# rules\n" + text, kOpenMpi41),
            "rules.conf:2: rule-file-version is not at the beginning of the file, and is read as a negative number, so "
            "Open MPI ignores the whole file and uses its fixed decisions; make it the first line");
  EXPECT_THAT(remarks_of("rule-file-version-3\n0", kOpenMpi50),
              ElementsAre("1: version 3 does not exist, so Open MPI reads it as version 2"));
}

// Without the header, the fifth number of a rule is the first of the next one.
TEST(Tuned, Version1ReadsAFifthNumberAsASize) {
  EXPECT_EQ(
      error_of("1 3 1 64 2\n0 0 0 0 1\n4096 4 0 0 8\n", kOpenMpi41),
      "rules.conf:3: alltoall has no algorithm 4096 in Open MPI 4.1.8, so the program's alltoall returns the error "
      "MPI_ERR_ARG; write 0 to 5, two_proc");
}

TEST(Tuned, IsCutAnywhere) {
  const std::string text(kBcast);
  std::string before;
  for (size_t i = 0; i < text.rfind("1024"); ++i) {
    const std::string error = error_of(text.substr(0, i), kOpenMpi414);
    EXPECT_THAT(error, ::testing::HasSubstr("Open MPI ignores the whole file and uses its fixed decisions")) << i;
    EXPECT_THAT(error, ::testing::HasSubstr("the file ends before ")) << i;
  }
  EXPECT_EQ(error_of(text.substr(0, text.find("8192")), kOpenMpi414),
            "rules.conf:10: the file ends before bcast, communicator size 2 of 2, message size 2 of 2: the number of "
            "bytes, so Open MPI ignores the whole file and uses its fixed decisions; give all rules that the numbers "
            "before them announce");
}

TEST(Tuned, RefusesWhatOpenMpiIgnores) {
  const std::string ignored = ", so Open MPI ignores the whole file and uses its fixed decisions; ";
  const auto error = [&](const std::string& text) { return error_of(text, kOpenMpi414, Reading::kAsTheLibrary); };
  EXPECT_EQ(error("23"), "rules.conf:1: there are 22 collectives, not 23" + ignored +
                             "write how many collectives the file has rules for");
  EXPECT_EQ(error("1\n22"), "rules.conf:2: there is no collective 22" + ignored +
                                "write a number from 0, allgather, to 21, neighbor_alltoallw");
  EXPECT_EQ(error("1\n7\n-1"),
            "rules.conf:3: bcast: the number of communicator sizes is -1" + ignored + "write a number of at least 0");
  EXPECT_EQ(error("1 7 1 4 1\n8 1 0 0"), "rules.conf:2: the first message size of bcast is 8" + ignored +
                                             "begin with a rule from 0 bytes on, such as 0 0 0 0");
  EXPECT_EQ(error(kBcast), "");
}

// Each is refused in a strict reading, and remarked otherwise.
TEST(Tuned, RemarksWhatOpenMpiAccepts) {
  const auto remarks = [](const std::string& text) {
    std::vector<std::string> all = remarks_of(text, kOpenMpi414);
    EXPECT_EQ(error_of(text, kOpenMpi414).empty(), all.empty());
    if (!all.empty()) {
      EXPECT_EQ(error_of(text, kOpenMpi414).rfind("rules.conf:" + all.front(), 0), 0U);
    }
    return all;
  };
  EXPECT_THAT(remarks("1 7 1 4 2\n0 1 0 0\n8K 2 0 0"), ElementsAre("3: 'K' is not a number, so Open MPI skips it"));
  EXPECT_THAT(remarks("1 7 1 4 2\n0 1 0 0\n0100 2 0 0"),
              ElementsAre("3: bcast, communicator size 1 of 1, message size 2 of 2: the number of bytes is not written "
                          "in base 10, so Open MPI reads 64: 0x begins a number of base 16, and 0 one of base 8"));
  EXPECT_THAT(remarks("1 7 2\n64 1\n0 1 0 0\n8 1\n0 2 0 0"),
              ElementsAre("4: bcast has the rules from 8 ranks on after those from 64 on, so Open MPI stops at the "
                          "first that is too large, and never applies some"));
  EXPECT_THAT(remarks("1 7 1 4 3\n0 1 0 0\n64 2 0 0\n64 3 0 0"),
              ElementsAre("4: bcast has the rule from 64 B on after that from 64 B on, so Open MPI stops at the first "
                          "that is too large, and never applies some"));
  EXPECT_THAT(remarks("1 7 1 4 1\n0 10 0 0"),
              ElementsAre("2: bcast has no algorithm 10 in Open MPI 4.1.4, so the program's bcast returns the error "
                          "MPI_ERR_ARG"));
  EXPECT_THAT(remarks("1 0 1 4 1\n0 7 0 0"), ::testing::SizeIs(1));  // sparbit, from 5.0 on
  EXPECT_EQ(error_of("1 0 1 4 1\n0 7 0 0", kOpenMpi50), "");
  EXPECT_THAT(remarks("1 7 1 4 1\n0 1 0 4294967297"),
              ElementsAre("2: bcast, communicator size 1 of 1, message size 1 of 1: the bytes of a segment is "
                          "4294967297, more than an int holds, so Open MPI uses 1"));
  EXPECT_THAT(remarks("2 7 1 4 1\n0 1 0 0\n7 1 8 1\n0 2 0 0"),
              ElementsAre("3: bcast has rules already, so Open MPI forgets the earlier ones"));
  EXPECT_THAT(remarks("1 10 1 4 1\n0 1 0 0"),
              ElementsAre("1: gatherv has one algorithm only, so Open MPI does not use these rules"));
  EXPECT_THAT(remarks("1 7 1 4 1\n0 1 0 0\n# end\n8 2 0 0"),
              ElementsAre("4: '8' comes after the last rule, so Open MPI does not read it"));
  EXPECT_THAT(remarks("0 # no rules\n"), ElementsAre());
}

}  // namespace
}  // namespace strata::collectives
