// SPDX-License-Identifier: LGPL-2.1-only
// The critical path of a run: the chain of work and messages, without a gap from its start to its end, that decides its
// simulated time. For example a rank 0 that computes for 1 ms and sends 8 bytes to rank 1, which waits for them:
//
//   0 to 1 ms        rank 0  computing
//   1 to 2.9 ms      rank 1  latency of message 1 from rank 0, in MPI_Recv
//   2.9 to 3 ms      rank 1  transfer of message 1
//
// It is found backwards, from the rank that ended last. A rank's own work leads back to the moment when it was blocked
// last; from there the path follows the message that it was blocked for to the moment when that began to flow, and goes
// on at the side that came later: the sender, or the receiver of a message that waited for it. At a barrier it goes on
// at the rank that came last. docs/critical-path.md has the definition, its sources, and its limits.
//
// The events are read twice: once for the causes of waits (waits.h), once for the functions and messages on the path.
// Memory: 32 B for each time that a rank was blocked, so about 32 B for each message that a rank waited for; 64 B for
// each piece of the path.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analysis/waits.h"
#include "platforms/machine.h"
#include "records/events.h"

namespace strata::analysis {

enum class PathKind : std::uint8_t {
  kComputing,   // outside MPI
  kMpi,         // in MPI, not blocked: overheads of messages, operations of reductions
  kLatency,     // of a message: until its first byte is there
  kTransfer,    // of a message: its bytes over the narrowest link of its way, if it were alone
  kContention,  // of a message: the rest of its flow, which others that share its links cause
  kMessage,     // of a message on an unknown machine: the three together
  kWaiting,     // blocked, and the events do not say by what: polls that find nothing
};
inline constexpr size_t kPathKinds = 7;

/// "computing", "mpi", "latency", "transfer", "contention", "message", "waiting": as in JSON.
std::string_view name_of(PathKind kind);

/// Pieces follow one another: each begins when the one before ends, the first at 0, and the last ends with the run.
struct PathPiece {
  double from = 0, to = 0;  // s
  PathKind kind = PathKind::kComputing;
  int rank = 0;              // that works; of a message, the rank that is blocked until it arrives
  int function = -1;         // of MPI, in which that rank is: index into CriticalPath::functions; -1: none
  int level = -1;            // of a message: index into CriticalPath::levels
  std::int64_t message = 0;  // its number in the events; 0: none
  int sender = -1, receiver = -1;
  std::int64_t bytes = 0;  // of its data

  bool operator==(const PathPiece&) const = default;
};

/// The part of the path that has something in common.
struct PathShare {
  std::string name = {};                        // of the level or the function
  int rank = -1;                                // of a rank's share
  std::array<double, kPathKinds> by_kind = {};  // s, by PathKind
  std::int64_t messages = 0;                    // different ones

  double seconds() const;
  double seconds(PathKind kind) const { return by_kind[static_cast<size_t>(kind)]; }
};

struct CriticalPath {
  double seconds = 0;  // until the last rank ended; the sum of the pieces
  int last_rank = 0;   // the one that ended last, the first of several
  std::vector<std::string> functions, levels;
  std::vector<PathPiece> pieces;

  PathShare whole;
  // Largest first, none of 0 s. Each piece of the path is in one share of `by_rank`; those in an MPI function are in
  // one of `by_function`; those of messages in one of `by_level`.
  std::vector<PathShare> by_rank, by_function, by_level;
};

/// First take() for all events and their waits, then path().
class PathFinder {
 public:
  explicit PathFinder(size_t ranks) : waits_(ranks), ends_(ranks, -1) {}

  void take(const Event& event);
  void take(const Wait& wait);

  /// `events` reads the same events again, from their start. `machine`: the one that the program ran on; nullptr:
  /// unknown. Throws InputError where it does not have the cores that the events name.
  CriticalPath path(EventReader& events, const Machine* machine);

 private:
  // The end of a wait that the path can follow: 32 B.
  struct Cause {
    double to;             // s: the end of the wait
    double began;          // s: where the path goes on; without `by` the wait's beginning
    std::int64_t message;  // 0: none
    int by;                // -1: unknown
    float length;          // s: of the wait
  };
  // A part of the path on one rank, or a message that it is blocked for.
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
