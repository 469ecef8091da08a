// SPDX-License-Identifier: LGPL-2.1-only
#include <list>
#include <vector>
#include <xbt/config.hpp>

#include "mpi_ext/adapter/line.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

constexpr int kTag = 1;

struct Outgoing {
  void* pointer;
  MPI_Request request;
};

}  // namespace

struct Line::State {
  MPI_Comm comm;
  int peer;
  void* incoming = nullptr;
  MPI_Request receive = MPI_REQUEST_NULL;
  std::list<Outgoing> outgoing = {};  // contain the messages until they are sent

  void post_receive() {
    check(MPI_Irecv(static_cast<void*>(&incoming), sizeof incoming, MPI_BYTE, peer, kTag, comm, &receive));
  }
  // The event for the request at index `done`: one of `requests`, or of the line's own, which follow them.
  Event event(std::span<MPI_Request> requests, int done, int error) {
    const int own = done - static_cast<int>(requests.size());
    if (own < 0) {
      requests[done] = MPI_REQUEST_NULL;
      return {.what = Event::What::kRequest, .request = done, .error = error};
    }
    check(error);
    if (own > 0) {
      outgoing.erase(std::next(outgoing.begin(), own - 1));
      return {};
    }
    void* const pointer = incoming;
    post_receive();
    return {.what = Event::What::kPointer, .pointer = pointer};
  }
};

namespace {

// Calls `waits` on `requests` and the line's own requests.
template <class State, class Waits>
Event wait_for(State* state, std::span<MPI_Request> requests, const Waits& waits) {
  std::vector<MPI_Request> all(requests.begin(), requests.end());
  if (state != nullptr) {
    all.push_back(state->receive);
    for (const Outgoing& o : state->outgoing) all.push_back(o.request);
  }
  int done = MPI_UNDEFINED;
  const int error = waits(all, done);
  if (done == MPI_UNDEFINED) {
    check(error);
    return {};
  }
  if (state != nullptr) return state->event(requests, done, error);
  requests[done] = MPI_REQUEST_NULL;
  return {.what = Event::What::kRequest, .request = done, .error = error};
}

}  // namespace

Line::Line() = default;

Line::Line(MPI_Comm comm, int peer) : state_(std::make_unique<State>(State{.comm = comm, .peer = peer})) {
  state_->post_receive();
}

Line::~Line() {
  if (state_ == nullptr) return;
  for (Outgoing& o : state_->outgoing) MPI_Wait(&o.request, MPI_STATUS_IGNORE);
  MPI_Cancel(&state_->receive);
  MPI_Request_free(&state_->receive);
}

void Line::post(void* pointer) {
  Outgoing& o = state_->outgoing.emplace_back(Outgoing{pointer, MPI_REQUEST_NULL});
  check(MPI_Isend(static_cast<const void*>(&o.pointer), sizeof o.pointer, MPI_BYTE, state_->peer, kTag, state_->comm,
                  &o.request));
  if (static_cast<int>(sizeof o.pointer) >= simgrid::config::get_value<int>("smpi/send-is-detached-thresh")) return;
  check(MPI_Wait(&o.request, MPI_STATUS_IGNORE));  // SMPI has taken a copy; MPI_Testany would never find it complete
  state_->outgoing.pop_back();
}

Event Line::wait(std::span<MPI_Request> requests, std::unique_lock<std::mutex>&) {
  return wait_for(state_.get(), requests, [](std::vector<MPI_Request>& all, int& done) {
    return MPI_Waitany(static_cast<int>(all.size()), all.data(), &done, MPI_STATUS_IGNORE);
  });
}

Event Line::test(std::span<MPI_Request> requests) {
  return wait_for(state_.get(), requests, [](std::vector<MPI_Request>& all, int& done) {
    int flag = 0;
    return MPI_Testany(static_cast<int>(all.size()), all.data(), &done, &flag, MPI_STATUS_IGNORE);
  });
}

}  // namespace strata::mpix
