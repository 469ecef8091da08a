// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/scotch.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <mutex>
#include <numeric>
#include <stdexcept>
#include <string>

#include "mpi_ext/reorder/distance.h"
#include "scotch-int64/scotch.h"

// Scotch reports errors through functions that its user may define. Ours are silent, because Scotch also returns error
// codes. They are not visible outside our installed libraries (exported_symbols.map).
extern "C" {
void SCOTCH_errorProg(const char*) {}
void SCOTCH_errorPrint(const char*, ...) {}
void SCOTCH_errorPrintW(const char*, ...) {}
}

namespace strata::mpix {
namespace {

void check(int code, const char* what) {
  if (code != 0) throw std::runtime_error(std::string("Scotch failed: ") + what);
}

// A value of a Scotch type, initialised and released by Scotch's functions.
template <class T, int (*init)(T*), void (*release)(T*)>
class Owned {
 public:
  Owned() { check(init(&value_), "initialisation"); }
  ~Owned() { release(&value_); }
  Owned(const Owned&) = delete;
  Owned& operator=(const Owned&) = delete;
  T* get() { return &value_; }

 private:
  T value_;
};
using Arch = Owned<SCOTCH_Arch, SCOTCH_archInit, SCOTCH_archExit>;
using Graph = Owned<SCOTCH_Graph, SCOTCH_graphInit, SCOTCH_graphExit>;
using Strategy = Owned<SCOTCH_Strat, SCOTCH_stratInit, SCOTCH_stratExit>;
using Context = Owned<SCOTCH_Context, SCOTCH_contextInit, SCOTCH_contextExit>;

// The smallest even tree that contains the given tree. Each level stands for a depth of the machine at which paths
// diverge; the last level stands for processes that share a place.
struct EvenTree {
  std::vector<SCOTCH_Num> arity, link;  // by level, from the root; link: hops between leaves whose paths diverge there
  std::vector<SCOTCH_Num> leaf;         // by old rank
  double leaves = 1;                    // number of leaves
};

EvenTree even_tree(const PlaceTree& tree) {
  const std::vector<int> turn = turns(tree);
  const int deepest = *std::max_element(tree.depth.begin(), tree.depth.end());
  std::vector<SCOTCH_Num> arity(deepest + 1, 1);
  std::vector<int> children(turn.size(), 0);
  for (size_t v = 1; v < turn.size(); ++v) ++children[tree.parent[v]];
  // If a vertex with children has processes of its own, these are treated as another child.
  std::vector<bool> inner(deepest + 1, false);
  std::vector<SCOTCH_Num> sharing(turn.size(), 0), position;
  for (int place : tree.place) {
    position.push_back(sharing[place]++);
    if (children[place] > 0) inner[tree.depth[place]] = true;
  }
  for (size_t v = 0; v < turn.size(); ++v) {
    SCOTCH_Num& most = arity[tree.depth[v]];
    most = std::max<SCOTCH_Num>(most, children[v] + (inner[tree.depth[v]] ? 1 : 0));
  }

  EvenTree even;
  std::vector<SCOTCH_Num> below(deepest + 2, 1);  // leaves below a vertex of this depth
  const SCOTCH_Num fold = *std::max_element(sharing.begin(), sharing.end());
  below[deepest + 1] = fold;
  for (int depth = deepest; depth >= 0; --depth) {
    even.leaves = static_cast<double>(below[depth + 1]) * static_cast<double>(arity[depth]);
    if (even.leaves > 1e15) throw std::runtime_error("Scotch: the tree is too uneven");
    below[depth] = below[depth + 1] * arity[depth];
  }
  for (int depth = 0; depth <= deepest; ++depth) {
    if (arity[depth] == 1) continue;
    even.arity.push_back(arity[depth]);
    even.link.push_back(2 * (deepest - depth));
  }
  if (fold > 1) {
    even.arity.push_back(fold);
    even.link.push_back(0);
  }
  std::vector<SCOTCH_Num> first(turn.size(), 0);  // the first leaf below each vertex
  for (size_t v = 1; v < turn.size(); ++v) {
    const int parent = tree.parent[v], depth = tree.depth[parent];
    first[v] = first[parent] + (turn[v] - (inner[depth] ? 0 : 1)) * below[depth + 1];
  }
  for (size_t r = 0; r < tree.place.size(); ++r) even.leaf.push_back(first[tree.place[r]] + position[r]);
  return even;
}

// The factor that converts bytes to Scotch's integers. It is 1 if all bytes are integers and Scotch's sums of costs
// cannot overflow.
double scale_of(const Pattern& both, int most_hops) {
  constexpr double kMost = 1e17;  // far below the limit of 9e18
  double sum = 0, most = 0;
  bool whole = true;
  for (int rank = 0; rank < both.order(); ++rank) {
    for (double bytes : both.bytes(rank)) {
      sum += bytes;
      most = std::max(most, bytes);
      whole = whole && bytes == std::floor(bytes);
    }
  }
  sum *= std::max(most_hops, 1);
  if (whole && sum <= kMost) return 1;
  return std::min(kMost / sum, 1e9 / most);
}

// Returns the leaf of the target for each rank of the application, numbered in the order of the leaves.
std::vector<SCOTCH_Num> map_by_scotch(const Pattern& both, const EvenTree& even, std::vector<SCOTCH_Num> leaves) {
  // The library has some global state outside the context.
  static std::mutex mutex;
  const std::lock_guard lock(mutex);

  const SCOTCH_Num order = both.order();
  Arch whole, part;
  check(SCOTCH_archTleaf(whole.get(), static_cast<SCOTCH_Num>(even.arity.size()), even.arity.data(), even.link.data()),
        "tree");
  const bool is_even = even.leaves == static_cast<double>(order);
  if (!is_even) check(SCOTCH_archSub(part.get(), whole.get(), order, leaves.data()), "part of a tree");

  std::vector<SCOTCH_Num> first = {0}, peers, bytes;
  peers.reserve(both.entries());
  bytes.reserve(both.entries());
  const double scale = scale_of(both, static_cast<int>(even.link.front()));
  for (int rank = 0; rank < both.order(); ++rank) {
    for (int peer : both.peers(rank)) peers.push_back(peer);
    for (double b : both.bytes(rank)) bytes.push_back(std::max<SCOTCH_Num>(1, std::llround(b * scale)));
    first.push_back(static_cast<SCOTCH_Num>(peers.size()));
  }
  Graph graph, bound;
  check(SCOTCH_graphBuild(graph.get(), 0, order, first.data(), nullptr, nullptr, nullptr, first.back(), peers.data(),
                          bytes.data()),
        "graph");
  Context context;
  check(SCOTCH_contextOptionSetNum(context.get(), SCOTCH_OPTIONNUMDETERMINISTIC, 1), "option");
  check(SCOTCH_contextThreadSpawn(context.get(), 1, nullptr), "thread");
  check(SCOTCH_contextRandomClone(context.get()), "random numbers");
  SCOTCH_contextRandomSeed(context.get(), 1);
  SCOTCH_contextRandomReset(context.get());
  check(SCOTCH_contextBindGraph(context.get(), graph.get(), bound.get()), "context");
  Strategy strategy;
  std::vector<SCOTCH_Num> at(order);
  check(SCOTCH_graphMap(bound.get(), is_even ? whole.get() : part.get(), strategy.get(), at.data()), "mapping");
  return at;
}

// Scotch balances loads, so it may assign several ranks to one leaf and none to another. All but the first rank of a
// leaf move to the nearest free leaf, the nearest pairs first: from the bottom of the tree upwards, each vertex pairs
// ranks and leaves that are still unpaired below it.
std::vector<int> one_to_one(const PlaceTree& tree, const std::vector<int>& by_leaf, const std::vector<SCOTCH_Num>& at) {
  const size_t order = at.size();
  std::vector<int> new_rank(order, -1);
  std::vector<std::vector<int>> homeless(tree.parent.size()), idle(tree.parent.size());  // ranks; processes
  for (size_t rank = 0; rank < order; ++rank) {
    const int process = by_leaf[at[rank]];
    if (new_rank[process] < 0) {
      new_rank[process] = static_cast<int>(rank);
    } else {
      homeless[tree.place[process]].push_back(static_cast<int>(rank));
    }
  }
  for (int process : by_leaf) {
    if (new_rank[process] < 0) idle[tree.place[process]].push_back(process);
  }
  for (size_t v = tree.parent.size(); v-- > 0;) {
    const size_t pairs = std::min(homeless[v].size(), idle[v].size());
    for (size_t i = 0; i < pairs; ++i) new_rank[idle[v][i]] = homeless[v][i];
    if (v == 0) break;
    const int parent = tree.parent[v];
    homeless[parent].insert(homeless[parent].end(), homeless[v].begin() + pairs, homeless[v].end());
    idle[parent].insert(idle[parent].end(), idle[v].begin() + pairs, idle[v].end());
  }
  return new_rank;
}

}  // namespace

std::vector<int> scotch(const Pattern& pattern, const PlaceTree& tree) {
  const Pattern both = pattern.symmetric();
  std::vector<int> by_leaf(pattern.order());
  std::iota(by_leaf.begin(), by_leaf.end(), 0);
  if (both.entries() == 0 || tree.parent.size() == 1) return by_leaf;  // all are equal, and Scotch rejects some of them
  const EvenTree even = even_tree(tree);
  std::sort(by_leaf.begin(), by_leaf.end(), [&](int a, int b) { return even.leaf[a] < even.leaf[b]; });
  std::vector<SCOTCH_Num> leaves;
  for (int process : by_leaf) leaves.push_back(even.leaf[process]);
  return one_to_one(tree, by_leaf, map_by_scotch(both, even, std::move(leaves)));
}

}  // namespace strata::mpix
