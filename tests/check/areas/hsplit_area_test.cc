// SPDX-License-Identifier: LGPL-2.1-only
// The area hsplit: its counts and keys, and a violation of every property.
#include "check/areas/hsplit_area.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "base/error.h"
#include "check/areas/hsplit_case.h"
#include "check/areas/hsplit_properties.h"
#include "check/areas/small_machines.h"
#include "check/engine/explore.h"
#include "tests/check/areas/ordered_trees.h"

namespace strata::check {
namespace {

using testing::ordered_trees;

using mpix::Communicator;

Bounds small_bounds(long vertices) {
  Bounds bounds = hsplit_area()->bounds(Effort::kQuick);
  bounds.set("vertices", vertices, "hsplit");
  return bounds;
}

// The key of each case within the bounds.
std::vector<std::string> keys(long vertices, long ranks) {
  std::vector<std::string> all;
  SmallMachines machines({3, 3, 3, static_cast<int>(vertices)});
  for (int n = 1; n <= vertices; ++n) {
    for (SmallMachine& m : machines.of(n)) {
      const auto machine = std::make_shared<HsplitMachine>(std::move(m));
      for (int r = 1; r <= ranks; ++r) {
        for_each_binding(machine->tree, r, [&](const std::vector<int>& bound) {
          HsplitCase c{machine, {}};
          for (int v : bound) c.bindings.push_back(machine->tree.pus[v]);
          all.push_back(key_of(c));
          return true;
        });
      }
    }
  }
  return all;
}

// ------------------------------------------------------------------------------------------------------------- counts

TEST(HsplitArea, HoldsOnAllCasesOfTheQuickBounds) {
  ExploreOptions options;
  options.effort = Effort::kQuick;
  options.jobs = 2;
  const AreaResult r = explore(*hsplit_area(), options);
  EXPECT_TRUE(r.holds());
  EXPECT_EQ(r.bounds.text(), "depth 3, arity 3, nodes 3, vertices 8, ranks 4");
  EXPECT_EQ(r.cases, 150'958);
  EXPECT_EQ(r.distinct, 75'541);
  EXPECT_EQ(r.random_cases, 500);
  EXPECT_EQ(r.remark, "189 trees, which stand for 542 ordered ones");
  std::map<std::string, long> asked;
  for (const PropertyResult& p : r.properties) {
    if (p.asked != r.cases + r.random_cases) asked[p.info.name] = p.asked;
  }
  EXPECT_EQ(asked, (std::map<std::string, long>{{"guided-follows", 146'620},
                                                {"hinted", 69'510},
                                                {"some-inner-binding", 72'840},
                                                {"some-lower-name", 88'073},
                                                {"some-roots-reordered", 9'188},
                                                {"some-shared-core", 71'332},
                                                {"some-skipped-rank", 64'698},
                                                {"some-straggler", 103'685},
                                                {"some-switches", 8'674},
                                                {"some-three-levels", 2'882},
                                                {"some-unbound-nodes", 6'851},
                                                {"some-unequal-nodes", 44'040},
                                                {"unbound-stop", 8'942}}));
}

TEST(HsplitArea, WorkersLookAtTheSameCases) {
  ExploreOptions options;
  options.bounds = small_bounds(5);
  options.random_cases = 20;
  const AreaResult one = explore(*hsplit_area(), options);
  options.jobs = 3;
  const AreaResult three = explore(*hsplit_area(), options);
  EXPECT_EQ(one.cases, three.cases);
  EXPECT_EQ(one.distinct, three.distinct);
  for (size_t p = 0; p < one.properties.size(); ++p) EXPECT_EQ(one.properties[p].asked, three.properties[p].asked);
}

// ------------------------------------------------------------------------------------------------ up to isomorphism

// The smallest of all texts of a machine with its bindings, over all orders of siblings. Cases have the same text if
// and only if they differ just in these orders.
std::string least_text(const SmallMachine& m, const std::vector<Pus>& bindings, int v) {
  std::string own(1, letter_of(m, v));
  if (m.is_leaf(v)) {
    for (size_t r = 0; r < bindings.size(); ++r) own += includes(bindings[r], m.pus[v]) ? std::to_string(r) : "";
    return own;
  }
  std::vector<std::string> parts;
  for (int c = v + 1; c < m.size(); ++c) {
    if (m.parent[c] == v) parts.push_back(least_text(m, bindings, c));
  }
  std::sort(parts.begin(), parts.end());
  std::string least;
  do {
    std::string text = own + "(";
    for (const std::string& p : parts) text += p + " ";
    text += ")";
    if (least.empty() || text < least) least = text;
  } while (std::next_permutation(parts.begin(), parts.end()));
  return least;
}

// Compares all ordered trees and all tuples of places with the enumeration: it has one case of each class, and all
// fingerprints differ.
void expect_one_of_each_class(int depth, int arity, int network, int most_nodes, int max_ranks) {
  std::map<std::string, std::uint64_t> classes;
  for (const Shape& s : ordered_trees(depth, arity)) {
    const std::function<bool(const Shape&, int)> is_network = [&](const Shape& shape, int levels) {
      return levels == 0 ||
             (!shape.children.empty() && std::all_of(shape.children.begin(), shape.children.end(),
                                                     [&](const Shape& c) { return is_network(c, levels - 1); }));
    };
    if (!is_network(s, network)) continue;
    const SmallMachine m = small_machine(s, network);
    if (static_cast<int>(m.node_vertex.size()) > most_nodes) continue;
    std::vector<Pus> places;
    for (int v = 0; v < m.size(); ++v) {
      if (m.is_place(v)) places.push_back(m.pus[v]);
    }
    for (int ranks = 1; ranks <= max_ranks; ++ranks) {
      std::vector<Pus> bindings(ranks);
      const std::function<void(int)> put = [&](int r) {
        if (r == ranks) {
          const auto [at, is_new] = classes.emplace(least_text(m, bindings, 0), fingerprint(m, bindings));
          ASSERT_EQ(at->second, fingerprint(m, bindings)) << text_of(m);
          return;
        }
        for (Pus p : places) {
          bindings[r] = p;
          put(r + 1);
        }
      };
      put(0);
    }
  }
  std::set<std::uint64_t> fingerprints;
  for (const auto& [text, f] : classes) fingerprints.insert(f);
  EXPECT_EQ(fingerprints.size(), classes.size());
  size_t enumerated = 0;
  std::set<std::string> met;
  SmallMachines machines({depth, arity, most_nodes, kMostPus});
  for (int n = 1; n <= 40; ++n) {
    for (const SmallMachine& m : machines.of(n)) {
      if (m.depth[m.node_vertex[0]] != network) continue;
      for (int ranks = 1; ranks <= max_ranks; ++ranks) {
        for_each_binding(m, ranks, [&](const std::vector<int>& bound) {
          std::vector<Pus> bindings;
          for (int v : bound) bindings.push_back(m.pus[v]);
          met.insert(least_text(m, bindings, 0));
          ++enumerated;
          return true;
        });
      }
    }
  }
  EXPECT_EQ(enumerated, classes.size());
  EXPECT_EQ(met.size(), classes.size());
}

TEST(SmallMachines, OneOfEachClassOfNodesAlone) {
  expect_one_of_each_class(2, 2, 0, 1, 4);
  expect_one_of_each_class(2, 3, 0, 1, 2);
  expect_one_of_each_class(1, 4, 0, 1, 5);
}

TEST(SmallMachines, OneOfEachClassOfNodesUnderANetwork) {
  expect_one_of_each_class(2, 2, 1, 2, 3);
  expect_one_of_each_class(2, 3, 1, 3, 2);
  expect_one_of_each_class(3, 2, 2, 2, 3);
}

// With t(0) = 1 and t = t(n-1): up to order t(n) = 1 + t + C(t+1,2) + C(t+2,3), which gives 4, 35, 8436; with order
// t(n) = 1 + t + t^2 + t^3, which gives 4, 85, 621,436.
TEST(SmallMachines, NumbersOfTreesAreAsCounted) {
  for (const auto& [depth, classes, ordered] :
       {std::tuple(1, 4, 4L), std::tuple(2, 35, 85L), std::tuple(3, 8436, 621436L)}) {
    SmallMachines machines({depth, 3, 1, kMostPus, 0});
    int count = 0;
    long orders = 0;
    for (int n = 1; n <= 40; ++n) {
      for (const SmallMachine& m : machines.of(n)) {
        ++count;
        orders += orders_of(m);
      }
    }
    EXPECT_EQ(count, classes);
    EXPECT_EQ(orders, ordered);
  }
}

// --------------------------------------------------------------------------------------------------------------- keys

TEST(HsplitCase, KeysAreReadBack) {
  const std::vector<std::string> all = keys(6, 3);
  EXPECT_EQ(all.size(), 2'251u);
  EXPECT_EQ(std::set<std::string>(all.begin(), all.end()).size(), all.size());
  for (const std::string& key : all) {
    EXPECT_EQ(key_of(read_hsplit_case(key)), key);
    EXPECT_EQ(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789:,+"), std::string::npos);
  }
  for (const char* key : {"m3ccc:c0+c2", "s2s1m2ccs2mm3cco2cc:m1,c2+o0,c4", "m:m0,m0"})
    EXPECT_EQ(key_of(read_hsplit_case(key)), key);
  // For objects with the same PUs, a key names the deepest; objects that together make up another are written as that
  // one.
  EXPECT_EQ(key_of(read_hsplit_case("m1o2cc:m0,c0+c1")), "m1o2cc:o0,o0");
  Random random(3);
  for (int i = 0; i < 200; ++i) {
    const HsplitCase c = random_hsplit_case(random);
    const HsplitCase again = read_hsplit_case(key_of(c));
    EXPECT_EQ(again.bindings, c.bindings);
    EXPECT_EQ(again.tree().parent, c.tree().parent);
  }
}

TEST(HsplitCase, MalformedKeysAreRefused) {
  const std::pair<const char*, const char*> bad[] = {
      {"", "character 1: no vertex"},
      {"x", "character 1: no vertex"},
      {"c", "character 1: an object outside a node"},
      {"s2m", "character 4: no vertex"},
      {"s", "character 2: no children"},
      {"s0", "character 3: no children"},
      {"m1o", "character 4: no children"},
      {"m1c2cc", "character 5: a core with children"},
      {"m1m", "character 3: a node inside a node"},
      {"m1s1m", "character 3: a network inside a node"},
      {"s2ms1m:m0", "character 4: a switch after a node"},
      {"m999:m0", "character 2: not a number of children from 0 to 64"},
      {"m2cc", "character 5: no colon after the machine"},
      {"m2ccc:c0", "character 5: no colon after the machine"},
      {"m2cc:", "character 6: no object of the machine"},
      {"m2cc:c2", "character 6: no object of the machine"},
      {"m2cc:c12", "character 6: no object of the machine"},
      {"m2cc:c0,", "character 9: no object of the machine"},
      {"m2cc:c0+", "character 9: no object of the machine"},
      {"m2cc:c0 c1", "character 8: more than bindings"},
      {"s2mm:m0+m1", "character 9: a binding across nodes"},
      {"s2mm:s0", "character 6: no object of the machine"},
  };
  for (const auto& [key, message] : bad) {
    try {
      read_hsplit_case(key);
      ADD_FAILURE() << key << " is read";
    } catch (const InputError& e) {
      EXPECT_NE(std::string(e.what()).find(message), std::string::npos) << key << ": " << e.what();
    }
  }
}

int objects_of_bindings(const std::string& key) {
  int n = 1;
  for (char letter : key.substr(key.find(':'))) n += letter == '+' || letter == ',' ? 1 : 0;
  return n;
}

TEST(HsplitCase, SmallerOnesAreSmaller) {
  std::vector<std::string> all = keys(5, 3);
  Random random(5);
  for (int i = 0; i < 10; ++i) all.push_back(key_of(random_hsplit_case(random)));
  for (const std::string& key : all) {
    const HsplitCase c = read_hsplit_case(key);
    const std::vector<HsplitCase> smaller = smaller_cases(c);
    EXPECT_EQ(smaller.empty(), key == "m:m0");
    for (const HsplitCase& s : smaller) {
      const std::string other = key_of(s);
      EXPECT_EQ(key_of(read_hsplit_case(other)), other);
      const auto size = [](const HsplitCase& x) { return x.tree().size() + x.ranks(); };
      EXPECT_LE(size(s), size(c));
      if (size(s) < size(c)) continue;
      EXPECT_LT(objects_of_bindings(other), objects_of_bindings(key)) << key << " " << other;
    }
  }
}

TEST(HsplitCase, StepsOfShrinking) {
  std::vector<std::string> steps;
  for (const HsplitCase& c : smaller_cases(read_hsplit_case("s2m2cc"
                                                            "m1o3ccc:c0,c2+c3")))
    steps.push_back(key_of(c));
  EXPECT_EQ(steps, (std::vector<std::string>{
                       "s2m2ccm1o3ccc:c2+c3",    // without rank 0
                       "s2m2ccm1o3ccc:c0",       // without rank 1
                       "s1m1o3ccc:c0+c1",        // without the first node and its rank
                       "s1m2cc:c0",              // without the second node
                       "s2mm1o3ccc:m0,c0+c1",    // nothing inside the first node
                       "s2m2ccm:c0,m1",          // nothing inside the second node
                       "s2m2ccm1c:c0,c2",        // nothing inside its object
                       "s2m1cm1o3ccc:c0,c1+c2",  // without rank 0's core; the rank gets the other core
                       "s2m1cm1o3ccc:c0,c1+c2",  // without the other core
                       "s2m2ccm3ccc:c0,c2+c3",   // without the object around the cores
                       "s2m2ccm1o2cc:c0,c2",     // without each of its cores
                       "s2m2ccm1o2cc:c0,c2",     //
                       "s2m2ccm1o2cc:c0,o0",     //
                       "s2m2ccm1o3ccc:c0,o0",    // several objects become one
                   }));
}

// ------------------------------------------------------------------------------------------------------------ drawing

TEST(HsplitCase, IsDrawn) {
  const Drawing d =
      draw_hsplit_case(read_hsplit_case("s2m2ccm3o2ccc"
                                        "c:m0,c0,c2,c3+c4,o0,c2"));
  EXPECT_EQ(d.text, R"(System - Cluster s0
  Machine m0: rank 0
    Core c0: rank 1
    Core c1
  Machine m1
    Package o0: rank 4
      Core c2: ranks 2,5
      Core c3: part of rank 3
    Core c4: part of rank 3
    Core c5
level 0: System - Cluster {0,1,2,3,4,5}
  level 1, index 0 of 2: Machine m0 {0,1}
    level 2, index 0 of 1: Core c0 {1}
    roots {1}, in none {0}
  level 1, index 1 of 2: Machine m1 {2,3,4,5}
    level 2, index 0 of 1: Package o0 {2,4,5}
      level 3, index 0 of 1: Core c2 {2,5}
      roots {2}, in none {4}
    roots {2}, in none {3}
  roots {0,2}
)");
  EXPECT_EQ(d.svg.rfind("<?xml", 0), 0u);
  EXPECT_NE(d.svg.find("part of rank 3"), std::string::npos);
}

// --------------------------------------------------------------------------------------------- every order, every set

// Checks the properties for a case that the area does not enumerate. Returns whether all hold.
bool holds(const HsplitCase& c) {
  static const auto kProperties = hsplit_properties();
  const HsplitOutcome o = run_hsplit(c);
  for (const auto& p : kProperties) {
    const std::optional<std::string> violation = p.judge(c, o).violation();
    EXPECT_EQ(violation, std::nullopt) << p.info.name << " " << key_of(c);
    if (violation) return false;
  }
  return true;
}

// Tries all tuples of `ranks` bindings from `choices`, and returns their number.
long try_all(const std::shared_ptr<const HsplitMachine>& machine, const std::vector<Pus>& choices, int ranks) {
  HsplitCase c{machine, std::vector<Pus>(ranks)};
  long cases = 0;
  bool good = true;
  const std::function<void(int)> put = [&](int r) {
    if (r == ranks) {
      ++cases;
      good = holds(c);
      return;
    }
    for (size_t i = 0; i < choices.size() && good; ++i) {
      c.bindings[r] = choices[i];
      put(r + 1);
    }
  };
  put(0);
  return cases;
}

// One node: every ordered tree of three levels with up to three children, and every order of the ranks.
TEST(HsplitProperties, HoldInEveryOrderOfSiblings) {
  long cases = 0;
  for (const Shape& s : ordered_trees(2, 3)) {
    const auto machine = std::make_shared<HsplitMachine>(small_machine(s, 0));
    std::vector<Pus> places;
    for (int v = 0; v < machine->tree.size(); ++v) {
      if (machine->tree.is_place(v)) places.push_back(machine->tree.pus[v]);
    }
    for (int ranks = 1; ranks <= 3; ++ranks) cases += try_all(machine, places, ranks);
  }
  EXPECT_EQ(cases, 46'404);  // the sum of places^r over all trees and r
}

// The same trees with up to four PUs, and bindings to any set of PUs, including sets that span objects.
TEST(HsplitProperties, HoldForEverySetOfPus) {
  long cases = 0;
  for (const Shape& s : ordered_trees(2, 3)) {
    const auto machine = std::make_shared<HsplitMachine>(small_machine(s, 0));
    const Pus all = machine->tree.pus[0];
    if (all > 0xf) continue;
    std::vector<Pus> sets;
    for (Pus set = all; set != 0; set = (set - 1) & all) sets.push_back(set);
    for (int ranks = 1; ranks <= 3; ++ranks) cases += try_all(machine, sets, ranks);
  }
  EXPECT_EQ(cases, 66'846);
}

// ------------------------------------------------------------------------------------------- every property can fail

struct Wrong {
  const char* property;
  const char* key;
  void (*spoil)(HsplitOutcome&);
};

// Wrong results for a case, each with the property that must detect it.
const Wrong kWrong[] = {
    {"strict-subset", "m2cc:c0,c1",
     [](HsplitOutcome& o) {
       o.all.comms[0].members = {0, 1};
     }},
    {"strict-subset", "m2cc:c0,c1",
     [](HsplitOutcome& o) {
       o.first.index = {0, 0};
     }},
    {"disjoint-siblings", "m2cc:m0,c0,c1",
     [](HsplitOutcome& o) {
       o.all.comms[0].members = {0, 1};
     }},
    {"disjoint-siblings", "m2cc:c0,c1",
     [](HsplitOutcome& o) {
       o.all.comms[0].members = {0, 1};
     }},
    {"null-exactly", "m2cc:m0,c0,c1", [](HsplitOutcome& o) { o.first.index[0] = 0; }},
    {"null-exactly", "m2cc:m0,c0,c1", [](HsplitOutcome& o) { o.first.index[1] = -1; }},
    {"null-exactly", "m2cc:m0,c0,c1", [](HsplitOutcome& o) { o.all.levels[1] = {}; }},
    {"lowest-name", "m1o2cc:c0,c1", [](HsplitOutcome& o) { o.first.cover = 0; }},
    {"lowest-name", "m2o1cc:m0,c0", [](HsplitOutcome& o) { o.all.comms[0].cover = 1; }},
    {"index-order", "m2cc:c0,c1",
     [](HsplitOutcome& o) {
       o.first.index = {1, 0};
     }},
    {"index-order", "m2cc:c0,c1", [](HsplitOutcome& o) { o.first.num_comms = 3; }},
    {"index-order", "m2cc:c0,c1", [](HsplitOutcome& o) { o.all.comms[1].index = 2; }},
    {"index-order", "m2cc:c0,c1", [](HsplitOutcome& o) { std::swap(o.all.comms[0].members, o.all.comms[1].members); }},
    {"roots", "m2cc:c1,c0",
     [](HsplitOutcome& o) {
       o.all.families[0].roots = {1, 0};
     }},
    {"roots", "m2cc:c0,c0,c1",
     [](HsplitOutcome& o) {
       o.all.families[0].roots = {1, 2};
     }},
    {"stragglers", "m2cc:m0,c0,c1", [](HsplitOutcome& o) { o.all.families[0].stragglers = {}; }},
    {"member-order", "m2cc:c0,c0,c1",
     [](HsplitOutcome& o) {
       o.all.comms[0].members = {1, 0};
     }},
    {"lone-stops", "m2cc:c0,c1", [](HsplitOutcome& o) { o.all.comms[0].below = 0; }},
    {"depth-bound", "m2cc:c0,c1",
     [](HsplitOutcome& o) {
       o.all.levels[0] = {0, 0};
     }},
    {"unbound-stop", "m2cc:m0,m0", [](HsplitOutcome& o) { o.all.levels[0] = {0}; }},
    {"unbound-stop", "s2m2ccm:m0,m1,m0", [](HsplitOutcome& o) { o.all.levels[0] = {}; }},
    {"repeated-split", "s2m2ccm2cc:c0,c1,c2",
     [](HsplitOutcome& o) {
       o.again[0] = {.cover = 1, .num_comms = 2, .index = {1, 0}};
     }},
    {"repeated-split", "s2m2ccm2cc:c0,c1,c2",
     [](HsplitOutcome& o) {
       o.again[0] = {1, 0, {-1, -1}};
     }},
    {"fewer-levels", "s2m2ccm2cc:c0,c1,c2", [](HsplitOutcome& o) { o.upto[0] = o.all; }},
    {"fewer-levels", "s2m2ccm2cc:c0,c1,c2", [](HsplitOutcome& o) { o.upto[0].comms[0].cover = 0; }},
    {"consecutive", "m2cc:c0,c1,c0", [](HsplitOutcome& o) { o.consecutive = true; }},
    {"consecutive", "m2cc:c0,c0,c1", [](HsplitOutcome& o) { o.consecutive = false; }},
    {"min-hlevel", "m2cc:c0,c1", [](HsplitOutcome& o) { o.min_level[0] = 0; }},
    {"min-hlevel", "m2cc:c0,c1", [](HsplitOutcome& o) { o.min_level_of_two[0] = 1; }},
    {"slow-reading", "m2cc:c0,c1", [](HsplitOutcome& o) { o.all.levels[0] = {}; }},
    {"slow-reading", "m2cc:c0,c1,c0",
     [](HsplitOutcome& o) {
       o.all.comms[0].members = {2, 0};
     }},
    {"guided", "m2cc:m0,c0", [](HsplitOutcome& o) { o.guided[0].levels[0] = {0}; }},
    {"guided", "m2cc:c0,c1", [](HsplitOutcome& o) { std::swap(o.guided[0], o.guided[1]); }},
    {"guided-disjoint", "m2cc:m0,c0,c1",
     [](HsplitOutcome& o) {
       for (Communicator& c : o.guided[0].comms) c.members.insert(c.members.begin(), 0);
     }},
    {"guided-follows", "m2cc:c0,c1",
     [](HsplitOutcome& o) {
       o.followed[0].guided.comms[0].members = {0, 1};
     }},
    {"guided-follows", "m2cc:c0,c1", [](HsplitOutcome& o) { o.followed[0].guided.levels[1] = {}; }},
    {"hinted", "s2m2ccm2cc:c0,c1,c2", [](HsplitOutcome& o) { o.hinted[0].levels = o.all; }},
    {"wishes", "m2cc:c0,c0,c1", [](HsplitOutcome& o) { o.wished.back().level.levels[0] = {}; }},
};

TEST(HsplitProperties, SeeWhatIsWrong) {
  const auto properties = hsplit_properties();
  std::set<std::string> seen;
  for (const Wrong& w : kWrong) {
    const HsplitCase c = read_hsplit_case(w.key);
    HsplitOutcome o = run_hsplit(c);
    for (const auto& p : properties) EXPECT_EQ(p.judge(c, o).violation(), std::nullopt) << p.info.name << " " << w.key;
    w.spoil(o);
    bool known = false;
    for (const auto& p : properties) {
      if (p.info.name != w.property) continue;
      known = true;
      EXPECT_TRUE(p.judge(c, o).violation()) << w.property << " " << w.key;
    }
    EXPECT_TRUE(known) << w.property;
    seen.insert(w.property);
  }
  for (const auto& p : properties) {
    EXPECT_TRUE(p.info.kind == PropertyInfo::Kind::kSometimes || seen.count(p.info.name) == 1) << p.info.name;
  }
}

// A case that no kSometimes property applies to.
TEST(HsplitProperties, WhatIsOnlySometimesSoIsNotAlways) {
  const HsplitCase c = read_hsplit_case("m:m0");
  const HsplitOutcome o = run_hsplit(c);
  for (const auto& p : hsplit_properties()) {
    const bool sometimes = p.info.kind == PropertyInfo::Kind::kSometimes;
    EXPECT_TRUE(!sometimes || !p.judge(c, o).asked()) << p.info.name;
  }
}

}  // namespace
}  // namespace strata::check
