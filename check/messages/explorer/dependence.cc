// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/explorer/dependence.h"

#include <algorithm>
#include <utility>

namespace strata::check {
namespace {

constexpr int kAnyTag = -444;  // SMPI's MPI_ANY_TAG

// Whether the result of a test or wait depends on whether `other`, a send or receive, has happened.
bool looks_at(const Step& look, const Step& other) {
  if (look.kind == StepKind::kUnknown) return true;
  if (other.mailbox != look.mailbox) return false;
  if (other.kind == StepKind::kSend) return look.sender == kNobody || look.sender == other.actor;
  return look.receiver == kNobody || look.receiver == other.actor;
}

// Pairs of steps on one object whose order does not matter, from SimGrid 3.32
// (src/mc/transition/TransitionSynchro.cpp).
bool commute(Synchronisation a, Synchronisation b) {
  using enum Synchronisation;
  static const std::set<std::pair<Synchronisation, Synchronisation>> kPairs = {
      {kBarrierLock, kBarrierLock},       {kBarrierWait, kBarrierWait},     {kMutexLock, kMutexTest},
      {kMutexLock, kMutexUnlock},         {kMutexLock, kMutexWait},         {kMutexTest, kMutexTest},
      {kMutexTest, kMutexTryLock},        {kMutexTest, kMutexWait},         {kMutexTryLock, kMutexWait},
      {kSemaphoreLock, kSemaphoreUnlock}, {kSemaphoreLock, kSemaphoreWait}, {kSemaphoreUnlock, kSemaphoreUnlock},
      {kSemaphoreWait, kSemaphoreWait}};
  return kPairs.count(std::minmax(a, b)) > 0;
}

// 0: barriers, 1: mutexes, 2: semaphores.
int kind_of_object(Synchronisation s) {
  return s >= Synchronisation::kSemaphoreLock ? 2 : s >= Synchronisation::kMutexLock ? 1 : 0;
}

bool dependent_synchronisation(const Step& a, const Step& b) {
  if (a.synchronisation == Synchronisation::kAny || b.synchronisation == Synchronisation::kAny) return true;
  return kind_of_object(a.synchronisation) == kind_of_object(b.synchronisation) && a.object == b.object &&
         !commute(a.synchronisation, b.synchronisation);
}

bool is_message(const Step& step) { return step.kind == StepKind::kSend || step.kind == StepKind::kReceive; }

}  // namespace

bool Dependence::learn(const Step& step) {
  if (step.kind == StepKind::kUnknown) return !std::exchange(unknown_, true);
  if (step.kind == StepKind::kProbe) return probed_.insert(step.mailbox).second;
  if (step.kind == StepKind::kReceive && step.from_anybody)
    return from_anybody_.insert({step.mailbox, step.tag}).second;
  return false;
}

bool Dependence::may_be(const Step& a, const Step& b) {
  if (a.kind == StepKind::kSend && b.kind == StepKind::kSend) return a.actor == b.actor || a.mailbox == b.mailbox;
  return Dependence().dependent(a, b);
}

bool Dependence::dependent(const Step& a, const Step& b) const {
  if (a.actor == b.actor) return true;
  if (a.kind == StepKind::kAlone || b.kind == StepKind::kAlone) return false;
  for (const StepKind kind : {StepKind::kOther, StepKind::kUnknown}) {
    if (a.kind == kind || b.kind == kind) return true;
  }
  if (a.kind == StepKind::kSynchronisation || b.kind == StepKind::kSynchronisation)
    return a.kind == b.kind && dependent_synchronisation(a, b);
  if (!is_message(a)) return is_message(b) && dependent(b, a);
  switch (b.kind) {
    case StepKind::kSend:
      if (a.mailbox != b.mailbox || a.kind != b.kind) return false;
      return unknown_ || probed_.count(a.mailbox) > 0 || from_anybody_.count({a.mailbox, kAnyTag}) > 0 ||
             (a.tag == b.tag && from_anybody_.count({a.mailbox, a.tag}) > 0);
    case StepKind::kReceive:
      return a.mailbox == b.mailbox && a.kind == b.kind;
    case StepKind::kProbe:
      return a.mailbox == b.mailbox;
    case StepKind::kTest:
      return looks_at(b, a);
    case StepKind::kAnyOf:
      return std::any_of(b.parts.begin(), b.parts.end(), [&a](const Step& part) { return looks_at(part, a); });
    default:
      return false;  // a matched communication completes in any order of both sides
  }
}

}  // namespace strata::check
