// SPDX-License-Identifier: LGPL-2.1-only
// The steps of each rank of a program, without times: enough to run it again on another machine without the program.
// For example a rank of 4 that a hundred times sends 8 bytes to the next, receives from the one before and waits for
// both:
//
//   repeat 100 times the next 4
//     send     to rank + 1, 8 bytes, as MPI_Isend does
//     receive  from rank + 3
//     wait     for the 2nd last request
//     wait     for the last request
//
// Everything in it is relative, so that equal iterations are equal, and ranks that do the same share one program:
// peers are counted from the rank's own number, requests from the last that was started, and a receive does not say
// which message it got, but how many of that sender's it passed over (0, unless tags or communicators say otherwise).
//
// sim/profile writes a trace while a program runs (trace_file.h); replay/ runs it.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace strata {

/// One thing that a rank does. Which fields count is said with each kind; the others are 0.
struct TraceStep {
  enum class Kind : std::uint8_t {
    kRepeat,         // count, steps: the next `steps` steps happen `count` times
    kCall,           // call: what follows is inside that MPI function; -1: it is the program's own
    kSend,           // peer, tag, comm, bytes, modes: a send is started; it costs the overhead of sends where SMPI
                     // charges one
    kReceive,        // peer, tag, comm, bytes, passed, modes: a receive of at most these bytes is started
    kWait,           // request: goes on when that is complete
    kArrival,        // peer, passed: goes on when that message has been sent (a probe that finds it)
    kSleep,          // amount, s: of simulated time
    kExecute,        // amount, flop: computation that SMPI charges by itself (`strata exec --compute measured`)
    kFlops,          // amount, flop: computation that needs nothing but the core
    kSeconds,        // amount, s: the same, as long on any core
    kWork,           // amount, flop; moved, B: flop that go through memory: its time counts only on a machine whose
                     // memory has figures, else that of the flop
    kStream,         // the same, but the core's own copies are charged on any machine
    kWorkingSet,     // amount, B: of the kWork or kStream that follows; none: what is moved
    kCopy,           // amount, B: a copy within the core's memory
    kMessageCopy,    // amount, B: the same, unless the machine's messages are their own copies
    kCombine,        // amount, B: a reduction's operation on two operands of this size
    kMeet,           // group: goes on when all members of the group are here (MPI_Init)
    kReadClock,      // group: the rank looks at the time, for kStartTogether
    kStartTogether,  // group: goes on a second after the last member of the group has read the clock
    // Progress threads, where looking for messages takes time (Machine::polling); amount: messages
    kPoll,    // begins to poll for them
    kPolled,  // polls for them no longer
    kLook,    // the same, after a look at each that ranks poll for on its core
    // One-sided. A window is a rank's memory that others reach; each rank counts its own.
    kPut,         // peer, number: our window, passed: the peer's, bytes, modes: sends bytes to the peer's memory
    kGet,         // the same: fetches them from there
    kAccumulate,  // the same: combines them with what is there
    kFlush,       // peer, number: its window; goes on when all that the window knows of has arrived
    kFlushOne,    // the same, tag: only what is from or to the rank that is `tag` after ours
    kLock,        // peer, number: its lock; goes on when it has it. A window has two: 2n is the one for MPI_Win_lock,
                  // 2n + 1 the one for atomic operations
    kUnlock,      // the same: lets go of it
  };
  // The kind of a send or receive, on which SMPI's behaviour depends.
  static constexpr std::uint8_t kImmediate = 1;    // MPI_Isend and its kin, or a part of MPI_Sendrecv
  static constexpr std::uint8_t kSynchronous = 2;  // waits for its receiver, however short
  static constexpr std::uint8_t kBuffered = 4;     // never waits for it
  static constexpr std::uint8_t kMore = 32;        // of a wait: together with the next, in any order (MPI_Waitall)
  static constexpr std::uint8_t kHeld = 64;        // one-sided: is a request that the program waits for (MPI_Rput)
  // Outcomes that may differ on another machine; the recorded one is kept.
  static constexpr std::uint8_t kWildcard = 8;  // of a receive: from any source, or with any tag
  static constexpr std::uint8_t kChosen = 16;   // of a wait: for any of several, or a test that found it complete

  Kind kind = Kind::kCall;
  std::uint8_t modes = 0;
  std::int32_t peer = 0;    // (its rank - ours) modulo the ranks
  std::int32_t tag = 0;     // negative inside MPI's own collectives
  std::int32_t number = 0;  // kSend, kReceive: communicator; kCall: function; kWait: request, 1 is the last that was
                            // started; kRepeat: steps; kMeet, ...: group; kPut, ...: window
  std::int32_t passed = 0;  // messages of that sender, not received before, that the receive passes over; kPut, ...:
                            // the peer's window
  double amount = 0;        // kSend, kReceive: bytes of data; kRepeat: count
  double moved = 0;

  bool operator==(const TraceStep&) const = default;

  bool is_one_sided() const { return kind == Kind::kPut || kind == Kind::kGet || kind == Kind::kAccumulate; }
  /// A request that can be waited for.
  bool starts_request() const {
    return kind == Kind::kSend || kind == Kind::kReceive || (is_one_sided() && (modes & kHeld) != 0);
  }
};

struct Trace {
  std::string program;                    // its name
  std::string program_hash;               // of its file, hexadecimal; empty: unknown
  std::string machine;                    // where it was recorded, its name
  std::vector<int> cores;                 // by rank, where it was recorded: indexes into Topology::cores()
  std::vector<double> ended;              // by rank, s: when it ended then
  std::vector<std::string> functions;     // of MPI, by their number
  std::vector<long> doubts;               // by function: how often it got an answer that another machine may not give
  std::vector<std::string> not_recorded;  // functions of MPI that the program called and a trace can't hold
  std::vector<std::vector<int>> groups;   // by number: the ranks that meet, ascending
  /// By rank. Ranks that do the same share one.
  std::vector<std::shared_ptr<const std::vector<TraceStep>>> ranks;
};

}  // namespace strata
