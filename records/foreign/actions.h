// SPDX-License-Identifier: LGPL-2.1-only
// SMPI's time-independent traces, which `smpirun -trace-ti` writes and `smpirun -replay` replays. Each line is an
// action:
//
//   0 init
//   0 compute 1e6                flop
//   0 isend 1 5 8 6              to rank 1, with tag 5, 8 elements of datatype 6, MPI_BYTE
//   0 wait 0 1 5                 for the message from rank 0 to rank 1 with tag 5
//   0 allreduce 100 100 0        100 elements of datatype 0, MPI_DOUBLE; 100 flop
//   0 finalize
//
// One file may contain the actions of all ranks. `smpirun -trace-ti` writes a file for each rank, and a file with their
// names, one on each line, relative to the folder in which it ran. Lines that begin with # are comments.
//
// Sizes are in elements of a datatype. The default datatype is MPI_BYTE, or MPI_DOUBLE if `init` has an argument. The
// trace has no communicators: collectives are those of MPI_COMM_WORLD.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace strata {

struct ActionFiles {
  std::vector<std::filesystem::path> files;  // absolute; one file for all ranks, or one for each
  int ranks = 0;
  /// Number of calls, by MPI functions whose answer may differ on another machine.
  std::map<std::string, long> doubts;
};

/// Whether these bytes, the first of a file, begin with an action.
bool is_actions(const std::string& bytes);

/// `file`: actions, or the names of files with actions. Names are relative to the current folder or, if they do not
/// exist there, to the folder of `file`. Throws InputError with the line for actions that SMPI cannot replay.
ActionFiles read_actions(const std::filesystem::path& file);

}  // namespace strata
