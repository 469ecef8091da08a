// SPDX-License-Identifier: LGPL-2.1-only
// The area mapping: the number of cases, keys that are read back, and a violation of each property.
#include "check/areas/mapping_area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "check/areas/mapping_domain.h"
#include "tests/check/areas/area_checks.h"

namespace strata::check {
namespace {

using mpix::MapMethod;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

TEST(Patterns, AreAsManyAsGraphsUpToNames) {
  // OEIS: undirected graphs A000088, with two kinds of edges A004102, directed graphs A000273.
  const std::vector<size_t> graphs = {1, 2, 4, 11, 34}, two_kinds = {1, 3, 10, 66, 792}, directed = {1, 3, 16, 218};
  for (int ranks = 1; ranks <= 5; ++ranks) {
    EXPECT_EQ(small_patterns(ranks, Entries::kBothWays, false).size(), graphs[ranks - 1]);
    EXPECT_EQ(small_patterns(ranks, Entries::kBothWays, true).size(), two_kinds[ranks - 1]);
    if (ranks > 4) continue;
    EXPECT_EQ(small_patterns(ranks, Entries::kDirected, false).size(), directed[ranks - 1]);
  }
  EXPECT_EQ(small_patterns(3, Entries::kDirected, true).size(), 138U);
  // Relations: A000595.
  EXPECT_EQ(small_patterns(3, Entries::kDirectedAndSelves, false).size(), 104U);
}

TEST(Patterns, HaveAsManySymmetriesAsNamesLeaveThemAlone) {
  // No pattern of four ranks is missing: each has 4! numberings, divided by its symmetries.
  long named = 0;
  for (const SmallPattern& p : small_patterns(4, Entries::kBothWays, true))
    named += 24 / static_cast<long>(p.symmetries.size());
  EXPECT_EQ(named, 729);  // 3^6
}

TEST(MappingArea, CasesOfTheQuickBounds) {
  const AreaResult result = testing::explore_quickly(*mapping_area());
  EXPECT_EQ(result.cases, 15030);
  EXPECT_EQ(result.distinct, 15030);
  EXPECT_EQ(result.random_cases, 60);
  const std::map<std::string, long> expected = {{"bisection-sizes", 15003},
                                                {"deterministic", 3440},
                                                {"direction-blind", 11650},
                                                {"exchange-to-the-end", 15044},
                                                {"gain", 6688},
                                                {"grouping-heaviest-first", 3040},
                                                {"idle-core", 702},
                                                {"keeps-the-best", 8400},
                                                {"not-its-own-inverse", 986},
                                                {"scotch-gap", 1707},
                                                {"scotch-optimal", 4950},
                                                {"selves", 1360},
                                                {"shared-core", 6996},
                                                {"steps-gap", 99},
                                                {"tie", 2695},
                                                {"treematch-optimal", 15057},
                                                {"trying-all", 15057},
                                                {"unequal-nodes", 2872},
                                                {"unlike-directions", 11650},
                                                {"wide-binding", 3254}};
  EXPECT_EQ(testing::asked_of_some(result), expected);
  EXPECT_EQ(mapping_area()->remark(mapping_area()->bounds(Effort::kQuick)), "102696 where ranks' names are told apart");
}

// Counted in another way: all placements of numbered ranks with all patterns, classified by the fingerprint, which
// tries all numberings.
TEST(MappingArea, NoCaseOfThreeRanksIsMissing) {
  std::set<std::uint64_t> classes;
  SmallMachines machines({.depth = 1, .arity = 4, .nodes = 4, .vertices = 5, .network = 1});
  for (int vertices = 1; vertices <= 5; ++vertices) {
    for (const SmallMachine& m : machines.of(vertices)) {
      std::vector<int> places;
      for (int v = 0; v < m.size(); ++v) {
        if (m.is_place(v)) places.push_back(v);
      }
      const int count = static_cast<int>(places.size());
      for (int code = 0; code < count * count * count; ++code) {
        MappingCase c{.machine = m,
                      .place = {places[code % count], places[code / count % count], places[code / count / count]},
                      .flows = {}};
        const bool all_held = [&] {
          for (int v = 0; v < m.size(); ++v) {
            if (m.is_leaf(v) && std::count(c.place.begin(), c.place.end(), v) == 0) return false;
          }
          return true;
        }();
        if (!all_held) continue;
        for (int word = 0; word < 64; ++word) {  // each of the six entries is present or not
          c.flows.clear();
          for (int a = 0, bit = 0; a < 3; ++a) {
            for (int b = 0; b < 3; ++b) {
              if (a != b && (word >> bit++ & 1) != 0) c.flows.push_back({a, b, 1});
            }
          }
          classes.insert(fingerprint(c));
        }
      }
    }
  }
  std::set<std::uint64_t> enumerated;
  long cases = 0;
  for_each_mapping({.ranks = 3, .size = 4, .directed = 3, .weighted = 0}, [&](const MappingCase& c) {
    const std::set<int> held(c.place.begin(), c.place.end());
    bool idle = false;
    for (int v = 0; v < c.machine.size(); ++v) idle |= c.machine.is_leaf(v) && held.count(v) == 0;
    if (c.ranks() == 3 && !idle) {
      ++cases;
      enumerated.insert(fingerprint(c));
    }
    return true;
  });
  EXPECT_EQ(enumerated, classes);
  EXPECT_EQ(cases, std::ssize(classes));
}

// ------------------------------------------------------------------------------------------ keys

TEST(MappingKeys, AreReadBack) {
  testing::expect_keys_read_back(*mapping_area(), testing::some_keys(*mapping_area(), 15030, 60, 300), read_mapping,
                                 mapping_key);
  const MappingCase c = read_mapping("s2m2ccm2cc+2.3.5.6+0-1=5,1-0=5,2-2=1");
  EXPECT_THAT(c.place, ElementsAre(2, 3, 5, 6));
  EXPECT_EQ(c.flows.size(), 3U);
  EXPECT_TRUE(read_mapping("m+0+none").flows.empty());
}

TEST(MappingKeys, ThatAreNoneAreRefusedWithTheirPlace) {
  const std::map<std::string, std::string> refused = {
      {"", "character 1: no vertex"},
      {"q", "character 1: no vertex"},
      {"m2cc", "character 5: no vertices of the processes"},
      {"m2cc+", "character 6: no vertex of the machine"},
      {"m2cc+3", "character 6: no vertex of the machine"},
      {"s1m+0+none", "character 5: vertex 0 is of the network"},
      {"m2cc+1.2", "character 9: no entries of bytes from rank to rank"},
      {"m2cc+1.2+", "character 10: no rank that sends"},
      {"m2cc+1.2+0-2=1", "character 12: no rank that receives"},
      {"m2cc+1.2+0-1", "character 13: no bytes"},
      {"m2cc+1.2+0-1=0", "character 14: no bytes"},
      {"m2cc+1.2+0-1=1,0-1=2", "character 16: an entry that does not come after the one before"},
      {"m2cc+1.2+0-1=1;", "character 15: ';'"},
      {"s2ms1m+1.3+none", "a switch after a node"},
  };
  for (const auto& [key, message] : refused) {
    EXPECT_THAT(testing::refusal(read_mapping, key), HasSubstr(message)) << key;
  }
}

TEST(MappingKeys, SmallerCasesAreCasesAndComeToAnEnd) {
  std::mt19937_64 random(3);
  for (int i = 0; i < 60; ++i) {
    const MappingCase c = random_mapping(random);
    const auto weight = [](const MappingCase& of) {
      double bytes = 0;
      for (const Flow& flow : of.flows) bytes += flow.bytes;
      return of.ranks() + of.machine.size() + bytes;
    };
    for (const MappingCase& less : smaller_mappings(c)) {
      EXPECT_LT(weight(less), weight(c));
      EXPECT_EQ(mapping_key(read_mapping(mapping_key(less))), mapping_key(less));
    }
  }
  std::vector<std::string> keys = mapping_area()->smaller("s2m2ccm1c+2.3.5+0-2=9");
  EXPECT_THAT(keys, IsSupersetOf({"s2m2ccm1c+3.5+none", "s2m2ccm1c+2.3+none", "s2m2ccm1c+2.5+0-1=9",
                                  "s2m2ccm1c+2.3.5+none", "s2m2ccm1c+2.3.5+0-2=1", "s2m1cm1c+1.2.4+0-2=9"}));
}

// A few lines of a shrinker find the smallest case with a certain fault, starting from a larger case.
TEST(MappingKeys, ShrinkToTheSmallest) {
  MappingCase c = read_mapping("s3m2ccm2o2cco1cm1c+2.3.6.7.9.11.2+0-3=5,1-2=8,2-2=4,3-0=1000,5-1=3,6-0=2");
  const auto bad = [](const MappingCase& of) {
    return std::any_of(of.flows.begin(), of.flows.end(), [&](const Flow& flow) {
      return of.machine.node[of.place[flow.from]] != of.machine.node[of.place[flow.to]];
    });
  };
  for (bool shrunk = true; shrunk;) {
    shrunk = false;
    for (MappingCase& less : smaller_mappings(c)) {
      if (!bad(less)) continue;
      c = std::move(less);
      shrunk = true;
      break;
    }
  }
  EXPECT_EQ(c.ranks(), 2);
  EXPECT_EQ(text_of(c.machine), "s2mm");
  EXPECT_EQ(c.flows.size(), 1U);
  EXPECT_EQ(c.flows.front().bytes, 1);
}

TEST(MappingArea, Draws) {
  const Drawing drawing = mapping_area()->draw("s2m2ccm1c+2.3.5+0-2=9");
  EXPECT_EQ(drawing.text,
            "bytes from rank (row) to rank (column)\n"
            "  . . 9\n"
            "  . . .\n"
            "  . . .\n"
            "the machine; processes by old rank -> the rank that treematch gives them\n"
            "network\n"
            "  node 0\n"
            "    core  0 -> 0\n"
            "    core  1 -> 2\n"
            "  node 1\n"
            "    core  2 -> 1\n"
            "treematch   18 hop-bytes  0 2 1\n"
            "scotch      18 hop-bytes  2 0 1\n"
            "roundrobin  18 hop-bytes  0 2 1\n"
            "random      36 hop-bytes  1 0 2\n"
            "identity    36 hop-bytes  0 1 2\n"
            "least       18 hop-bytes\n");
  EXPECT_THAT(drawing.svg, HasSubstr("0 -&gt; 0"));
}

// ------------------------------------------------------------------------------------------------ properties that fail

// Three pairs of ranks. The permutation that brings them together is not its own inverse.
constexpr const char* kCase = "s3m2ccm2ccm2cc+5.2.3.6.9.8+0-3=1000,1-4=500,2-1=1,2-5=700";

class Corrupted : public ::testing::Test {
 protected:
  // The properties that are violated after `change` is applied to the case's outcome.
  std::set<std::string> violated(const std::function<void(MappingOutcome&)>& change, const char* key = kCase) {
    const MappingCase c = read_mapping(key);
    MappingOutcome outcome = map_case(c);
    EXPECT_THAT(testing::violated_by(mapping_properties(), c, outcome), ElementsAre()) << key;
    change(outcome);
    std::set<std::string> names = testing::violated_by(mapping_properties(), c, outcome);
    failed_.insert(names.begin(), names.end());
    return names;
  }

