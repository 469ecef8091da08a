// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/adapter/transport.h"
#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

struct Message::State {
  Way way;
  MPI_Request request = MPI_REQUEST_NULL;
};

Message::Message(Way way, const Envelope& e, Lane& lane) : state_(std::make_unique<State>()) {
  state_->way = way;
  const Marked internal(&Marks::internal);
  check(way == Way::kSend ? MPI_Isend(e.buffer, e.count, e.datatype, e.peer, e.tag, lane.comm(), &state_->request)
                          : MPI_Irecv(e.buffer, e.count, e.datatype, e.peer, e.tag, lane.comm(), &state_->request));
}

Message::~Message() {
  if (done()) return;
  if (state_->way == Way::kReceive) MPI_Cancel(&state_->request);
  MPI_Request_free(&state_->request);
}

bool Message::done() const { return state_->request == MPI_REQUEST_NULL; }

MPI_Request Message::pending() const { return state_->request; }

void Message::advance(int error) {
  state_->request = MPI_REQUEST_NULL;
  check(error);
}

}  // namespace strata::mpix
