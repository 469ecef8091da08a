// SPDX-License-Identifier: LGPL-2.1-only
// A critical path: the chain of work and messages, without gaps from start to end, that determines the time of a run or
// of a replay (docs/critical-path.md). For example, rank 0 computes for 1 ms and sends 8 bytes to rank 1, which waits:
//
//   0 to 1 ms        rank 0  computing
//   1 to 2.9 ms      rank 1  latency of message 1 from rank 0, in MPI_Recv
//   2.9 to 3 ms      rank 1  transfer of message 1
//
// Here are only its parts and their sums. analysis/recorded_path.h finds it in the events of a run, and
// replay/replayed_path.h in the history of a replay.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/json.h"

namespace strata {

enum class PathKind : std::uint8_t {
  kComputing,   // outside MPI
  kMpi,         // in MPI, not blocked: copies, operations of reductions. In a run's events also overheads
  kOverhead,    // of sends and receives. Only a replay distinguishes it from other work in MPI
  kSleeping,    // polls that find nothing, pauses before ranks start together. Only of replays
  kLatency,     // until a message's first byte arrives
  kTransfer,    // a message's bytes over the narrowest link of its path, if it were alone
  kContention,  // the rest of a message's flow, caused by others that share its links. In a replay also of work
  kMessage,     // a message on an unknown machine: latency, transfer and contention together. Only of runs
  kWaiting,     // blocked for a reason that the records do not contain, such as unsuccessful polls of a run
};
inline constexpr std::size_t kPathKinds = 9;

/// "computing", "mpi", "overhead", ...: as in JSON documents.
std::string_view name_of(PathKind kind);

/// Pieces cover the whole time: the first begins at 0, each begins when the previous one ends, and the last ends when
/// the run ends.
struct PathPiece {
  double from = 0, to = 0;  // s
  PathKind kind = PathKind::kComputing;
  int rank = 0;              // that works; for a message, the rank that is blocked until it arrives
  int function = -1;         // MPI function in which that rank is: index into CriticalPath::functions; -1: none
  int level = -1;            // of a message, or of an overhead: index into CriticalPath::levels
  std::int64_t message = 0;  // its number, from 1 in the order of the records; 0: none
  int sender = -1, receiver = -1;
  double bytes = 0;  // of its data

  bool operator==(const PathPiece&) const = default;
};

/// The part of the path that belongs to one rank, function or level.
struct PathShare {
  int index = -1;                               // of the rank, the function or the level; -1: no such
  std::array<double, kPathKinds> by_kind = {};  // s, by PathKind
  std::int64_t messages = 0;                    // number of different messages

  double seconds() const;
  double seconds(PathKind kind) const { return by_kind[static_cast<std::size_t>(kind)]; }
};

struct CriticalPath {
  double seconds = 0;  // until the last rank ended; the sum of the pieces
  int last_rank = 0;   // the rank that ended last, the first of several
  std::vector<std::string> functions, levels;
  std::vector<PathPiece> pieces;

  PathShare whole;
  // Largest first. Each of them adds up to `seconds`: pieces outside MPI, or without a level, are the share -1.
  std::vector<PathShare> by_rank, by_function, by_level;
};

/// Sets the shares from the pieces. Two adjacent pieces of the same message are one message.
void add_up(CriticalPath& path);

/// The shares of functions or levels, without that which belongs to none.
std::vector<PathShare> named(const std::vector<PathShare>& shares);

/// The indexes of the `most` longest pieces, in order of time.
std::vector<std::size_t> longest_pieces(const std::vector<PathPiece>& pieces, std::size_t most);

/// {"computing":0.001,"latency":0.0019}: without kinds of 0 s.
Json seconds_by_kind(const PathShare& share);

}  // namespace strata
