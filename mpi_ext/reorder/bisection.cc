// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/bisection.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <tuple>
#include <utility>

namespace strata::mpix {
namespace {

// Below this many vertices a graph is divided directly.
constexpr int kSmall = 64;
// At every second level the graph is merged and divided in two ways, and the better one is kept. Graphs shrink faster
// than the number of tries grows, so this costs half as much again.
constexpr int kTwiceEach = 2;
// Number of starts. Each is improved, and the best is kept.
constexpr int kStarts = 4;
// A search continues for this many moves after its best, or for this part of the vertices if that is more.
constexpr int kPatience = 64, kPatiencePart = 32;
// The most searches, each from the best of the one before.
constexpr int kSearches = 8;

class Division {
 public:
  Division(const AffinityGraph& graph, int size0, std::vector<char> side)
      : graph_(graph),
        heaviest_(*std::max_element(graph.weight.begin(), graph.weight.end())),
        side_(std::move(side)),
        gain_(graph.size(), 0),
        outer_(graph.size(), 0) {
    for (int v = 0; v < graph.size(); ++v) {
      if (side_[v] == 0) excess_ += graph.weight[v];
      for (size_t i = 0; i < graph.peers(v).size(); ++i) {
        const bool cut = side_[graph.peers(v)[i]] != side_[v];
        gain_[v] += cut ? graph.bytes_of(v)[i] : -graph.bytes_of(v)[i];
        outer_[v] += cut;
        if (cut) cut_ += graph.bytes_of(v)[i] / 2;
      }
    }
    excess_ -= size0;
  }

  // How far the sizes are from what they should be, and what is between the parts: less is better.
  std::pair<int, double> cost() const { return {std::max(0, std::abs(excess_) - heaviest_ + 1), cut_}; }
  const std::vector<char>& side() const { return side_; }

  void improve() {
    for (int i = 0; i < kSearches; ++i) {
      const std::pair<int, double> before = cost();
      search();
      if (!(cost() < before)) break;
    }
    while (heaviest_ == 1 && excess_ != 0) settle();
  }

 private:
  struct Candidate {
    double gain;
    int stamp, vertex;
    bool operator<(const Candidate& other) const {
      return std::tie(gain, stamp) < std::tie(other.gain, other.stamp);  // of equals the latest
    }
  };

  void push(int v) {
    stamp_of_[v] = ++stamp_;
    std::vector<Candidate>& heap = heap_[static_cast<int>(side_[v])];
    heap.push_back({gain_[v], stamp_, v});
    std::push_heap(heap.begin(), heap.end());
  }

  // The best vertex of a side; -1 where there is none.
  int top(int side) {
    std::vector<Candidate>& heap = heap_[side];
    while (!heap.empty() && (moved_[heap.front().vertex] || stamp_of_[heap.front().vertex] != heap.front().stamp)) {
      std::pop_heap(heap.begin(), heap.end());
      heap.pop_back();
    }
    return heap.empty() ? -1 : heap.front().vertex;
  }

  // Whose move is best among those that do not take the sizes too far; -1 where none does.
  int choose(int slack) {
    const int best[2] = {top(0), top(1)};
    int chosen = -1;
    for (int side = 0; side < 2; ++side) {
      const int v = best[side];
      if (v < 0) continue;
      const int after = std::abs(excess_ + (side == 0 ? -graph_.weight[v] : graph_.weight[v]));
      if (after > slack && after >= std::abs(excess_)) continue;
      const bool from_larger = (side == 0) == (excess_ > 0);
      if (chosen < 0 || gain_[v] > gain_[chosen] || (gain_[v] == gain_[chosen] && from_larger)) chosen = v;
    }
    // Too far off already: only towards balance.
    if (std::abs(excess_) > slack) chosen = best[excess_ > 0 ? 0 : 1];
    return chosen;
  }

  void move(int v, bool searching) {
    excess_ += side_[v] == 0 ? -graph_.weight[v] : graph_.weight[v];
    cut_ -= gain_[v];
    side_[v] ^= 1;
    gain_[v] = -gain_[v];
    outer_[v] = static_cast<int>(graph_.peers(v).size()) - outer_[v];
    for (long e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
      const int peer = graph_.peer[e];
      const bool cut = side_[peer] != side_[v];
      gain_[peer] += cut ? 2 * graph_.bytes[e] : -2 * graph_.bytes[e];
      outer_[peer] += cut ? 1 : -1;
      if (searching && !moved_[peer]) push(peer);
    }
  }

  void search() {
    const int size = graph_.size();
    moved_.assign(size, 0);
    stamp_of_.assign(size, 0);
    stamp_ = 0;
    heap_[0].clear();
    heap_[1].clear();
    // Where nothing is between the parts, or they are not balanced, all vertices are candidates, else those with peers
    // on the other side.
    const bool all = cost().first > 0;
    for (int v = 0; v < size; ++v) {
      if (all || outer_[v] > 0) push(v);
    }
    const int slack = std::max(heaviest_, total_weight() / 64), patience = std::max(kPatience, size / kPatiencePart);
    std::vector<int> moves;
    std::pair<int, double> best = cost();
    size_t best_moves = 0;
    while (moves.size() < best_moves + patience) {
      const int v = choose(slack);
      if (v < 0) break;
      moved_[v] = 1;
      move(v, true);
      moves.push_back(v);
      if (cost() < best) {
        best = cost();
        best_moves = moves.size();
      }
    }
    while (moves.size() > best_moves) {
      move(moves.back(), false);
      moves.pop_back();
    }
  }

