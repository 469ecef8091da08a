// SPDX-License-Identifier: LGPL-2.1-only
#include <cstdio>
#include <system_error>
#include <thread>

#include "mpi_ext/adapter/progress_thread.h"
#include "mpi_ext/adapter/shared_line.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {

Obstacle find_obstacle(MPI_Comm, int) {
  int level = MPI_THREAD_SINGLE;
  call(MPI_Query_thread(&level));
  if (level == MPI_THREAD_MULTIPLE) return {};
  return {MPI_ERR_OTHER,
          "MPI was not initialised with MPI_THREAD_MULTIPLE, which progress threads need; call MPI_Init_thread"};
}

namespace {

// There is no caller that could catch an exception of the body, and other processes would wait for the missing work.
void run_or_abort(const ProgressThread::Body& body, MPI_Comm lane, Line& line) noexcept {
  try {
    body(lane, line);
  } catch (...) {
    abort_with(MPI_COMM_WORLD, caught_error(), "a progress thread cannot go on");
  }
}

}  // namespace

struct ProgressThread::State {
  std::shared_ptr<Line::Shared> shared = std::make_shared<Line::Shared>();
  Line application{shared, 0};
  Line thread_end{shared, 1};
  std::thread thread;
};

ProgressThread::ProgressThread(MPI_Comm, MPI_Comm both, const Body& body) : state_(std::make_unique<State>()) {
  try {
    state_->thread = std::thread([both, body, &line = state_->thread_end] { run_or_abort(body, both, line); });
  } catch (const std::system_error& e) {
    std::fprintf(stderr, "strata: a progress thread cannot be started: %s\n", e.what());
    check(MPI_ERR_OTHER);
  }
}

ProgressThread::~ProgressThread() {
  state_->application.post(nullptr);
  state_->thread.join();
}

Line& ProgressThread::line() { return state_->application; }

}  // namespace strata::mpix
