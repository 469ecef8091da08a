// SPDX-License-Identifier: LGPL-2.1-only
// The messages between a rank and the coordinator of virtual time. A rank posts messages while it runs; the
// coordinator delivers others to it when their time has come. For example, rank 0 sends 8 bytes to rank 1:
//
//   rank 0 posts      kEager   peer 1, bytes 8, data: where its payload is
//   rank 1 gets       kEager   peer 0, bytes 8, at the time at which the last byte has arrived
//
// and 4 MiB, which wait for their receiver:
//
//   rank 0 posts      kOffer   peer 1, bytes 4194304, data: the buffer's address in rank 0
//   rank 1 gets       kOffer   peer 0, at once: an offer costs nothing, as in the other engines
//   rank 1 posts      kFetch   peer 0, when a receive matches; the bytes begin to flow
//   rank 1 gets       kFetched, and rank 0 kTaken, when the last byte has arrived
//
// The bytes themselves do not pass through the coordinator: they are in the sender's arena (arena.h), or the receiver
// reads them from the sender's memory.
#pragma once

#include <cstdint>

namespace strata::native {

enum class Kind : std::uint32_t {
  kEager,     // data that leave at once
  kOffer,     // data that wait for their receiver
  kFetch,     // posted: the receiver of an offer is there
  kFetched,   // delivered: its data have arrived
  kTaken,     // delivered: the receiver of our offer has its data
  kActive,    // an active message: as kEager, for a handler
  kPut,       // data for the peer's memory; delivered when they are there
  kGet,       // data from the peer's memory; delivered when they are here
  kAtomic,    // an operation on the peer's memory; delivered when its result is here
  kDone,      // delivered: the one-sided operation has ended
  kEnter,     // posted: the rank enters an MPI function
  kLeave,     // posted: it leaves it
  kCopy,      // posted: the library has copied `bytes` in the rank's memory
  kCombine,   // posted: it has combined two operands of `bytes` each, as a reduction does
  kAnnounce,  // posted: what ranks in Block::kAwait with the key `tag` wait for is there
  // Posted only if the run is recorded (Board::is_recorded), for native/run/recording.h:
  kReceive,     // a receive begins: `receiving` is its number, `tag` and `remote` its tag and mask, `bytes` its size
  kMatched,     // that receive gets message `number`
  kWaited,      // the library sees that its request `sending` is complete
  kCollective,  // the program calls `function` on a communicator of `tag` ranks, which are at `data`, as numbers of 4
                // B; `bytes` of a block (CollectiveCalls)
};

/// Flags of a message.
inline constexpr std::uint32_t kSynchronous = 1;  // kOffer, kFetch: the sender waits for an acknowledgement
inline constexpr std::uint32_t kBlocking =
    2;  // kEager, kOffer: posted by a function that waits for it, MPI_Send or MPI_Rsend
inline constexpr std::uint32_t kTested = 4;  // kWaited: a test has found it

/// Operations of kAtomic, on integers of 4 or 8 bytes.
enum class AtomicOperation : std::uint32_t { kAdd, kAnd, kOr, kXor, kSwap, kCompareAndSwap };

/// In shared memory, so without pointers: what the two sides have in common has numbers.
struct Message {
  Kind kind = Kind::kEager;
  std::int32_t peer = -1;           // posted: the receiver (kFetch: the sender). Delivered: the sender
  std::uint32_t worker = 0;         // the receiver's worker
  std::uint32_t sender_worker = 0;  // the sender's
  std::uint32_t flags = 0;
  std::int32_t function = -1;  // kEnter: by function_names.h. kAtomic: its operation. kActive: its handler
  std::uint64_t tag = 0;       // UCP's. kActive: bytes of the header. kAtomic: the bytes of its operand
  std::uint64_t bytes = 0;     // of data
  std::uint64_t data = 0;      // offset in the sender's arena, or an address in its memory (kOffer, kFetch)
  std::uint64_t remote = 0;    // one-sided: the address in the peer's memory
  std::uint64_t sending = 0, receiving = 0;  // requests, as numbers that only their side understands
  double busy_s = 0;                         // posted: computation of the rank since its last post, s
  // Messages to be received, and the fetch of an offer: the number in records, and when it was posted, s.
  std::int64_t number = -1;
  double offered_s = 0;
  // How much the rank has touched since it last touched the buffer, B (rank/buffer_spans.h); 0: not known. The sender's
  // buffer, or both of a kCopy or kCombine; the receiver's, of a kFetch or kReceive.
  double source_span = 0, destination_span = 0;
};

/// UCP's tag matching: whether a receive takes a message, by their tags.
inline bool accepts(std::uint64_t tag, std::uint64_t mask, std::uint64_t message) {
  return ((tag ^ message) & mask) == 0;
}

/// A receive that has no message yet.
struct OpenReceive {
  std::uint64_t tag, mask;
  std::uint32_t worker;

  bool takes(const Message& m) const { return m.worker == worker && accepts(tag, mask, m.tag); }
};

}  // namespace strata::native