  // Where a search has not met the sizes: the best single ranks of the larger part move.
  void settle() {
    const int from = excess_ > 0 ? 0 : 1;
    int best = -1;
    for (int v = 0; v < graph_.size(); ++v) {
      if (side_[v] == from && (best < 0 || gain_[v] > gain_[best])) best = v;
    }
    move(best, false);
  }

  int total_weight() const { return std::accumulate(graph_.weight.begin(), graph_.weight.end(), 0); }

  const AffinityGraph& graph_;
  const int heaviest_;
  std::vector<char> side_;
  std::vector<double> gain_;  // by vertex: how much less is cut when it changes sides
  std::vector<int> outer_;    // how many peers it has on the other side
  double cut_ = 0;
  int excess_ = 0;  // of part 0

  std::vector<char> moved_;
  std::vector<int> stamp_of_;
  std::vector<Candidate> heap_[2];
  int stamp_ = 0;
};

// Part 0 grows from a vertex by those that are bound to it most.
std::vector<char> grown(const AffinityGraph& graph, int size0, Random& random) {
  struct Candidate {
    double bytes;
    int vertex;
    bool operator<(const Candidate& other) const { return bytes < other.bytes; }
  };
  std::vector<char> side(graph.size(), 1);
  std::vector<double> bound(graph.size(), 0);
  std::vector<Candidate> heap;
  const std::vector<int> starts = random.permutation(graph.size());
  size_t next_start = 0;
  for (int size = 0; size < size0;) {
    int v = -1;
    while (v < 0 && !heap.empty()) {
      std::pop_heap(heap.begin(), heap.end());
      if (side[heap.back().vertex] == 1 && heap.back().bytes == bound[heap.back().vertex]) v = heap.back().vertex;
      heap.pop_back();
    }
    while (v < 0 && next_start < starts.size()) {
      if (side[starts[next_start]] == 1) v = starts[next_start];
      ++next_start;
    }
    if (v < 0) break;
    // Rather less than more where a vertex that weighs much does not fit.
    if (size + graph.weight[v] / 2 > size0) {
      if (next_start >= starts.size() && heap.empty()) break;
      side[v] = 2;
      continue;
    }
    side[v] = 0;
    size += graph.weight[v];
    for (long e = graph.first[v]; e < graph.first[v + 1]; ++e) {
      const int peer = graph.peer[e];
      if (side[peer] != 1) continue;
      bound[peer] += graph.bytes[e];
      heap.push_back({bound[peer], peer});
      std::push_heap(heap.begin(), heap.end());
    }
  }
  for (char& s : side) s = s == 0 ? 0 : 1;
  return side;
}

// Merged vertices should not weigh more: the smallest graph still has to be divided evenly.
int heaviest_merged(const AffinityGraph& graph) {
  return std::max(2, 2 * std::accumulate(graph.weight.begin(), graph.weight.end(), 0) / kSmall);
}

// By vertex, the group that it is merged into with at most one other; how many there are.
int match(const AffinityGraph& graph, int heaviest, Random& random, std::vector<int>& group) {
  group.assign(graph.size(), -1);
  int groups = 0, lonely = -1;
  for (int v : random.permutation(graph.size())) {
    if (group[v] >= 0) continue;
    int best = -1;
    double best_rating = 0;
    for (long e = graph.first[v]; e < graph.first[v + 1]; ++e) {
      const int peer = graph.peer[e];
      if (group[peer] >= 0 || graph.weight[v] + graph.weight[peer] > heaviest) continue;
      const double rating = graph.bytes[e] * graph.bytes[e] / graph.weight[peer];
      if (rating > best_rating) {
        best = peer;
        best_rating = rating;
      }
    }
    if (best < 0 && graph.peers(v).empty()) {
      // Those without peers are merged with each other.
      if (lonely >= 0 && graph.weight[v] + graph.weight[lonely] <= heaviest) {
        group[v] = group[lonely];
        lonely = -1;
        continue;
      }
      lonely = v;
    }
    group[v] = groups;
    if (best >= 0) group[best] = groups;
    ++groups;
  }
  return groups;
}

// The best of several divisions of a graph.
class Best {
 public:
  void take(const Division& division) {
    if (!side_.empty() && !(division.cost() < least_)) return;
    side_ = division.side();
    least_ = division.cost();
  }
  std::vector<char> side() && { return std::move(side_); }

 private:
  std::vector<char> side_;
  std::pair<int, double> least_;
};

// `level`: how often the graph has been merged.
std::vector<char> multilevel(const AffinityGraph& graph, int size0, Random& random, int level) {
  const int size = graph.size(), tries = level % kTwiceEach == kTwiceEach - 1 ? 2 : 1;
  Best best;
  for (int i = 0; size > kSmall && i < tries; ++i) {
    std::vector<int> group;
    const int groups = match(graph, heaviest_merged(graph), random, group);
    if (groups > size - size / 16) break;  // a star, or nearly so: it does not get smaller by merging pairs
    std::vector<char> side(size);
    {
      const std::vector<char> coarse = multilevel(contracted(graph, group, groups), size0, random, level + 1);
      for (int v = 0; v < size; ++v) side[v] = coarse[group[v]];
    }
    Division division(graph, size0, std::move(side));
    division.improve();
    best.take(division);
    if (i + 1 == tries) return std::move(best).side();
  }
  for (int start = 0; start < kStarts; ++start) {
    Division division(graph, size0, grown(graph, size0, random));
    division.improve();
    best.take(division);
  }
  return std::move(best).side();
}

}  // namespace

std::vector<char> bisect(const AffinityGraph& graph, int size0, int tries, Random& random) {
  Best best;
  for (int i = 0; i < tries; ++i) best.take(Division(graph, size0, multilevel(graph, size0, random, 0)));
  return std::move(best).side();
}

}  // namespace strata::mpix
