// SPDX-License-Identifier: LGPL-2.1-only
// A process's monitoring sessions, and the state of a session on one of its processes.
#pragma once

#include <mpi.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "mpi_ext/coll/context.h"
#include "mpi_ext/monitoring/counters.h"
#include "mpi_ext/monitoring/members.h"
#include "mpi_ext/monitoring/protocol.h"
#include "mpi_ext/monitoring/provider.h"

namespace strata::mpix::monitoring {

struct Session {
  std::string phase;  // of the program while it is active (records/exchange/phases.h)
  OwnComm comm;       // of the members, for the session's own messages
  int rank = 0, size = 0;
  std::shared_ptr<const Members> members;

  // Guarded by the process's mutex.
  Counters sent;       // by this process
  Counters sent_here;  // to this process, by the peer, who does not know of it: results of gets
  Seen before = {};    // what the provider had seen when the session became active
};

struct Process {
  std::mutex mutex;  // of all below; who holds it sends nothing
  Protocol protocol;
  std::map<int, std::shared_ptr<Session>> sessions;  // by msid
  std::vector<std::shared_ptr<Session>> active;
  int started = 0;                     // sessions, ever
  std::shared_ptr<Provider> provider;  // null outside of the environment

  /// The session becomes active, or inactive. The mutex is held.
  void watch(const std::shared_ptr<Session>& session);
  void ignore(const std::shared_ptr<Session>& session);
};

/// The calling process's. Lives as long as the program. Throws ReportedByMpi.
Process& own_state();

/// Whether a session of any process is active: one load.
bool anybody_watches();

/// The tap's reports come here until every caller that asked for them has stopped. The kinds and
/// MPI_M_SEES_* that it sees; there is a tap.
int listen_to_tap();
void ignore_tap();

}  // namespace strata::mpix::monitoring
