// All orders in which an MPI program's messages may meet, explored by SimGrid's model checker.
//
// The program runs for real: what is explored is which rank goes on next, and which of several messages a receive or a
// MPI_Waitany gets. Time does not count, so the machine gives the ranks their places and bindings and nothing else; the
// program sees neither the platform plugin nor its network.
//
// kHolds says that every order of steps was explored, up to steps that do not touch each other, with the given
// arguments, ranks and buffering: no deadlock, no failed assertion, no abort, no message that nobody receives. What it
// does not say:
// - A message is complete for MPI_Test and MPI_Waitany as soon as both sides have named it; that one which was sent
// before
//   another arrives after it is not explored where the program could tell only by testing both.
// - A step that cancels a receive (MPI_Cancel) is not tried before and after each message that might meet it.
// - Ranks are taken to touch each other by messages alone. What a program of one image shares behind MPI's back is seen
// in
//   one order for each order of messages.
// - A program that polls for ever (a loop around MPI_Test, MPI_Testany or MPI_Iprobe) has executions without end; they
// are
//   cut off at the limit of steps, and the verdict is kUndecided. MPI_Probe is fine.
// - SMPI's own collectives are those of Open MPI's choice, and are explored as the messages that they are made of.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "check/messages/model_checker.h"
#include "sim/launcher/installation.h"
#include "records/placement.h"

namespace strata::sim {

/// Which messages leave their sender before they are received. MPI promises neither for MPI_Send, so a program is right
/// only if it is right with all.
enum class Buffering {
  kAll,   // every send is complete at once
  kNone,  // every send waits for its receive
  kSome,  // those of fewer bytes than eager_limit_bytes are complete at once
};

enum class Reduction {
  kDpor,  // of orders that only exchange steps that do not touch each other, one
  kNone,  // every order: for small programs, to check kDpor by
};

struct ExplorationLimits {
  double seconds = 600;  // of wall time
  long depth = 10000;    // steps of one execution: an execution that is longer is cut off there
};

struct Exploration {
  std::string
      program;  // as Installation::program takes it: a name of the catalog, or the path of a program made by smpicc
  std::vector<std::string> arguments = {};
  RankPlacement placement = {};
  Buffering buffering = Buffering::kAll;
  double eager_limit_bytes = 0;  // for kSome
  Reduction reduction = Reduction::kDpor;
  ExplorationLimits limits = {};
  bool watch_leftovers = true;  // a message that nobody received by the end is a violation
};

enum class Verdict {
  kHolds,      // every order was explored, nothing is wrong in any
  kDeadlock,   // ranks wait for each other
  kAborted,    // a failed assertion, MPI_Abort, an error of MPI
  kCrashed,    // another signal, or an exit in the middle
  kUnmatched,  // the program ended, a message was never received
  kUndecided,  // a limit was reached; nothing was wrong until then
};

const char* name_of(Verdict verdict);

/// What one rank did.
struct Step {
  int rank = 0;
  std::string what;  // "sends 4 B to rank 2, tag 7 (MPI_Send)"
};

/// How it came about.
struct CounterExample {
  std::string path;         // SimGrid's record of it: the key for replay()
  std::vector<Step> steps;  // in order
  std::string why;          // one line: the message of the assertion, or which rank waits for what
  std::string out, err;     // what the program printed on the way
};

struct Explored {
  Verdict verdict = Verdict::kUndecided;
  long states = 0;       // visited
  long executions = 0;   // run to their end
  long transitions = 0;  // made, those that lead to a state where another order begins included
  double seconds = 0;
  std::string limit;                              // which was reached, where the verdict is kUndecided
  std::optional<CounterExample> counter_example;  // where something is wrong
};

/// How far it is: states and executions so far.
using Progressed = std::function<void(long states, long executions)>;

/// Explores. Throws InputError where the program is not one, std::runtime_error where the checker failed, Interrupted
/// on a signal.
Explored explore(const ModelChecker& checker, const Installation& installation, const Machine& machine,
                 const Exploration& exploration, const Progressed& progressed = {});

/// Runs the program along a path, without the checker, and tells what happened; the verdict is kHolds where the program
/// is through or can go on at the path's end. Throws InputError where the program cannot follow the path.
struct Replayed {
  Verdict verdict = Verdict::kHolds;
  CounterExample run;
};
Replayed replay(const ModelChecker& checker, const Installation& installation, const Machine& machine,
                const Exploration& exploration, const std::string& path);

/// The same in gdb, on this terminal. Returns its exit status.
int replay_in_debugger(const ModelChecker& checker, const Installation& installation, const Machine& machine,
                       const Exploration& exploration, const std::string& path);

}  // namespace strata::sim
