// SPDX-License-Identifier: LGPL-2.1-only
// A slow implementation of monitoring sessions as PDSEC'20, Section IV-A, describes them, sentence by sentence. It
// keeps the history of one process's calls and messages instead of states and counters.
//
// A call is a letter and a session's number (from 1; 0 if the call has no session):
//   i init   f finalize   s start   u suspend   c continue   r reset   x free   n get_info   d get_data
// Messages that the process sends:
//   m a message of 10 bytes to process number N   o the same, one-sided   h an internal message of 2^63 bytes to N
//   a a collective on the communicator of session N, which need not be started, with 4 bytes from each rank to each
#pragma once

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "mpi_ext/monitoring/counters.h"

namespace strata::check {

struct SessionCall {
  char what = 'i';
  int number = 0;
  friend bool operator==(const SessionCall&, const SessionCall&) = default;
};

inline constexpr int kMostSessions = 4;
inline constexpr int kProcesses = 17;  // 0, the calling process, to 16, which is not in any session

bool is_sent(char what);

/// Whether a process belongs to a session. The calling process belongs to all sessions, process 16 to none; for the
/// others, the bits of their number are the sessions: process 1 in session 1, 2 in session 2, 3 in both, 4 in session
/// 3, and so on.
bool is_member(int process, int session);
/// By rank, with the highest process first, so that a rank never equals its process's number.
std::vector<int> members_of(int session);

/// Messages and bytes by kind and rank of the receiver.
using Recorded = std::map<std::pair<int, mpix::Kind>, mpix::Amount>;

class SessionReading {
 public:
  /// The expected return code: 0, or a code of MPI_Monitoring.h.
  int code(char what, int session) const;
  /// Adds a call that returned 0, or a message that was sent.
  void accept(const SessionCall& call) { history_.push_back(call); }
  void take_back() { history_.pop_back(); }

  /// The session was started and not freed.
  bool is_there(int session) const;
  bool is_active(int session) const;
  /// The records of a session that exists.
  Recorded recorded(int session) const;

 private:
  bool in_environment() const;
  bool any_is_there() const;
  std::vector<SessionCall> history_;
};

}  // namespace strata::check
