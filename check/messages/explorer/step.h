// SPDX-License-Identifier: LGPL-2.1-only
// A step of an execution: the next action of a rank that other ranks may observe.
#pragma once

#include <vector>

namespace strata::check {

enum class StepKind {
  kSend,
  kReceive,          // posts a receive
  kProbe,            // looks for a message, or waits for one
  kTest,             // tests whether a communication has been matched
  kWait,             // completes a matched communication
  kAnyOf,            // a test or wait for any of several communications, which are its parts
  kSynchronisation,  // of a mutex, barrier, semaphore or condition
  kAlone,            // other ranks do not observe it: time passes, or a random number is drawn
  kOther,
  kUnknown,  // may be a probe of any rank
};

// Synchronisation steps of one kind of object: a barrier, a mutex, a semaphore.
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
  int choice = 0;  // number of the way in which the step is taken
  StepKind kind = StepKind::kOther;
  unsigned long communication = 0;  // equal for a send, its receive, and waits and tests for either
  unsigned mailbox = 0;             // the mailbox of the communication; each receiver has one
  int tag = 0;                      // for a send or receive
  bool from_anybody = false;        // for a receive
  long sender = kNobody;  // test, wait: of its communication when the step was taken; kNobody: not matched yet
  long receiver = kNobody;
  Synchronisation synchronisation = Synchronisation::kAny;  // if kSynchronisation
  unsigned object = 0;                                      // number of the object of that kind; not for kAny
  std::vector<Step> parts = {};
};

}  // namespace strata::check
