// SPDX-License-Identifier: LGPL-2.1-only
// A call of a collective, and the settings of an algorithm for it. For example MPI_Bcast of 1,000 doubles from rank 3
// of 16, in segments of 1 KiB:
//
//   const Collective call = {.ranks = 16, .root = 3, .count = 1000, .element_bytes = 8};
//   binomial_broadcast(call, {.segment_bytes = 1024}, rank, steps);
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "collectives/operation.h"
#include "collectives/schedules/steps.h"

namespace strata::collectives {

struct Collective {
  Operation operation = Operation::kBcast;
  int ranks = 1;
  int root = 0;
  /// Elements: of the whole vector of a broadcast, (all)reduce or (ex)scan; of one rank's block of the others;
  /// of MPI_Alltoallv the mean of the caller's blocks.
  std::int64_t count = 0;
  std::int64_t element_bytes = 1;
  bool commutative = true;  // the reduction's operation
  bool in_place = false;    // MPI_IN_PLACE
  /// Elements of each rank's block, one after the other: MPI_Allgatherv, MPI_Reduce_scatter (by rank); MPI_Alltoallv
  /// (what rank r sends to rank s: counts[r * ranks + s]).
  std::vector<std::int64_t> counts = {};
  /// The node of each rank, any number for a node. Empty: each rank has its own. Open MPI's algorithms do not look at
  /// it.
  std::vector<int> nodes = {};
  bool built_in = true;  // the reduction's operation is one of MPI's own
  /// The groups of ranks on which Strata's hierarchical algorithms run, each ascending, outer ones before those that
  /// their members lead: {0, 4}, {0, 1, 2, 3}, {4, 5, 6, 7} for two nodes of four ranks. Other algorithms do not look
  /// at it.
  std::vector<std::vector<int>> bridges = {};
};

struct Settings {
  std::int64_t segment_bytes = 0;  // 0: one segment
  int fanout = 4;                  // chains of a chain; radix of a k-nomial tree
  int requests = 0;                // outstanding at the same time; 0: any number
  /// The algorithm of a collective that another one consists of: the library's decision, not the forced algorithm.
  std::function<void(const Collective& call, int rank, Steps& steps)> part = {};
};

/// Appends what `rank` does.
using Generator = void (*)(const Collective& call, const Settings& settings, int rank, Steps& steps);

}  // namespace strata::collectives
