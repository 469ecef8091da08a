// Guided splits against slow readings of what they are defined to be: exhaustively on small machines, then a few by
// hand. The readings work on sets of PUs, or on the members alone; they share no code with what they check.
#include "mpi_ext/hierarchy/guided.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "tests/mpi_ext/small_machines.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: small machines

std::vector<int> covers(const Small& m, const std::vector<Pus>& bindings) {
  std::vector<int> vertices;
  for (Pus b : bindings) vertices.push_back(slow_cover(m, b));
  return vertices;
}

// By rank the communicators it is in, as text.
Told told(const Hierarchy& h) {
  Told all(h.levels.size());
  for (size_t r = 0; r < all.size(); ++r) {
    for (int c : h.levels[r]) {
      const Communicator& comm = h.comms[c];
      all[r].push_back(tell(comm.members, h.num_comms(comm), comm.index, comm.cover, h.roots(comm)));
    }
  }
  return all;
}

// One level: these communicators, in the order of their indexes.
Told told(const Small& m, const std::vector<Pus>& bindings, const std::vector<std::vector<int>>& comms) {
  Told all(bindings.size());
  tell_members(m, bindings, comms, all);
  return all;
}

// Calls `check` with every tuple of 1 to `max_ranks` bindings to objects of every small machine: one node of every
// ordered tree of three levels and up to `arity` children, and two nodes of binary trees.
long over_small_machines(int arity, int max_ranks,
                         const std::function<void(const Small&, const std::vector<Pus>&)>& check) {
  long cases = 0;
  const auto over = [&](const Small& m, int ranks_at_most) {
    const std::vector<Pus> choices = objects_of(m);
    for (int ranks = 1; ranks <= ranks_at_most; ++ranks) {
      std::vector<size_t> pick(ranks, 0);
      for (bool more = true; more;) {
        std::vector<Pus> bindings;
        for (size_t p : pick) bindings.push_back(choices[p]);
        check(m, bindings);
        ++cases;
        more = false;
        for (int i = 0; i < ranks && !more; ++i) {
          more = ++pick[i] < choices.size();
          if (!more) pick[i] = 0;
        }
        if (::testing::Test::HasFailure()) return;
      }
    }
  };
  for (const Shape& s : ordered_trees(2, arity)) over(node_alone(s), max_ranks);
  const std::vector<Shape> binary = trees_up_to_order(2, 2);
  for (size_t a = 0; a < binary.size(); ++a) {
    for (size_t b = a; b < binary.size(); ++b) over(cluster({&binary[a], &binary[b]}), 3);
  }
  return cases;
}

