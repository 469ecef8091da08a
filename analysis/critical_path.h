// SPDX-License-Identifier: LGPL-2.1-only
// The critical path of a run: the chain of work and messages, without gaps from start to end, that determines its
// simulated time. For example, rank 0 computes for 1 ms and sends 8 bytes to rank 1, which waits for them:
//
//   0 to 1 ms        rank 0  computing
//   1 to 2.9 ms      rank 1  latency of message 1 from rank 0, in MPI_Recv
//   2.9 to 3 ms      rank 1  transfer of message 1
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
  kLatency,     // until a message's first byte arrives
  kTransfer,    // a message's bytes over the narrowest link of its path, if it were alone
  kContention,  // the rest of a message's flow, caused by others that share its links
  kMessage,     // a message on an unknown machine: latency, transfer and contention together
  kWaiting,     // blocked for a reason that the events do not contain, such as unsuccessful polls
};
inline constexpr size_t kPathKinds = 7;

/// "computing", "mpi", "latency", "transfer", "contention", "message", "waiting": as in JSON documents.
std::string_view name_of(PathKind kind);

/// Pieces cover the whole run: the first begins at 0, each begins when the previous one ends, and the last ends when
/// the run ends.
struct PathPiece {
  double from = 0, to = 0;  // s
  PathKind kind = PathKind::kComputing;
  int rank = 0;              // that works; for a message, the rank that is blocked until it arrives
  int function = -1;         // MPI function in which that rank is: index into CriticalPath::functions; -1: none
  int level = -1;            // of a message: index into CriticalPath::levels
  std::int64_t message = 0;  // its number in the events; 0: none
  int sender = -1, receiver = -1;
  std::int64_t bytes = 0;  // of its data

  bool operator==(const PathPiece&) const = default;
};

/// The part of the path that belongs to one rank, function or level.
struct PathShare {
  std::string name = {};                        // of the level or function
  int rank = -1;                                // if it is a rank's share
  std::array<double, kPathKinds> by_kind = {};  // s, by PathKind
  std::int64_t messages = 0;                    // number of different messages

  double seconds() const;
  double seconds(PathKind kind) const { return by_kind[static_cast<size_t>(kind)]; }
};

struct CriticalPath {
  double seconds = 0;  // until the last rank ended; the sum of the pieces
  int last_rank = 0;   // the rank that ended last, the first of several
  std::vector<std::string> functions, levels;
  std::vector<PathPiece> pieces;

  PathShare whole;
  // Largest first, without shares of 0 s. Each piece of the path belongs to one share of `by_rank`; pieces in an MPI
  // function also belong to one of `by_function`, and pieces of messages to one of `by_level`.
  std::vector<PathShare> by_rank, by_function, by_level;
};

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
