// SPDX-License-Identifier: LGPL-2.1-only
// All orders of an MPI program's messages, explored by SimGrid's model checker.
//
// The program runs for real. The exploration decides which rank continues next, and which of several messages a receive
// or an MPI_Waitany gets. Time is ignored, so the machine only determines the places and bindings of ranks: the program
// sees neither the platform plugin nor its network.
//
// kHolds means that every order of steps was explored, up to independent steps, with the given arguments, ranks and
// buffering, and that there was no deadlock, failed assertion, abort or unreceived message. It does not cover these
// cases:
// - A message is complete for MPI_Test and MPI_Waitany as soon as both sides have posted it. Orders in which a message
//   arrives after one that was sent later are not explored if the program could only notice by testing both.
// - A step that cancels a receive (MPI_Cancel) is not tried before and after each message that might match it.
// - Ranks are assumed to interact only through messages. Data that ranks of one process share behind MPI's back is seen
//   in
//   one order for each order of messages.
// - A program that polls forever (a loop around MPI_Test, MPI_Testany or MPI_Iprobe) has infinite executions. They are
//   cut
//   off at the limit of steps, and the verdict is kUndecided. MPI_Probe is covered.
// - SMPI's own collectives use the algorithms that Open MPI would select, and are explored as their messages.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "check/engine/counter_example.h"
#include "check/engine/key.h"
#include "check/messages/model_checker.h"
#include "platforms/machine.h"
#include "records/rank_placements.h"
#include "sim/launcher/installation.h"

namespace strata::check {

/// The sends that complete before they are received. MPI_Send may do either, so a correct program must work with both
/// kAll and kNone.
enum class Buffering {
  kAll,   // every send completes at once
  kNone,  // every send waits for its receive
  kSome,  // sends of fewer bytes than eager_limit_bytes complete at once
};

enum class Reduction {
  kDpor,  // one of all orders that differ only in independent steps
  kNone,  // every order: to check kDpor on small programs
};

struct ExplorationLimits {
  double seconds = 600;  // wall time
  long depth = 10000;    // maximum number of steps of an execution
};

struct Exploration {
  std::string name;     // one word, the subject of its keys: "protocols/hierarchy.roots", "first_result"
  std::string program;  // a name in the catalog, or the path of a program made with smpicc (Installation::program)
  std::vector<std::string> arguments = {};
  std::shared_ptr<const Machine> machine = nullptr;
  RankPlacement placement = {};
  Buffering buffering = Buffering::kAll;
  double eager_limit_bytes = 0;  // for kSome
  Reduction reduction = Reduction::kDpor;
  ExplorationLimits limits = {};
  int jobs = 1;  // simultaneous executions; they do not change the result
  // One of several shards, from 1; 0: not divided. The sums of states, executions and transitions do not depend on the
  // number of shards, but are larger than those of an undivided exploration
  // (check/messages/explorer/exploration_shard.h).
  int shard = 0;
  int shards = 0;
  bool watch_leftovers = true;  // a message that is never received is a violation
};

struct Explored {
  Verdict verdict = Verdict::kUndecided;
  long states = 0;       // visited
  long executions = 0;   // run to the end
  long transitions = 0;  // taken, including those that repeat the start of another order
  double seconds = 0;
  std::string limit;                              // for kUndecided: the limit that was reached, or the missing function
                                                  // of SimGrid
  std::optional<CounterExample> counter_example;  // if there is a violation
  long prefix = 0;  // of a shard's counter-example; the first violation of all shards has the lowest prefix
};

/// Called with the numbers of states and executions so far.
using Progressed = std::function<void(long states, long executions)>;

/// Explores all orders. Throws InputError if the program cannot be run, std::runtime_error if the checker fails, and
/// Interrupted on a signal.
Explored explore(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration,
                 const Progressed& progressed = {});

/// Runs the program along the steps of a key, without the checker, and reports what happened. The verdict is kHolds if
/// the program has ended, or can continue after the last step. Throws InputError if the key has no steps, or the
/// program cannot take them.
Replayed replay(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration,
                const Key& key);

/// The same in gdb, on this terminal. Returns its exit status.
int replay_in_debugger(const ModelChecker& checker, const sim::Installation& installation,
                       const Exploration& exploration, const Key& key);

}  // namespace strata::check
