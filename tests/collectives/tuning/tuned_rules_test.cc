// SPDX-License-Identifier: LGPL-2.1-only
// Files of rules from choices: what the library does with each call between and beyond the cells.
#include "collectives/tuning/tuned_rules.h"

#include <gtest/gtest.h>

#include <iterator>
#include <map>
#include <random>

#include "base/whole_file.h"
#include "collectives/rules/look_up.h"
#include "collectives/rules/read_rules.h"
#include "collectives/tuning/candidates.h"
#include "tests/process/process.h"

namespace strata::collectives {
namespace {

using O = Operation;

// The number of the rule that applies; 0: the library's own decision.
int applies(const RuleFile& rules, const Cell& cell, const Library& library = kOpenMpi41) {
  const Decision d = look_up(rules, library,
                             {.operation = cell.operation,
                              .ranks = cell.ranks,
                              .bytes = cell.bytes,
                              .type_bytes = element_bytes(cell.operation)});
  return d.by == Decision::By::kRule ? d.choice.algorithm : 0;
}

RuleFile read_back(const RuleFile& rules, const Library& library) {
  const TemporaryFolder folder;
  return read_rules(folder.write("rules", write_rules(rules)), library);
}

TEST(TunedRules, ApplyFromTheirSizeOn) {
  const RuleFile rules = read_back(rules_of({{{O::kBcast, 64, 8}, {.algorithm = 6}},
                                             {{O::kBcast, 16, 8}, {}},
                                             {{O::kBcast, 16, 65536}, {.algorithm = 9}},
                                             {{O::kBcast, 64, 65536}, {.algorithm = 6}}},
                                            Format::kTuned),
                                   kOpenMpi41);
  EXPECT_EQ(applies(rules, {O::kBcast, 8, 65536}), 0);  // fewer ranks than were tuned
  EXPECT_EQ(applies(rules, {O::kBcast, 16, 65535}), 0);
  EXPECT_EQ(applies(rules, {O::kBcast, 16, 65536}), 9);
  EXPECT_EQ(applies(rules, {O::kBcast, 63, 1 << 30}), 9);
  EXPECT_EQ(applies(rules, {O::kBcast, 64, 7}), 0);  // smaller than what was tuned
  EXPECT_EQ(applies(rules, {O::kBcast, 64, 8}), 6);
  EXPECT_EQ(applies(rules, {O::kBcast, 4096, 1 << 20}), 6);
  EXPECT_EQ(applies(rules, {O::kReduce, 64, 8}), 0);
}

// An allgather compares the data of all ranks.
TEST(TunedRules, CompareTheSizesThatTheLibraryCompares) {
  const RuleFile rules = rules_of({{{O::kAllgather, 10, 100}, {.algorithm = 4}}}, Format::kTuned);
  EXPECT_EQ(applies(rules, {O::kAllgather, 10, 99}), 0);
  EXPECT_EQ(applies(rules, {O::kAllgather, 10, 100}), 4);
  EXPECT_EQ(applies(rules, {O::kAllgather, 20, 50}), 4);
}

TEST(TunedRules, LeaveToTheLibraryWhatARuleCannotTellApart) {
  const std::vector<CellChoice> differ = {{{O::kScan, 8, 8}, {.algorithm = 1}},
                                          {{O::kScan, 8, 1024}, {.algorithm = 2}}};
  EXPECT_TRUE(rules_of(differ, Format::kTuned).collectives.empty());
  const std::vector<CellChoice> agree = {{{O::kScan, 8, 8}, {.algorithm = 2}}, {{O::kScan, 8, 1024}, {.algorithm = 2}}};
  EXPECT_EQ(applies(rules_of(agree, Format::kTuned), {O::kScan, 8, 64}), 2);
}

TEST(TunedRules, WithoutAGainThereIsNoRule) {
  const RuleFile rules = rules_of({{{O::kBcast, 16, 8}, {}}}, Format::kTuned);
  EXPECT_TRUE(rules.collectives.empty());
  EXPECT_TRUE(read_back(rules, kOpenMpi41).collectives.empty());
}

TEST(TunedRules, OfTwoRanksReplaceTheFirstOnes) {
  const RuleFile rules = rules_of({{{O::kBcast, 2, 8}, {.algorithm = 1}}}, Format::kTuned);
  EXPECT_EQ(applies(rules, {O::kBcast, 2, 8}), 1);
  EXPECT_EQ(rules.collectives[0].levels[0].communicators.size(), 1u);
}

// Every cell of random grids, in every format, as the release that reads it does.
TEST(TunedRules, ChooseWhatWasMeant) {
  constexpr unsigned kSeed = 7;
  std::mt19937 engine(kSeed);
  const std::pair<Format, Library> readers[] = {{Format::kTuned, {Library::Family::kOpenMpi, 4, 1, 4}},
                                                {Format::kTuned, kOpenMpi50},
                                                {Format::kTuned2, kOpenMpi41},
                                                {Format::kTunedJson, kOpenMpi60}};
  int with_rules = 0;
  for (int i = 0; i < 300; ++i) {
    std::vector<CellChoice> choices;
    for (const O operation : {O::kBcast, O::kAllgather, O::kReduce, O::kBarrier}) {
      for (const int ranks : {2, 5, 64, 100}) {
        for (const std::int64_t bytes : {0, 8, 4096, 1 << 20}) {
          if (operation == O::kBarrier && bytes > 0) continue;
          if (engine() % 3 == 0) continue;
          const std::vector<Choice> all = candidates({}, {operation, ranks, bytes}, kOpenMpi41);
          const auto place = engine() % (2 * all.size());
          choices.push_back({{operation, ranks, bytes}, place < all.size() ? all[place] : Choice{}});
        }
      }
    }
    for (const auto& [format, library] : readers) {
      const RuleFile read = read_back(rules_of(choices, format), library);
      with_rules += read.collectives.empty() ? 0 : 1;
      const std::optional<Cell> other = differs(read, library, choices);
      ASSERT_FALSE(other.has_value()) << text_of(*other) << ", " << title_of(library) << ", seed " << kSeed;
      for (const CellChoice& c : choices) ASSERT_EQ(applies(read, c.cell, library), c.choice.algorithm);
    }
  }
  EXPECT_GT(with_rules, 1000);
}

TEST(TunedRules, DiffersNamesTheCell) {
  const std::vector<CellChoice> meant = {{{O::kBcast, 16, 8}, {.algorithm = 6}},
                                         {{O::kBcast, 16, 64}, {.algorithm = 5}}};
  const RuleFile rules = rules_of({meant[0]}, Format::kTuned);
  EXPECT_EQ(differs(rules, kOpenMpi41, meant), (Cell{O::kBcast, 16, 64}));
  EXPECT_EQ(differs(rules_of(meant, Format::kTuned), kOpenMpi41, meant), std::nullopt);
}

}  // namespace
}  // namespace strata::collectives
