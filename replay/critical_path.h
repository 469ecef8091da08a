// SPDX-License-Identifier: LGPL-2.1-only
// The critical path of a replay: the chain of work and messages, without gaps from start to end, that determines its
// time. For example, rank 0 computes for 1 ms and sends 8 bytes to rank 1, which waits for them:
//
//   0 to 1 ms        rank 0  computing
//   1 to 2.9 ms      rank 1  latency of the message, in MPI_Recv
//   2.9 to 3 ms      rank 1  transfer of the message
//
// It is the path of analysis/critical_path.h (docs/critical-path.md), but found from the engine's own records instead
// of a program's events. These records distinguish the overhead of a send from a reduction's operation, and contain the
// time that work would take alone. Read backwards, each effect comes before its causes, so one pass over the records is
// sufficient.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "platforms/machine.h"
#include "replay/costs.h"
#include "replay/history.h"

namespace strata::replay {

enum class PathKind : std::uint8_t {
  kComputing,   // the program's own
  kMpi,         // copies and operations within MPI
  kOverhead,    // of sends
  kSleeping,    // polls that find nothing, pauses before ranks start together
  kLatency,     // until a message's first byte arrives
  kTransfer,    // a message's bytes over the narrowest link of its path, if it were alone
  kContention,  // of a message or a work: its additional time compared with being alone
  kWaiting,     // for a reason that the records do not contain
};
inline constexpr std::size_t kPathKinds = 8;

/// "computing", "mpi", ...: as in JSON documents.
std::string_view name_of(PathKind kind);

/// A part of the path: a rank works, or a message flows. Each begins when the one before ends.
struct PathStep {
  enum class Does : std::uint8_t { kWork, kMessage, kPause, kUnknown };
  double from = 0, to = 0;  // s
  Does does = Does::kUnknown;
  int rank = 0;               // that works; for a message, the one that waits for it
  int function = -1;          // MPI function in which that rank is; -1: none
  std::int64_t message = -1;  // of the history; -1: none
  int charge = -1;            // of the history: a work; -1: none
  int peer = -1;              // the receiver, for the overhead of a send
};

struct PathPiece {
  double from = 0, to = 0;  // s
  PathKind kind = PathKind::kComputing;
  int step = 0;
};

/// The part of the path that belongs to one rank, function or level.
struct PathShare {
  int index = -1;                               // of the rank, the function or the level; -1: no such
  std::array<double, kPathKinds> by_kind = {};  // s, by PathKind
  std::int64_t messages = 0;

  double seconds() const;
};

struct CriticalPath {
  double seconds = 0;  // until the last rank ended
  int last_rank = 0;   // the first of several
  std::vector<PathStep> steps;
  std::vector<PathPiece> pieces;
  std::vector<std::string> levels;  // Costs::levels()

  PathShare whole;
  // Largest first. Each of them adds up to `seconds`: time outside MPI, or on neither a message nor the overhead of
  // one, has the index -1.
  std::vector<PathShare> by_rank, by_function, by_level;
};

/// `cores` by rank, `machine`: those of the replay. O(records + steps * links).
CriticalPath critical_path(const History& history, const Machine& machine, const std::vector<int>& cores);

/// The time that the steps take if everything else is unchanged and nothing shares cores and links with them; s. With
/// the costs of another machine: the path's time there, except contention, sleeps and waits.
double alone(const CriticalPath& path, const History& history, const std::vector<int>& cores, Costs& costs);

}  // namespace strata::replay
