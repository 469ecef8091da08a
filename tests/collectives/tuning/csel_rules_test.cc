// SPDX-License-Identifier: LGPL-2.1-only
// MPICH's files of rules from choices, read back as MPICH reads them.
#include "collectives/tuning/csel_rules.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "base/whole_file.h"
#include "collectives/chosen/chosen.h"
#include "collectives/rules/mpich_whole_tree.h"
#include "collectives/rules/read_rules.h"
#include "collectives/schedules/mpich.h"
#include "collectives/tuning/candidates.h"
#include "tests/process/process.h"

namespace strata::collectives {
namespace {

using O = Operation;

constexpr Library kMpich42{Library::Family::kMpich, 4, 2, 3};

RuleFile read_back(const RuleFile& rules, const Library& library) {
  const TemporaryFolder folder;
  return read_rules(folder.write("rules.json", write_rules(rules)), library);
}

Choice named(O operation, const std::string& name) { return numbered(operation, {.name = name}); }

// `per_node` ranks on each node, one after the other.
std::vector<int> nodes_of(int ranks, int per_node) {
  std::vector<int> nodes;
  for (int r = 0; r < ranks; ++r) nodes.push_back(r / per_node);
  return nodes;
}

// Without compositions, the name of the algorithm that MPICH uses with the rules.
std::string chosen_name(const RuleFile& rules, const Collective& call, const Library& library = kMpich40) {
  return Chooser(library, &rules, {call.operation}).choose(call).decision.name;
}
std::string own_name(const Collective& call, const Library& library = kMpich40) {
  return Chooser(library, nullptr, {call.operation}).choose(call).decision.name;
}

TEST(CselRules, ApplyFromTheirSizeOn) {
  const std::string ring = "MPIR_Bcast_intra_scatter_ring_allgather", binomial = "MPIR_Bcast_intra_binomial";
  const RuleFile rules = read_back(csel_rules_of({{{O::kBcast, 16, 1024}, named(O::kBcast, ring)},
                                                  {{O::kBcast, 16, 8}, {}},
                                                  {{O::kBcast, 64, 8}, named(O::kBcast, binomial)}},
                                                 kMpich40),
                                   kMpich40);
  const auto of = [&](int ranks, std::int64_t bytes) { return chosen_name(rules, {O::kBcast, ranks, 0, bytes, 1}); };
  EXPECT_EQ(of(15, 1 << 20), own_name({O::kBcast, 15, 0, 1 << 20, 1}));
  EXPECT_EQ(of(16, 1023), binomial);  // the library's own
  EXPECT_EQ(of(16, 1024), ring);
  EXPECT_EQ(of(63, 1 << 30), ring);
  EXPECT_EQ(of(64, 1 << 30), binomial);
  EXPECT_EQ(of(64, 7), own_name({O::kBcast, 64, 0, 7, 1}));
}

// An allgather compares the data of all ranks.
TEST(CselRules, CompareTheSizesThatTheLibraryCompares) {
  const std::string ring = "MPIR_Allgather_intra_ring", bruck = "MPIR_Allgather_intra_brucks";
  const RuleFile rules = csel_rules_of({{{O::kAllgather, 10, 100}, named(O::kAllgather, ring)}}, kMpich40);
  EXPECT_EQ(chosen_name(rules, {O::kAllgather, 10, 0, 99, 1}), bruck);
  EXPECT_EQ(chosen_name(rules, {O::kAllgather, 10, 0, 100, 1}), ring);
  EXPECT_EQ(chosen_name(rules, {O::kAllgather, 20, 0, 50, 1}), ring);
}

// Below a test of the message MPICH reads comm_size<8 as at most 8, so the library's own tree is written otherwise.
TEST(CselRules, LeaveTheLibrarysOwnDecisionsAsTheyAre) {
  const std::string pairwise = "MPIR_Alltoall_intra_pairwise";
  const RuleFile rules =
      read_back(csel_rules_of({{{O::kAlltoall, 2, 1 << 20}, named(O::kAlltoall, pairwise)}}, kMpich40), kMpich40);
  for (int ranks = 2; ranks <= 33; ++ranks) {
    for (const std::int64_t bytes : {1, 256, 257, 32768, 32769}) {
      const Collective call = {O::kAlltoall, ranks, 0, bytes, 1};
      EXPECT_EQ(chosen_name(rules, call), own_name(call)) << ranks << " ranks, " << bytes << " B";
    }
  }
}

TEST(CselRules, AgreeOnSizesThatMpichDoesNotTest) {
  const std::string doubling = "MPIR_Scan_intra_recursive_doubling", nodes = "MPIR_Scan_intra_smp";
  std::vector<CellChoice> choices = {{{O::kScan, 8, 8}, named(O::kScan, doubling)},
                                     {{O::kScan, 8, 1024}, {}},
                                     {{O::kScan, 16, 8}, named(O::kScan, doubling)},
                                     {{O::kScan, 16, 1024}, named(O::kScan, doubling)}};
  agree_on_sizes(choices);
  EXPECT_EQ(choices[0].choice, Choice{});
  const RuleFile rules = read_back(csel_rules_of(choices, kMpich40), kMpich40);
  Collective call = {O::kScan, 8, 0, 2, 4};
  call.nodes = nodes_of(8, 4);
  EXPECT_EQ(chosen_name(rules, call), nodes);
  call = {O::kScan, 16, 0, 2, 4};
  call.nodes = nodes_of(16, 4);
  EXPECT_EQ(chosen_name(rules, call), doubling);
}

TEST(CselRules, HaveTheAlgorithmOfACompositionInItsPlace) {
  EXPECT_EQ(without_composition(O::kBcast, named(O::kBcast, "MPIDI_Bcast_intra_composition_alpha")).name,
            "MPIR_Bcast_intra_smp");
  const Choice ring = named(O::kBcast, "MPIR_Bcast_intra_scatter_ring_allgather");
  EXPECT_EQ(without_composition(O::kBcast, ring), ring);
}

// All collectives are there, in the form that each release reads.
TEST(CselRules, HaveTheWholeTree) {
  for (const Library& library : {kMpich40, kMpich42}) {
    const RuleFile rules = read_back(csel_rules_of({}, library), library);
    RuleFile whole;
    whole.format = Format::kCsel;
    whole.tree = mpich_whole_tree(library);
    EXPECT_TRUE(same_rules(rules, whole));
    EXPECT_EQ(rules.tree.size(), 44u);
    for (const auto& word : kOperations) {
      for (const int ranks : {2, 5, 8, 16}) {
        const Collective call = call_of({word.value, ranks, 4096}, "");
        EXPECT_EQ(chosen_name(rules, call, library), own_name(call, library)) << name_of(word.value);
      }
    }
  }
}

// Random choices are found again. No other call, with any number of ranks and nodes, in place or with an operation that
// does not commute, gets an algorithm that does not suit it: MPICH would end in an assertion, and choose() throws.
TEST(CselRules, RandomChoicesAreFoundAgainAndSuitAllCalls) {
  const unsigned seed = std::random_device()();
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  int checked = 0;
  for (int round = 0; round < 300; ++round) {
    const Library& library = round % 2 == 0 ? kMpich40 : kMpich42;
    const O operation = kOperations[below(std::size(kOperations))].value;
    std::map<int, std::vector<int>> nodes;
    std::vector<CellChoice> choices;
    for (const int ranks : {2 + below(6), 8 + below(9), 20 + below(30)}) {
      nodes[ranks] = nodes_of(ranks, 1 + below(8));
      for (const std::int64_t bytes : {8, 4096, 65536}) {
        const Cell cell = {operation, ranks, operation == O::kBarrier ? 0 : bytes};
        if (operation == O::kBarrier && bytes != 8) continue;
        Collective call = call_of(cell, "");
        call.nodes = nodes[ranks];
        std::vector<Choice> all = candidates(call, cell, library);
        all.emplace_back();  // the library's own
        choices.push_back({cell, all[below(static_cast<int>(all.size()))]});
      }
    }
    agree_on_sizes(choices);
    const RuleFile rules = read_back(csel_rules_of(choices, library), library);
    const std::optional<Cell> differs = csel_differs(rules, library, choices, nodes);
    EXPECT_FALSE(differs.has_value()) << (differs ? text_of(*differs) : "");
    for (int other = 0; other < 30; ++other) {
      const int ranks = 2 + below(70);
      Collective call = call_of({operation, ranks, 4 * below(40000)}, "");
      call.nodes = nodes_of(ranks, 1 + below(12));
      if (below(3) == 0) std::shuffle(call.nodes.begin(), call.nodes.end(), random);
      call.commutative = !reduces(operation) || below(2) == 0;
      call.built_in = call.commutative;
      call.in_place = (operation == O::kAlltoall || operation == O::kAlltoallv) && below(2) == 0;
      if (operation == O::kReduceScatter && below(2) == 0) ++call.counts.front();
      EXPECT_NE(chosen_name(rules, call, library), "") << "call of " << ranks << " ranks";
      ++checked;
    }
  }
  EXPECT_EQ(checked, 9000);
}

}  // namespace
}  // namespace strata::collectives
