// SPDX-License-Identifier: LGPL-2.1-only
// All orders of an MPI program's messages, explored by SimGrid's model checker.
//
// The program runs for real. What is explored is which rank goes on next, and which of several messages a receive or an
// MPI_Waitany gets. Time does not count, so the machine gives the ranks their places and bindings and nothing else: the
// program sees neither the platform plugin nor its network.
//
// kHolds says that every order of steps was explored, up to steps that do not touch each other, with the given
// arguments, ranks and buffering: no deadlock, no failed assertion, no abort, no message that nobody receives. It does
// not cover these:
// - A message is complete for MPI_Test and MPI_Waitany as soon as both sides have named it. An order in which a message
//   arrives after one that was sent later is not explored where the program could tell only by testing both.
// - A step that cancels a receive (MPI_Cancel) is not tried before and after each message that might meet it.
// - Ranks are taken to touch each other by messages alone. Data that ranks of one image share behind MPI's back is seen
//   in one order for each order of messages.
// - A program that polls forever (a loop around MPI_Test, MPI_Testany or MPI_Iprobe) has executions without end. They
//   are cut off at the limit of steps, and the verdict is kUndecided. MPI_Probe is fine.
// - SMPI's own collectives are those that Open MPI would choose, explored as the messages they are made of.
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
#include "records/placement.h"
#include "sim/launcher/installation.h"

namespace strata::check {

/// Which sends complete before they are received. MPI_Send may do either, so a program is right only if it is right
/// with both.
enum class Buffering {
  kAll,   // every send is complete at once
  kNone,  // every send waits for its receive
  kSome,  // sends of fewer bytes than eager_limit_bytes are complete at once
};

enum class Reduction {
  kDpor,  // one of all orders that differ only in steps that do not touch each other
  kNone,  // every order: to check kDpor on small programs
};

struct ExplorationLimits {
  double seconds = 600;  // of wall time
  long depth = 10000;    // steps after which an execution is cut off
};

struct Exploration {
  std::string name;     // one word, the subject of its keys: "protocols/hierarchy.roots", "first_result"
  std::string program;  // of the catalog by its name, or the path of one made by smpicc (Installation::program)
  std::vector<std::string> arguments = {};
  std::shared_ptr<const Machine> machine = nullptr;
  RankPlacement placement = {};
  Buffering buffering = Buffering::kAll;
  double eager_limit_bytes = 0;  // for kSome
  Reduction reduction = Reduction::kDpor;
  ExplorationLimits limits = {};
  int jobs = 1;  // executions at a time; the result is the same
  // One of several shards, from 1; 0: not divided. Their states, executions and transitions add up to the same sums for
  // any number of shards, which are larger than those of an undivided exploration (check/messages/explorer/shard.h).
  int shard = 0;
  int shards = 0;
  bool watch_leftovers = true;  // a message that nobody has received by the end is a violation
};

struct Explored {
  Verdict verdict = Verdict::kUndecided;
  long states = 0;       // visited
  long executions = 0;   // run to their end
  long transitions = 0;  // taken, including those back to the state where another order begins
  double seconds = 0;
  std::string limit;                              // of kUndecided: the limit that was reached, or what SimGrid lacks
  std::optional<CounterExample> counter_example;  // where something is wrong
  long prefix = 0;  // of a shard's counter-example: the first of all shards is the one with the lowest
};

/// How far it is: states and executions so far.
using Progressed = std::function<void(long states, long executions)>;

/// Explores. Throws InputError where the program cannot be run, std::runtime_error where the checker failed,
/// sim::Interrupted on a signal.
Explored explore(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration,
                 const Progressed& progressed = {});

/// Runs the program along the steps of a key, without the checker, and tells what happened; the verdict is kHolds where
/// the program is through or can go on after the last step. Throws InputError where the key has no steps or the program
/// cannot take them.
Replayed replay(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration,
                const Key& key);

/// The same in gdb, on this terminal. Returns its exit status.
int replay_in_debugger(const ModelChecker& checker, const sim::Installation& installation,
                       const Exploration& exploration, const Key& key);

}  // namespace strata::check
