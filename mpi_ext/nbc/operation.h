// SPDX-License-Identifier: LGPL-2.1-only
// A started collective: parts that the application's thread and the progress thread run in turn. Each part is a list of
// rounds over some buffers.
#pragma once

#include <mpi.h>

#include <array>
#include <atomic>
#include <functional>
#include <memory>
#include <vector>

#include "mpi_ext/coll/blocks.h"
#include "mpi_ext/nbc/rounds.h"
#include "mpi_ext/nbc/team.h"

namespace strata::mpix {

/// Keeps a datatype alive even if the user frees it: holds a duplicate, unless it is a predefined datatype.
class KeptType {
 public:
  /// Throws ReportedByMpi.
  explicit KeptType(MPI_Datatype datatype);
  KeptType(const KeptType&) = delete;
  KeptType& operator=(const KeptType&) = delete;
  ~KeptType();
  MPI_Datatype get() const { return datatype_; }

 private:
  MPI_Datatype datatype_;
  bool is_duplicate_ = false;
};

/// Consecutive blocks.
struct Memory {
  void* base = nullptr;  // address of block 0
  Block block{0, MPI_BYTE};
};

/// The memory behind a schedule's buffers.
class Buffers {
 public:
  /// The caller's buffers, and scratch memory for as many blocks as the schedule needs, of the datatype of `scratch`,
  /// which is that of one of the two. `op` is the operation of a reduction.
  Buffers(const Memory& send, const Memory& receive, const Block& scratch, const Schedule& schedule, MPI_Op op);

  const Block& block(const BlockRange& place) const { return of(place).block; }
  void* at(const BlockRange& place) const { return of(place).block.at(of(place).base, place.first_block); }
  MPI_Op op() const { return op_; }

 private:
  const Memory& of(const BlockRange& place) const { return memory_[static_cast<size_t>(place.buffer)]; }

  KeptType send_type_, receive_type_;
  MPI_Op op_;
  std::array<Memory, 4> memory_;  // by Buffer
  Scratch scratch_, scratch2_;
};

struct Part {
  bool on_thread = false;
  std::vector<Round> rounds = {};
  std::shared_ptr<const Buffers> buffers = {};
  std::function<int()> verdict = {};  // called after the part has run: an error ends the operation
};

/// Belongs to the thread that runs one of its parts; between parts to the application's thread.
struct Operation {
  std::shared_ptr<Team> team;
  int tag = 0;
  int steps = 0;  // levels of the tree that application threads do
  std::vector<Part> parts;
  int error = MPI_SUCCESS;

  bool finished() const { return part == parts.size(); }
  const Part& current() const { return parts[part]; }
  /// Ends the operation with an error.
  void fail(int code);
  /// Continues with the next part.
  void part_done();
  /// Whether the call that starts it may return: the parts in the call are done.
  bool may_return() const { return part >= parts_in_call; }

  std::atomic<size_t> part = 0;  // the part that runs, or waits for its thread
  size_t parts_in_call = 0;
  bool complete = false;                   // the application's thread knows that it has finished
  std::shared_ptr<Operation> itself = {};  // set while it is under way, even if the caller stops waiting for it
};

}  // namespace strata::mpix
