// SPDX-License-Identifier: LGPL-2.1-only
// Monitoring sessions as PDSEC'20, Section IV-A, describes them: a slow reading, sentence by sentence, of everything
// that one process called and sent. It has no states and no counters.
//
// A call is a letter and a session's number (from 1; 0 where there is none):
//   i init   f finalize   s start   u suspend   c continue   r reset   x free   n get_info   d get_data
// What the process sends:
//   m a message of 10 bytes to process number N   o the same, one-sided   h an internal message of 2^63 bytes to N
//   a a collective on the communicator of session N, whether that is started or not, in which all have 4 bytes for all
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
inline constexpr int kProcesses = 17;  // 0, which calls, to 16, which is in no session

bool is_sent(char what);

/// Whether a process is one of the session's: the calling one of each, process 1 of session 1, 2 of 2, 3 of both, 4 of
/// session 3, and so on by the bits of its number; 16 of none.
bool is_member(int process, int session);
/// By rank: the highest process first, so that no rank is a process's number.
std::vector<int> members_of(int session);

/// Messages and bytes by kind and rank of the receiver.
using Recorded = std::map<std::pair<int, mpix::Kind>, mpix::Amount>;

class SessionReading {
 public:
  /// What the call returns: 0, or the code of MPI_Monitoring.h.
  int code(char what, int session) const;
  /// The call returned 0, or the message was sent.
  void accept(const SessionCall& call) { history_.push_back(call); }
  void take_back() { history_.pop_back(); }

  /// Started and not freed.
  bool is_there(int session) const;
  bool is_active(int session) const;
  /// What a session that is there has recorded.
  Recorded recorded(int session) const;

 private:
  bool in_environment() const;
  bool any_is_there() const;
  std::vector<SessionCall> history_;
};

}  // namespace strata::check
