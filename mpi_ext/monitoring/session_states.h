// SPDX-License-Identifier: LGPL-2.1-only
// The states of a process's monitoring sessions and of their environment: which call is allowed when. One table
// describes all of it; no MPI, no data.
//
//   environment   off --init--> on --finalize, without sessions--> off
//   a session     --start--> active --suspend--> suspended --continue--> active
//                 suspended --reset, data--> suspended --free--> gone
//
// If several conditions fail, the first of this list is reported: no environment, no such session, the session's state.
// Source: PDSEC'20, Section IV-A.
#pragma once

#include <map>
#include <vector>

namespace strata::mpix {

/// The values are those of MPI_Monitoring.h.
enum class Verdict : int {
  kFine = 0,
  kMissingInit = 9001,
  kMultipleInit = 9002,
  kInvalidMsid = 9003,
  kSessionActive = 9004,
  kSessionSuspended = 9005,
  kSessionsLeft = 9006,
};

enum class SessionState : int { kActive = 0, kSuspended = 1 };

/// A call on an existing session.
enum class SessionCall : int { kSuspend = 0, kContinue = 1, kReset = 2, kFree = 3, kGetInfo = 4, kGetData = 5 };

/// The states of one process. Not thread-safe.
class Protocol {
 public:
  /// The verdict on a call. Does not change the state.
  Verdict judge_init() const;
  Verdict judge_finalize() const;
  Verdict judge_start() const;
  Verdict judge(SessionCall call, int session) const;

  /// Performs the call; requires a verdict of kFine. Each session that starts gets a new number.
  void init() { on_ = true; }
  void finalize() { on_ = false; }
  void start(int session) { sessions_.emplace(session, SessionState::kActive); }
  void apply(SessionCall call, int session);

  /// The sessions for which the verdict is fine, in the order of their numbers; empty without an environment.
  std::vector<int> all_for(SessionCall call) const;
  /// In the order of their numbers.
  std::vector<int> sessions() const;
  SessionState state(int session) const { return sessions_.at(session); }

 private:
  bool on_ = false;
  std::map<int, SessionState> sessions_;
};

}  // namespace strata::mpix
