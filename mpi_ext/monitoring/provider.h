// Who sees a process's messages: the tap, which tells of each (tap.h), or an MPI that counts itself and is asked.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "mpi_ext/monitoring/counters.h"

namespace strata::mpix::monitoring {

/// What an MPI has counted of this process's messages since it began, by peer's process id.
struct Seen {
  std::vector<Entry> sent;      // by this process
  std::vector<Entry> received;  // by this process, which alone knows it: results of its gets
};

class Provider {
 public:
  virtual ~Provider() = default;
  /// The kinds and MPI_M_SEES_* (MPI_Monitoring.h).
  virtual int sees() const = 0;
  /// What it has counted so far, but for what was sent between mute and unmute; nothing where it tells instead. Sends
  /// nothing.
  virtual Seen seen() { return {}; }
  /// What the calling thread sends from now on is the library's own; and no more. Nests.
  virtual void mute() = 0;
  virtual void unmute() = 0;
};

/// MPI_M_PROVIDER's, or the first possible one. Null where there is none, and a line that says how to have one.
std::unique_ptr<Provider> find_provider(std::string& why_not);

}  // namespace strata::mpix::monitoring
