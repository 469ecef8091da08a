// SPDX-License-Identifier: LGPL-2.1-only
// The memory that the coordinator and all ranks of a run share. A rank is a process that either runs or is blocked:
//
//   rank:         post(message); post(message); block({Block::kMessage});
//   coordinator:  all ranks are blocked: takes what they have posted, moves time to the next event, delivers,
//                 and continues those for which something has arrived
//
// Either a rank runs, or the coordinator looks at its slot, never both. So a slot needs no lock: its state, which both
// change atomically, says whose it is.
//
// Nothing here is a pointer, because each process has its own addresses. The memory is a file without a name
// (memfd_create), whose pages exist from their first use on: 1,024 ranks may each have an arena of 16 GiB.
#pragma once

#include <linux/futex.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <ctime>

#include "native/board/board_message.h"
#include "native/board/message_tags.h"

namespace strata::native {

/// Environment variables of a rank: the number of the open file, its size, the rank.
inline constexpr const char* kBoardVariable = "STRATA_NATIVE_BOARD";
inline constexpr const char* kBoardSizeVariable = "STRATA_NATIVE_BOARD_BYTES";
inline constexpr const char* kRankVariable = "STRATA_NATIVE_RANK";
/// The folder of the ranks' computation times (run/computation_file.h), if they are kept, or taken from there.
inline constexpr const char* kComputationVariable = "STRATA_NATIVE_COMPUTATION";

/// The thing that a blocked rank waits for.
enum class Block : std::uint32_t {
  kMessage,  // the next message
  kPoll,     // the next message, at most `seconds` after its own time
  kSleep,    // until `seconds` after its own time; messages do not end it
  kClock,    // nothing: it wants to know its time
  kStart,    // until all ranks are in MPI_Init; from then on time is virtual
  kMeet,     // until as many ranks as `participants` wait for the same `key`
  kAwait,    // until a rank posts kAnnounce with the same `key`
  kWork,     // the end of the kCopy or kCombine that it has just posted
  kTurn,     // its time, and no other rank continues with it: what it does next is in the order of time
  kFinish,   // the next message, or until all ranks are in MPI_Finalize; from then on time is real again
  kReal,     // before and after: the next message, or a short real time
};

/// The cost of the program's own computation.
enum class Computation : std::uint32_t {
  kFree,
  kMeasured,  // the processor time that it takes here, scaled
  kEach,      // the same for each stretch from one MPI function to the next
  kRecorded,  // as in an earlier run that was measured
};

enum class State : std::uint32_t { kRunning, kBlocked, kServed, kGone };

/// The arguments of the MPI function that a rank is in, for messages about deadlocks: the first six, as in registers.
struct Call {
  std::int32_t function = -1;  // by board/function_names.h; -1: outside MPI
  bool is_fortran = false;     // its arguments are addresses
  std::uint64_t arguments[6] = {};
};

/// Messages in the order in which they were added. One side fills it and the other empties it, never at the same time.
class Ring {
 public:
  static constexpr std::uint32_t kPlaces = 128;  // 14 KiB; a rank whose ring is full lets the coordinator empty it

  bool empty() const { return first_ == end_; }
  bool full() const { return end_ - first_ == kPlaces; }
  void add(const Message& m) { places_[end_++ % kPlaces] = m; }
  const Message& take() { return places_[first_++ % kPlaces]; }

