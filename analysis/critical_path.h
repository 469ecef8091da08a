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
// The events are read twice: once for who was blocked by what, once for the functions and messages on the path. Memory:
// 32 B for each time that a rank was blocked, 64 B for each piece of the path, some hundred bytes for each rank and
// each message under way.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/machine.h"

namespace strata::analysis {

enum class PathKind : std::uint8_t {
  kComputing,   // outside MPI
  kMpi,         // in MPI, not blocked: overheads of messages, operations of reductions, polls
  kLatency,     // of a message: until its first byte is there
  kTransfer,    // of a message: its bytes over the narrowest link of its way, if it were alone
  kContention,  // of a message: the rest of its flow, which others that share its links cause
  kMessage,     // of a message on an unknown machine: the three together
  kWaiting,     // blocked, and the events do not say by what, such as a lock
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

/// Of the run in the file `events`, on the machine that it ran on; nullptr: unknown. Throws InputError where the file
/// is damaged or the machine does not have the cores that it names.
CriticalPath critical_path(const std::filesystem::path& events, const Machine* machine);

}  // namespace strata::analysis
