// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/coll/blocks.h"

#include <climits>

#include "mpi_ext/report_error.h"

namespace strata::mpix {

Blocks::Blocks(long number, const Block& block) : datatype_(block.datatype) {
  if (number * block.count <= INT_MAX) {
    count_ = static_cast<int>(number * block.count);
    return;
  }
  count_ = static_cast<int>(number);  // at most the number of ranks
  call(MPI_Type_contiguous(block.count, block.datatype, &whole_));
  call(MPI_Type_commit(&whole_));
}

Blocks::~Blocks() {
  if (whole_ != MPI_DATATYPE_NULL) MPI_Type_free(&whole_);
}

void send_blocks(const void* blocks, long number, const Block& block, int dest, MPI_Comm comm) {
  const Blocks message(number, block);
  send(blocks, message.count(), message.datatype(), dest, comm);
}

void receive_blocks(void* blocks, long number, const Block& block, int source, MPI_Comm comm) {
  const Blocks message(number, block);
  receive(blocks, message.count(), message.datatype(), source, comm);
}

void copy_block(const void* from, const Block& from_block, void* to, const Block& to_block) {
  copy(from, from_block.count, from_block.datatype, to, to_block.count, to_block.datatype);
}

}  // namespace strata::mpix
