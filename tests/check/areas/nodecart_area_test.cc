// SPDX-License-Identifier: LGPL-2.1-only
// The area nodecart: the number of cases, that all properties hold, keys that are read back or refused, a violation of
// each property, and simpler cases.
#include "check/areas/nodecart_area.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <functional>
#include <map>
#include <numeric>
#include <set>
#include <tuple>

#include "base/error.h"

namespace strata::check {
namespace {

using mpix::CartMethod;
using mpix::Mapping;
using ::testing::HasSubstr;
using Kind = PropertyInfo::Kind;

struct Found {
  long cases = 0, random_cases = 0, distinct = 0;
  std::map<std::string, long> asked;
};

// Checks all properties for these cases. None may be violated.
Found look_at(const Bounds& bounds, long random_cases) {
  const auto area = nodecart_area();
  std::atomic<long> at = 0;
  Share share{.bounds = bounds, .random_cases = random_cases, .at = &at};
  share.only.resize(area->properties().size());
  std::iota(share.only.begin(), share.only.end(), 0);
  const Tally tally = area->explore(share);
  const std::set<std::uint64_t> distinct(tally.fingerprints.begin(), tally.fingerprints.end());
  Found found{tally.cases, tally.random_cases, static_cast<long>(distinct.size()), {}};
  for (size_t p = 0; p < share.only.size(); ++p) {
    const std::string& name = area->properties()[p].name;
    found.asked[name] = tally.asked[p];
    if (tally.first[p] == Tally::kNever) continue;
    const std::string key = area->key(share, tally.first[p]);
    ADD_FAILURE() << name << ":" << key << ": " << area->judge(key, p).violation().value_or("");
  }
  return found;
}

Bounds bounds_of(Effort effort) { return NodecartDomain().bounds(effort); }

TEST(NodecartArea, QuickBounds) {
  const Found found = look_at(bounds_of(Effort::kQuick), 0);
  EXPECT_EQ(found.cases, 26'789);
  EXPECT_EQ(found.distinct, 7'863);
  const std::map<std::string, long> expected = {
      {"auto-above-optimum", 427},
      {"auto-below-cart", 7'759},
      {"auto-best", 26'789},
      {"auto-is-optimal", 15'522},
      {"auto-not-above-cart", 26'789},
      {"auto-takes-blocks", 406},
      {"auto-takes-hyperplane", 2'388},
      {"auto-takes-kdtree", 8},
      {"auto-takes-multilevel", 1'035},
      {"auto-takes-nodecart", 4'289},
      {"auto-takes-strips", 717},
      {"block-dims", 26'789},
      {"block-does-not-fit", 3'310},
      {"block-order", 17'607},
      {"block-partners", 17'607},
      {"blocks-best", 17'607},
      {"blocks-not-above-nodecart", 17'607},
      {"cart-identity", 26'789},
      {"dims-best", 446},
      {"dims-product", 446},
      {"factor-rule", 26'789},
      {"factor-rule-of-levels", 16'727},
      {"further-levels", 15'638},
      {"hyperplane-cuts", 26'789},
      {"kdtree-halves", 26'789},
      {"levels-are-blocks", 17'607},
      {"method-named", 26'789},
      {"nodecart-above-cart", 577},
      {"nodes-are-blocks", 17'607},
      {"not-below-optimum", 15'949},
      {"partners-recounted", 26'789},
      {"periodic-of-one", 13'697},
      {"periodic-of-two", 6'481},
      {"permutation", 26'789},
      {"places-of-first", 377},
      {"ranks-not-in-order", 6'622},
      {"refusals", 26'789},
      {"row-major", 757},
      {"shift", 757},
      {"shift-inverse", 757},
      {"some-refusal", 10'062},
      {"strips-in-line", 26'789},
      {"strips-turn", 26'789},
      {"tie-to-first", 2'012},
      {"tie-to-shortest", 1'568},
      {"unequal-nodes", 9'182},
  };
  EXPECT_EQ(found.asked, expected);
}

// Meshes with more dimensions and positions, on equal nodes.
TEST(NodecartArea, LargerMeshesOnEqualNodes) {
  Bounds bounds = bounds_of(Effort::kFull);
  for (const auto& [name, value] :
       std::map<std::string, long>{{"positions", 24}, {"dims", 4}, {"levels", 1}, {"unequal", 0}, {"scattered", 0}}) {
    bounds.set(name, value, "nodecart");
  }
  const Found found = look_at(bounds, 0);
  EXPECT_EQ(found.cases, 70'207);
  EXPECT_EQ(found.asked.at("row-major"), 8'537);
}

TEST(NodecartArea, RandomCases) {
  Bounds bounds = bounds_of(Effort::kQuick);
  bounds.set("positions", 1, "nodecart");
  EXPECT_EQ(look_at(bounds, 1000).random_cases, 1000);
}

// ---------------------------------------------------------------------------------------------------------------- keys

TEST(NodecartKey, IsReadBack) {
  const NodecartDomain domain;
  std::set<std::string> keys;
  long cases = 0;
  const auto expect_same = [&](const NodecartCase& c) {
    const std::string key = domain.key(c);
    ASSERT_EQ(key.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789:.+="), std::string::npos) << key;
    const NodecartCase again = domain.read(key);
    EXPECT_EQ(std::tie(again.mesh.dims, again.mesh.periods, again.places.node_level),
              std::tie(c.mesh.dims, c.mesh.periods, c.places.node_level))
        << key;
    ASSERT_EQ(again.places.levels.size(), c.places.levels.size());
    for (size_t l = 0; l < c.places.levels.size(); ++l) {
      EXPECT_EQ(again.places.levels[l].name, c.places.levels[l].name) << key;
      EXPECT_EQ(again.places.levels[l].group, c.places.levels[l].group) << key;
    }
    keys.insert(key);
    ++cases;
  };
  domain.enumerate(domain.bounds(Effort::kQuick), [&](const NodecartCase& c) {
    expect_same(c);
    return !HasFatalFailure();
  });
  EXPECT_EQ(static_cast<long>(keys.size()), cases);  // each case occurs once
  Random random(1);
  for (int i = 0; i < 200; ++i) expect_same(domain.random(domain.bounds(Effort::kQuick), random));
}

TEST(NodecartKey, AsInTheHeader) {
  const NodecartCase c = read_nodecart_key("4x3p10:switch=8+4:node=3x4");
  EXPECT_EQ(c.mesh.dims, (std::vector<int>{4, 3}));
  EXPECT_EQ(c.mesh.periods, (std::vector<bool>{true, false}));
  EXPECT_EQ(c.places.node_level, 1);
  EXPECT_EQ(c.places.levels[0].group, (std::vector<int>{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1}));
  EXPECT_EQ(c.places.nodes(), (std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2}));
  EXPECT_EQ(read_nodecart_key("2x2p00:node=0.1.1.0").places.nodes(), (std::vector<int>{0, 1, 1, 0}));
  EXPECT_EQ(read_nodecart_key("nodims:node=1").mesh.size(), 1);
  EXPECT_EQ(key_of(read_nodecart_key("2x3p00:node=2x3")), "2x3p00:node=3+3");
  EXPECT_EQ(key_of(read_nodecart_key("6p0:node=0.1.3x0.1")), "6p0:node=0.1.3x0.1");
}

TEST(NodecartKey, IsRefusedWithItsPlace) {
  const std::pair<const char*, const char*> wrong[] = {
      {"", "character 1: no mesh; dimensions and, behind a p, a 0 or 1 for each: '4x3p10'"},
      {"4x3", "character 4: no periods; dimensions and, behind a p, a 0 or 1 for each"},
      {"4x0p00:node=4", "character 3: not a number that can be here; one from 1 to 262144"},
      {"4xp00:node=4", "character 3: not a number"},
      {"04p0:node=4", "character 1: not a number"},
      {"4x3p1:node=12", "character 6: no period of dimension 1; 0 where the mesh ends, 1 where it is periodic"},
      {"4p2:node=4", "character 3: no period of dimension 0"},
      {"4p00:node=4", "character 4: neither a level nor the end; a colon and a level, or nothing more"},
      {"4p0", "character 4: no nodes; a part ':node=' with the sizes of the nodes"},
      {"4p0:switch=4", "character 13: no nodes"},
      {"4p0:", "character 5: no level; a word, '=' and the sizes of its groups"},
      {"4p0:Node=4", "character 5: no level"},
      {"4p0:node:node=4", "character 5: no level"},
      {"4p0:node=4:node=4", "character 12: a second level 'node'; another name"},
      {"4p0:node=3", "character 5: not as many ranks as the mesh has positions; 4"},
      {"4p0:node=3+2", "character 5: not as many ranks as the mesh has positions; 4"},
      {"4p0:node=4+", "character 12: not a number that can be here; one from 1 to 4"},
      {"4p0:node=2x2x1", "character 13: neither a level nor the end"},
      {"4p0:node=0x1.3x1", "character 10: no times"},
      {"4p0:node=0.1.0", "character 5: not as many ranks"},
      {"4p0:node=1.0.1.0", "character 5: groups are not numbered; 0, 1, ... in the order of their first ranks"},
      {"4p0:node=2+2:socket=3+1",
       "character 14: group 0 of 'socket' is in two of 'node'; groups within those of the level before"},
      {"99999999999p0:node=1", "character 1: not a number"},
  };
  for (const auto& [key, fault] : wrong) {
    try {
      read_nodecart_key(key);
      ADD_FAILURE() << key;
    } catch (const InputError& e) {
      EXPECT_THAT(e.what(), HasSubstr(fault)) << key;
      EXPECT_THAT(e.what(), HasSubstr("case '" + std::string(key) + "'"));
    }
  }
}

// ------------------------------------------------------------------------------------------------------ simpler cases

// Decreases with each step, so that shrinking ends: positions, dimensions, levels, periods, groups, disorder.
std::vector<long> complexity(const NodecartCase& c) {
  std::vector<long> all = {c.mesh.size(),
                           c.mesh.num_dims(),
                           static_cast<long>(c.places.levels.size()),
                           std::count(c.mesh.periods.begin(), c.mesh.periods.end(), true),
                           0,
                           0};
  for (const mpix::PlaceLevel& level : c.places.levels) {
    all[4] += static_cast<long>(mpix::group_sizes(level.group).size());
    all[5] += is_packed(level.group) ? 0 : 1;
  }
  return all;
}

TEST(NodecartSmaller, EachStepIsASimplerCaseThatCanBeRead) {
  const NodecartDomain domain;
  Random random(3);
  for (int i = 0; i < 20; ++i) {
    NodecartCase c = domain.random(domain.bounds(Effort::kQuick), random);
    for (;;) {
      const std::vector<NodecartCase> simpler = domain.smaller(c);
      if (simpler.empty()) break;
      for (const NodecartCase& s : simpler) {
        const std::string key = domain.key(s);
        ASSERT_EQ(domain.key(domain.read(key)), key);
        ASSERT_LT(complexity(s), complexity(c)) << key << " of " << domain.key(c);
      }
      c = simpler[random() % simpler.size()];
    }
    EXPECT_EQ(domain.key(c), "nodims:node=1");
  }
}

TEST(NodecartSmaller, OfASmallOne) {
  std::vector<std::string> keys;
  for (const NodecartCase& c : simpler_cases(read_nodecart_key("2x2p10:node=0.1.0.1"))) keys.push_back(key_of(c));
  EXPECT_EQ(keys, (std::vector<std::string>{"2p0:node=1+1", "2p0:node=2", "1x2p10:node=1+1", "1x2p10:node=2",
                                            "2p1:node=1+1", "2p1:node=2", "2x1p10:node=1+1", "2x1p10:node=2",
                                            "2x2p00:node=0.1.0.1", "2x2p10:node=4", "2x2p10:node=2+2"}));
}

// ------------------------------------------------------------------------------------------ violations

// A case, and an error in its outcome.
struct Fault {
  const char* property;
  const char* key;
  std::function<void(NodecartOutcome&)> corrupt;
};

Mapping& mapping(NodecartOutcome& o, CartMethod method) { return *o.methods[static_cast<size_t>(method)].mapping; }

// Exchanges the positions of two ranks.
std::function<void(NodecartOutcome&)> swapped(CartMethod method, int a, int b) {
  return [=](NodecartOutcome& o) {
    std::vector<int>& positions = mapping(o, method).new_rank;
    std::swap(positions[a], positions[b]);
  };
}

const Fault kFaults[] = {
    {"permutation", "2x2p00:node=2+2", [](auto& o) { mapping(o, CartMethod::kStrips).new_rank[0] = 1; }},
    {"permutation", "2x2p00:node=2+2", [](auto& o) { mapping(o, CartMethod::kKdTree).new_rank.push_back(4); }},
    {"cart-identity", "2x2p00:node=2+2", swapped(CartMethod::kCart, 1, 2)},
    {"refusals", "2x2p00:node=2+2", [](auto& o) { o.methods[2].mapping.reset(); }},
    {"refusals", "2x2p00:node=2+2", [](auto& o) { o.methods[7].mapping.reset(); }},
    {"refusals", "2x2p00:node=3+1", [](auto& o) { o.methods[4].mapping = o.methods[1].mapping; }},
    {"refusals", "2x2p00:node=3+1", [](auto& o) { o.methods[4].refusal = "nodecart needs equally many"; }},
    {"method-named", "2x2p00:node=2+2", [](auto& o) { mapping(o, CartMethod::kStrips).method = CartMethod::kCart; }},
    {"method-named", "2x2p00:node=2+2", [](auto& o) { mapping(o, CartMethod::kAuto).method = CartMethod::kAuto; }},
    {"block-dims", "4x2p00:node=4+4", [](auto& o) { mapping(o, CartMethod::kBlocks).interdims[0] = 1; }},
    {"block-dims", "4x2p00:node=4+4",
     [](auto& o) {
       mapping(o, CartMethod::kCart).intradims = {2, 2};
     }},
    {"nodes-are-blocks", "4x2p00:node=4+4", swapped(CartMethod::kNodecart, 3, 4)},
    {"levels-are-blocks", "4x2p00:node=8:socket=4+4", swapped(CartMethod::kMultilevel, 3, 4)},
    {"block-order", "4x2p00:node=4+4", swapped(CartMethod::kNodecart, 0, 1)},
    {"block-order", "4p0:node=2+2", swapped(CartMethod::kNodecart, 1, 2)},
    {"block-order", "2x3p00:node=6:socket=3+2+1", swapped(CartMethod::kBlocks, 0, 1)},
    {"factor-rule", "4x2p00:node=4+4",
     [](auto& o) {
       o.block = {4, 1};
     }},
    {"factor-rule", "4x2p00:node=4+4", [](auto& o) { o.block.reset(); }},
    {"factor-rule", "3p0:node=2+1", [](auto& o) { o.block = {2}; }},
    {"factor-rule", "4x2p00:node=4+4",
     [](auto& o) {
       mapping(o, CartMethod::kNodecart).intradims = {4, 1};
     }},
    {"factor-rule-of-levels", "4x2p00:node=8:socket=4+4", swapped(CartMethod::kMultilevel, 3, 4)},
    {"blocks-best", "4x2p00:node=4+4", swapped(CartMethod::kBlocks, 0, 7)},
    {"blocks-best", "4x2p00:node=4+4",
     [](auto& o) {
       mapping(o, CartMethod::kBlocks).intradims = {4, 1};
     }},
    {"hyperplane-cuts", "3x2p00:node=3x2", swapped(CartMethod::kHyperplane, 0, 1)},
    {"kdtree-halves", "3x2p00:node=3x2", swapped(CartMethod::kKdTree, 0, 1)},
    {"strips-turn", "3x2p00:node=3x2", swapped(CartMethod::kStrips, 0, 1)},
    {"strips-in-line", "3x2p00:node=3x2", swapped(CartMethod::kStrips, 1, 5)},
    {"partners-recounted", "3x2p00:node=3x2", [](auto& o) { ++o.methods[6].partners[0].on.total; }},
    {"partners-recounted", "3x2p00:node=3x2", [](auto& o) { ++o.methods[0].partners[0].off.min; }},
    {"partners-recounted", "3x2p00:node=6:socket=3x2", [](auto& o) { --o.methods[0].partners[1].off.max; }},
    {"block-partners", "4x2p11:node=4+4", [](auto& o) { --o.methods[2].of_blocks; }},
    {"auto-not-above-cart", "4x2p00:node=4+4", swapped(CartMethod::kAuto, 3, 4)},
    {"auto-best", "4x2p00:node=4+4", swapped(CartMethod::kAuto, 0, 1)},
    {"auto-best", "4x2p00:node=4+4", [](auto& o) { mapping(o, CartMethod::kAuto) = mapping(o, CartMethod::kBlocks); }},
    {"blocks-not-above-nodecart", "4x2p00:node=4+4", swapped(CartMethod::kBlocks, 0, 7)},
    {"not-below-optimum", "4x2p00:node=4+4", [](auto& o) { o.methods[0].partners[0].off.total = 15; }},
    {"row-major", "4x2p00:node=8", [](auto& o) { std::swap(o.coords[1], o.coords[2]); }},
    {"row-major", "4x2p00:node=8", [](auto& o) { std::swap(o.positions[1], o.positions[2]); }},
    {"row-major", "4x2p00:node=8", [](auto& o) { o.strides[0] = 4; }},
    {"row-major", "4x2p00:node=8", [](auto& o) { o.size = 9; }},
    {"shift", "4x2p10:node=8", [](auto& o) { std::swap(o.shifts[1].partners[0], o.shifts[1].partners[1]); }},
    {"shift", "4x2p10:node=8", [](auto& o) { o.shifts[1].moved = -1; }},
    {"shift-inverse", "4x2p10:node=8",
     [](auto& o) {
       for (auto& s : o.shifts) s.partners[0] = s.partners[1];
     }},
    {"places-of-first", "6p0:switch=4+2:node=3x2",
     [](auto& o) { o.firsts.back().places.levels.erase(o.firsts.back().places.levels.begin()); }},
    {"places-of-first", "6p0:switch=4+2:node=3x2",
     [](auto& o) {
       o.firsts.back().places.levels.push_back({"core", {0, 1, 2, 3, 4, 5}});
     }},
    {"places-of-first", "6p0:switch=4+2:node=3x2",
     [](auto& o) { o.firsts.back().places.levels[1].group = {0, 0, 1, 1, 2, 3}; }},
    {"dims-product", "4x2p00:node=4+4",
     [](auto& o) {
       o.filled.back().dims = {{4, 4}};
     }},
    {"dims-product", "4x2p00:node=4+4",
     [](auto& o) {
       o.filled[0].dims = {{2, 4}};
     }},
    {"dims-product", "4x2p00:node=4+4", [](auto& o) { o.filled[0].dims.reset(); }},
    {"dims-best", "6x2p00:node=4x3",
     [](auto& o) {
       o.filled[9].dims = {{4, 3}};
     }},
};

TEST(NodecartProperties, EachCanFail) {
  const NodecartDomain domain;
  const auto properties = domain.properties();
  std::set<std::string> failed;
  for (const Fault& fault : kFaults) {
    for (const auto& property : properties) {
      if (property.info.name != fault.property) continue;
      const NodecartCase c = domain.read(fault.key);
      NodecartOutcome outcome = domain.run(c);
      EXPECT_EQ(property.judge(c, outcome).violation(), std::nullopt) << fault.property << ":" << fault.key;
      EXPECT_TRUE(property.judge(c, outcome).asked()) << fault.property << ":" << fault.key;
      fault.corrupt(outcome);
      EXPECT_NE(property.judge(c, outcome).violation(), std::nullopt) << fault.property << ":" << fault.key;
      failed.insert(fault.property);
    }
  }
  for (const auto& property : properties) {
    EXPECT_EQ(failed.count(property.info.name), property.info.kind == Kind::kAlways ? 1 : 0) << property.info.name;
  }
}

TEST(NodecartProperties, HaveStatementsAndSources) {
  std::set<std::string> names;
  for (const auto& property : NodecartDomain().properties()) {
    EXPECT_TRUE(names.insert(property.info.name).second) << property.info.name;
    EXPECT_NE(property.info.statement, "");
    EXPECT_NE(property.info.source, "");
  }
}

// ------------------------------------------------------------------------------------------ drawings

TEST(NodecartDrawing, NodesBeforeAndAfter) {
  const Drawing drawing = nodecart_area()->draw("3x2p10:node=4+2");
  EXPECT_EQ(drawing.text,
            "mesh 3x2, periodic in dimension 0\n"
            "ranks by node:  0 1 2 3  4 5\n"
            "nodecart: refused\n"
            "multilevel: refused\n"
            "blocks: refused\n"
            "cart, hyperplane, kdtree, auto: 14 partners off the node\n"
            "    0 0   | 0 1\n"
            "    0 0   | 2 3\n"
            "    1 1   | 4 5\n"
            "strips: 14 partners off the node\n"
            "    0 0   | 0 1\n"
            "    0 0   | 3 2\n"
            "    1 1   | 4 5\n");
  EXPECT_THAT(drawing.svg, HasSubstr("</svg>"));
  EXPECT_THAT(nodecart_area()->draw("2x3p00:node=4+2").text, HasSubstr("nodecart: refused"));
  EXPECT_THAT(nodecart_area()->draw("nodims:node=1").text, HasSubstr("mesh of one process without dimensions"));
}

}  // namespace
}  // namespace strata::check