 private:
  std::uint32_t first_ = 0, end_ = 0;
  Message places_[kPlaces];
};

struct alignas(128) Slot {
  std::atomic<std::uint32_t> state{static_cast<std::uint32_t>(State::kRunning)};  // of State; the rank sleeps on it
  Block block = Block::kReal;
  double seconds = 0;                        // of kPoll and kSleep
  double busy_s = 0;                         // computation since the last post, s
  double clock_s = 0;                        // the rank's time, as of its last block
  std::int32_t pid = 0;                      // the process that called MPI_Init; 0: none has
  std::int32_t node = 0;                     // where it is
  std::int32_t core = 0;                     // an index into Topology::cores()
  std::uint32_t is_spawned = 0;              // a rank has started it, with MPI_Comm_spawn
  std::uint32_t may_leave = 0;               // in MPI_Finalize: its job is connected with no other
  std::uint32_t has_left = 0;                // virtual time: its job has ended before the others
  std::uint64_t key = 0;                     // of kMeet and kAwait
  std::uint32_t participants = 0;            // of kMeet
  std::uint32_t open = 0;                    // of kMessage: its wait needs the first `open` of open_receives,
  std::uint32_t completions = 0;             // and this many kFetched and kTaken; both 0: not known
  std::uint32_t has_threads = 0;             // MPI_Init_thread has granted MPI_THREAD_MULTIPLE
  std::uint32_t lost_order = 0;              // the order of its threads may differ from run to run
  std::uint32_t free_operations = 0;         // those of reductions take no time, because the library is not known
  char failure[240] = {};                    // why it ended itself: one line; empty: it has not
  char host[64] = {};                        // the node's name
  char job[64] = {};                         // the name that the launcher's server gives its MPI_COMM_WORLD
  MessageTags tags = MessageTags::kUnknown;  // of its library
  Call call;
  Ring posted, delivered;
  // The key (48 bits of its hash) by which ranks of Open MPI ask for the address of one of its workers, and in the
  // lower 16 bits that worker's number. 0: none. One value, because other ranks read it at any time.
  std::atomic<std::uint64_t> worker_key{0};
  // The rank's arena (arena.h).
  std::uint64_t arena_used = 0;            // bytes of it that have been in use
  std::uint64_t free_lists[48] = {};       // by power of two: the first free block, as an offset in the board; 0: none
  std::atomic<std::uint64_t> returned{0};  // blocks that receivers have given back: the first, or 0
  // In the order in which they take messages. Not initialized, so that its pages exist only if they are used.
  static constexpr std::size_t kMostOpen = 1024;
  OpenReceive open_receives[kMostOpen];
};

struct Board {
  static constexpr std::uint64_t kVersion = 0x5354524154410001;  // "STRATA", layout 1

  std::uint64_t version = kVersion;
  std::atomic<std::uint32_t> ranks{0};  // there are now: MPI_Comm_spawn adds some
  std::uint32_t capacity = 0;           // slots
  std::uint32_t is_virtual = 0;         // whether time is virtual: all ranks are between MPI_Init and MPI_Finalize
  std::uint64_t eager_bytes = 0;        // messages of fewer bytes leave at once
  double clock_cost_s = 0;              // of each reading of a clock
  double poll_cost_s = 0;               // of a test for a message that is not there
  // Copies and combinations of the MPI library (rank/library_work.h).
  double copy_s = 0, combine_s = 0;   // of a byte, where no other core uses the memory
  std::uint32_t shares_memory = 0;    // whether cores share memory and caches: the end of such work is an event
  std::uint32_t goes_by_buffers = 0;  // whether ranks find out how they reuse buffers (rank/buffer_spans.h)
  std::uint32_t is_recorded = 0;      // whether ranks also post what only a recording needs
  Computation computation = Computation::kFree;
  double computation_s = 0;                 // kMeasured: simulated s for each s of processor time. kEach: of a stretch
  std::uint64_t arena_bytes = 0;            // of each rank
  std::uint64_t first_arena = 0;            // offset
  std::atomic<std::uint32_t> running{0};    // ranks that run
  std::atomic<std::uint32_t> attention{0};  // kQuiet, kCalled, or the coordinator sleeps on it: kAsleep
  Slot slots[1];

  Slot& slot(int rank) { return slots[rank]; }
  char* at(std::uint64_t offset) { return reinterpret_cast<char*>(this) + offset; }
  std::uint64_t arena(int rank) const { return first_arena + static_cast<std::uint64_t>(rank) * arena_bytes; }
  static std::uint64_t bytes_before_arenas(int ranks) {
    const std::uint64_t bytes = sizeof(Board) + static_cast<std::uint64_t>(ranks) * sizeof(Slot);
    return (bytes + 4095) / 4096 * 4096;
  }
};

inline timespec to_timespec(double seconds) {
  const auto whole = static_cast<time_t>(seconds);
  const auto rest = static_cast<long>((seconds - static_cast<double>(whole)) * 1e9);
  return {whole, rest < 1'000'000'000L ? rest : 999'999'999L};
}

/// Sleeps while `word` is `value`, at most `limit`; null: no limit. May return early.
inline void sleep_while(std::atomic<std::uint32_t>& word, std::uint32_t value, const timespec* limit = nullptr) {
  ::syscall(SYS_futex, &word, FUTEX_WAIT, value, limit, nullptr, 0);
}
inline void wake(std::atomic<std::uint32_t>& word) { ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0); }

/// Values of Board::attention.
inline constexpr std::uint32_t kQuiet = 0, kCalled = 1, kAsleep = 2;

/// Asks the coordinator to look.
inline void call_coordinator(Board& board) {
  if (board.attention.exchange(kCalled, std::memory_order_acq_rel) == kAsleep) wake(board.attention);
}

}  // namespace strata::native
