// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/nbc/process_state.h"

#include <climits>

#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

Process::Process() : engine_([this](Operation& operation) { leave(operation); }) {}

void Process::leave(Operation& operation) {
  if (!operation.finished()) return session->thread->line().post(&operation);
  operation.complete = true;
  operation.team->release(operation.tag);
  operation.itself.reset();
}

Event Process::resume(bool wait, std::unique_lock<std::mutex>& lock) {
  Line& line = session != nullptr && session->used ? session->thread->line() : no_line_;
  const Event event = wait ? engine_.wait(line, lock) : engine_.test(line);
  if (event.what == Event::What::kPointer) engine_.take(*static_cast<Operation*>(event.pointer));
  return event;
}

int Process::start(std::shared_ptr<Operation> operation, MPIX_Request& request) {
  std::unique_lock lock(mutex_);
  if (last_ == INT_MAX) {
    std::fprintf(stderr, "strata: no handle is left for another nonblocking collective\n");
    check(MPI_ERR_OTHER);
  }
  operation->itself = operation;
  engine_.take(*operation);
  while (!operation->may_return()) resume(true, lock);
  // If that was the last part, its error is known. Otherwise, another thread may already have the operation.
  if (operation->parts_in_call > 0 && operation->complete && operation->error != MPI_SUCCESS) return operation->error;
  request = ++last_;
  open_.emplace(request, std::move(operation));
  return MPI_SUCCESS;
}

std::shared_ptr<Operation> Process::take(MPIX_Request request) {
  const std::lock_guard guard(mutex_);
  const auto at = open_.find(request);
  if (at == open_.end()) return nullptr;
  std::shared_ptr<Operation> operation = std::move(at->second);
  open_.erase(at);
  return operation;
}

void Process::wait_for(const Operation& operation) {
  std::unique_lock lock(mutex_);
  while (!operation.complete) resume(true, lock);
}

std::shared_ptr<Operation> Process::test(MPIX_Request request) {
  std::unique_lock lock(mutex_);
  const auto at = open_.find(request);
  if (at == open_.end()) check(MPI_ERR_REQUEST);
  while (!at->second->complete && resume(false, lock).what != Event::What::kNothing) {
  }
  if (!at->second->complete) return nullptr;
  std::shared_ptr<Operation> operation = std::move(at->second);
  open_.erase(at);
  return operation;
}

int Process::steps_of(MPIX_Request request) {
  const std::lock_guard guard(mutex_);
  const auto at = open_.find(request);
  if (at == open_.end()) check(MPI_ERR_REQUEST);
  return at->second->steps;
}

bool Process::has_open_requests() {
  const std::lock_guard guard(mutex_);
  return !open_.empty();
}

Process& this_process() {
  static std::mutex mutex;
  static auto& processes = *new std::map<int, Process>;  // under SMPI, those of all ranks are in one process
  const int rank = rank_in(MPI_COMM_WORLD);
  const std::lock_guard guard(mutex);
  return processes[rank];
}

}  // namespace strata::mpix
