// SPDX-License-Identifier: LGPL-2.1-only
// Starts the processes of a job, serves their MPI library, and reports what happens to them:
//
//   Ranks ranks({.words = {"./app", "-x"}, .places = places, .library = find_library("./app"), .scratch = folder});
//   while (!ranks.ended()) {              // the coordinator's loop
//     advance_virtual_time();             // waits for a futex, with a time limit or until .on_event wakes it
//     for (const RankEvent& event : ranks.poll()) ...;   // rank 3: kInitialized
//   }
//   return ranks.result().exit_code;      // 139; .reason: "rank 3 was ended by signal 11 (Segmentation fault) ..."
//
// Ranks that others start (MPI_Comm_spawn) are further ranks, numbered in the order of their start.
//
// The object has a thread of its own, so a server answers at once while the caller is busy. The job ends as a whole:
// when a rank fails, calls MPI_Abort, or ends without the others although they wait for it, the others are killed. The
// same happens when SIGINT or SIGTERM arrives (SignalGuard), end() is called, the object or the thread that made it
// ends, or this process is killed; no process then remains that a rank has started, and no file in the scratch folder.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "native/launch/environment.h"
#include "native/launch/library.h"
#include "native/launch/places.h"
#include "native/launch/spawn_order.h"

namespace strata::native {

struct JobRequest {
  std::vector<std::string> words;  // the program as find_program knows it, and its arguments
  std::filesystem::path folder;    // where the ranks run; empty: here
  Places places;
  Library library;                // of the program; kUnknown: servers for both libraries
  std::filesystem::path scratch;  // an existing folder for this job only, which is removed at its end
  Environment environment;        // of all ranks: inherited(environ), and the user's settings of the library
  /// Further variables of a rank, for example those of a transport. They win over all others.
  std::function<Environment(int rank)> variables = {};
  std::vector<int> kept = {};  // descriptors that the ranks inherit under the same number, above 2
  int input = 0;               // stdin of rank 0; that of the others is empty
  int output = 1, error = 2;   // stdout and stderr of all ranks
  /// Called before any rank starts, with the name of their MPI_COMM_WORLD for the launcher's server; not without PMIx.
  std::function<void(const std::string& job)> on_name = {};
  /// Called in the object's thread when a rank starts others (MPI_Comm_spawn): gives them places, as further ranks of
  /// the run. `job`: the name of their MPI_COMM_WORLD for the launcher's server. Empty: none can be started.
  std::function<Admission(const SpawnOrder& order, const std::string& job)> admit = {};
  /// Called in the object's thread after each event, and when the job has ended. Must return at once.
  std::function<void()> on_event = {};
};

struct RankEvent {
  enum class Kind {
    kInitialized,  // it has called MPI_Init
    kFinalized,    // MPI_Finalize
    kAborted,      // MPI_Abort
    kExited,
    kKilled,  // by a signal
  };
  Kind kind;
  int rank;
  int code = 0;  // exit code of kAborted and kExited, signal of kKilled
  friend bool operator==(const RankEvent&, const RankEvent&) = default;
};

struct JobResult {
  int exit_code = 0;   // 0, or that of the first rank that failed; 128 + N if signal N ended it
  std::string reason;  // why it is not 0; one line
};

class Ranks {
 public:
  /// Throws InputError if the program cannot be found, its library is SMPI, or a node's file is bad; SystemError if a
  /// process cannot be made; std::invalid_argument for bad places. At most one object at a time in a process.
  explicit Ranks(JobRequest request);
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  /// The events since the last call, in their order. Does not wait.
  std::vector<RankEvent> poll();
  /// No process of a rank runs any more. Does not wait.
  bool ended() const;
  /// Waits until the job has ended.
  void wait();
  /// Kills the job. The first reason counts: an earlier failure, or this one.
  void end(int exit_code, const std::string& reason);
  /// "rank 3", or "rank 1 of the job that rank 0 has started".
  std::string name_of(int rank) const;
  /// Complete once the job has ended.
  JobResult result() const;
  /// Process ids by rank, for figures of /proc; of no use while ranks start others.
  const std::vector<pid_t>& processes() const;

 private:
  class Job;
  std::unique_ptr<Job> job_;
};

}  // namespace strata::native
