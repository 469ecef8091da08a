// SPDX-License-Identifier: LGPL-2.1-only
// One-sided operations as in SMPI: one rank starts both the send and the receive of a message, and the windows of both
// ranks keep the requests that must be waited for. Each part except kKeep is a call of the simulator's kernel, during
// which the other ranks continue. For example, MPI_Put (src/smpi/mpi/smpi_win.cpp of SimGrid 3.32):
//
//   the overhead of a send; the target's mailbox is locked, looked into, gets the message, and is unlocked
//   our window is locked, would keep the send, which is complete, and is unlocked
//   the target's window is locked, a receive is started there, which it keeps, and it is unlocked
#pragma once

#include <cstdint>
#include <span>
#include <unordered_map>
#include <vector>

#include "records/trace/trace.h"
#include "replay/kernel.h"
#include "replay/locks.h"
#include "replay/messages.h"
#include "replay/prepared_trace.h"
#include "replay/requests.h"

namespace strata::replay {

/// A message that a window keeps until a rank waits for it.
struct Kept {
  int from, to, request;
};

struct Window {
  Lock keeping, access, atomic;
  std::vector<Kept> kept;
};

/// By rank, and number among the rank's.
class Windows {
 public:
  Window& of(int rank, int number) {
    return windows_[static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(number)];
  }

 private:
  std::unordered_map<std::uint64_t, Window> windows_;
};

enum class Part : std::uint8_t {
  kOverhead,
  kLockMailbox,
  kLook,
  kSend,
  kReceive,
  kUnlockMailbox,
  kLockOwn,
  kUnlockOwn,
  kLockPeer,
  kUnlockPeer,
  kKeep,
  kWait
};

/// The parts of a kPut, kGet, kAccumulate, kFlush or kFlushOne.
std::span<const Part> parts_of(TraceStep::Kind kind, bool held);

class OneSided {
 public:
  OneSided(Kernel& kernel, Locks& locks, Requests& requests, Messages& messages);

  /// The rank begins a kPut, kGet, kAccumulate, kFlush or kFlushOne. Returns whether it is over immediately.
  bool begin(int rank, const Op& op);
  bool is_in_progress(int rank) const { return ranks_[rank].op != nullptr; }
  /// Runs the next part of the rank's operation. Call it whenever the rank is woken and neither starts a message nor
  /// waits for a request. Returns whether the operation is complete.
  bool resume(int rank);

  /// A kLock or kUnlock.
  void lock(int rank, const Op& op) { locks_.lock(named_lock(rank, op), rank); }
  void unlock(int rank, const Op& op) { locks_.unlock(named_lock(rank, op), rank); }

 private:
  struct Rank {
    const Op* op = nullptr;        // the operation in progress
    std::span<const Part> parts;   // its remaining parts
    int message = -1;              // its message
    int kept = Message::kNotKept;  // its request that a window keeps
  };

  Rank& of(int rank) { return ranks_[rank]; }
  int peer(int rank, int relative) const { return (rank + relative) % kernel_.ranks(); }
  Lock& named_lock(int rank, const Op& op);
  bool take(int rank, Part part);
  bool overhead(int rank, int from, int to, double bytes);
  void send(int rank, int from, int to, const Op& op);
  void receive(int rank, const Op& op);
  bool wait(int rank, const Op& op);

  Kernel& kernel_;
  Locks& locks_;
  Requests& requests_;
  Messages& messages_;
  Windows windows_;
  std::vector<Rank> ranks_;
};

}  // namespace strata::replay
