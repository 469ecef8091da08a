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

namespace strata::replay {

/// Held by one rank at a time; the others get it in the order in which they came.
struct Lock {
  static constexpr int kNobody = -1;
  int owner = kNobody;                                  // a rank
  int first_waiting = kNobody, last_waiting = kNobody;  // the caller has the list between them
};

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

}  // namespace strata::replay
