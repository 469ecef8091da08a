// SPDX-License-Identifier: LGPL-2.1-only
// MPICH's trees of tests.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "collectives/rules/csel_file.h"
#include "tests/collectives/rules/rule_texts.h"

namespace strata::collectives {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kLeaf = "{\"algorithm=MPIR_Bcast_intra_binomial\": {}}";

std::string bcast(const std::string& tests) { return "{\"collective=bcast\": {\n" + tests + "\n}}"; }
std::string with_leaf(const std::string& key) { return bcast("\"" + key + "\": " + kLeaf); }

TEST(Csel, IsRead) {
  const RuleFile file =
      read_text("{\"collective = bcast\": {\n \"comm_type=intra\": {\n  \"comm_size < 8\":\n" + std::string(kLeaf) +
                    ",\n\"comm_size=any\": {\"algorithm=MPIR_Bcast_intra_scatter_ring_allgather\": {}}}}}",
                kMpich40);
  EXPECT_EQ(file.format, Format::kCsel);
  ASSERT_EQ(file.tree.size(), 1U);
  EXPECT_EQ(file.tree[0].key, "collective=bcast");
  const CselNode& intra = file.tree[0].children[0];
  EXPECT_EQ(intra.line, 2);
  ASSERT_EQ(intra.children.size(), 2U);
  EXPECT_EQ(intra.children[0].key, "comm_size<8");
  EXPECT_EQ(intra.children[0].line, 3);
  EXPECT_EQ(intra.children[1].children[0].key, "algorithm=MPIR_Bcast_intra_scatter_ring_allgather");
}

TEST(Csel, KeysDependOnTheVersion) {
  EXPECT_EQ(parse_csel_key("comm_size<=16", kMpich40)->test, CselTest::kRanksAtMost);
  EXPECT_EQ(parse_csel_key("comm_size<=16", kMpich40)->value, 16);
  EXPECT_EQ(parse_csel_key("comm_size<16", kMpich40)->test, CselTest::kRanksBelow);
  EXPECT_EQ(parse_csel_key("is_commutative=no", kMpich40)->value, 0);
  EXPECT_EQ(parse_csel_key("comm_hierarchy=parent", kMpich40)->name, "parent");
  EXPECT_EQ(parse_csel_key("comm_hierarchy=any", kMpich40)->test, CselTest::kAny);
  EXPECT_FALSE(parse_csel_key("any", kMpich40).has_value());
  EXPECT_FALSE(parse_csel_key("comm_avg_ppn=any", kMpich40).has_value());
  EXPECT_FALSE(parse_csel_key("comm_avg_ppn<4", kMpich40).has_value());
  EXPECT_TRUE(parse_csel_key("any", kMpich50).has_value());
  EXPECT_TRUE(parse_csel_key("comm_avg_ppn<4", kMpich50).has_value());
  for (const char* wrong : {"", "comm_size", "comm_size<", "comm_size<x", "comm_size<8K", "comm_size==8",
                            "algorithm=", "comm_hierarchy=world", "is_commutative=maybe"}) {
    EXPECT_FALSE(parse_csel_key(wrong, kMpich50).has_value()) << wrong;
  }
  EXPECT_TRUE(has_mpich_algorithm("barrier", "MPIR_Barrier_intra_dissemination", kMpich40));
  EXPECT_FALSE(has_mpich_algorithm("barrier", "MPIR_Barrier_intra_dissemination", kMpich50));
  EXPECT_FALSE(has_mpich_algorithm("bcast", "MPIR_Bcast_intra_tree", kMpich40));
  EXPECT_TRUE(has_mpich_algorithm("bcast", "MPIR_Bcast_intra_tree", kMpich50));
  EXPECT_FALSE(has_mpich_algorithm("bcast", "MPIR_Reduce_intra_binomial", kMpich50));
  EXPECT_FALSE(has_mpich_algorithm("reduce_scatter", "MPIR_Reduce_scatter_block_intra_pairwise", kMpich50));
  EXPECT_TRUE(has_mpich_algorithm("bcast", "MPIDI_Bcast_intra_composition_alpha", kMpich50));
}

TEST(Csel, RefusesWhatEndsTheProgram) {
  const std::string ends = ", so MPICH ends the program in MPI_Init; ";
  const auto error = [](const std::string& text) { return error_of(text, kMpich40, Reading::kAsTheLibrary); };
  EXPECT_EQ(error(with_leaf("comm_size<8")), "rules.conf:2: comm_size<8 is the last of its keys" + ends +
                                                 "add a key beside it that always holds, such as avg_msg_size=any");
  EXPECT_EQ(error(with_leaf("comm_size==8")), "rules.conf:2: 'comm_size==8' is unknown in MPICH 4.0.3" + ends +
                                                  "write a test such as comm_size<=8 or comm_size=any");
  EXPECT_EQ(error(bcast("\"comm_type=intra\": {}")),
            "rules.conf:2: nothing is below comm_type=intra" + ends + "give an algorithm or further tests");
  EXPECT_EQ(error(bcast("\"comm_type=intra\": 7")),
            "rules.conf:2: 'comm_type=intra' is not an object" + ends + "write {} after the key");
  EXPECT_EQ(error("{\"collective=bcats\": " + std::string(kLeaf) + "}"),
            "rules.conf:1: 'bcats' is not a collective" + ends + "write for example collective=bcast");
  EXPECT_EQ(error(bcast("\"comm_size=any\": " + std::string(kLeaf) + ",\n\"comm_size<=8\": " + kLeaf)),
            "rules.conf:3: comm_size<=8 comes after a key that always holds" + ends + "make `any` the last key");
  EXPECT_EQ(error(bcast("\"algorithm=MPIR_Bcast_intra_ring\": {}")).substr(0, 91),
            "rules.conf:2: bcast has no 'MPIR_Bcast_intra_ring' in MPICH 4.0.3, so MPICH ends the progra");
  EXPECT_THAT(error("{\"avg_msg_size<=8\": {\"collective=bcast\": " + std::string(kLeaf) + "}}"),
              HasSubstr("so MPICH ends the program"));
  EXPECT_THAT(error("{}"), HasSubstr("the document has no keys"));
  EXPECT_THAT(error("{"), HasSubstr("MPICH finds no algorithm and ends the program"));
}

TEST(Csel, RemarksWhatMpichAccepts) {
  EXPECT_THAT(remarks_of(bcast("\"is_commutative=yes\": " + std::string(kLeaf)), kMpich40),
              ElementsAre("2: is_commutative=yes does not exist for bcast, so MPICH ends the program in its bcast"));
  EXPECT_THAT(remarks_of(with_leaf("comm_type=intra"), kMpich40), ElementsAre());
  EXPECT_THAT(
      remarks_of(bcast("\"comm_type=intra\": " + std::string(kLeaf) + ",\n\"comm_type=intra\": " + kLeaf), kMpich40),
      ElementsAre("3: comm_type=intra occurs twice, so MPICH reads the last one"));
}

}  // namespace
}  // namespace strata::collectives
