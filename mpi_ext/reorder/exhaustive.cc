// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/reorder/exhaustive.h"

#include "mpi_ext/reorder/distance.h"
#include "mpi_ext/reorder/swap_places.h"

namespace strata::mpix {
namespace {

// The smallest relevant gain, relative to the cost; smaller ones may be rounding.
constexpr double kRelevant = 1e-12;

class Search {
 public:
  Search(const AffinityGraph& graph, const PlaceTree& tree, std::vector<int>& best)
      : graph_(graph),
        tree_(tree),
        distance_(tree),
        best_(best),
        least_(hop_bytes(graph, tree, best) / 2 * (1 - kRelevant)),
        taken_(best.size(), 0) {}

  // Tries all places for `rank` and those after it. The ranks before it have processes, with this cost.
  void seat(int rank, double cost) {
    if (cost >= least_) return;
    if (rank == graph_.size()) {
      least_ = cost;
      best_ = process_;
      return;
    }
    for (int p = 0; p < graph_.size(); ++p) {
      if (taken_[p]) continue;
      double more = 0;
      for (long e = graph_.first[rank]; e < graph_.first[rank + 1]; ++e) {
        const int peer = graph_.peer[e];
        if (peer < rank) more += graph_.bytes[e] * distance_(tree_.place[p], tree_.place[process_[peer]]);
      }
      taken_[p] = 1;
      process_.push_back(p);
      seat(rank + 1, cost + more);
      process_.pop_back();
      taken_[p] = 0;
    }
  }

 private:
  const AffinityGraph& graph_;
  const PlaceTree& tree_;
  const Distance distance_;
  std::vector<int>& best_;
  double least_;  // counts each pair once
  std::vector<char> taken_;
  std::vector<int> process_;
};

}  // namespace

void try_all(const AffinityGraph& graph, const PlaceTree& tree, std::vector<int>& process) {
  Search(graph, tree, process).seat(0, 0);
}

}  // namespace strata::mpix
