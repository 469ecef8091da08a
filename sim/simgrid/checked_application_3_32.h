// SPDX-License-Identifier: LGPL-2.1-only
// The protocol between an application under SimGrid 3.32's model checker and the checker: one packet per message over a
// SOCK_SEQPACKET, as src/mc/remote/mc_protocol.h and src/mc/transition/Transition.hpp declare it (LGPL-2.1) with the
// corrections in tools/simgrid-mc/. The application's side is in the libsimgrid that --install-mc builds: a program
// whose environment has kSocketVariable waits there for commands.
//
// The application sends kInitialAddresses. The checker sends kContinue; the application makes a copy of itself that
// runs until every actor is about to take a step, and answers kWaiting. The same happens after each step. kFinalize
// ends the copy, and the next one answers kWaiting. kCrashed reports that a copy has ended by itself; it is the last
// message.
#pragma once

#include <sys/types.h>

#include <cstdint>

#include "sim/simgrid/version.h"

namespace strata::sim::checked {

/// The application's end of a socket pair, a number.
inline constexpr const char* kSocketVariable = "SIMGRID_MC_SOCKET_FD";

enum class Message : int {
  kNone,
  kInitialAddresses,
  kContinue,
  kIgnoreHeap,  // these five help to compare memory, which is not done
  kUnignoreHeap,
  kIgnoreMemory,
  kStackRegion,
  kRegisterSymbol,
  kDeadlockCheck,
  kDeadlockCheckReply,
  kWaiting,
  kExecute,
  kExecuteReply,
  kAssertionFailed,
  kActors,
  kActorsReply,
  kFinalize,
  kFinalizeReply,
  kCrashed,
  kReplay,
};

struct Plain {
  Message type;
};

struct InitialAddresses {
  Message type;
  std::uint64_t heap;  // where it begins
  std::uint64_t most_actors;
};

/// kFinalize: 1 to end at once, 0 to leave SMPI first. kCrashed: a wait status.
struct Number {
  Message type;
  std::uint64_t value;
};

struct ReplayedStep {
  aid_t actor;
  int choice;
};

inline constexpr unsigned kMostReplayed = 30;

/// Answered by kWaiting.
struct Replay {
  Message type;
  unsigned count;
  ReplayedStep steps[kMostReplayed];
};

struct Execute {
  Message type;
  aid_t actor;
  int choice;
};

/// Follows a kWaiting: the step as text, numbers that begin with its StepType.
struct ExecuteReply {
  Message type;
  char step[8192];
};

/// If there are any, a packet of as many Actor follows.
struct ActorsReply {
  Message type;
  int count;
};

struct Actor {
  aid_t id;
  bool enabled;
  int choices;  // the number of ways in which its next step can be taken
};

enum class StepType : int {
  kRandom,
  kTestAny,
  kWaitAny,
  kBarrierLock,
  kBarrierWait,
  kReceive,
  kSend,
  kTest,
  kWait,
  kMutexLock,
  kMutexTest,
  kMutexTryLock,
  kMutexUnlock,
  kMutexWait,
  kSemaphoreLock,
  kSemaphoreUnlock,
  kSemaphoreWait,
  kUnknown,
};

}  // namespace strata::sim::checked
