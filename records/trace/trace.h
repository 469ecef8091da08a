// SPDX-License-Identifier: LGPL-2.1-only
// The steps of each rank of a program, without times: enough to run it again on another machine without the program.
// For example, a rank of 4 sends 8 bytes to the next rank, receives from the previous one and waits for both, a hundred
// times:
//
//   repeat 100 times the next 4
//     send     to rank + 1, 8 bytes, as MPI_Isend does
//     receive  from rank + 3
//     wait     for the 2nd last request
//     wait     for the last request
//
// All numbers are relative, so that equal iterations are equal, and ranks that do the same share one program. Peers are
// relative to the rank, requests to the last one that was started. A receive does not say which message it got, but how
// many earlier messages of that sender it skipped (0, unless tags or communicators differ).
//
// sim/profile writes a trace while a program runs (trace_file.h); replay/ runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace strata {

/// One action of a rank. The comment of each kind lists the fields that it uses; the others are 0.
struct TraceStep {
  enum class Kind : std::uint8_t {
    kRepeat,         // count, steps: the next `steps` steps happen `count` times
    kCall,           // call: the next steps are inside that MPI function; -1: outside MPI
    kSend,           // peer, tag, comm, bytes, modes, span: starts a send; costs the overhead of sends if SMPI charges
                     // one
    kReceive,        // peer, tag, comm, bytes, passed, modes, span: starts a receive of at most these bytes
    kWait,           // request: continues when it is complete
    kArrival,        // peer, passed: continues when that message has been sent (a probe that finds it)
    kSleep,          // amount, s: of simulated time
    kExecute,        // amount, flop: computation that SMPI charges by itself (`strata exec --compute measured`)
    kFlops,          // amount, flop: computation on the core only, without memory
    kSeconds,        // amount, s: the same, equally long on any core
    kWork,           // amount, flop; moved, B: computation on data in memory. Machines without figures of their memory
                     // charge only the flop
    kStream,         // the same, but the core's own copies are charged on any machine
    kWorkingSet,     // amount, B: for the next kWork or kStream; default: the bytes moved
    kCopy,           // amount, B; span: a copy within the core's memory
    kMessageCopy,    // amount, B: the same, unless the machine's messages are their own copies
    kCombine,        // amount, B; span: a reduction's operation on two operands of this size
    kMeet,           // group: continues when all members of the group are here (MPI_Init)
    kReadClock,      // group: the rank reads the clock, for kStartTogether
    kStartTogether,  // group: continues a second after the last member of the group has read the clock
    // Progress threads on machines where looking for messages takes time (Machine::polling); amount: messages
    kPoll,    // begins to poll for them
    kPolled,  // stops polling for them
    kLook,    // the same, after a look at each message for which ranks poll on its core
    // One-sided. A window is the memory of a rank that others access; each rank numbers its own windows.
    kPut,         // peer, number: our window, passed: the peer's, bytes, modes: sends bytes to the peer's memory
    kGet,         // the same: reads them from the peer's memory
    kAccumulate,  // the same: combines them with the contents of the peer's memory
    kFlush,       // peer, number: its window; continues when all its operations so far have arrived
    kFlushOne,    // the same, tag: only operations from or to the rank that is `tag` after ours
    kLock,        // peer, number: its lock; continues when it has the lock. A window has two: 2n for MPI_Win_lock, 2n +
                  // 1 for atomic operations
    kUnlock,      // the same: releases it
  };
  // Modes of a send, receive or wait, on which SMPI's behaviour depends.
  static constexpr std::uint8_t kImmediate = 1;    // MPI_Isend and similar functions, or a part of MPI_Sendrecv
  static constexpr std::uint8_t kSynchronous = 2;  // a send that waits for its receiver, for any size
  static constexpr std::uint8_t kBuffered = 4;     // a send that never waits for its receiver
  static constexpr std::uint8_t kMore = 32;        // a wait: together with the next one, in any order (MPI_Waitall)
  static constexpr std::uint8_t kHeld = 64;        // one-sided: a request that the program waits for (MPI_Rput)
  // Outcomes that may differ on another machine; a replay keeps the recorded one.
  static constexpr std::uint8_t kWildcard = 8;  // a receive: from any source, or with any tag
  static constexpr std::uint8_t kChosen = 16;   // a wait: for any of several requests, or a test that found the request
                                                // complete

  Kind kind = Kind::kCall;
  std::uint8_t modes = 0;
  std::int32_t peer = 0;    // (its rank - ours) modulo the number of ranks
  std::int32_t tag = 0;     // negative inside MPI's own collectives
  std::int32_t number = 0;  // kSend, kReceive: communicator; kCall: function; kWait: request, 1 is the last that was
                            // started; kRepeat: steps; kMeet, ...: group; kPut, ...: window
  std::int32_t passed = 0;  // messages of that sender that the receive skips and no receive has got yet; kPut, ...: the
                            // peer's window
  double amount = 0;        // kSend, kReceive: bytes of data; kRepeat: count
  double moved = 0;         // span, B: what the rank's communication has touched since it last touched the buffers
                     // (records/exchange/buffer_reuse.h); 0: not recorded, or no more than the step itself touches

  bool operator==(const TraceStep&) const = default;

  bool is_one_sided() const { return kind == Kind::kPut || kind == Kind::kGet || kind == Kind::kAccumulate; }
  /// Whether the step starts a request that the rank can wait for.
  bool starts_request() const {
    return kind == Kind::kSend || kind == Kind::kReceive || (is_one_sided() && (modes & kHeld) != 0);
  }
};

/// How often the program called a collective on a communicator with blocks of a size. For example, 1,000 times
/// MPI_Allreduce of 8 B. All ranks of the communicator call it together, so a call counts once.
struct CollectiveCalls {
  std::string function;           // "MPI_Allreduce"
  std::int32_t communicator = 0;  // an index into Trace::communicators
  std::int64_t bytes = 0;  // of a block, as collectives/rules/call.h counts them; 0: nonblocking ones, and those whose
                           // algorithm no file of rules chooses
  std::int64_t calls = 0;

  bool operator==(const CollectiveCalls&) const = default;
};

struct Trace {
  std::string program;                    // name
  std::string program_hash;               // of the program's file, hexadecimal; empty: unknown
  std::string machine;                    // name of the machine of the recording
  std::vector<int> cores;                 // by rank, in the recording: indexes into Topology::cores()
  std::vector<double> ended;              // by rank, s: when it ended in the recording
  std::vector<std::string> functions;     // MPI functions by their number
  std::vector<long> doubts;               // by function: how often it got an answer that may differ on another machine
  std::vector<std::string> not_recorded;  // MPI functions that the program called and that a trace cannot represent
  std::vector<std::vector<int>> groups;   // by number: the ranks of a group, ascending
  std::vector<std::vector<int>> communicators;  // their ranks, in order: those with calls of collectives
  std::vector<CollectiveCalls> collectives;     // empty also for recordings that do not have them
  std::string library;  // whose collectives the program had: "openmpi-4.1.4"; empty: SMPI's own, or unknown
  /// Recorded with a real MPI library: messages of a rank to another arrive in the order in which they were sent, and
  /// one that waits for its receiver begins to flow while the receiver waits in MPI. SMPI: a short one may overtake a
  /// long one, which begins to flow when its receive is posted.
  bool native = false;
  /// By rank. Ranks that do the same share a program.
  std::vector<std::shared_ptr<const std::vector<TraceStep>>> ranks;
  std::string recorded_machine;  // the machine, packed (recorded_machine.h); empty: only its name is known
};

}  // namespace strata
