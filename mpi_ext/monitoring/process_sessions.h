// SPDX-License-Identifier: LGPL-2.1-only
// A process's monitoring sessions, and a session's state on one of its processes.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mpi_ext/context/context.h"
#include "mpi_ext/monitoring/counters.h"
#include "mpi_ext/monitoring/members.h"
#include "mpi_ext/monitoring/message_provider.h"
#include "mpi_ext/monitoring/session_states.h"

namespace strata::mpix::monitoring {

struct Session {
  std::string phase;  // the program's phase while the session is active (records/exchange/report_phase.h)
  OwnComm comm;       // the members, for the session's own messages
  int rank = 0, size = 0;
  std::shared_ptr<const Members> members;

  // Guarded by the process's mutex.
  Counters sent;       // by this process
  Counters sent_here;  // to this process, by peer; only the receiver knows these: results of gets
  Seen before = {};    // the provider's counts when the session became active
};

struct Process {
  std::mutex mutex;  // of all below; do not send while holding it
  Protocol protocol;
  std::map<int, std::shared_ptr<Session>> sessions;  // by msid
  std::vector<std::shared_ptr<Session>> active;
  int started = 0;                     // sessions, ever
  std::shared_ptr<Provider> provider;  // null outside the environment

  /// Marks the session as active, or inactive. The caller holds the mutex.
  void watch(const std::shared_ptr<Session>& session);
  void ignore(const std::shared_ptr<Session>& session);
};

/// The calling process's state. Lives as long as the program. Throws ReportedByMpi.
Process& own_state();

/// Whether a session of any process is active: one load.
bool anybody_watches();

/// Directs the tap's reports here, until every caller has stopped listening. Returns the kinds and MPI_M_SEES_* that
/// the tap sees. Requires a tap.
int listen_to_tap();
void ignore_tap();

}  // namespace strata::mpix::monitoring
