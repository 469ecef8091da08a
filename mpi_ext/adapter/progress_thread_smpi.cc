// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/adapter/progress_thread.h"
#include "mpi_ext/ranks.h"

namespace strata::mpix {

Obstacle find_obstacle(MPI_Comm comm, int application) {
  int same = MPI_UNEQUAL;
  call(MPI_Comm_compare(comm, MPI_COMM_WORLD, &same));
  if (same != MPI_IDENT && same != MPI_CONGRUENT) return {MPI_ERR_COMM, ""};
  const int size = size_of(comm);
  if (application > 0 && size == 2 * application) return {};
  const std::string ranks = std::to_string(size) + " ranks";
  return {MPI_ERR_OTHER,
          application == 0 ? "the launcher started no progress threads; say `mapping: {progress: numa}` in the scenario"
                           : "there are " + ranks + ", the placement has " + std::to_string(application) +
                                 " and as many progress threads"};
}

struct ProgressThread::State {
  Line line;
};

ProgressThread::ProgressThread(MPI_Comm own, MPI_Comm both, const Body& body) {
  const int rank = rank_in(both), half = size_of(both) / 2;
  if (rank < half) {
    state_ = std::unique_ptr<State>(new State{Line(both, rank + half)});
    return;
  }
  {
    Line line(both, rank - half);
    body(own, line);
  }
  check(MPI_Barrier(own));
}

ProgressThread::~ProgressThread() {
  if (state_ != nullptr) state_->line.post(nullptr);
}

Line& ProgressThread::line() { return state_->line; }

}  // namespace strata::mpix
