// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/one_sided.h"

#include <array>

namespace strata::replay {
namespace {

using enum Part;

constexpr std::array kPut = {kOverhead, kLockMailbox, kLook, kSend,    kUnlockMailbox, kLockOwn,       kUnlockOwn,
                             kLockPeer, kLockMailbox, kLook, kReceive, kKeep,          kUnlockMailbox, kUnlockPeer};
constexpr std::array kHeldPut = {kOverhead,    kLockMailbox, kLook,    kSend, kUnlockMailbox, kLockPeer,
                                 kLockMailbox, kLook,        kReceive, kKeep, kUnlockMailbox, kUnlockPeer};
constexpr std::array kGet = {kOverhead,      kLockMailbox, kLook,        kSend,     kUnlockMailbox,
                             kLockPeer,      kUnlockPeer,  kLockMailbox, kLook,     kReceive,
                             kUnlockMailbox, kLockOwn,     kKeep,        kUnlockOwn};
constexpr std::array kHeldGet = {kOverhead,   kLockMailbox, kLook, kSend,    kUnlockMailbox, kLockPeer,
                                 kUnlockPeer, kLockMailbox, kLook, kReceive, kUnlockMailbox};
constexpr std::array kAccumulate = {kOverhead,      kLockMailbox, kLook,    kSend,     kUnlockMailbox,
                                    kLockPeer,      kLockMailbox, kLook,    kReceive,  kKeep,
                                    kUnlockMailbox, kUnlockPeer,  kLockOwn, kUnlockOwn};
constexpr std::array kFlush = {kLockPeer, kWait, kUnlockPeer};

// Without the last two parts: the program gets the request of the send, and no window keeps it.
constexpr std::span<const Part> kHeldAccumulate = std::span<const Part>(kAccumulate).first(kAccumulate.size() - 2);

}  // namespace

std::span<const Part> parts_of(TraceStep::Kind kind, bool held) {
  switch (kind) {
    case TraceStep::Kind::kPut:
      return held ? std::span<const Part>(kHeldPut) : kPut;
    case TraceStep::Kind::kGet:
      return held ? std::span<const Part>(kHeldGet) : kGet;
    case TraceStep::Kind::kAccumulate:
      return held ? kHeldAccumulate : kAccumulate;
    default:
      return kFlush;
  }
}

}  // namespace strata::replay
