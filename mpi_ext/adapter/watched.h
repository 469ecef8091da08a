// SPDX-License-Identifier: LGPL-2.1-only
// The processes whose messages are counted (records/exchange/tap.h), and marks on the messages that a thread of control
// sends.
//
// Under a real MPI a process has one id, its rank in MPI_COMM_WORLD, and each of its threads has marks. Under SMPI
// actors have ids and marks. Ranks of MPI_COMM_WORLD that represent progress threads (progress_thread.h) do not count
// as processes: their messages are attributed to their owners.
#pragma once

#include <cstddef>

#include "records/exchange/tap.h"

namespace strata::mpix {

/// The calling thread's process. Throws ReportedByMpi.
ProcessId own_process();

/// The process of a rank of MPI_COMM_WORLD; -1 if it is a progress thread, or not a rank. Local.
ProcessId process_of(int world_rank);

/// A message reported by the tap, as a message between processes. `counts` is false if both ends are threads of one
/// process that exchange work.
struct Between {
  ProcessId sender, receiver;
  bool counts = true;
};
Between between_processes(ProcessId sender, ProcessId receiver);

/// Index of a process's state in an address space that several may share: small numbers; always 0 under a real MPI.
std::size_t slot_of(ProcessId process);

struct Marks {
  int muted = 0;     // messages that no session counts
  int internal = 0;  // messages inside collectives of mpix.h
};
/// The calling thread's marks.
Marks& own_marks();
/// The sender's marks. Call it where the tap reports.
Marks marks_of(ProcessId sender);

/// Sets a mark for the lifetime of this object.
class Marked {
 public:
  explicit Marked(int Marks::*mark) : mark_(own_marks().*mark) { ++mark_; }
  ~Marked() { --mark_; }
  Marked(const Marked&) = delete;
  Marked& operator=(const Marked&) = delete;

 private:
  int& mark_;
};

/// The name of this MPI's tap in MPI_M_PROVIDER.
extern const char* const kTapName;

}  // namespace strata::mpix
