// SPDX-License-Identifier: LGPL-2.1-only
// SMPI's time-independent traces, which `smpirun -trace-ti` writes and `smpirun -replay` runs again. An action is a
// line:
//
//   0 init
//   0 compute 1e6                flop
//   0 isend 1 5 8 6              to rank 1, with tag 5, 8 elements of datatype 6, MPI_BYTE
//   0 wait 0 1 5                 for the message from rank 0 to rank 1 with tag 5
//   0 allreduce 100 100 0        100 elements of datatype 0, MPI_DOUBLE; 100 flop
//   0 finalize
//
// All ranks' actions may be in one file. `smpirun -trace-ti` writes a file for each rank, and one with their names, a
// line each, which counts from the folder where that was done. Lines that begin with # are comments.
//
// Sizes are counted in elements of a datatype; where none is named it is MPI_BYTE, or MPI_DOUBLE if `init` has an
// argument. The trace has no communicators: collectives are those of MPI_COMM_WORLD.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace strata {

struct ActionFiles {
  std::vector<std::filesystem::path> files;  // absolute; one of all ranks, or one for each
  int ranks = 0;
  /// Functions of MPI whose answer may be another elsewhere, and how often they are called.
  std::map<std::string, long> doubts;
};

/// Whether these bytes, the first of a file, begin with an action.
bool is_actions(const std::string& bytes);

/// `file`: actions, or the names of such files. Names count from the current folder, else from the folder of `file`.
/// Throws InputError, with the line, for what SMPI cannot replay.
ActionFiles read_actions(const std::filesystem::path& file);

}  // namespace strata
