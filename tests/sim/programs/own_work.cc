// SPDX-License-Identifier: LGPL-2.1-only
// Calls one of MPI's own collectives, a part of one, or a send from rank 0 to rank 1. Each rank reports its time (s).
//
//   own_work --call allreduce --bytes 8000              8000 B for each rank, or for each pair of ranks
//   own_work --call ssend --bytes 8 --late 3            the receive is posted after 3 us
//   own_work --call issend --bytes 8 --busy 3           the sender computes for 3 us before it waits
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string call;
  int n = 0, rank = 0, size = 0;  // n: doubles
  double late_us = 0, busy_us = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--call") == 0) call = argv[i + 1];
    if (std::strcmp(argv[i], "--bytes") == 0) n = std::atoi(argv[i + 1]) / 8;
    if (std::strcmp(argv[i], "--late") == 0) late_us = std::atof(argv[i + 1]);
    if (std::strcmp(argv[i], "--busy") == 0) busy_us = std::atof(argv[i + 1]);
  }
  const MPI_Comm world = MPI_COMM_WORLD;
  MPI_Comm_rank(world, &rank);
  MPI_Comm_size(world, &size);
  std::vector<double> in(static_cast<std::size_t>(n) * size, 1), out(in.size());
  const double start = strata::mpix::start_together(world);
  MPI_Request request = MPI_REQUEST_NULL;
  if (call == "allreduce") MPI_Allreduce(in.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, world);
  if (call == "iallreduce") MPI_Iallreduce(in.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, world, &request);
  if (call == "reduce") MPI_Reduce(in.data(), out.data(), n, MPI_DOUBLE, MPI_SUM, 0, world);
  if (call == "allgather") MPI_Allgather(in.data(), n, MPI_DOUBLE, out.data(), n, MPI_DOUBLE, world);
  if (call == "alltoall") MPI_Alltoall(in.data(), n, MPI_DOUBLE, out.data(), n, MPI_DOUBLE, world);
  if (call == "bcast") MPI_Bcast(in.data(), n, MPI_DOUBLE, 0, world);
  if (call == "reduce_local") MPI_Reduce_local(in.data(), out.data(), n, MPI_DOUBLE, MPI_SUM);
  if (call == "pack") {
    int position = 0;
    MPI_Pack(in.data(), n, MPI_DOUBLE, out.data(), n * 8, &position, world);
  }
  // The second rank posts its receive `late_us` after the first one sends.
  const bool sends = call == "send" || call == "ssend" || call == "issend";
  if (sends && rank == 0) {
    if (call == "send") MPI_Send(in.data(), n, MPI_DOUBLE, 1, 0, world);
    if (call == "ssend") MPI_Ssend(in.data(), n, MPI_DOUBLE, 1, 0, world);
    if (call == "issend") MPI_Issend(in.data(), n, MPI_DOUBLE, 1, 0, world, &request);
    if (call == "issend") strata::mpix::charge_seconds(1e-6 * busy_us);
  }
  if (sends && rank == 1) {
    strata::mpix::charge_seconds(1e-6 * late_us);
    MPI_Recv(out.data(), n, MPI_DOUBLE, 0, 0, world, MPI_STATUS_IGNORE);
  }
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  std::printf("@strata {\"metric\":\"time\",\"value\":%.17g,\"unit\":\"s\",\"parameters\":{\"rank\":%d}}\n",
              MPI_Wtime() - start, rank);
  std::fflush(stdout);
  MPI_Finalize();
  return 0;
}
