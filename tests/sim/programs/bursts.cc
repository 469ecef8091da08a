// SPDX-License-Identifier: LGPL-2.1-only
// Rank i of the first half sends messages to rank i + size/2, all at once, which receives them in order. With --both,
// the second half sends as many back at the same time. A sender reports the time that sending took (s), a receiver the
// time at which its last message arrived.
//
//   bursts --messages K --bytes B [--both 1]
#include <mpi.h>

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "mpi_ext/adapter/measure.h"

namespace {

void report(const char* metric, double seconds, int rank) {
  std::printf("@strata {\"metric\":\"%s\",\"value\":%.17g,\"unit\":\"s\",\"parameters\":{\"rank\":%d}}\n", metric,
              seconds, rank);
  std::fflush(stdout);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int messages = 1, bytes = 0, both = 0, rank = 0, size = 0;
  for (int i = 1; i + 1 < argc; i += 2) {
    if (std::strcmp(argv[i], "--messages") == 0) messages = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--bytes") == 0) bytes = std::atoi(argv[i + 1]);
    if (std::strcmp(argv[i], "--both") == 0) both = std::atoi(argv[i + 1]);
  }
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool sends = both != 0 || rank < size / 2, receives = both != 0 || rank >= size / 2;
  const int partner = (rank + size / 2) % size;
  void* payload = strata::mpix::allocate_payload(static_cast<std::size_t>(bytes));
  std::vector<MPI_Request> in, out;
  for (int i = 0; receives && i < messages; ++i) {
    in.emplace_back();
    MPI_Irecv(payload, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &in.back());
  }
  const double start = strata::mpix::start_together(MPI_COMM_WORLD);
  for (int i = 0; sends && i < messages; ++i) {
    out.emplace_back();
    MPI_Isend(payload, bytes, MPI_BYTE, partner, 0, MPI_COMM_WORLD, &out.back());
  }
  if (sends) report("busy", MPI_Wtime() - start, rank);
  MPI_Waitall(static_cast<int>(in.size()), in.data(), MPI_STATUSES_IGNORE);
  if (receives) report("time", MPI_Wtime() - start, rank);
  MPI_Waitall(static_cast<int>(out.size()), out.data(), MPI_STATUSES_IGNORE);
  strata::mpix::free_payload(payload);
  MPI_Finalize();
  return 0;
}
