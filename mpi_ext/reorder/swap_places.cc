// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/swap_places.h"

#include <algorithm>

#include "mpi_ext/reorder/distance.h"

namespace strata::mpix {
namespace {

// A peer's kNear closest seats are near it; a tree with at most kSmall seats is small.
constexpr int kNear = 16, kSmall = 64;
// Maximum number of rounds; the first two make nearly all of the difference.
constexpr int kRounds = 8;
// The smallest relevant gain, relative to the cost; smaller ones may be rounding.
constexpr double kRelevant = 1e-9;

class Exchange {
 public:
  Exchange(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, std::vector<int>& process)
      : graph_(graph), tree_(tree), seats_(seats), process_(process), distance_(tree) {
    const size_t size = process.size();
    place_.resize(size);
    rank_.resize(size);
    cost_.resize(size);
    for (size_t r = 0; r < size; ++r) {
      place_[r] = tree.place[process[r]];
      rank_[process[r]] = static_cast<int>(r);
    }
    for (size_t r = 0; r < size; ++r) cost_[r] = cost_at(static_cast<int>(r), place_[r], -1, -1);
    find_near();
    find_least();
  }

  void search() {
    const bool small = seats_.size() <= kSmall;
    std::vector<char> again(process_.size(), 1);
    bool all = true;  // whether this round tries all ranks
    for (int round = 0; round < kRounds; ++round) {
      std::vector<char> next(process_.size(), 0);
      bool any = false;
      for (int a = 0; a < static_cast<int>(process_.size()); ++a) {
        if (!again[a]) continue;
        const int b = best_partner(a);
        if (b < 0) continue;
        swap(a, b);
        any = true;
        for (int r : {a, b}) {
          next[r] = 1;
          for (int peer : graph_.peers(r)) next[peer] = 1;
        }
      }
      if (!any && (all || !small)) break;
      // A rank whose peers are all as near as possible does not look for a partner. But another rank may gain from its
      // new place, so after a round without exchanges, all ranks are tried again.
      all = !any;
      if (all) next.assign(process_.size(), 1);
      again.swap(next);
    }
  }

 private:
  struct Near {
    int above, first, end;  // seats, all below the vertex `above`
    int least_down;         // smallest depth of these seats below `above`
  };

  // The hops from a place to the peers of a rank, weighted by bytes, if rank `other` were at `other_place`.
  double cost_at(int rank, int place, int other, int other_place) const {
    double sum = 0;
    for (long e = graph_.first[rank]; e < graph_.first[rank + 1]; ++e) {
      const int peer = graph_.peer[e];
      sum += graph_.bytes[e] * distance_(place, peer == other ? other_place : place_[peer]);
    }
    return sum;
  }

  // By place, the seats near it: those below the highest ancestor with few seats or, if its parent has many more, the
  // nearest of the parent's.
  void find_near() {
    const int most = seats_.size() <= kSmall ? kSmall : kNear;
    for (int v = 0; v < static_cast<int>(tree_.parent.size()); ++v) {
      int above = v;
      while (tree_.parent[above] >= 0 && seats_.below(tree_.parent[above]) <= most) above = tree_.parent[above];
      int first = seats_.first(above), end = seats_.end(above);
      if (end - first < most / 2 && tree_.parent[above] >= 0) {
        above = tree_.parent[above];
        first = std::max(seats_.first(above), first - most / 2);
      }
      end = std::min(seats_.end(above), first + most);
      int least_depth = tree_.depth[v];
      for (int s = first; s < end; ++s)
        least_depth = std::min(least_depth, tree_.depth[tree_.place[seats_.process(s)]]);
      near_.push_back({above, first, end, least_depth - tree_.depth[above]});
    }
  }

  void find_least() {
    bool shared = false, inner = false;
    for (size_t v = 0; v < tree_.parent.size(); ++v) {
      shared = shared || seats_.own(static_cast<int>(v)) > 1;
      inner = inner || (seats_.own(static_cast<int>(v)) > 0 && !seats_.children(static_cast<int>(v)).empty());
    }
    least_hops_ = shared ? 0 : inner ? 1 : 2;
    least_.assign(process_.size(), 0);
    for (size_t r = 0; r < process_.size(); ++r) {
      for (double bytes : graph_.bytes_of(static_cast<int>(r))) least_[r] += least_hops_ * bytes;
    }
  }