// The resource types of a small machine are the depths of its tree: an instance is a vertex of that depth.
TEST(ByInstance, WhoLiesWithinOneInstanceIsWithAllWhoDo) {
  const long cases = over_small_machines(3, 3, [](const Small& m, const std::vector<Pus>& bindings) {
    for (int depth = 0; depth <= m.max_depth; ++depth) {
      std::vector<std::vector<int>> expected;
      std::vector<int> instance(bindings.size(), -1);
      for (int v = 0; v < static_cast<int>(m.parent.size()); ++v) {
        if (m.depth[v] != depth) continue;
        std::vector<int> members;
        for (size_t r = 0; r < bindings.size(); ++r) {
          if (!includes(m.pus[v], bindings[r])) continue;
          members.push_back(static_cast<int>(r));
          instance[r] = v;
        }
        if (!members.empty()) expected.push_back(members);
      }
      const Hierarchy h = split_by_instance(m.parent, covers(m, bindings), instance);
      ASSERT_EQ(told(m, bindings, expected), told(h)) << m.text << " depth " << depth;
    }
  });
  EXPECT_GT(cases, 10'000);
}

// What a rank sees that splits again and again straight to a level, each time among those who came with it: by the
// slow splits alone. `is_there(depth since the last jump, cover)`.
using IsThere = std::function<bool(int, int)>;

// All communicators that repeated slow splitting makes below `ranks` and that are the first on their way to be there.
void first_there(const Small& m, const std::vector<Pus>& bindings, const std::vector<int>& ranks, int splits,
                 const IsThere& is_there, std::vector<std::vector<int>>& out) {
  const int object = slow_cover(m, union_of(bindings, ranks));
  for (int child = 0; child < static_cast<int>(m.parent.size()); ++child) {
    if (m.parent[child] != object) continue;
    std::vector<int> members;
    for (int r : ranks) {
      if (includes(m.pus[child], bindings[r])) members.push_back(r);
    }
    if (members.empty()) continue;
    if (is_there(splits + 1, slow_cover(m, union_of(bindings, members)))) {
      out.push_back(members);
    } else {
      first_there(m, bindings, members, splits + 1, is_there, out);
    }
  }
}

void jump(const Small& m, const std::vector<Pus>& bindings, const std::vector<int>& ranks, const IsThere& is_there,
          Told& out) {
  std::vector<std::vector<int>> comms;
  first_there(m, bindings, ranks, 0, is_there, comms);
  tell_members(m, bindings, comms, out);
  for (const auto& c : comms) jump(m, bindings, c, is_there, out);
}

// Names are the depths of the tree: "a" and "A" of even and odd ones, so that a name comes again further down.
TEST(ToLevel, IsTheFirstOfTheNameOrOfTheNumberAgainAndAgain) {
  const long cases = over_small_machines(3, 3, [](const Small& m, const std::vector<Pus>& bindings) {
    const Hierarchy all = split_all(m.parent, covers(m, bindings));
    const auto name = [&](const Communicator& c) { return std::string(m.depth[c.cover] % 2 == 0 ? "Even" : "Odd"); };
    const auto compare = [&](const LevelHint& hint, const IsThere& is_there) {
      Told expected(bindings.size());
      jump(m, bindings, iota(static_cast<int>(bindings.size())), is_there, expected);
      ASSERT_EQ(expected, told(split_to_level(all, hint, name))) << m.text << hint.name << hint.splits;
    };
    for (int n = 1; n <= 3; ++n) compare({"", n}, [&](int splits, int) { return splits == n; });
    compare({"eVEN", 0}, [&](int, int cover) { return m.depth[cover] % 2 == 0; });
    compare({"Odd", 0}, [&](int, int cover) { return m.depth[cover] % 2 == 1; });
    compare({"None", 0}, [&](int, int) { return false; });
  });
  EXPECT_GT(cases, 10'000);
}

TEST(LevelHintText, NamesAndNumbers) {
  const auto number = [](const char* text) {
    const std::optional<LevelHint> hint = parse_level_hint(text);
    return hint && hint->name.empty() ? hint->splits : -1;
  };
  EXPECT_EQ(number("1"), 1);
  EXPECT_EQ(number("12"), 12);
  EXPECT_EQ(number("99999999999999999999"), INT_MAX);
  for (const char* bad : {"", "0", "00", "-1", "+1", "1.5", "2x", "-Package"})
    EXPECT_FALSE(parse_level_hint(bad)) << bad;
  for (const char* name : {"Package", "l3", "System - Cluster", "x1", " 1"}) {
    ASSERT_TRUE(parse_level_hint(name)) << name;
    EXPECT_EQ(parse_level_hint(name)->name, name);
  }
}

// Every way in which up to four ranks take part or not, with every order of keys, some the same.
TEST(Wishes, WhoIsLeftIsOrderedByKeyAndThenByRank) {
  const Shape leaf;
  const Shape pair{{leaf, leaf}};
  const Small m = node_alone(Shape{{pair, pair}});
  const std::vector<Pus> choices = objects_of(m);
  constexpr int kRanks = 4, kKeys = 3;
  long cases = 0;
  std::vector<Pus> bindings(kRanks);
  for (int code = 0; code < 7 * 7 * 7 * 7; ++code) {
    ASSERT_EQ(choices.size(), 7u);
    for (int r = 0, c = code; r < kRanks; ++r, c /= 7) bindings[r] = choices[c % 7];
    const std::vector<int> vertices = covers(m, bindings);
    const Hierarchy h = split_all(m.parent, vertices, 1);
    const int wish_codes = 2 * kKeys * 2 * kKeys * 2 * kKeys * 2 * kKeys;
    for (int w = code % 7; w < wish_codes; w += 7) {  // a seventh for each placement: all of them over all
      std::vector<Wish> wishes(kRanks);
      for (int r = 0, c = w; r < kRanks; ++r, c /= 2 * kKeys) wishes[r] = {c % 2, c / 2 % kKeys - 1};
      std::vector<std::vector<int>> expected;
      if (!h.families.empty()) {
        for (int c : h.families[0].comms) {
          std::set<std::pair<int, int>> sorted;
          for (int member : h.comms[c].members) {
            if (wishes[member].takes_part != 0) sorted.insert({wishes[member].key, member});
          }
          if (sorted.empty()) continue;
          expected.emplace_back();
          for (const auto& [key, member] : sorted) expected.back().push_back(member);
        }
      }
      ASSERT_EQ(told(m, bindings, expected), told(with_wishes(h, m.parent, vertices, wishes)));
      ++cases;
    }
  }
  EXPECT_GT(cases, 400'000);
}

// Blocks of consecutive ranks, of all ways to write up to 36 as a product of up to four numbers.
TEST(Blocks, CutIntoEqualPartsLevelByLevel) {
  int cases = 0;
  const std::function<void(int, int, std::vector<int>)> factors = [&](int size, int left, std::vector<int> groups) {
    if (left == 1 && !groups.empty()) {
      const Hierarchy h = split_into_blocks(size, groups);
      EXPECT_TRUE(all_consecutive(h));
      for (int r = 0; r < size; ++r) {
        ASSERT_EQ(h.levels[r].size(), groups.size());
        int block = size;
        for (size_t i = 0; i < groups.size(); ++i) {
          const int parent = block;
          block /= groups[i];
          const Communicator& c = h.comms[h.levels[r][i]];
          std::vector<int> members, roots;
          for (int m = 0; m < block; ++m) members.push_back(r / block * block + m);
          for (int g = 0; g < groups[i]; ++g) roots.push_back(r / parent * parent + g * block);
          EXPECT_EQ(c.members, members);
          EXPECT_EQ(h.roots(c), roots);
          EXPECT_EQ(c.index, r % parent / block);
          EXPECT_EQ(h.num_comms(c), groups[i]);
        }
      }
      ++cases;
    }
    if (groups.size() == 4) return;
    for (int n = 1; n <= left; ++n) {
      if (left % n != 0) continue;
      std::vector<int> longer = groups;
      longer.push_back(n);
      factors(size, left / n, longer);
    }
  };
  for (int size = 1; size <= 36; ++size) factors(size, size, {});
  EXPECT_EQ(cases, 1309);  // tuples of one to four factors
  EXPECT_TRUE(split_into_blocks(1, {}).comms.empty());
}

}  // namespace
}  // namespace strata::mpix
