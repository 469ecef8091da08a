// SPDX-License-Identifier: LGPL-2.1-only
#include <sched.h>

#include "mpi_ext/adapter/line.h"
#include "mpi_ext/adapter/shared_line.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

struct Line::State {
  std::shared_ptr<Shared> shared;
  int end;

  Event take() {
    const std::lock_guard guard(shared->mutex);
    auto& queue = shared->queue[end];
    if (queue.empty()) return {};
    void* const pointer = queue.front();
    queue.pop_front();
    return {.what = Event::What::kPointer, .pointer = pointer};
  }
  // Sleeps until a new post, unless an untaken one is there. Others may have taken it in the meantime.
  void sleep(std::unique_lock<std::mutex>& lock) {
    std::unique_lock guard(shared->mutex);
    const long seen = shared->posted[end];
    if (!shared->queue[end].empty()) return;
    if (lock.owns_lock()) lock.unlock();
    shared->changed[end].wait(guard, [&] { return shared->posted[end] != seen; });
  }
};

Line::Line() = default;

Line::Line(std::shared_ptr<Shared> shared, int end)
    : state_(std::make_unique<State>(State{.shared = std::move(shared), .end = end})) {}

Line::~Line() = default;

void Line::post(void* pointer) {
  const int other = 1 - state_->end;
  Shared& shared = *state_->shared;
  {
    const std::lock_guard guard(shared.mutex);
    shared.queue[other].push_back(pointer);
    ++shared.posted[other];
  }
  shared.changed[other].notify_all();
}

Event Line::test(std::span<MPI_Request> requests) {
  if (state_ != nullptr) {
    const Event event = state_->take();
    if (event.what != Event::What::kNothing) return event;
  }
  if (requests.empty()) return {};
  int done = MPI_UNDEFINED, flag = 0;
  const int error = MPI_Testany(static_cast<int>(requests.size()), requests.data(), &done, &flag, MPI_STATUS_IGNORE);
  if (done != MPI_UNDEFINED) return {.what = Event::What::kRequest, .request = done, .error = error};
  check(error);
  return {};
}

Event Line::wait(std::span<MPI_Request> requests, std::unique_lock<std::mutex>& lock) {
  const Event event = test(requests);
  if (event.what != Event::What::kNothing) return event;
  const bool locked = lock.owns_lock();
  if (requests.empty() && state_ != nullptr) {
    state_->sleep(lock);
  } else {
    if (locked) lock.unlock();
    ::sched_yield();
  }
  if (locked && !lock.owns_lock()) lock.lock();
  return {};
}

}  // namespace strata::mpix
