// SPDX-License-Identifier: LGPL-2.1-only
// Writes a trace (trace_file.h) whose programs grow while it is recorded. For example
//
//   TraceWriter writer("app.strace", 2);
//   writer.append(0, steps);       some of rank 0's, with whole loops; then some more, of either rank
//   writer.write(trace);           all but Trace::ranks
//
// Steps that do not fit into memory wait in a file without a name beside the trace's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "records/trace/trace.h"
#include "records/whole_file_pieces.h"

namespace strata {

/// All throw OutputError.
class TraceWriter {
 public:
  /// `most_kept`: B that are kept in memory, of all ranks.
  TraceWriter(std::filesystem::path file, std::size_t ranks, std::size_t most_kept = std::size_t{64} << 20);
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;
  ~TraceWriter();

  void append(std::size_t rank, const std::vector<TraceStep>& steps);
  /// The rank does what the other does, for which steps are or will be appended.
  void share(std::size_t rank, std::size_t other) { program_of_[rank] = other; }
  /// The file appears whole or not at all.
  void write(const Trace& trace) const;

 private:
  struct Piece {
    std::int64_t offset;
    std::size_t length;
  };
  struct Program {
    std::int64_t steps = 0;
    std::vector<Piece> waiting;  // in the file without a name
    std::string last;            // after these
  };
  void put_aside(Program& program);
  void for_each_piece(const Program& program, const PutPiece& put) const;

  const std::filesystem::path file_;
  const std::size_t most_kept_;          // of a rank
  std::vector<Program> programs_;        // by rank
  std::vector<std::size_t> program_of_;  // by rank: whose it runs
  int aside_ = -1;                       // the file without a name; -1: not made yet
  std::int64_t aside_bytes_ = 0;
};

}  // namespace strata
