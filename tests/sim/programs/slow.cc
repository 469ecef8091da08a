// SPDX-License-Identifier: LGPL-2.1-only
// A measurement that takes some real time, so that a run can be interrupted: it prints two records per point, whose
// values depend only on the point.
//
//   slow --wall_ms MS --i I      in any order
#include <mpi.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, i = 0, wall_ms = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int a = 1; a + 1 < argc; a += 2) {
    if (std::strcmp(argv[a], "--i") == 0) i = std::atoi(argv[a + 1]);
    if (std::strcmp(argv[a], "--wall_ms") == 0) wall_ms = std::atoi(argv[a + 1]);
  }
  if (rank == 0) {
    ::usleep(static_cast<useconds_t>(wall_ms) * 1000);
    std::printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\"}\n", 1.0 / (3 + 2 * i));
    std::printf("@strata {\"metric\":\"inverse\",\"value\":%d,\"unit\":\"1/s\"}\n", 3 + 2 * i);
    std::fflush(stdout);
  }
  MPI_Finalize();
  return 0;
}
