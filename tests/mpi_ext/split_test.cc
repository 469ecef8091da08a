// The core of the communicator hierarchy against a slow reading of its definition.
//
// The core works on ancestors of vertices. The reading here works on sets of PUs alone: the object of a communicator is
// the deepest whose cpuset includes the bindings of all members, and each child object whose cpuset includes a member's
// whole binding is a communicator. What each exhaustive test enumerates, and how many cases that is, it says itself.
// Then random machines beyond, and the worked examples of RR-9077 and of Open MPI's issues.
#include "mpi_ext/hierarchy/split.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "platforms/topology.h"
#include "tests/mpi_ext/small_machines.h"

namespace strata::mpix {
namespace {

using namespace testing;  // NOLINT: small machines

// ---------------------------------------------------------------------------------------------------------- properties

// One machine with its ranks' bindings, and what the core made of them.
struct Case {
  const Small& machine;
  const std::vector<Pus>& bindings;
  std::vector<int> vertices;
  Split first;
  Hierarchy all;
};

Pus children_with(const Case& c, int object, Pus binding, std::vector<int>* which = nullptr) {
  Pus found = 0;
  for (int v = object + 1; v < static_cast<int>(c.machine.parent.size()); ++v) {
    if (c.machine.parent[v] == object && includes(c.machine.pus[v], binding)) {
      found |= c.machine.pus[v];
      if (which != nullptr) which->push_back(v);
    }
  }
  return found;
}

bool cover_is_the_deepest(const Case& c) {
  return c.first.cover == slow_cover(c.machine, union_of(c.bindings, iota(static_cast<int>(c.bindings.size()))));
}

bool strict_subset(const Case& c) {
  std::map<int, size_t> sizes;
  for (int i : c.first.index) ++sizes[i];
  for (const auto& [index, size] : sizes) {
    if (index >= 0 && size >= c.bindings.size()) return false;
  }
  return true;
}

// Siblings share no PU: two members of different ones never can meet on one.
bool siblings_disjoint(const Case& c) {
  for (size_t a = 0; a < c.bindings.size(); ++a) {
    for (size_t b = 0; b < a; ++b) {
      const bool apart = c.first.index[a] >= 0 && c.first.index[b] >= 0 && c.first.index[a] != c.first.index[b];
      if (apart && (c.bindings[a] & c.bindings[b]) != 0) return false;
    }
  }
  return true;
}

bool in_none_exactly_if_it_fits_in_no_child(const Case& c) {
  for (size_t i = 0; i < c.bindings.size(); ++i) {
    if ((c.first.index[i] < 0) != (children_with(c, c.first.cover, c.bindings[i]) == 0)) return false;
  }
  return true;
}

bool index_contiguous_in_tree_order(const Case& c) {
  std::map<int, int> child_of;  // by index
  for (size_t i = 0; i < c.bindings.size(); ++i) {
    if (c.first.index[i] < 0) continue;
    std::vector<int> which;
    children_with(c, c.first.cover, c.bindings[i], &which);
    if (which.size() != 1) return false;
    if (!child_of.emplace(c.first.index[i], which[0]).second && child_of[c.first.index[i]] != which[0]) return false;
  }
  int next = 0, before = -1;
  for (const auto& [index, child] : child_of) {
    if (index != next++ || child <= before) return false;
    before = child;
  }
  return true;
}

bool num_comms_counts_children(const Case& c) {
  std::vector<int> which;
  for (Pus b : c.bindings) children_with(c, c.first.cover, b, &which);
  std::sort(which.begin(), which.end());
  which.erase(std::unique(which.begin(), which.end()), which.end());
  return c.first.num_comms == static_cast<int>(which.size());
}

bool roots_are_rank_0_of_each_sibling(const Case& c) {
  for (const auto& levels : c.all.levels) {
    for (size_t l = 0; l < levels.size(); ++l) {
      const Communicator& comm = c.all.comms[levels[l]];
      // The siblings: communicators at this depth whose members were together one level above.
      std::vector<int> firsts;
      for (size_t r = 0; r < c.all.levels.size(); ++r) {
        const auto& other = c.all.levels[r];
        if (other.size() <= l || (l > 0 && other[l - 1] != levels[l - 1])) continue;
        if (c.all.comms[other[l]].members.front() == static_cast<int>(r)) firsts.push_back(static_cast<int>(r));
      }
      if (c.all.roots(comm) != firsts || static_cast<int>(firsts.size()) != c.all.num_comms(comm)) return false;
    }
  }
  return true;
}

bool lone_process_stops(const Case& c) {
  if (c.bindings.size() == 1 && c.first.num_comms != 0) return false;
  for (const auto& levels : c.all.levels) {
    for (size_t l = 0; l + 1 < levels.size(); ++l) {
      if (c.all.comms[levels[l]].members.size() == 1) return false;
    }
  }
  return true;
}

// Unbound ranks of one node get no level; of several nodes, the node is the last.
bool unbound_ranks_stop_at_the_node(const Case& c) {
  std::vector<int> nodes;
  for (Pus b : c.bindings) {
    const auto at = std::find(c.machine.node_pus.begin(), c.machine.node_pus.end(), b);
    if (at == c.machine.node_pus.end()) return true;  // somebody is bound
    nodes.push_back(static_cast<int>(at - c.machine.node_pus.begin()));
  }
  for (size_t r = 0; r < nodes.size(); ++r) {
    std::vector<int> mine;
    for (size_t o = 0; o < nodes.size(); ++o) {
      if (nodes[o] == nodes[r]) mine.push_back(static_cast<int>(o));
    }
    const auto& levels = c.all.levels[r];
    if (mine.size() == nodes.size() ? !levels.empty() : levels.empty() || c.all.comms[levels.back()].members != mine) {
      return false;
    }
  }
  return true;
}

bool type_is_the_deepest_cover(const Case& c) {
  return std::all_of(c.all.comms.begin(), c.all.comms.end(), [&](const Communicator& comm) {
    return comm.cover == slow_cover(c.machine, union_of(c.bindings, comm.members));
  });
}

bool no_more_levels_than_the_tree_is_deep(const Case& c) {
  return std::all_of(c.all.levels.begin(), c.all.levels.end(),
                     [&](const auto& l) { return static_cast<int>(l.size()) <= c.machine.max_depth; });
}

// Repeated split(), rank by rank, as an application calls it.
bool split_all_is_repeated_split(const Case& c) {
  for (size_t me = 0; me < c.bindings.size(); ++me) {
    std::vector<int> ranks = iota(static_cast<int>(c.bindings.size()));
    size_t level = 0;
    for (;; ++level) {
      std::vector<int> places;
      for (int r : ranks) places.push_back(c.vertices[r]);
      const Split s = split(c.machine.parent, places);
      const int mine = s.index[std::find(ranks.begin(), ranks.end(), static_cast<int>(me)) - ranks.begin()];
      if (mine < 0) break;
      std::vector<int> below;
      for (size_t i = 0; i < ranks.size(); ++i) {
        if (s.index[i] == mine) below.push_back(ranks[i]);
      }
      if (level >= c.all.levels[me].size()) return false;
      const Communicator& comm = c.all.comms[c.all.levels[me][level]];
      if (comm.members != below || comm.index != mine || c.all.num_comms(comm) != s.num_comms) return false;
      ranks = below;
    }
    if (level != c.all.levels[me].size()) return false;
  }
  return true;
}

// Whom a family leaves out: members of what was split who have no communicator at that depth.
bool stragglers_are_who_is_left_out(const Case& c) {
  for (const Family& f : c.all.families) {
    const std::vector<int> whole =
        f.parent < 0 ? iota(static_cast<int>(c.all.levels.size())) : c.all.comms[f.parent].members;
    const auto in_family = [&](int r) {
      return std::any_of(f.comms.begin(), f.comms.end(), [&](int i) {
        const std::vector<int>& m = c.all.comms[i].members;
        return std::find(m.begin(), m.end(), r) != m.end();
      });
    };
    std::vector<int> left;
    std::copy_if(whole.begin(), whole.end(), std::back_inserter(left), [&](int r) { return !in_family(r); });
    if (f.stragglers != left) return false;
  }
  return true;
}

bool consecutive_means_that_no_rank_is_skipped(const Case& c) {
  const bool expected = std::all_of(c.all.comms.begin(), c.all.comms.end(), [](const Communicator& comm) {
    const auto [first, last] = std::minmax_element(comm.members.begin(), comm.members.end());
    return *last - *first + 1 == static_cast<int>(comm.members.size());
  });
  return all_consecutive(c.all) == expected;
}

// Fewer levels are the first of all of them.
bool max_levels_cuts_below(const Case& c) {
  const Hierarchy one = split_all(c.machine.parent, c.vertices, 1);
  for (size_t r = 0; r < c.all.levels.size(); ++r) {
    if (one.levels[r].size() != std::min<size_t>(1, c.all.levels[r].size())) return false;
    if (one.levels[r].empty()) continue;
    const Communicator &a = one.comms[one.levels[r][0]], &b = c.all.comms[c.all.levels[r][0]];
    if (a.members != b.members || a.index != b.index || one.roots(a) != c.all.roots(b)) return false;
  }
  return true;
}

bool equals_the_slow_reading(const Case& c) {
  Told slow(c.bindings.size()), fast(c.bindings.size());
  slow_split(c.machine, c.bindings, iota(static_cast<int>(c.bindings.size())), slow);
  for (size_t r = 0; r < fast.size(); ++r) {
    for (int i : c.all.levels[r]) {
      const Communicator& comm = c.all.comms[i];
      fast[r].push_back(tell(comm.members, c.all.num_comms(comm), comm.index, comm.cover, c.all.roots(comm)));
    }
  }
  return slow == fast;
}

struct Property {
  const char* name;
  bool (*holds)(const Case&);
};

constexpr Property kOfOneSplit[] = {
    {"cover is the deepest object that covers all bindings", cover_is_the_deepest},
    {"strict subset", strict_subset},
    {"siblings are disjoint", siblings_disjoint},
    {"in none exactly if it fits in no child", in_none_exactly_if_it_fits_in_no_child},
    {"index is contiguous from 0 in tree order", index_contiguous_in_tree_order},
    {"num_comms counts the children with a member", num_comms_counts_children},
};

constexpr Property kOfTheHierarchy[] = {
    {"roots are rank 0 of each sibling, in order", roots_are_rank_0_of_each_sibling},
    {"a lone process stops", lone_process_stops},
    {"unbound ranks stop at the node", unbound_ranks_stop_at_the_node},
    {"type is the deepest cover", type_is_the_deepest_cover},
    {"no more levels than the tree is deep", no_more_levels_than_the_tree_is_deep},
    {"split_all is repeated split", split_all_is_repeated_split},
    {"stragglers are who is left out", stragglers_are_who_is_left_out},
    {"consecutive means that no rank is skipped", consecutive_means_that_no_rank_is_skipped},
    {"max_levels cuts below", max_levels_cuts_below},
    {"equals the slow reading", equals_the_slow_reading},
};

// Fails the test with the case where a property does not hold. The hierarchy's properties cost some microseconds a
// case.
bool holds(const Small& m, const std::vector<Pus>& bindings, bool hierarchy) {
  Case c{m, bindings, {}, {}, {}};
  for (Pus b : bindings) c.vertices.push_back(slow_cover(m, b));
  c.first = split(m.parent, c.vertices);
  if (hierarchy) c.all = split_all(m.parent, c.vertices);
  const auto check = [&](const Property& p) {
    if (p.holds(c)) return true;
    std::string text = std::string(p.name) + " does not hold on " + m.text + " with bindings (sets of PUs)";
    for (Pus b : bindings) text += " " + std::to_string(b);
    ADD_FAILURE() << text;
    return false;
  };
  for (const Property& p : kOfOneSplit) {
    if (!check(p)) return false;
  }
  if (hierarchy) {
    for (const Property& p : kOfTheHierarchy) {
      if (!check(p)) return false;
    }
  }
  return true;
}

// Any set of PUs of one node.
std::vector<Pus> unions_of(const Small& m) {
  std::vector<Pus> sets;
  for (Pus node : m.node_pus) {
    for (Pus s = node; s != 0; s = (s - 1) & node) sets.push_back(s);
  }
  return sets;
}

// Tries all tuples of `ranks` bindings out of `choices` (or, up to the order of ranks, those that do not fall).
// Returns how many.
long try_all(const Small& m, const std::vector<Pus>& choices, int ranks, bool ordered, bool hierarchy) {
  std::vector<Pus> bindings(ranks);
  long cases = 0;
  bool good = true;
  const std::function<void(int, size_t)> fill = [&](int rank, size_t least) {
    if (!good) return;
    if (rank == ranks) {
      ++cases;
      good = holds(m, bindings, hierarchy);
      return;
    }
    for (size_t i = ordered ? 0 : least; i < choices.size(); ++i) {
      bindings[rank] = choices[i];
      fill(rank + 1, i);
    }
  };
  fill(0, 0);
  return cases;
}

// ---------------------------------------------------------------------------------------------------------- exhaustive

TEST(Exhaustive, NumbersOfTreesAreAsCounted) {
  // t(0) = 1, t(n) = 1 + t + t^2 + t^3 of t = t(n-1): 4, 85. Up to the order of children 1 + t + C(t+1,2) + C(t+2,3).
  EXPECT_EQ(ordered_trees(1, 3).size(), 4u);
  EXPECT_EQ(ordered_trees(2, 3).size(), 85u);
  EXPECT_EQ(trees_up_to_order(2, 3).size(), 35u);
  EXPECT_EQ(trees_up_to_order(2, 2).size(), 10u);
}

// One node: every ordered tree of three levels (the root's included) and up to three children, 1 to 4 ranks, each bound
// to any object, in every order of the ranks.
TEST(Exhaustive, OneNodeEveryObject) {
  long cases = 0;
  for (const Shape& s : ordered_trees(2, 3)) {
    const Small m = node_alone(s);
    for (int ranks = 1; ranks <= 4; ++ranks) cases += try_all(m, objects_of(m), ranks, true, true);
  }
  EXPECT_EQ(cases, 426'318);  // the sum over trees and r of (objects)^r
}

// One node: every ordered tree of three levels with up to 4 PUs; bindings are any sets of PUs, those that span objects
// included; 1 to 4 ranks up to their order. With 5 and 6 PUs, up to 3 ranks.
TEST(Exhaustive, OneNodeEveryUnionOfPus) {
  long cases = 0;
  for (const Shape& s : ordered_trees(2, 3)) {
    const Small m = node_alone(s);
    const int pus = std::popcount(m.pus[0]);
    if (pus > 6) continue;
    for (int ranks = 1; ranks <= (pus <= 4 ? 4 : 3); ++ranks) cases += try_all(m, unions_of(m), ranks, false, true);
  }
  EXPECT_EQ(cases, 830'620);
}

// One to three nodes, alike or not: up to the order of nodes, of children and of ranks. Where it is not all of one to
// four ranks on any of the trees, the comment says so; the numbers count on.
TEST(Exhaustive, UpToThreeNodesEveryObject) {
  const std::vector<Shape> full = trees_up_to_order(2, 3), binary = trees_up_to_order(2, 2);
  long cases = 0;
  const auto over = [&](const std::vector<Shape>& shapes, int nodes, int max_ranks, bool hierarchy) {
    std::vector<const Shape*> chosen;
    const std::function<void(size_t)> choose = [&](size_t least) {
      if (static_cast<int>(chosen.size()) == nodes) {
        const Small m = cluster(chosen);
        for (int r = 1; r <= max_ranks; ++r) cases += try_all(m, objects_of(m), r, false, hierarchy);
        return;
      }
      for (size_t i = least; i < shapes.size(); ++i) {
        chosen.push_back(&shapes[i]);
        choose(i);
        chosen.pop_back();
      }
    };
    choose(0);
  };
  // One node under a switch and two nodes of any of the 35 trees, 1 to 4 ranks.
  over(full, 1, 4, true);
  EXPECT_EQ(cases, 15'290);
  over(full, 2, 4, false);
  EXPECT_EQ(cases, 2'092'632);
  // Three nodes of any of the 35 trees with 1 to 3 ranks: as many ranks as nodes.
  over(full, 3, 3, false);
  EXPECT_EQ(cases, 16'258'222);
  // Two and three nodes of binary trees, 1 to 4 ranks, all levels.
  over(binary, 2, 4, true);
  EXPECT_EQ(cases, 16'281'609);
  over(binary, 3, 4, true);
  EXPECT_EQ(cases, 16'587'373);
}

// -------------------------------------------------------------------------------------------------------------- random

TEST(Random, IrregularTreesAndSpanningBindings) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  std::printf("seed %u\n", seed);
  std::mt19937 random(seed);
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  const std::function<Shape(int, int&)> grow = [&](int levels, int& leaves) {
    Shape s;
    const int n = levels == 0 ? 0 : below(5);
    for (int i = 0; i < n && leaves > 1; ++i) {
      if (i > 0) --leaves;
      s.children.push_back(grow(levels - 1, leaves));
    }
    return s;
  };
  int several_levels = 0, stragglers = 0;
  for (int round = 0; round < 40'000; ++round) {
    std::vector<Shape> shapes;
    std::vector<const Shape*> nodes;
    const int count = 1 + below(4);
    for (int i = 0; i < count; ++i) {
      int leaves = 16;
      shapes.push_back(grow(6, leaves));
    }
    for (const Shape& s : shapes) nodes.push_back(&s);
    const Small m = cluster(nodes);
    ASSERT_LE(std::popcount(m.pus[0]), 64);
    std::vector<Pus> bindings(1 + below(12));
    for (Pus& b : bindings) {
      if (below(3) == 0) {  // any PUs of one node
        const Pus node = m.node_pus[below(count)];
        const Pus sparse = node & (Pus{random()} << 32 | random()) & (Pus{random()} << 32 | random());
        b = sparse != 0 ? sparse : node;
      } else {  // an object
        int v = below(static_cast<int>(m.parent.size()));
        while (m.node[v] < 0) v = below(static_cast<int>(m.parent.size()));
        b = m.pus[v];
      }
    }
    if (!holds(m, bindings, true)) return;
    std::vector<int> vertices;
    for (Pus b : bindings) vertices.push_back(slow_cover(m, b));
    const Hierarchy h = split_all(m.parent, vertices);
    several_levels += std::any_of(h.levels.begin(), h.levels.end(), [](const auto& l) { return l.size() > 2; });
    const Split s = split(m.parent, vertices);
    stragglers += s.num_comms > 0 && std::find(s.index.begin(), s.index.end(), -1) != s.index.end();
  }
  // The generator reaches what it is for: hierarchies of more than two levels, and splits that leave somebody out.
  EXPECT_GT(several_levels, 4'000);
  EXPECT_GT(stragglers, 4'000);
}

// ----------------------------------------------------------------------------------------------------- worked examples

// What an application sees: by step, the communicators "type: members" in order of their index, "NULL: members" for
// those who got none, and the roots communicators.
struct Step {
  std::vector<std::string> comms, roots;
};

std::string set_of(const std::vector<int>& ranks) {
  std::string text = "{";
  for (int r : ranks) text += (text.size() > 1 ? "," : "") + std::to_string(r);
  return text + "}";
}

std::vector<Step> steps_of(const Topology& t, const std::vector<std::pair<int, std::string>>& bindings) {
  std::vector<int> vertices;
  for (const auto& [node, cpuset] : bindings) vertices.push_back(t.covering(node, *Cpuset::parse(cpuset)));
  const Hierarchy h = split_all(t.parents(), vertices);
  std::vector<Step> steps;
  for (size_t step = 0;; ++step) {
    Step s;
    std::vector<int> null;
    int asking = 0;
    for (size_t r = 0; r < h.levels.size(); ++r) {
      if (h.levels[r].size() < step) continue;  // has MPI_COMM_NULL already
      ++asking;
      if (h.levels[r].size() == step) {
        null.push_back(static_cast<int>(r));
        continue;
      }
      const Communicator& c = h.comms[h.levels[r][step]];
      if (c.members.front() != static_cast<int>(r)) continue;
      s.comms.push_back(t.name(c.cover) + " " + std::to_string(c.index) + "/" + std::to_string(h.num_comms(c)) + " " +
                        set_of(c.members));
      if (h.roots(c).front() == static_cast<int>(r)) s.roots.push_back(set_of(h.roots(c)));
    }
    if (asking == 0) return steps;
    if (!null.empty()) s.comms.push_back("NULL " + set_of(null));
    steps.push_back(s);
  }
}

using Strings = std::vector<std::string>;

// Figure 1: two NUMA nodes, each a package with one L3; four cores each; an L2 and an L1 for each pair of cores.
constexpr const char* kFigure1 = "pack:2 [numa] l3:1 l2:2 l1d:1 core:2 pu:1";

TEST(Rr9077, Section51FourNodesEveryRankItsCore) {
  const auto t = parse_tree(std::string("node:4 ") + kFigure1);
  std::vector<std::pair<int, std::string>> bindings;
  for (int x = 0; x < 32; ++x) bindings.emplace_back(x / 8, std::to_string(x % 8));
  const std::vector<Step> steps = steps_of(*t, bindings);
  ASSERT_EQ(steps.size(), 5u);
  EXPECT_EQ(steps[0].comms,
            (Strings{"Machine 0/4 {0,1,2,3,4,5,6,7}", "Machine 1/4 {8,9,10,11,12,13,14,15}",
                     "Machine 2/4 {16,17,18,19,20,21,22,23}", "Machine 3/4 {24,25,26,27,28,29,30,31}"}));
  EXPECT_EQ(steps[0].roots, (Strings{"{0,8,16,24}"}));
  EXPECT_EQ(steps[1].comms,
            (Strings{"L3 0/2 {0,1,2,3}", "L3 1/2 {4,5,6,7}", "L3 0/2 {8,9,10,11}", "L3 1/2 {12,13,14,15}",
                     "L3 0/2 {16,17,18,19}", "L3 1/2 {20,21,22,23}", "L3 0/2 {24,25,26,27}", "L3 1/2 {28,29,30,31}"}));
  EXPECT_EQ(steps[1].roots, (Strings{"{0,4}", "{8,12}", "{16,20}", "{24,28}"}));
  Strings pairs, pair_roots, cores, core_roots, null = {"NULL {"};
  for (int x = 0; x < 32; ++x) {
    const auto s = [](int i) { return std::to_string(i); };
    if (x % 2 == 0) pairs.push_back("L1d " + s(x / 2 % 2) + "/2 {" + s(x) + "," + s(x + 1) + "}");
    if (x % 4 == 0) pair_roots.push_back("{" + s(x) + "," + s(x + 2) + "}");
    cores.push_back("Core " + s(x % 2) + "/2 {" + s(x) + "}");
    if (x % 2 == 0) core_roots.push_back("{" + s(x) + "," + s(x + 1) + "}");
    null[0] += (x > 0 ? "," : "") + s(x);
  }
  null[0] += "}";
  EXPECT_EQ(steps[2].comms, pairs);
  EXPECT_EQ(steps[2].roots, pair_roots);
  EXPECT_EQ(steps[3].comms, cores);
  EXPECT_EQ(steps[3].roots, core_roots);
  EXPECT_EQ(steps[4].comms, null);
  EXPECT_EQ(steps[4].roots, Strings{});
}

TEST(Rr9077, Section52OneNodeUnevenBindings) {
  const auto t = parse_tree(kFigure1);
  const std::vector<Step> steps =
      steps_of(*t, {{0, "0"}, {0, "1"}, {0, "2-3"}, {0, "2-3"}, {0, "4-7"}, {0, "4-7"}, {0, "4-7"}, {0, "4-7"}});
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].comms, (Strings{"L3 0/2 {0,1,2,3}", "L3 1/2 {4,5,6,7}"}));
  EXPECT_EQ(steps[0].roots, (Strings{"{0,4}"}));
  EXPECT_EQ(steps[1].comms, (Strings{"L1d 0/2 {0,1}", "L1d 1/2 {2,3}", "NULL {4,5,6,7}"}));
  EXPECT_EQ(steps[1].roots, (Strings{"{0,2}"}));
  EXPECT_EQ(steps[2].comms, (Strings{"Core 0/2 {0}", "Core 1/2 {1}", "NULL {2,3}"}));
  EXPECT_EQ(steps[2].roots, (Strings{"{0,1}"}));
  EXPECT_EQ(steps[3].comms, (Strings{"NULL {0,1}"}));
}

// Open MPI gives ranks 2 and 5, whose cores lie in two L3s, to groups that overlap.
TEST(OpenMpiIssue12812, BindingsThatSpanTwoL3GetNone) {
  const auto t = parse_tree("l3:3 core:8 pu:1");
  std::vector<std::pair<int, std::string>> bindings;
  for (int r = 0; r < 8; ++r) bindings.emplace_back(0, std::to_string(3 * r) + "-" + std::to_string(3 * r + 2));
  const std::vector<Step> steps = steps_of(*t, bindings);
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].comms, (Strings{"L3 0/3 {0,1}", "L3 1/3 {3,4}", "L3 2/3 {6,7}", "NULL {2,5}"}));
  EXPECT_EQ(steps[0].roots, (Strings{"{0,3,6}"}));
  // Three cores are no object: nothing below.
  EXPECT_EQ(steps[1].comms, (Strings{"NULL {0,1,3,4,6,7}"}));
}

TEST(OpenMpiIssue10416, UnboundRanksAreNoGroupsOfOne) {
  const auto t = parse_tree("node:2 pack:2 core:4 pu:1");
  const std::vector<Step> one_node = steps_of(*t, {{0, "0-7"}, {0, "0-7"}, {0, "0-7"}, {0, "0-7"}});
  ASSERT_EQ(one_node.size(), 1u);
  EXPECT_EQ(one_node[0].comms, (Strings{"NULL {0,1,2,3}"}));
  const std::vector<Step> two_nodes = steps_of(*t, {{0, "0-7"}, {1, "0-7"}, {0, "0-7"}, {1, "0-7"}});
  ASSERT_EQ(two_nodes.size(), 2u);
  EXPECT_EQ(two_nodes[0].comms, (Strings{"NUMANode 0/2 {0,2}", "NUMANode 1/2 {1,3}"}));
  EXPECT_EQ(two_nodes[0].roots, (Strings{"{0,1}"}));
  EXPECT_EQ(two_nodes[1].comms, (Strings{"NULL {0,1,2,3}"}));
}

TEST(Names, OneRankANodeIsNamedByItsCore) {
  const auto t = parse_tree("node:3 pack:2 core:4 pu:1");
  const std::vector<Step> steps = steps_of(*t, {{0, "1"}, {1, "5"}, {2, "0"}});
  ASSERT_EQ(steps.size(), 2u);
  EXPECT_EQ(steps[0].comms, (Strings{"Core 0/3 {0}", "Core 1/3 {1}", "Core 2/3 {2}"}));
}

// Switches of 2 and 1 nodes, a rank a core: the switch is a level, and where it holds one node the name is the node's.
// (hwloc gives every node a NUMA node; where it is the only one it ranks just below the Machine.)
TEST(Names, UnequalSwitchesAreLevels) {
  const NetworkGroup network{
      .level = "",
      .groups = {{.level = "Switch", .groups = {}, .nodes = 2}, {.level = "Switch", .groups = {}, .nodes = 1}}};
  const Topology t(network, std::vector(3, import_node_synthetic("core:2 pu:1")));
  const std::vector<Step> steps = steps_of(t, {{0, "0"}, {0, "1"}, {1, "0"}, {1, "1"}, {2, "0"}, {2, "1"}});
  ASSERT_EQ(steps.size(), 4u);
  EXPECT_EQ(steps[0].comms, (Strings{"Switch 0/2 {0,1,2,3}", "NUMANode 1/2 {4,5}"}));
  EXPECT_EQ(steps[1].comms, (Strings{"NUMANode 0/2 {0,1}", "NUMANode 1/2 {2,3}", "Core 0/2 {4}", "Core 1/2 {5}"}));
  EXPECT_EQ(steps[2].comms, (Strings{"Core 0/2 {0}", "Core 1/2 {1}", "Core 0/2 {2}", "Core 1/2 {3}", "NULL {4,5}"}));
  EXPECT_EQ(steps[3].comms, (Strings{"NULL {0,1,2,3}"}));
}

TEST(LowestCommonAncestor, OfOneIsItself) {
  const std::vector<int> parent = {-1, 0, 1, 1, 0};
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{3}), 3);
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{2, 3}), 1);
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{1, 3}), 1);
  EXPECT_EQ(lowest_common_ancestor(parent, std::vector{3, 4, 2}), 0);
}

}  // namespace
}  // namespace strata::mpix
