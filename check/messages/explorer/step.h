// SPDX-License-Identifier: LGPL-2.1-only
// A step of an execution: what a rank does next that others may notice.
#pragma once

#include <vector>

namespace strata::check {

enum class StepKind {
  kSend,
  kReceive,          // posts it
  kProbe,            // looks for a message, or waits for one
  kTest,             // looks whether a communication has met its other half
  kWait,             // completes one that has
  kAnyOf,            // a test or wait for one of several, which are its parts
  kSynchronisation,  // of a mutex, barrier, semaphore or condition
  kAlone,            // other ranks do not notice: time passes, a number is drawn
  kOther,
  kUnknown,  // may be a probe of any rank
};

// Steps of a kind are of one object: a barrier, a mutex, a semaphore.
enum class Synchronisation {
  kAny,
  kBarrierLock,
  kBarrierWait,
  kMutexLock,
  kMutexTest,
  kMutexTryLock,
  kMutexUnlock,
  kMutexWait,
  kSemaphoreLock,
  kSemaphoreUnlock,
  kSemaphoreWait,
};

inline constexpr long kNobody = -1;

struct Step {
  long actor = 0;
  int choice = 0;  // which of the ways in which it can be taken
  StepKind kind = StepKind::kOther;
  unsigned long communication = 0;  // the same number for a send, its receive, and the waits and tests for either
  unsigned mailbox = 0;             // where it is queued: each receiver has one
  int tag = 0;                      // of a send or receive
  bool from_anybody = false;        // of a receive
  long sender = kNobody;  // of the communication of a test or wait, when the step was taken; kNobody: none yet
  long receiver = kNobody;
  Synchronisation synchronisation = Synchronisation::kAny;  // if kSynchronisation
  unsigned object = 0;                                      // of its kind; not of kAny
  std::vector<Step> parts = {};
};

}  // namespace strata::check
