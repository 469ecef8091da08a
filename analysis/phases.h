// SPDX-License-Identifier: LGPL-2.1-only
// How evenly the ranks share the work of each phase that the program names (MPI_Pcontrol, monitoring sessions). For
// example, four ranks compute for 1, 1, 1 and 3 s in the phase "solve" and meet at its end:
//
//   solve   computing   mean 1.5 s, most 3 s (rank 3), least 1 s (rank 0), imbalance 100 %
//
// The imbalance is most / mean - 1: by how much longer the phase takes than if the ranks were balanced, relative to the
// mean. A phase that a rank enters several times counts as one, with its total time. Nested phases each count. Memory
// is proportional to ranks times phases.
#pragma once

#include <string>
#include <unordered_map>
#include <vector>

#include "analysis/waits.h"
#include "records/events.h"

namespace strata::analysis {

/// Over the ranks that entered the phase.
struct Spread {
  double mean = 0, most = 0, least = 0;  // s
  int most_rank = -1, least_rank = -1;   // the first of several

  /// 0 if there is no time.
  double imbalance() const { return mean > 0 ? most / mean - 1 : 0; }
};

struct Phase {
  std::string name;           // empty: the whole run of a program that names no phases
  int ranks = 0;              // number of ranks that entered it
  long times = 0;             // total number of entries
  Spread seconds = {};        // in the phase, divided into:
  Spread computing = {};      // outside MPI
  Spread communicating = {};  // in MPI, while messages flow or the library works
  Spread waiting = {};        // in MPI, until another rank is ready
};

/// If a program names more phases than this (for example, each iteration), the rest are one phase, kOtherPhases.
inline constexpr size_t kMostPhases = 256;
inline constexpr const char* kOtherPhases = "(other phases)";

class PhaseFinder {
 public:
  explicit PhaseFinder(size_t ranks) : ranks_(ranks) {}

  /// Take a wait before the event that ends it.
  void take(const Wait& wait);
  void take(const Event& event);
  /// In the order of their first beginning.
  std::vector<Phase> phases() const;

 private:
  // Times of a rank since its start, or in a phase, s.
  struct Times {
    double whole = 0, in_mpi = 0, waiting = 0;
  };
  struct Open {
    size_t phase;
    Times before;
  };
  struct Rank {
    int depth = 0;           // nesting of MPI functions
    double entered = 0;      // s: when the outermost function was entered
    Times times;             // until `entered` or the last leave; `whole` once the rank has ended
    std::vector<Open> open;  // open phases, outermost first
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
