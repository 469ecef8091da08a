// SPDX-License-Identifier: LGPL-2.1-only
// Providers observe a process's messages: either the tap reports each message (tap.h), or the MPI counts them and can
// be queried.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi_ext/monitoring/counters.h"

namespace strata::mpix::monitoring {

/// An MPI's counts of this process's messages since its start, by the peer's process id.
struct Seen {
  std::vector<Entry> sent;      // by this process
  std::vector<Entry> received;  // by this process, the only one that knows: results of its gets
};

class Provider {
 public:
  virtual ~Provider() = default;
  /// The kinds and MPI_M_SEES_* (MPI_Monitoring.h).
  virtual int sees() const = 0;
  /// Its counts so far, without messages between mute and unmute; empty if it reports messages instead. Sends no
  /// messages.
  virtual Seen seen() { return {}; }
  /// From mute() to unmute() the calling thread's messages are the library's own. Calls nest.
  virtual void mute() = 0;
  virtual void unmute() = 0;
};

/// The provider of MPI_M_PROVIDER, or the first one that is available. Null if none is, and then `why_not` is a line
/// that says how to get one.
std::unique_ptr<Provider> find_provider(std::string& why_not);

}  // namespace strata::mpix::monitoring