  static Mapped& of(MappingOutcome& o, MapMethod method) { return o.mapped[static_cast<size_t>(method)]; }

  std::set<std::string> failed_;
};

TEST_F(Corrupted, OutcomesViolateEachProperty) {
  const auto expect = [&](const char* property, const std::function<void(MappingOutcome&)>& change,
                          const char* key = kCase) {
    EXPECT_THAT(violated(change, key), ::testing::Contains(property)) << key;
  };
  expect("permutation", [](auto& o) { of(o, MapMethod::kRandom).new_rank[0] = 7; });
  expect("hop-bytes-recounted", [](auto& o) { of(o, MapMethod::kRoundRobin).cost += 1; });
  expect("hop-bytes-direction", [](auto& o) { of(o, MapMethod::kScotch).turned_cost *= 2; });
  expect("hop-bytes-direction", [](auto& o) { of(o, MapMethod::kScotch).both_cost += 1; });
  const MappingCase c = read_mapping(kCase);
  ASSERT_NE(map_case(c).of(MapMethod::kTreeMatch).new_rank, map_case(c).of(MapMethod::kTreeMatch).inverse);
  expect("treematch-optimal",
         [](auto& o) { of(o, MapMethod::kTreeMatch).new_rank = of(o, MapMethod::kTreeMatch).inverse; });
  expect("never-above-identity", [](auto& o) { o.identity_cost = 1; });
  expect(
      "keeps-the-best",
      [](auto& o) { std::swap(of(o, MapMethod::kScotch).new_rank[0], of(o, MapMethod::kScotch).new_rank[1]); },
      "m2cc+1.2+0-1=1");
  expect("direction-blind",
         [](auto& o) { std::swap(of(o, MapMethod::kScotch).of_turned[0], of(o, MapMethod::kScotch).of_turned[1]); });
  expect(
      "deterministic",
      [](auto& o) { std::swap(of(o, MapMethod::kRandom).of_turned[0], of(o, MapMethod::kRandom).of_turned[1]); },
      "m2cc+1.2+none");
  expect("round-robin", [](auto& o) {
    std::swap(of(o, MapMethod::kRoundRobin).new_rank[0], of(o, MapMethod::kRoundRobin).new_rank[1]);
  });
  expect("identity",
         [](auto& o) { std::swap(of(o, MapMethod::kIdentity).new_rank[0], of(o, MapMethod::kIdentity).new_rank[1]); });
  expect("inverse", [](auto& o) { of(o, MapMethod::kTreeMatch).inverse = of(o, MapMethod::kTreeMatch).new_rank; });
  expect("inverse", [](auto& o) { of(o, MapMethod::kTreeMatch).inverse_again[0] ^= 1; });
  expect("handover", [](auto& o) {
    for (auto& partners : o.handover) std::swap(partners.to, partners.from);
  });
  expect("handover", [](auto& o) { std::swap(o.handover[0].from, o.handover[1].from); });
  expect("symmetric", [](auto& o) { o.both.front().bytes += 1; });
  expect("symmetric", [](auto& o) { std::swap(o.both[0], o.both[1]); });
  expect("place-tree", [](auto& o) { o.tree.depth.back() += 1; });
  expect("place-tree", [](auto& o) { o.tree.node[0] ^= 1; });
  expect("distance", [](auto& o) { o.distance[1][2] += 1; });
  expect("deep-distance", [](auto& o) { o.deep[2][1] -= 1; });
  expect("deep-distance", [](auto& o) { o.above[3] += 1; });
  expect("seats", [](auto& o) { std::swap(o.seats[0], o.seats[1]); });
  expect("seats", [](auto& o) { o.ranges[1].end += 1; });
  expect("seats", [](auto& o) { o.ranges[0].own += 1; });
  expect("affinity-graph", [](auto& o) { o.affinity.back().graph.bytes.front() += 1; });
  expect("affinity-graph", [](auto& o) {  // without the heaviest edge
    o.affinity.back() = {64, mpix::affinity_graph(Pattern(6, {{1, 2, 1}, {2, 1, 1}}), 64)};
  });
  expect("bisection-sizes", [](auto& o) { o.bisected.front() ^= 1; });
  expect("partition-sizes", [](auto& o) { o.part.front() = 1; });
  expect("grouping-where-even", [](auto& o) { o.grouped.reset(); });
  expect("grouping-where-even", [](auto& o) { o.grouped->process[0] = o.grouped->process[1]; });
  expect("grouping-heaviest-first", [](auto& o) { o.grouped->process = identity_of(6); });
  expect("division", [](auto& o) { o.divided.process[0] = o.divided.process[1]; });
  const auto start_best = [](MappingOutcome& o) { o.start = of(o, MapMethod::kTreeMatch).inverse; };
  expect("redivision-never-grows", [&](auto& o) { start_best(o), o.redivided.process = identity_of(6); });
  expect("exchange-never-grows", [&](auto& o) { start_best(o), o.exchanged.process = identity_of(6); });
  expect("exchange-to-the-end", [](auto& o) { o.exchanged.process = identity_of(6); });
  expect("trying-all", [](auto& o) { o.tried->process = identity_of(6); });
  EXPECT_EQ(failed_, testing::names_of_always(mapping_properties()));
}

}  // namespace
}  // namespace strata::check
