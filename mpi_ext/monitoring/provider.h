// SPDX-License-Identifier: LGPL-2.1-only
// Providers see a process's messages: the tap reports each (tap.h); or the MPI counts them itself, and is asked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi_ext/monitoring/counters.h"

namespace strata::mpix::monitoring {

/// An MPI's counts of this process's messages since its start, by the peer's process id.
struct Seen {
  std::vector<Entry> sent;      // by this process
  std::vector<Entry> received;  // by this process, which alone knows it: results of its gets
};

class Provider {
 public:
  virtual ~Provider() = default;
  /// The kinds and MPI_M_SEES_* (MPI_Monitoring.h).
  virtual int sees() const = 0;
  /// Its counts so far, except of messages between mute and unmute; nothing if it reports messages instead. Sends
  /// nothing.
  virtual Seen seen() { return {}; }
  /// The calling thread's messages are the library's own from mute() to unmute(). Nests.
  virtual void mute() = 0;
  virtual void unmute() = 0;
};

/// MPI_M_PROVIDER's, or the first possible one. Null if none is possible, and a line that says how to get one.
std::unique_ptr<Provider> find_provider(std::string& why_not);

}  // namespace strata::mpix::monitoring
