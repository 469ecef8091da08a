#include "mpi_ext/nbc/operation.h"

namespace strata::mpix {

Buffers::Buffers(const Memory& send, const Memory& receive, const Block& scratch, const Schedule& schedule, MPI_Op op)
    : op_(op),
      scratch_(static_cast<long>(schedule.scratch_blocks) * scratch.count, scratch.datatype),
      scratch2_(static_cast<long>(schedule.scratch2_blocks) * scratch.count, scratch.datatype) {
  memory_ = {send, receive, Memory{scratch_.data(), scratch}, Memory{scratch2_.data(), scratch}};
}

void Operation::fail(int code) {
  error = code;
  part = parts.size();
}

void Operation::part_done() {
  const int verdict = current().verdict ? current().verdict() : MPI_SUCCESS;
  if (verdict != MPI_SUCCESS) return fail(verdict);
  ++part;
}

}  // namespace strata::mpix
