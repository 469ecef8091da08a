// SPDX-License-Identifier: LGPL-2.1-only
// Records a run with a real MPI library as a trace (records/trace/trace.h): the messages that the library itself sends,
// so that a replay does its collectives as it does them. For example, MPI_Bcast of 8 bytes over a binary tree, of rank
// 0 of four:
//
//   in MPI_Bcast   send  to rank + 1, 8 bytes, tag -17
//                  send  to rank + 2, 8 bytes, tag -17
//
// It says that it is of a real library (Trace::native), so that long messages flow while their receiver waits in MPI.
// A receive begins where the library posts it, and a rank waits for a request where the library sees it complete. MPICH
// looks at a request as soon as a message arrives, also while it waits for another one: then the recording waits for
// both. An eager send of a function other than MPI_Send has no wait, because the library has none. One-sided functions
// and active messages cannot be recorded: their MPI functions are listed as not recorded, and a replay refuses them.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "native/board/board.h"
#include "native/coordinator/virtual_time.h"
#include "platforms/machine.h"
#include "records/trace/trace_recorder.h"

namespace strata::native {

/// Its functions throw OutputError if the file cannot be written.
class Recording {
 public:
  /// `program`: its name. `library` as in Trace. `cores` by rank. The board must outlive this. `measured`: computation
  /// takes processor time.
  Recording(Board& board, const std::string& program, const std::string& library, const Machine& machine,
            const std::vector<int>& cores, const std::filesystem::path& file, bool measured);

  void posted(int rank, const Message& message);
  void blocked(int rank, const Wait& wait);
  void end(int rank, double now) { recorder_.end(rank, now); }
  /// `program`: the file. `packed_machine` as in Trace.
  void write(const std::filesystem::path& program, const std::string& packed_machine);

 private:
  void compute(int rank, double seconds);
  void send(int rank, const Message& m);
  void collective(int rank, const Message& m);
  int function(int rank) const { return recorder_.function(rank); }

  Board& board_;
  const double core_speed_;  // flop/s
  const bool measured_;
  std::vector<bool> finishes_;  // by rank: in MPI_Finalize
  int finishing_ = 0;           // how many of them
  TraceRecorder recorder_;
};

}  // namespace strata::native
