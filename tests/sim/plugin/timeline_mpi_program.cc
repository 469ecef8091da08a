// SPDX-License-Identifier: LGPL-2.1-only
// Six ranks that are busy for times that follow by hand, for timeline_test.cc, which decides where each runs. Ranks 0
// to 2 are the application, 3 to 5 their progress threads. Arguments: phases (the same twice, as measured regions with
// a sleep between them), exit (rank 0 ends the process), deadlock.
#include <mpi.h>

#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/core_activities.h"

namespace {

using simgrid::s4u::this_actor::sleep_for;
using namespace strata::mpix;

constexpr std::size_t kMB = 1'000'000;

void be_busy(int rank) {
  switch (rank) {
    case 0:
      charge_seconds(3e-3);
      break;
    case 1: {
      charge_copy(kMB);
      const double start = MPI_Wtime();
      sleep_for(0.5e-3);
      charge_combine(kMB / 2);
      sleep_for(1e-3);
      record(strata::Doing::kWaiting, start);
      break;
    }
    case 3:
      charge_copy(kMB);
      break;
    case 4:
      charge_copy(kMB / 2);
      charge_copy(kMB / 2);
      break;
    case 5:
      charge_combine(kMB / 2);
      break;
    default:
      break;
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const std::string what = argc > 1 ? argv[1] : "";
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool phases = what == "phases";
  if (phases) charge_seconds(1);
  if (phases) simgrid::s4u::this_actor::sleep_until(1000);
  const double start = MPI_Wtime();
  be_busy(rank);
  if (phases) {
    record_phase("first", start);
    simgrid::s4u::this_actor::sleep_until(2000);
    be_busy(rank);
    record_phase("second", 2000);
  }
  simgrid::s4u::this_actor::sleep_until(3000);
  if (what == "exit" && rank == 0) std::exit(7);
  if (what == "deadlock" && rank == 0) MPI_Recv(nullptr, 0, MPI_INT, 1, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return 0;
}
