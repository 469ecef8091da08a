// SPDX-License-Identifier: LGPL-2.1-only
// Reports its input: every option `--name value` as a measurement "name", and the host of each rank as a measurement
// "host" with the parameters `rank` and `on`.
#include <mpi.h>
#include <simgrid/host.h>

#include <cstdio>
#include <cstdlib>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* host = sg_host_self_get_name();  // the core; MPI_Get_processor_name returns the node
  for (int i = 1; rank == 0 && i + 1 < argc; i += 2) {
    std::printf("@strata {\"metric\":\"%s\",\"value\":%s,\"unit\":\"\"}\n", argv[i] + 2, argv[i + 1]);
  }
  for (int r = 0; r < size; ++r) {
    MPI_Barrier(MPI_COMM_WORLD);
    if (r != rank) continue;
    std::printf(R"(@strata {"metric":"host","value":%d,"unit":"","parameters":{"rank":%d,"on":"%s"}})", rank, rank,
                host);
    std::puts("");
  }
  if (rank == 0) std::puts(R"(@strata {"metric":"time","value":1,"unit":"s"})");
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
