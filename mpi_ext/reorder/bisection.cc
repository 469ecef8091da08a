// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/bisection.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "mpi_ext/reorder/gain_buckets.h"
#include "mpi_ext/reorder/straight_cut.h"

namespace strata::mpix {
namespace {

// A graph with at most this many vertices is divided directly.
constexpr int kSmall = 64;
// Number of starts. Each is searched once, and the best is improved.
constexpr int kStarts = 3;
// A search continues for this many moves after its best one, or for this part of the vertices if that is more.
constexpr int kPatience = 16, kPatiencePart = 8;
// The largest number of searches, each from the best result of the previous one.
constexpr int kSearches = 8;
// Graphs with at most this many vertices do not need straight cuts; the starts are enough.
constexpr int kTiny = 4;
// A straight cut with more than this many times the bytes of the other cut is not a cut through a mesh.
constexpr double kFarWorse = 1.3;
// Cuts are equal if they differ by less than this part of their bytes, because the sums are rounded.
constexpr double kRounding = 1e-9;

// Memory that divisions reuse.
struct Scratch {
  std::vector<double> gain;
  std::vector<int> outer, bucket, moves;
  GainBuckets buckets[2];  // by side
};

class Division {
 public:
  Division(const AffinityGraph& graph, int size0, std::vector<char> side, Scratch& scratch)
      : graph_(graph),
        heaviest_(*std::max_element(graph.weight.begin(), graph.weight.end())),
        total_(std::accumulate(graph.weight.begin(), graph.weight.end(), 0)),
        side_(std::move(side)),
        gain_(scratch.gain),
        outer_(scratch.outer),
        bucket_(scratch.bucket),
        moves_(scratch.moves),
        buckets_(scratch.buckets) {
    const int size = graph.size();
    gain_.resize(size);
    outer_.resize(size);
    double largest = 0;
    for (int v = 0; v < size; ++v) {
      if (side_[v] == 0) excess_ += graph.weight[v];
      double cut = 0, whole = 0;
      int outer = 0;
      for (long e = graph.first[v]; e < graph.first[v + 1]; ++e) {
        const bool across = side_[graph.peer[e]] != side_[v];
        whole += graph.bytes[e];
        cut += across ? graph.bytes[e] : 0;
        outer += across;
      }
      gain_[v] = 2 * cut - whole;
      outer_[v] = outer;
      cut_ += cut / 2;
      largest = std::max(largest, whole);
    }
    excess_ -= size0;
    scale_ = largest > 0 ? 1 / largest : 0;
  }

  // The deviation from the required sizes, and the bytes between the parts; smaller is better.
  std::pair<int, double> cost() const { return {std::max(0, std::abs(excess_) - heaviest_ + 1), cut_}; }
  const std::vector<char>& side() const { return side_; }

  void improve(int searches = kSearches) {
    for (int i = 0; i < searches; ++i) {
      const std::pair<int, double> before = cost();
      search();
      if (!(cost() < before)) break;
    }
    while (heaviest_ == 1 && excess_ != 0) settle();
  }

 private:
  static constexpr int kMoved = -2, kNone = -1;

  void push(int v) {
    GainBuckets& buckets = buckets_[side_[v] == 0 ? 0 : 1];
    const int bucket = GainBuckets::bucket(gain_[v] * scale_);
    if (bucket_[v] >= 0) buckets.erase(v, bucket_[v]);
    bucket_[v] = bucket;
    buckets.insert(v, bucket);
  }

  // The vertex with the best move that keeps the sizes close enough; -1 if there is none.
  int choose(int slack) {
    const int best[2] = {buckets_[0].best(), buckets_[1].best()};
    int chosen = -1;
    for (int side = 0; side < 2; ++side) {
      const int v = best[side];
      if (v < 0) continue;
      const int after = std::abs(excess_ + (side == 0 ? -graph_.weight[v] : graph_.weight[v]));
      if (after > slack && after >= std::abs(excess_)) continue;
      const bool from_larger = (side == 0) == (excess_ > 0);
      if (chosen < 0 || gain_[v] > gain_[chosen] || (gain_[v] == gain_[chosen] && from_larger)) chosen = v;
    }
    // If the sizes are already too far off, only moves towards balance are allowed.
    if (std::abs(excess_) > slack) chosen = best[excess_ > 0 ? 0 : 1];
    return chosen;
  }

  template <bool searching>
  void move(int v) {
    excess_ += side_[v] == 0 ? -graph_.weight[v] : graph_.weight[v];
    cut_ -= gain_[v];
    side_[v] ^= 1;
    gain_[v] = -gain_[v];
    outer_[v] = static_cast<int>(graph_.first[v + 1] - graph_.first[v]) - outer_[v];
    for (long e = graph_.first[v]; e < graph_.first[v + 1]; ++e) {
      const int peer = graph_.peer[e];
      const bool cut = side_[peer] != side_[v];
      gain_[peer] += cut ? 2 * graph_.bytes[e] : -2 * graph_.bytes[e];
      outer_[peer] += cut ? 1 : -1;
      if (searching && bucket_[peer] != kMoved) push(peer);
    }
  }

