// SPDX-License-Identifier: LGPL-2.1-only
// The bridges of a hierarchy as one rank sees them (Collective::bridges). For example, of ranks 0 to 3 on node 0 and 4
// to 6 on node 1, rank 4 is in {0, 4} and leads {4, 5, 6}:
//
//   Bridges(call, 4).of_rank()        {0, 4}, {4, 5, 6}: outermost first
//   Bridges(call, 0).order()          0, 1, 2, 3, 4, 5, 6: whose blocks rank 0 has after a gather
//
// The first member of a bridge leads it: it is the rank itself, or it has the data already. Source: bridges_of
// (mpi_ext/coll/over_hierarchy.cc) and subtrees_of (mpi_ext/coll/subtrees.cc).
#pragma once

#include <algorithm>
#include <vector>

#include "collectives/schedules/collective.h"
#include "collectives/schedules/node_communicators.h"

namespace strata::collectives {

class Bridges {
 public:
  Bridges(const Collective& call, int rank) : call_(call) {
    for (const std::vector<int>& bridge : call.bridges) {
      if (bridge.size() > 1 && std::binary_search(bridge.begin(), bridge.end(), rank)) of_rank_.push_back(&bridge);
    }
  }

  const std::vector<const std::vector<int>*>& of_rank() const { return of_rank_; }

  /// By bridge of of_rank(): the blocks of member i and of the ranks below it are begins[i] up to begins[i + 1].
  std::vector<std::vector<std::int64_t>> begins() const {
    std::vector<std::int64_t> below(call_.ranks, 1);
    std::vector<std::vector<std::int64_t>> result(of_rank_.size());
    std::size_t own = of_rank_.size();
    for (auto bridge = call_.bridges.rbegin(); bridge != call_.bridges.rend(); ++bridge) {
      const bool is_own = own > 0 && &*bridge == of_rank_[own - 1];
      if (is_own) result[--own].push_back(0);
      std::int64_t sum = 0;
      for (const int member : *bridge) {
        sum += below[member];
        if (is_own) result[own].push_back(sum);
      }
      below[bridge->front()] = sum;
    }
    return result;
  }

  /// The rank whose block is the i-th after all blocks have arrived at rank 0.
  std::vector<int> order() const {
    std::vector<std::vector<int>> held(call_.ranks);
    for (int r = 0; r < call_.ranks; ++r) held[r] = {r};
    for (auto bridge = call_.bridges.rbegin(); bridge != call_.bridges.rend(); ++bridge) {
      for (std::size_t i = 1; i < bridge->size(); ++i) {
        std::vector<int>& from = held[(*bridge)[i]];
        std::vector<int>& into = held[bridge->front()];
        into.insert(into.end(), from.begin(), from.end());
        from.clear();
      }
    }
    return held[0];
  }

  /// Whether reductions up the bridges combine ranges of ranks in their order.
  bool keep_order() const {
    const std::vector<int> ranks = order();
    return std::is_sorted(ranks.begin(), ranks.end());
  }

 private:
  const Collective& call_;
  std::vector<const std::vector<int>*> of_rank_;
};

/// Segments of whole elements, at least one; Open MPI rounds to the nearest. Source: Segments,
/// mpi_ext/context/message.cc.
inline Settings in_whole_elements(Settings settings, const Collective& call) {
  if (settings.segment_bytes <= 0) return settings;
  const std::int64_t elements = settings.segment_bytes / call.element_bytes;
  settings.segment_bytes = std::max<std::int64_t>(elements, 1) * call.element_bytes;
  return settings;
}

/// Appends what `rank` does in an algorithm on a bridge, whose first member is the root.
inline void append_on(const std::vector<int>& bridge, Generator algorithm, Collective part, const Settings& settings,
                      int rank, const PartBuffers& buffers, Steps& steps) {
  part.ranks = static_cast<int>(bridge.size());
  Steps own;
  algorithm(part, in_whole_elements(settings, part), place_in(bridge, rank), own);
  steps.append(own, buffers, [&](int peer) { return bridge[peer]; });
}

}  // namespace strata::collectives
