// SPDX-License-Identifier: LGPL-2.1-only
// Blocks, which gather, scatter and allgather move. A block is a rank's data: some elements of a datatype. Blocks are
// consecutive in memory.
#pragma once

#include <mpi.h>

#include <vector>

#include "mpi_ext/context/message.h"

namespace strata::mpix {

struct Block {
  int count;
  MPI_Datatype datatype;
  bool empty() const { return is_empty(count, datatype); }
  void* at(void* blocks, long index) const { return element(blocks, index * count, datatype); }
  const void* at(const void* blocks, long index) const { return element(blocks, index * count, datatype); }
};

/// `number` blocks as a message, whose count is an int for any number: elements of the block's datatype, or whole
/// blocks.
class Blocks {
 public:
  Blocks(long number, const Block& block);
  Blocks(const Blocks&) = delete;
  Blocks& operator=(const Blocks&) = delete;
  ~Blocks();
  int count() const { return count_; }
  MPI_Datatype datatype() const { return whole_ == MPI_DATATYPE_NULL ? datatype_ : whole_; }

 private:
  int count_;
  MPI_Datatype datatype_, whole_ = MPI_DATATYPE_NULL;
};

void send_blocks(const void* blocks, long number, const Block& block, int dest, MPI_Comm comm);
void receive_blocks(void* blocks, long number, const Block& block, int source, MPI_Comm comm);
void copy_block(const void* from, const Block& from_block, void* to, const Block& to_block);

/// How many blocks each member of a communicator sends or receives: one, or those of all ranks below it.
class Shares {
 public:
  /// One block per member.
  Shares() = default;
  /// Member i has the blocks from begins[i] up to begins[i + 1]; `begins` must outlive this.
  explicit Shares(const std::vector<long>& begins) : begins_(&begins) {}
  long begin(int member) const { return begins_ == nullptr ? member : (*begins_)[member]; }
  /// The number of blocks of `members` consecutive members.
  long number(int first_member, int members) const { return begin(first_member + members) - begin(first_member); }

 private:
  const std::vector<long>* begins_ = nullptr;
};

}  // namespace strata::mpix
