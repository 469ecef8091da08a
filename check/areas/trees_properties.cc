// SPDX-License-Identifier: LGPL-2.1-only
// Properties of the trees of the blocking collectives.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <functional>
#include <numeric>
#include <string>
#include <utility>

#include "check/areas/trees_area.h"
#include "models/trees.h"

namespace strata::check {
namespace {

using Case = TreeCase;
using Outcome = TreeOutcome;
using mpix::Tree;

constexpr const char* kOpenMpi = "Open MPI 2.0.1, coll_base_topo.c";

std::string text_of(const std::vector<int>& ranks) { return fmt::format("{{{}}}", fmt::join(ranks, ",")); }

int root_of(const Case& c) { return c.shape == Shape::kInOrderBinary ? c.ranks - 1 : c.root; }
// The rank relative to the root; the rank itself for the in-order binary tree.
int counted(const Case& c, int rank) { return (rank - c.root + c.ranks) % c.ranks; }
int rank_of(const Case& c, int v) { return (v + c.root) % c.ranks; }

bool is_rank(const Case& c, int rank) { return rank >= 0 && rank < c.ranks; }

// `rank` and its descendants according to the lists of children, parents before their children. Visits at most as many
// ranks as there are, so that it ends even if the lists are wrong.
std::vector<int> subtree(const Case& c, const Outcome& o, int rank) {
  std::vector<int> found = {rank};
  for (size_t i = 0; i < found.size() && found.size() <= o.views.size(); ++i) {
    for (const int child : o.views[found[i]].children) {
      if (is_rank(c, child)) found.push_back(child);
    }
  }
  return found;
}

Judgement spanning(const Case& c, const Outcome& o) {
  std::vector<int> reached = subtree(c, o, root_of(c));
  std::ranges::sort(reached);
  std::vector<int> everybody(c.ranks);
  std::iota(everybody.begin(), everybody.end(), 0);
  if (reached == everybody) return Judgement::holds();
  return violated("from rank {} these are reached: {}", root_of(c), text_of(reached));
}

Judgement both_ends_agree(const Case& c, const Outcome& o) {
  std::vector<int> told(c.ranks, -1);  // by rank: the rank that lists it as a child
  for (int rank = 0; rank < c.ranks; ++rank) {
    for (const int child : o.views[rank].children) {
      if (!is_rank(c, child)) return violated("rank {} has the child {}, which is no rank", rank, child);
      told[child] = rank;
    }
  }
  for (int rank = 0; rank < c.ranks; ++rank) {
    const int parent = o.views[rank].parent;
    if (parent != told[rank])
      return violated("rank {} has the parent {}, and is a child of {}", rank, parent, told[rank]);
  }
  return Judgement::holds();
}

Judgement message_count(const Case& c, const Outcome& o) {
  size_t children = 0;
  for (const Tree& t : o.views) children += t.children.size();
  if (std::cmp_equal(children, c.ranks - 1)) return Judgement::holds();
  return violated("{} edges among {} ranks", children, c.ranks);
}

models::Tree model_of(const Case& c) {
  switch (c.shape) {
    case Shape::kChain:
      return models::chain_tree(c.ranks, c.fanout);
    case Shape::kBinary:
      return models::binary_tree(c.ranks);
    case Shape::kBinomial:
      return models::binomial_tree(c.ranks);
    case Shape::kInOrderBinomial:
      return models::in_order_binomial_tree(c.ranks);
    default:
      return models::in_order_binary_tree(c.ranks);
  }
}

Judgement shape_of_model(const Case& c, const Outcome& o) {
  const models::Tree model = model_of(c);
  for (int v = 0; v < c.ranks; ++v) {
    const Tree& view = o.views[rank_of(c, v)];
    const int parent = model.parent[v] < 0 ? -1 : rank_of(c, model.parent[v]);
    std::vector<int> children;
    for (const int child : model.children[v]) children.push_back(rank_of(c, child));
    if (view.parent != parent || view.children != children) {
      return violated("rank {} has the parent {} and the children {}, not {} and {}", rank_of(c, v), view.parent,
                      text_of(view.children), parent, text_of(children));
    }
  }
  return Judgement::holds();
}

// --- depth ---

int depth(const Case& c, const Outcome& o) {
  int deepest = 0;
  for (int rank = 0; rank < c.ranks; ++rank) {
    int edges = 0;
    for (int at = rank; is_rank(c, o.views[at].parent) && edges < c.ranks; at = o.views[at].parent) ++edges;
    deepest = std::max(deepest, edges);
  }
  return deepest;
}

int stated_depth(const Case& c) {
  if (c.ranks == 1) return 0;
  const int log2 = std::bit_width(static_cast<unsigned>(c.ranks)) - 1;
  switch (c.shape) {
    case Shape::kChain: {
      const int chains = std::min(c.fanout, c.ranks - 1);
      return (c.ranks - 1 + chains - 1) / chains;
    }
    default:
      return log2;  // all trees: the levels of a full tree, or the maximum number of ones in a number below p
  }
}

Judgement depth_as_stated(const Case& c, const Outcome& o) {
  if (depth(c, o) == stated_depth(c)) return Judgement::holds();
  return violated("depth {}, not {}", depth(c, o), stated_depth(c));
}

Judgement fanout_as_stated(const Case& c, const Outcome& o) {
  const bool is_binomial = c.shape == Shape::kBinomial || c.shape == Shape::kInOrderBinomial;
  if (is_binomial) return Judgement::not_asked();
  for (int rank = 0; rank < c.ranks; ++rank) {
    const int most = c.shape != Shape::kChain ? 2 : rank == c.root ? c.fanout : 1;
    const int children = static_cast<int>(o.views[rank].children.size());
    if (children > most) return violated("rank {} has {} children, {} at most", rank, children, most);
  }
  return Judgement::holds();
}

Judgement nearly_equal_chains(const Case& c, const Outcome& o) {
  if (c.shape != Shape::kChain || c.ranks == 1) return Judgement::not_asked();
  std::vector<int> lengths;
  for (const int head : o.views[c.root].children) {
    if (is_rank(c, head)) lengths.push_back(static_cast<int>(subtree(c, o, head).size()));
  }
  const bool longer_first = std::ranges::is_sorted(lengths, std::greater());
  const bool as_many = std::cmp_equal(lengths.size(), std::min(c.fanout, c.ranks - 1));
  if (as_many && longer_first && lengths.front() - lengths.back() <= 1) return Judgement::holds();
  return violated("chains of {} ranks", text_of(lengths));
}

// The step in which each rank receives its message, if a step is one message: a parent serves its children one after
// another, in its order, after it has been served itself.
std::vector<int> served_at(const Case& c, const Outcome& o) {
  std::vector<int> at(c.ranks, 0);
  for (const int rank : subtree(c, o, root_of(c))) {
    int step = at[rank];
    for (const int child : o.views[rank].children) {
      if (is_rank(c, child)) at[child] = ++step;
    }
  }
  return at;
}

// The same upwards: a parent receives from its children one after another, each after that child has its own result.
int gathered_at(const Case& c, const Outcome& o) {
  const std::vector<int> order = subtree(c, o, root_of(c));
  std::vector<int> at(c.ranks, 0);
  for (auto rank = order.rbegin(); rank != order.rend(); ++rank) {
    for (const int child : o.views[*rank].children) {
      if (is_rank(c, child)) at[*rank] = std::max(at[*rank], at[child]) + 1;
    }
  }
  return at[root_of(c)];
}

Judgement binomial_steps(const Case& c, const Outcome& o) {
  if (c.shape != Shape::kBinomial && c.shape != Shape::kInOrderBinomial) return Judgement::not_asked();
  const int expected = std::bit_width(static_cast<unsigned>(c.ranks - 1));  // ceil(log2 p)
  const int steps = c.shape == Shape::kBinomial ? std::ranges::max(served_at(c, o)) : gathered_at(c, o);
  if (steps == expected) return Judgement::holds();
  return violated("{} steps, not {}", steps, expected);
}

// --- ranges of ranks, and algorithms that depend on them ---

Judgement binomial_ranges(const Case& c, const Outcome& o) {
  if (c.shape != Shape::kInOrderBinomial) return Judgement::not_asked();
  for (int v = 0; v < c.ranks; ++v) {
    std::vector<int> below;
    for (const int rank : subtree(c, o, rank_of(c, v))) below.push_back(counted(c, rank));
    std::ranges::sort(below);
    std::vector<int> range(std::max(o.spans[v], 0));
    std::iota(range.begin(), range.end(), v);
    if (below != range) return violated("below v = {} are {}, in_order_span is {}", v, text_of(below), o.spans[v]);
  }
  return Judgement::holds();
}

Judgement binary_ranges(const Case& c, const Outcome& o) {
  if (c.shape != Shape::kInOrderBinary) return Judgement::not_asked();
  for (int rank = 0; rank < c.ranks; ++rank) {
    std::vector<int> below = subtree(c, o, rank);
    std::ranges::sort(below);
    if (below.back() != rank || below.back() - below.front() + 1 != std::ssize(below)) {
      return violated("below rank {} are {}", rank, text_of(below));
    }
  }
  return Judgement::holds();
}

// The order of contributions in a reduce over the tree: the rank's own, then those of its children one after another,
// each at the side where the operation adds it. reduce_tree.cc adds a child's contribution in front, so the in-order
// binary tree gives the order of the ranks. In the in-order binomial tree, each one is added at the back.
std::vector<int> reduced(const Case& c, const Outcome& o) {
  std::vector<int> order = subtree(c, o, root_of(c));
  if (std::cmp_not_equal(order.size(), c.ranks)) return order;  // not spanning: it might not terminate
  std::vector<std::vector<int>> has(c.ranks);
  for (auto rank = order.rbegin(); rank != order.rend(); ++rank) {
    auto& sum = has[*rank];
    sum = {counted(c, *rank)};
    for (const int child : o.views[*rank].children) {
      if (!is_rank(c, child)) continue;
      sum.insert(c.shape == Shape::kInOrderBinary ? sum.begin() : sum.end(), has[child].begin(), has[child].end());
    }
  }
  return has[root_of(c)];
}

Judgement in_rank_order(const Case& c, const Outcome& o) {
  if (c.shape != Shape::kInOrderBinary && c.shape != Shape::kInOrderBinomial) return Judgement::not_asked();
  const std::vector<int> order = reduced(c, o);
  std::vector<int> expected(c.ranks);
  std::iota(expected.begin(), expected.end(), 0);
  if (order == expected) return Judgement::holds();
  return violated("contributions come in the order {}", text_of(order));
}

// The split-binary broadcast. The left half of the message goes down from the root's first child, the right half from
// its second. With v counted from the root, v = 1 and 2 then exchange halves, 3 and 4, and so on. If the last v is odd,
// it gets the right half from the root.
Judgement halves_meet(const Case& c, const Outcome& o) {
  if (c.shape != Shape::kBinary) return Judgement::not_asked();
  std::vector<int> half(c.ranks, -1);  // by v: 0 left, 1 right
  const auto& sides = o.views[c.root].children;
  for (size_t side = 0; side < sides.size(); ++side) {
    if (!is_rank(c, sides[side])) continue;
    for (const int rank : subtree(c, o, sides[side])) half[counted(c, rank)] = static_cast<int>(side);
  }
  for (int v = 1; v < c.ranks; ++v) {
    if (half[v] == (v % 2 == 1 ? 0 : 1)) continue;
    return violated("v = {} is {}", v, half[v] < 0 ? "on no side" : half[v] == 0 ? "on the left" : "on the right");
  }
  return Judgement::holds();
}

template <class Has>
auto where(const Has& has) {
  return [has](const Case& c, const Outcome& o) { return has(c, o) ? Judgement::holds() : Judgement::not_asked(); };
}

bool is_cut_short(const Case& c, const Outcome&) {
  return c.shape == Shape::kChain && c.fanout > c.ranks - 1 && c.ranks > 1;
}

bool has_uneven_chains(const Case& c, const Outcome&) {
  return c.shape == Shape::kChain && (c.ranks - 1) % std::min(c.fanout, std::max(1, c.ranks - 1)) != 0;
}

bool has_a_last_odd_one(const Case& c, const Outcome&) { return c.shape == Shape::kBinary && c.ranks % 2 == 0; }

}  // namespace

std::vector<Property<TreeCase, TreeOutcome>> tree_properties() {
  constexpr auto kSometimes = PropertyInfo::Kind::kSometimes;
  return {
      {{"spanning", "from the root every rank is reached, once", kOpenMpi}, spanning},
      {{"both-ends", "a child of a rank has that rank as its parent; the root has none", kOpenMpi}, both_ends_agree},
      {{"message-count", "N-1 edges: as many messages", "RR-9077, Section 6"}, message_count},
      {{"shape", "the tree is the one that models/trees.h builds as a whole, children in the same order", kOpenMpi},
       shape_of_model},
      {{"depth", "a chain is ceil((N-1)/fanout) deep, every other tree floor(log2 N)", kOpenMpi}, depth_as_stated},
      {{"fanout", "a chain's root has no more children than the fanout, its other ranks one; a binary tree's two",
        kOpenMpi},
       fanout_as_stated},
      {{"equal-chains", "chains differ in length by one at most, the longer come first", kOpenMpi},
       nearly_equal_chains},
      {{"binomial-steps", "a binomial tree is through in ceil(log2 N) steps of one message a rank",
        "Open MPI 2.0.1, coll_base_bcast.c and coll_base_gather.c"},
       binomial_steps},
      {{"ranges", "a subtree of the in-order binomial tree is the range of in_order_span ranks from its root on",
        "mpi_ext/coll/tree.h"},
       binomial_ranges},
      {{"ending-ranges", "a subtree of the in-order binary tree is a range of ranks that ends with its root",
        "mpi_ext/coll/tree.h"},
       binary_ranges},
      {{"rank-order", "in-order trees combine contributions in the order of the ranks (counted from the root)",
        "MPI-4.0, Section 6.9.1"},
       in_rank_order},
      {{"halves", "odd ranks are left of the root, even ones right: who exchange have different halves",
        "Open MPI 2.0.1, coll_base_bcast.c: split_bintree"},
       halves_meet},
      {{"some-short", "there are fewer ranks than chains", "mpi_ext/coll/tree.h", kSometimes}, where(is_cut_short)},
      {{"some-uneven", "the ranks do not divide by the chains", "mpi_ext/coll/tree.h", kSometimes},
       where(has_uneven_chains)},
      {{"some-odd", "the last rank of a split-binary broadcast has no partner",
        "Open MPI 2.0.1, coll_base_bcast.c: split_bintree", kSometimes},
       where(has_a_last_odd_one)},
  };
}

}  // namespace strata::check
