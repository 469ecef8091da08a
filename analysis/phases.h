// SPDX-License-Identifier: LGPL-2.1-only
// How evenly the ranks share the work of each phase that the program names (MPI_Pcontrol, monitoring sessions). For
// example, of four ranks that compute for 1, 1, 1 and 3 s in the phase "solve" and meet at its end:
//
//   solve   computing   mean 1.5 s, most 3 s (rank 3), least 1 s (rank 0), imbalance 100 %
//
// The imbalance is most / mean - 1: the part of the mean by which the phase would be shorter if the ranks were even.
// A phase that a rank enters several times counts as one, with all its time. A phase within another counts for both.
// Memory in proportion to ranks times phases.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/waits.h"
#include "records/events.h"

namespace strata::analysis {

/// Over the ranks that were in the phase.
struct Spread {
  double mean = 0, most = 0, least = 0;  // s
  int most_rank = -1, least_rank = -1;   // the first of several

  /// 0 where no time was spent.
  double imbalance() const { return mean > 0 ? most / mean - 1 : 0; }
};

struct Phase {
  std::string name;           // empty: the whole run, of a program that names no phases
  int ranks = 0;              // that were in it
  long times = 0;             // that they entered it, in all
  Spread seconds = {};        // in the phase, of which
  Spread computing = {};      // outside MPI
  Spread communicating = {};  // in MPI, while messages flow or the library works
  Spread waiting = {};        // in MPI, until another rank is ready
};

/// Programs that name more phases than this (each iteration, say) get the rest as one phase, kOtherPhases.
inline constexpr size_t kMostPhases = 256;
inline constexpr const char* kOtherPhases = "(other phases)";

class PhaseFinder {
 public:
  explicit PhaseFinder(size_t ranks) : ranks_(ranks) {}

  /// A wait before the event that ends it.
  void take(const Wait& wait);
  void take(const Event& event);
  /// In the order in which they began first.
  std::vector<Phase> phases() const;

 private:
  // Sums of a rank since its start, or in a phase, s.
  struct Times {
    double whole = 0, in_mpi = 0, waiting = 0;
  };
  struct Open {
    size_t phase;
    Times before;
  };
  struct Rank {
    int depth = 0;           // of MPI functions
    double entered = 0;      // s: the outermost
    Times times;             // until `entered` or the last leave; `whole` once it has ended
    std::vector<Open> open;  // phases, the outermost first
    bool ended = false;
  };
  struct Named {
    std::string name;
    std::vector<Times> by_rank;
    std::vector<long> entered;  // by rank
  };

  Times now(const Rank& rank, double time) const;
  size_t phase_of(const std::string& name);
  void close(size_t rank, double time);
  void end(size_t rank, double time);

  std::vector<Rank> ranks_;
  std::vector<Named> named_;
  std::unordered_map<std::string, size_t> index_;  // into named_
};

}  // namespace strata::analysis
