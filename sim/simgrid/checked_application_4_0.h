// SPDX-License-Identifier: LGPL-2.1-only
// The protocol between an application under SimGrid 4.0's model checker and the checker, over a socket, as
// src/mc/remote/mc_protocol.h and src/mc/transition/Transition.hpp declare it (LGPL-2.1). Debian does not install these
// headers. The application's side is in libsimgrid: a program whose environment has kSocketVariable waits there for
// commands.
//
// The checker sends kContinue; the application runs until every actor is about to take a step, and answers kWaiting.
// The same happens after each step. kFork makes a copy of the application, which connects to the socket with the given
// name.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "sim/simgrid/version.h"

namespace strata::sim::checked {

/// The application's end of a socket pair, a number.
inline constexpr const char* kSocketVariable = "SIMGRID_MC_SOCKET_FD";

enum class Message : int {
  kNone,
  kFork,
  kForkReply,
  kWaitChild,
  kWaitChildReply,
  kContinue,
  kDeadlockCheck,
  kDeadlockCheckReply,
  kWaiting,
  kExecute,
  kExecuteReply,
  kAssertionFailed,
  kActors,
  kActorsReply,
  kActorsReplySimcall,
  kActorsReplyActor,
  kMostActors,
  kMostActorsReply,
  kFinalize,
  kFinalizeReply,
  kReplay,
};

struct Plain {
  Message type;
};

/// kForkReply: a process; kFinalize: 1 to end at once, 0 to leave SMPI first; kReplay: the number of steps, after which
/// come their actors and then their choices, a byte each.
struct Number {
  Message type;
  std::uint64_t value;
};

/// The name goes into sockaddr_un::sun_path, all of it.
struct Fork {
  Message type;
  char socket[108];
};

struct Execute {
  Message type;
  aid_t actor;
  int choice;
  bool tell_step;
};

/// Follows a kWaiting, before the step, which begins with its StepType.
struct ExecuteReply {
  Message type;
  aid_t actor;
};

struct Actors {
  Message type;
  bool tell_steps;
};

/// As many Actor follow.
struct ActorsReply {
  Message type;
  int count;
};

struct Actor {
  Message type;
  aid_t id;
  bool enabled;
  int choices;  // the number of ways in which its next step can be taken
};

enum class StepType : int {
  kRandom,
  kActorJoin,
  kActorSleep,
  kActorCreate,
  kObjectAccess,
  kTestAny,
  kWaitAny,
  kBarrierLock,
  kBarrierWait,
  kReceive,
  kSend,
  kProbe,
  kTest,
  kWait,
  kMutexLock,
  kMutexTest,
  kMutexTryLock,
  kMutexUnlock,
  kMutexWait,
  kMutexLockUnchecked,
  kSemaphoreLock,
  kSemaphoreUnlock,
  kSemaphoreWait,
  kSemaphoreLockUnchecked,
  kConditionLock,
  kConditionBroadcast,
  kConditionSignal,
  kConditionWait,
  kConditionUnchecked,
  kUnknown,
};

}  // namespace strata::sim::checked