  // Among the seats of `near`, finds the one whose rank should exchange places with `a` for the largest gain.
  void try_near(int a, const Near& near, double& best, int& partner) {
    // For a peer outside `near.above`, the distance to a seat depends only on the seat's depth.
    inside_.clear();
    double outside = 0, outside_bytes = 0, inside_bytes = 0;
    for (long e = graph_.first[a]; e < graph_.first[a + 1]; ++e) {
      const int peer = graph_.peer[e], hops = distance_(near.above, place_[peer]);
      if (hops == tree_.depth[place_[peer]] - tree_.depth[near.above]) {
        inside_.push_back(e);
        inside_bytes += graph_.bytes[e];
      } else {
        outside += graph_.bytes[e] * hops;
        outside_bytes += graph_.bytes[e];
      }
    }
    const double most = cost_[a] - outside - outside_bytes * near.least_down - inside_bytes * least_hops_;
    if (most <= 0) return;
    for (int s = near.first; s < near.end; ++s) {
      const int b = rank_[seats_.process(s)], place = place_[b];
      // `b` gains at most as much as if all its peers were as near as possible.
      if (most + cost_[b] - least_[b] <= best || place == place_[a]) continue;
      double cost = outside + outside_bytes * (tree_.depth[place] - tree_.depth[near.above]);
      for (long e : inside_) {
        const int peer = graph_.peer[e];
        cost += graph_.bytes[e] * distance_(place, peer == b ? place_[a] : place_[peer]);
      }
      // If both gain together, at least one of them gains by itself; if it is `b`, it will find `a`.
      if (cost >= cost_[a]) continue;
      const double gain = cost_[a] - cost + cost_[b] - cost_at(b, place_[a], a, place);
      if (gain > best) {
        best = gain;
        partner = b;
      }
    }
  }

  int best_partner(int a) {
    if (cost_[a] <= least_[a]) return -1;
    double best = kRelevant * cost_[a];
    int partner = -1;
    if (seats_.size() <= kSmall) {
      try_near(a, {0, 0, seats_.size(), 0}, best, partner);
      return partner;
    }
    for (int peer : graph_.peers(a)) try_near(a, near_[place_[peer]], best, partner);
    return partner;
  }

  void swap(int a, int b) {
    for (int r : {a, b}) {
      const int from = place_[r], to = place_[r == a ? b : a];
      for (long e = graph_.first[r]; e < graph_.first[r + 1]; ++e) {
        const int peer = graph_.peer[e];
        cost_[peer] += graph_.bytes[e] * (distance_(to, place_[peer]) - distance_(from, place_[peer]));
      }
    }
    std::swap(place_[a], place_[b]);
    std::swap(process_[a], process_[b]);
    rank_[process_[a]] = a;
    rank_[process_[b]] = b;
    for (int r : {a, b}) cost_[r] = cost_at(r, place_[r], -1, -1);
  }

  const AffinityGraph& graph_;
  const PlaceTree& tree_;
  const Seats& seats_;
  std::vector<int>& process_;
  const Distance distance_;
  std::vector<int> place_;     // by rank
  std::vector<int> rank_;      // by process
  std::vector<double> cost_;   // by rank: bytes times hops
  std::vector<double> least_;  // by rank: cost if all its peers were as near as possible
  int least_hops_ = 0;         // between different places, or between any two processes if some share a place
  std::vector<Near> near_;
  std::vector<long> inside_;  // scratch: edges
};

}  // namespace

void exchange(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, std::vector<int>& process) {
  Exchange(graph, tree, seats, process).search();
}

double hop_bytes(const AffinityGraph& graph, const PlaceTree& tree, const std::vector<int>& process) {
  const Distance distance(tree);
  double sum = 0;
  for (int rank = 0; rank < graph.size(); ++rank) {
    for (long e = graph.first[rank]; e < graph.first[rank + 1]; ++e) {
      sum += graph.bytes[e] * distance(tree.place[process[rank]], tree.place[process[graph.peer[e]]]);
    }
  }
  return sum;
}

}  // namespace strata::mpix
