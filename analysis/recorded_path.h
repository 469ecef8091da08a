// SPDX-License-Identifier: LGPL-2.1-only
// Finds the critical path of a run (records/critical_path.h) in its events.
//
// The path is found backwards, from the rank that ends last. A rank's own work leads back to the moment when it was
// last blocked. From there, the path follows the message for which it was blocked back to the moment when this message
// began to flow. It continues at the side that came later: the sender, or the receiver of a message that waited for it.
// At a barrier, it continues at the rank that came last. docs/critical-path.md has the definition, its sources, and its
// limits.
//
// The events are read twice: first for the causes of waits (waits.h), then for the functions and messages on the path.
// Memory: 32 B for each time that a rank was blocked, so about 32 B for each message for which a rank waited, and 64 B
// for each piece of the path.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "analysis/waits.h"
#include "platforms/machine.h"
#include "records/critical_path.h"
#include "records/events.h"

namespace strata::analysis {

/// The kinds that events can distinguish.
inline constexpr std::array kKindsOfRuns = {PathKind::kComputing, PathKind::kMpi,        PathKind::kLatency,
                                            PathKind::kTransfer,  PathKind::kContention, PathKind::kMessage,
                                            PathKind::kWaiting};

/// Call take() for all events and their waits first, then path().
class PathFinder {
 public:
  explicit PathFinder(size_t ranks) : waits_(ranks), ends_(ranks, -1) {}

  void take(const Event& event);
  void take(const Wait& wait);

  /// `events`: a reader of the same events, at their start. `machine`: that on which the program ran; nullptr: unknown.
  /// Throws InputError if it lacks a core named in the events.
  CriticalPath path(EventReader& events, const Machine* machine);

 private:
  // The end of a wait that the path can follow: 32 B.
  struct Cause {
    double to;             // s: the end of the wait
    double began;          // s: where the path continues; the beginning of the wait if `by` is unknown
    std::int64_t message;  // 0: none
    int by;                // -1: unknown
    float length;          // s: duration of the wait
  };
  // A part of the path on one rank, or a message for which it is blocked.
  struct Step {
    enum class What { kOwn, kMessage, kWaiting };
    int rank;
    What what;
    double from, to;
    std::int64_t message;
  };

  std::vector<Step> walk(int rank, double at) const;

  std::vector<std::vector<Cause>> waits_;  // by rank
  std::vector<double> ends_;               // by rank, s; -1: at end_
  double end_ = 0;
};

}  // namespace strata::analysis
