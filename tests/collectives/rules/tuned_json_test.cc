// SPDX-License-Identifier: LGPL-2.1-only
// JSON for Open MPI's tuned.
#include "collectives/rules/tuned_json.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/collectives/rules/rule_texts.h"

namespace strata::collectives {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kIgnored = ", so Open MPI ignores the whole file and uses its fixed decisions; ";

std::string bcast(const std::string& rules) {
  return "{\"rule_file_version\": 3, \"module\": \"tuned\",\n\"collectives\": {\"bcast\": [\n" + rules + "\n]}}\n";
}

TEST(TunedJson, IsRead) {
  const RuleFile file =
      read_text(bcast("{\"comm_size_min\": 64, \"comm_size_max\": 128, \"comm_rank_distribution\": \"one-per-node\",\n"
                      " \"rules\": [{\"msg_size_min\": 8192, \"msg_size_max\": \"inf\", \"alg\": \"binomial\",\n"
                      "   \"faninout\": 2, \"seg_size\": 1024, \"reqs\": 4},\n"
                      "  {\"alg\": 1}]}"),
                kOpenMpi60);
  EXPECT_EQ(file.format, Format::kTunedJson);
  ASSERT_EQ(file.collectives.size(), 1U);
  const CommunicatorRule& c = file.collectives[0].levels[0].communicators[0];
  EXPECT_EQ(c.from_ranks, 64);
  EXPECT_EQ(c.to_ranks, 128);
  EXPECT_EQ(c.distribution, Distribution::kOnePerNode);
  EXPECT_EQ(c.line, 3);
  ASSERT_EQ(c.rules.size(), 2U);
  EXPECT_EQ(c.rules[0],
            (MessageRule{.from_bytes = 8192,
                         .choice = {.algorithm = 6, .faninout = 2, .segment_bytes = 1024, .max_requests = 4},
                         .line = 4}));
  EXPECT_EQ(c.rules[1], (MessageRule{.choice = {.algorithm = 1}, .line = 6}));
}

TEST(TunedJson, RefusesWhatOpenMpiIgnores) {
  const auto error = [](const std::string& text) { return error_of(text, kOpenMpi60, Reading::kAsTheLibrary); };
  EXPECT_EQ(error("{\n\"bcast\": []}"),
            std::string("rules.conf:1: there is no key collectives") + kIgnored + "write \"collectives\": {...}");
  EXPECT_EQ(error("{\"collectives\": {\n\"reducescatter\": []}}"),
            std::string("rules.conf:2: 'reducescatter' is not a collective") + kIgnored +
                "write reduce_scatter or reduce_scatter_block");
  EXPECT_EQ(error("{\"collectives\": {\"bcats\": []}}"),
            std::string("rules.conf:1: 'bcats' is not a collective") + kIgnored + "did you mean bcast?");
  EXPECT_THAT(error(bcast("{}")), HasSubstr("bcast: rules is not a list"));
  EXPECT_THAT(error(bcast("{\"rules\": [\n{\"msg_size_min\": 1.5, \"alg\": 1}]}")),
              HasSubstr("rules.conf:4: msg_size_min is neither a whole number nor \"inf\""));
  EXPECT_THAT(error(bcast("{\"rules\": [\n{\"seg_size\": \"8K\", \"alg\": 1}]}")), HasSubstr("rules.conf:4: seg_size"));
  EXPECT_THAT(error(bcast("{\"rules\": [{\"alg\": 1},]}")),
              HasSubstr("so Open MPI reads only its numbers, as a file of the earlier format"));
  EXPECT_THAT(error_of(bcast("{\"rules\": []}"), kOpenMpi50),
              HasSubstr("Open MPI 5.0.9 reads numbers only, so it takes those in this JSON for rules"));
}

TEST(TunedJson, RemarksWhatOpenMpiAccepts) {
  const auto remarks = [](const std::string& rules) {
    EXPECT_NE(error_of(bcast(rules), kOpenMpi60), "");
    return remarks_of(bcast(rules), kOpenMpi60);
  };
  EXPECT_THAT(remarks("{\"rules\": [{\"alg\": \"binomal\"}]}"),
              ElementsAre("3: bcast has no algorithm binomal in Open MPI 6.0.0, so Open MPI does not apply this rule"));
  EXPECT_THAT(remarks("{\"rules\": [{\"alg\": 10}]}"),
              ElementsAre("3: bcast has no algorithm 10 in Open MPI 6.0.0, so Open MPI does not apply this rule"));
  EXPECT_THAT(remarks("{\"rules\": [{}]}"), ElementsAre("3: there is no key alg, so Open MPI uses the fixed decision"));
  // An int of the largest number of 63 bits is -1.
  EXPECT_THAT(remarks("{\"comm_size_max\": \"inf\", \"rules\": []}"),
              ElementsAre("3: comm_size_max is \"inf\", so Open MPI uses -1",
                          "3: comm_size_max -1 is below comm_size_min 0, so Open MPI never applies these rules"));
  EXPECT_THAT(remarks("{\"rules\": [{\"alg\": 1, \"msg_size\": 8}]}"),
              ElementsAre("3: key 'msg_size' is unknown, so Open MPI does not read it"));
  EXPECT_THAT(remarks("{\"comm_rank_distribution\": \"single\", \"rules\": []}"),
              ElementsAre("3: comm_rank_distribution is unknown, so Open MPI applies the rules to all communicators"));
  EXPECT_THAT(remarks("{\"rules\": [{\"alg\": 1, \"msg_size_min\": 9, \"msg_size_max\": 8}]}"),
              ElementsAre("3: msg_size_max 8 is below msg_size_min 9, so Open MPI never applies this rule"));
}

}  // namespace
}  // namespace strata::collectives
