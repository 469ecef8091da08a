#include <thread>

#include "mpi_ext/adapter/progress_thread.h"
#include "mpi_ext/adapter/shared_line.h"
#include "mpi_ext/error.h"

namespace strata::mpix {

Obstacle find_obstacle(MPI_Comm, int) {
  int level = MPI_THREAD_SINGLE;
  call(MPI_Query_thread(&level));
  if (level == MPI_THREAD_MULTIPLE) return {};
  return {MPI_ERR_OTHER,
          "MPI was not initialised with MPI_THREAD_MULTIPLE, which progress threads need; call MPI_Init_thread"};
}

struct ProgressThread::State {
  std::shared_ptr<Line::Shared> shared = std::make_shared<Line::Shared>();
  Line application{shared, 0};
  Line thread_end{shared, 1};
  std::thread thread;
};

ProgressThread::ProgressThread(MPI_Comm, MPI_Comm both, const Body& body) : state_(std::make_unique<State>()) {
  state_->thread = std::thread([both, body, &line = state_->thread_end] { body(both, line); });
}

ProgressThread::~ProgressThread() {
  state_->application.post(nullptr);
  state_->thread.join();
}

Line& ProgressThread::line() { return state_->application; }

}  // namespace strata::mpix
