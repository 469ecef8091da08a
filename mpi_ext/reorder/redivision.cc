// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/redivision.h"

#include <algorithm>

#include "mpi_ext/reorder/distance.h"
#include "mpi_ext/reorder/division.h"
#include "mpi_ext/reorder/partition.h"

namespace strata::mpix {
namespace {

// The number of children that are divided again together.
constexpr size_t kTogether = 4;
// The largest number of times that a child is the first of such a group.
constexpr int kRounds = 4;
// The smallest relevant gain, relative to the cost; smaller ones may be rounding.
constexpr double kRelevant = 1e-9;

class Redivision {
 public:
  Redivision(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, Random& random,
             std::vector<int>& process)
      : graph_(graph),
        tree_(tree),
        seats_(seats),
        random_(random),
        process_(process),
        distance_(tree),
        rank_(process.size()),
        child_(process.size(), -1),
        number_(process.size(), -1) {
    for (size_t r = 0; r < process.size(); ++r) rank_[process[r]] = static_cast<int>(r);
  }

  void below(int v) {
    const std::span<const int> children = seats_.children(v);
    // Two children have already been divided, and single seats are interchangeable.
    const bool several = std::any_of(children.begin(), children.end(), [&](int c) { return seats_.below(c) > 1; });
    if (children.size() > 2 && several) among(children);
    for (int child : children) below(child);
  }

 private:
  int rank_of_seat(int seat) const { return rank_[seats_.process(seat)]; }

  void among(std::span<const int> children) {
    for (size_t c = 0; c < children.size(); ++c) {
      for (int s = seats_.first(children[c]); s < seats_.end(children[c]); ++s)
        child_[seats_.process(s)] = static_cast<int>(c);
    }
    bytes_to_.assign(children.size(), 0);
    std::vector<char> changed(children.size(), 1);
    for (int round = 0; round < kRounds; ++round) {
      std::vector<int> turn = random_.permutation(static_cast<int>(children.size()));
      std::erase_if(turn, [&](int c) { return !changed[c]; });
      if (turn.empty()) break;
      changed.assign(children.size(), 0);
      for (int c : turn) {
        const std::vector<int> group = around(c, children);
        if (group.size() < 2 || !divide_anew(group, children)) continue;
        for (int member : group) changed[member] = 1;
      }
    }
    for (int c : children) {
      for (int s = seats_.first(c); s < seats_.end(c); ++s) child_[seats_.process(s)] = -1;
    }
  }

  // The child and the children that exchange most bytes with the chosen ones; fewer than kTogether if no others
  // exchange any.
  std::vector<int> around(int c, std::span<const int> children) {
    std::vector<int> group = {c}, met;
    std::vector<char> chosen(0);
    while (group.size() < kTogether) {
      const int last = children[group.back()];
      for (int s = seats_.first(last); s < seats_.end(last); ++s) {
        const int rank = rank_of_seat(s);
        for (long e = graph_.first[rank]; e < graph_.first[rank + 1]; ++e) {
          const int other = child_[process_[graph_.peer[e]]];
          if (other < 0) continue;
          if (bytes_to_[other] == 0) met.push_back(other);
          bytes_to_[other] += graph_.bytes[e];
        }
      }
      int best = -1;
      for (int other : met) {
        if (std::find(group.begin(), group.end(), other) != group.end()) continue;
        if (best < 0 || bytes_to_[other] > bytes_to_[best]) best = other;
      }
      if (best < 0) break;
      group.push_back(best);
    }
    for (int other : met) bytes_to_[other] = 0;
    return group;
  }

  // The hop-bytes of these ranks, counting each pair once.
  double cost_of(const std::vector<int>& ranks) const {
    double inside = 0, outside = 0;
    for (int rank : ranks) {
      const int place = tree_.place[process_[rank]];
      for (long e = graph_.first[rank]; e < graph_.first[rank + 1]; ++e) {
        const int peer = graph_.peer[e];
        (number_[peer] < 0 ? outside : inside) += graph_.bytes[e] * distance_(place, tree_.place[process_[peer]]);
      }
    }
    return inside / 2 + outside;
  }

  static double between(const AffinityGraph& graph, const std::vector<int>& part) {
    double bytes = 0;
    for (int v = 0; v < graph.size(); ++v) {
      for (long e = graph.first[v]; e < graph.first[v + 1]; ++e) {
        if (part[graph.peer[e]] != part[v]) bytes += graph.bytes[e];
      }
    }
    return bytes;
  }

  // Returns whether the new division was better.
  bool divide_anew(const std::vector<int>& group, std::span<const int> children) {
    std::vector<int> ranks, sizes, part, old;
    for (size_t p = 0; p < group.size(); ++p) {
      const int child = children[group[p]];
      sizes.push_back(seats_.below(child));
      for (int s = seats_.first(child); s < seats_.end(child); ++s) {
        ranks.push_back(rank_of_seat(s));
        part.push_back(static_cast<int>(p));
      }
    }
    const AffinityGraph graph = induced(graph_, ranks, number_);
    const std::vector<int> anew = partition(graph, sizes, 1, random_, Cut::kMerged);
    const double before = between(graph, part);
    if (!(between(graph, anew) < before * (1 - kRelevant))) return false;

    const auto with_numbers = [&](auto work) {
      for (size_t i = 0; i < ranks.size(); ++i) number_[ranks[i]] = static_cast<int>(i);
      const double cost = work();
      for (int rank : ranks) number_[rank] = -1;
      return cost;
    };
    for (int rank : ranks) old.push_back(process_[rank]);
    const double old_cost = with_numbers([&] { return cost_of(ranks); });
    const std::vector<std::vector<int>> members = members_of(anew, sizes);
    for (size_t p = 0; p < group.size(); ++p) {
      std::vector<int> its_ranks;
      for (int i : members[p]) its_ranks.push_back(ranks[i]);
      divide_below(children[group[p]], induced(graph, members[p]), its_ranks, seats_, 1, random_, process_);
    }
    const bool better = with_numbers([&] { return cost_of(ranks); }) < old_cost * (1 - kRelevant);
    for (size_t i = 0; i < ranks.size(); ++i) {
      if (!better) process_[ranks[i]] = old[i];
      rank_[process_[ranks[i]]] = ranks[i];
    }
    return better;
  }

  const AffinityGraph& graph_;
  const PlaceTree& tree_;
  const Seats& seats_;
  Random& random_;
  std::vector<int>& process_;
  const Distance distance_;
  std::vector<int> rank_;         // by process
  std::vector<int> child_;        // by process: number among the current children; -1 outside
  std::vector<int> number_;       // scratch, all -1
  std::vector<double> bytes_to_;  // scratch by child, all 0
};

}  // namespace

void redivide(const AffinityGraph& graph, const PlaceTree& tree, const Seats& seats, Random& random,
              std::vector<int>& process) {
  Redivision(graph, tree, seats, random, process).below(0);
}

}  // namespace strata::mpix
