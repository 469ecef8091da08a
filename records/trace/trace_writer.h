// SPDX-License-Identifier: LGPL-2.1-only
// Writes a trace (trace_file.h) while its programs are still being recorded. For example:
//
//   TraceWriter writer("app.mpitrace", 2);
//   writer.append(0, steps);       steps of rank 0, with whole loops; call it again for more steps of any rank
//   writer.write(trace);           everything except Trace::ranks
//
// Steps that do not fit into memory go to an unnamed file in the trace's folder.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "base/whole_file_pieces.h"
#include "records/trace/trace.h"

namespace strata {

/// All functions throw OutputError.
class TraceWriter {
 public:
  /// `most_kept`: bytes in memory, for all ranks together.
  TraceWriter(std::filesystem::path file, std::size_t ranks, std::size_t most_kept = std::size_t{64} << 20);
  TraceWriter(const TraceWriter&) = delete;
  TraceWriter& operator=(const TraceWriter&) = delete;
  ~TraceWriter();

  void append(std::size_t rank, const std::vector<TraceStep>& steps);
  /// The ranks have the same program. Steps are only appended for `other`.
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
    std::vector<Piece> waiting;  // in the unnamed file
    std::string last;            // the bytes after these
  };
  void put_aside(Program& program);
  void for_each_piece(const Program& program, const PutPiece& put) const;

  const std::filesystem::path file_;
  const std::size_t most_kept_;          // B for each rank
  std::vector<Program> programs_;        // by rank
  std::vector<std::size_t> program_of_;  // by rank: the rank whose program it runs
  int aside_ = -1;                       // the unnamed file; -1: not created yet
  std::int64_t aside_bytes_ = 0;
};

}  // namespace strata
