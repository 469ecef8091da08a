// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/one_sided.h"

#include <array>

namespace strata::replay {
namespace {

using enum Part;
using Kind = TraceStep::Kind;

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

OneSided::OneSided(Kernel& kernel, Locks& locks, Requests& requests, Messages& messages)
    : kernel_(kernel),
      locks_(locks),
      requests_(requests),
      messages_(messages),
      ranks_(static_cast<std::size_t>(kernel.ranks())) {}

bool OneSided::begin(int rank, const Op& op) {
  of(rank).op = &op;
  of(rank).parts = parts_of(op.kind, (op.modes & TraceStep::kHeld) != 0);
  return resume(rank);
}

bool OneSided::resume(int rank) {
  Rank& r = of(rank);
  while (!r.parts.empty()) {
    const Part part = r.parts.front();
    r.parts = r.parts.subspan(1);
    if (!take(rank, part)) return false;
  }
  r.op = nullptr;
  return true;
}

Lock& OneSided::named_lock(int rank, const Op& op) {
  Window& window = windows_.of(peer(rank, op.lane), op.number / 2);
  return op.number % 2 == 0 ? window.access : window.atomic;
}

// Returns whether the rank continues immediately.
bool OneSided::take(int rank, Part part) {
  Rank& r = of(rank);
  const Op& op = *r.op;
  const int other = peer(rank, op.lane);
  const bool gets = op.kind == Kind::kGet, flushes = op.kind == Kind::kFlush || op.kind == Kind::kFlushOne;
  const int from = gets ? other : rank, to = gets ? rank : other;
  const auto window_of_peer = [&]() -> Window& { return windows_.of(other, flushes ? op.number : op.passed); };
  switch (part) {
    case kOverhead:
      return overhead(rank, from, to, op.amount);
    case kLockMailbox:
      locks_.lock(messages_.mailbox(to), rank);
      return false;
    case kUnlockMailbox:
      locks_.unlock(messages_.mailbox(to), rank);
      return false;
    case kLook:
      kernel_.wake(rank);
      return false;
    case kSend:
      send(rank, from, to, op);
      kernel_.wake(rank);
      return false;
    case kReceive:
      receive(rank, op);
      kernel_.wake(rank);
      return false;
    case kLockOwn:
      locks_.lock(windows_.of(rank, op.number).keeping, rank);
      return false;
    case kUnlockOwn:
      locks_.unlock(windows_.of(rank, op.number).keeping, rank);
      return false;
    case kLockPeer:
      locks_.lock(window_of_peer().keeping, rank);
      return false;
    case kUnlockPeer:
      locks_.unlock(window_of_peer().keeping, rank);
      return false;
    case kKeep: {
      Window& window = gets ? windows_.of(rank, op.number) : window_of_peer();
      window.kept.push_back({.from = from, .to = to, .request = r.kept});
      return true;
    }
    case kWait:
      return wait(rank, op);
  }
  return true;
}

bool OneSided::overhead(int rank, int from, int to, double bytes) {
  const double overhead_s = kernel_.paths().send_overhead(kernel_.core(from), kernel_.core(to), bytes);
  if (overhead_s <= 0) return true;
  kernel_.sleep_for(rank, overhead_s);
  return false;
}

void OneSided::send(int rank, int from, int to, const Op& op) {
  of(rank).message = messages_.send_one_sided(from, to, op.amount);
  if (op.kind == Kind::kGet || (op.modes & TraceStep::kHeld) == 0) return;
  requests_.start(rank, {.done = true, .left_at_once = true});
}

void OneSided::receive(int rank, const Op& op) {
  Rank& r = of(rank);
  Message& m = messages_.of(r.message);
  const bool done = messages_.is_complete(m);
  if (op.kind == Kind::kGet && (op.modes & TraceStep::kHeld) != 0) {
    m.receiving = requests_.start(rank, {.done = done});
  } else {
    r.kept = requests_.keep(done);
    m.kept = done ? Message::kKeptNoMore : r.kept;
  }
  if (m.arrived) messages_.release(r.message);
}

// Like Request::waitall, which SMPI calls with the requests that the window keeps.
bool OneSided::wait(int rank, const Op& op) {
  const int only = op.kind == Kind::kFlushOne ? peer(rank, op.passed) : Lock::kNobody;
  std::erase_if(windows_.of(peer(rank, op.lane), op.number).kept, [&](const Kept& k) {
    if (only != Lock::kNobody && k.from != only && k.to != only) return false;
    requests_.await_kept(rank, k.request);
    return true;
  });
  if (!requests_.is_waiting(rank)) return true;
  requests_.resume(rank);
  return false;
}

}  // namespace strata::replay
