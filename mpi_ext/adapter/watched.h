// SPDX-License-Identifier: LGPL-2.1-only
// The processes whose messages are counted (monitoring/tap.h), and what the messages of a thread of control are
// marked as while it sends them.
//
// Under a real MPI a process has one id, its rank in MPI_COMM_WORLD, and marks for each of its threads. Under SMPI ids
// and marks are actors'; the ranks of MPI_COMM_WORLD that stand for progress threads (progress_thread.h) are no
// processes: what they send is sent by their owners.
#pragma once

#include <cstddef>

#include "records/exchange/tap.h"

namespace strata::mpix {

/// The calling thread's. Throws ReportedByMpi.
ProcessId own_process();

/// For a rank of MPI_COMM_WORLD; -1 if it is a progress thread, or not a rank. Local.
ProcessId process_of(int world_rank);

/// A message between two that the tap told of, as one between processes. `counts` is false where both are threads of
/// one process that tell each other of work.
struct Between {
  ProcessId sender, receiver;
  bool counts = true;
};
Between between_processes(ProcessId sender, ProcessId receiver);

/// Where a process's state lies among those that share an address space: small numbers; always 0 under a real MPI.
std::size_t slot_of(ProcessId process);

struct Marks {
  int muted = 0;     // of no session's concern
  int internal = 0;  // what collectives of mpix.h are made of
};
/// The calling thread's.
Marks& own_marks();
/// Of the sender; to be called where the tap reports.
Marks marks_of(ProcessId sender);

/// A mark as long as this lives.
class Marked {
 public:
  explicit Marked(int Marks::*mark) : mark_(own_marks().*mark) { ++mark_; }
  ~Marked() { --mark_; }
  Marked(const Marked&) = delete;
  Marked& operator=(const Marked&) = delete;

 private:
  int& mark_;
};

/// The tap that is in front of this MPI: its name in MPI_M_PROVIDER.
extern const char* const kTapName;

}  // namespace strata::mpix
