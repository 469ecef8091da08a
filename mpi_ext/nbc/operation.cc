// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/operation.h"

#include "mpi_ext/report_error.h"

namespace strata::mpix {

KeptType::KeptType(MPI_Datatype datatype) : datatype_(datatype) {
  int integers = 0, addresses = 0, datatypes = 0, combiner = MPI_COMBINER_NAMED;
  call(MPI_Type_get_envelope(datatype, &integers, &addresses, &datatypes, &combiner));
  if (combiner == MPI_COMBINER_NAMED) return;
  call(MPI_Type_dup(datatype, &datatype_));
  is_duplicate_ = true;
}

KeptType::~KeptType() {
  if (is_duplicate_) MPI_Type_free(&datatype_);
}

Buffers::Buffers(const Memory& send, const Memory& receive, const Block& scratch, const Schedule& schedule, MPI_Op op)
    : send_type_(send.block.datatype), receive_type_(receive.block.datatype), op_(op) {
  const auto kept = [&](const Block& block) {
    const bool sent = block.datatype == send.block.datatype;
    return Block{block.count, sent ? send_type_.get() : receive_type_.get()};
  };
  const Block between = kept(scratch);
  const auto memory_for = [&](int blocks) {
    return Scratch(static_cast<long>(blocks) * between.count, between.datatype);
  };
  scratch_ = memory_for(schedule.scratch_blocks);
  scratch2_ = memory_for(schedule.scratch2_blocks);
  memory_ = {Memory{send.base, kept(send.block)}, Memory{receive.base, kept(receive.block)},
             Memory{scratch_.data(), between}, Memory{scratch2_.data(), between}};
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