  void search() {
    const int size = graph_.size();
    bucket_.assign(size, kNone);
    buckets_[0].clear(size);
    buckets_[1].clear(size);
    // If the sizes are off, all vertices are candidates; otherwise only those with peers on the other side.
    const bool all = cost().first > 0;
    for (int v = 0; v < size; ++v) {
      if (all || outer_[v] > 0) push(v);
    }
    const int slack = std::max(heaviest_, total_ / 64), patience = std::max(kPatience, size / kPatiencePart);
    moves_.clear();
    std::pair<int, double> best = cost();
    size_t best_moves = 0;
    while (moves_.size() < best_moves + patience) {
      const int v = choose(slack);
      if (v < 0) break;
      buckets_[side_[v] == 0 ? 0 : 1].erase(v, bucket_[v]);
      bucket_[v] = kMoved;
      move<true>(v);
      moves_.push_back(v);
      if (cost() < best) {
        best = cost();
        best_moves = moves_.size();
      }
    }
    while (moves_.size() > best_moves) {
      move<false>(moves_.back());
      moves_.pop_back();
    }
  }

  // Called if a search has not met the sizes: moves the best single rank of the larger part.
  void settle() {
    const int from = excess_ > 0 ? 0 : 1;
    int best = -1;
    for (int v = 0; v < graph_.size(); ++v) {
      if (side_[v] == from && (best < 0 || gain_[v] > gain_[best])) best = v;
    }
    move<false>(best);
  }

  const AffinityGraph& graph_;
  const int heaviest_, total_;
  std::vector<char> side_;
  std::vector<double>& gain_;  // by vertex: by how much the cut decreases if it changes sides
  std::vector<int>& outer_;    // by vertex: number of peers on the other side
  std::vector<int>& bucket_;   // bucket of the vertex, or kMoved or kNone
  std::vector<int>& moves_;
  GainBuckets* buckets_;
  double scale_ = 0;
  double cut_ = 0;
  int excess_ = 0;  // by which part 0 is too large
};

// Part 0 grows from a vertex, always by the vertex with the most bytes to it.
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
    // If a heavy vertex does not fit, part 0 becomes rather too small than too large.
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

// The largest weight of a merged vertex. It is limited because the smallest graph must still be divided evenly.
int heaviest_merged(const AffinityGraph& graph) {
  return std::max(2, 2 * std::accumulate(graph.weight.begin(), graph.weight.end(), 0) / kSmall);
}

// Assigns each vertex to a group, in which it is merged with at most one other. Returns the number of groups.
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
      // Vertices without peers are merged with each other.
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

// Divides the graph directly, from several starts.
std::vector<char> divided(const AffinityGraph& graph, int size0, Random& random, Scratch& scratch) {
  Best best;
  for (int start = 0; start < kStarts; ++start) {
    Division division(graph, size0, grown(graph, size0, random), scratch);
    division.improve(1);
    best.take(division);
  }
  return std::move(best).side();
}

Division multilevel(const AffinityGraph& graph, int size0, Random& random, Scratch& scratch) {
  const int size = graph.size();
  std::vector<char> side;
  if (size > kSmall) {
    std::vector<int> group;
    const int groups = match(graph, heaviest_merged(graph), random, group);
    // Otherwise the graph is almost a star, which does not shrink by merging pairs.
    if (groups <= size - size / 16) {
      const std::vector<char> coarse = multilevel(contracted(graph, group, groups), size0, random, scratch).side();
      side.resize(size);
      for (int v = 0; v < size; ++v) side[v] = coarse[group[v]];
    }
  }
  if (side.empty()) side = divided(graph, size0, random, scratch);
  Division division(graph, size0, std::move(side), scratch);
  division.improve();
  return division;
}

}  // namespace

std::vector<char> bisect(const AffinityGraph& graph, int size0, int tries, Random& random, Cut& cut) {
  Scratch scratch;
  Best best;
  const bool single = std::all_of(graph.weight.begin(), graph.weight.end(), [](int weight) { return weight == 1; });
  double straight = 0;  // bytes
  bool has_straight = false;
  if (cut != Cut::kMerged && single && graph.size() > kTiny) {
    if (std::vector<char> side = straight_cut(graph, size0, random); !side.empty()) {
      Division division(graph, size0, std::move(side), scratch);
      straight = division.cost().second;
      has_straight = true;
      division.improve();
      best.take(division);
      if (cut == Cut::kStraight) return std::move(best).side();
    }
  }
  double merged = 0;  // bytes
  for (int i = 0; i < tries; ++i) {
    const Division division = multilevel(graph, size0, random, scratch);
    merged = i == 0 ? division.cost().second : std::min(merged, division.cost().second);
    best.take(division);
  }
  if (has_straight && straight <= merged * (1 + kRounding)) {
    cut = Cut::kStraight;
  } else if (has_straight && straight > merged * kFarWorse) {
    cut = Cut::kMerged;
  }
  return std::move(best).side();
}

}  // namespace strata::mpix
