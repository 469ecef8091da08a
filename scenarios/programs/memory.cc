// SPDX-License-Identifier: LGPL-2.1-only
// Measures the bandwidth of all ranks together in the memory that they share, like STREAM (J. D. McCalpin, "Memory
// Bandwidth and Machine Balance in Current High Performance Computers", 1995). All ranks do the same work at the same
// time. A sweep over the number of ranks gives the saturation curve of a NUMA node.
//
//   memory [--work copy|combine|triad|compute|ring] --bytes B [--flops F]
//
// Each rank works on arrays or a message of B bytes:
//   copy     copies an array: 2 B bytes move
//   combine  adds an array to another, as a daxpy: 3 B move
//   triad    a[i] = b[i] + s c[i] in doubles, 2 flop each: 3 B count, as in STREAM, but 4 B move, because the lines of
//            `a` are read before they are written
//   compute  does F flop on an array of B bytes that it reads once: B move
//   ring     sends B bytes to the next rank and receives as many from the previous one: 2 B move
// Work is charged, not done (mpi_ext/adapter/charge.h).
//
// Reports `time`, until the last rank has finished (s), and `bandwidth`, the counted bytes of all ranks divided by that
// time (B/s).
#include <mpi.h>

#include <cstddef>
#include <string>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/region.h"

namespace {

void pass_on(void* payload, int bytes) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Request requests[2];
  MPI_Irecv(payload, bytes, MPI_BYTE, (rank + size - 1) % size, 0, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(payload, bytes, MPI_BYTE, (rank + 1) % size, 0, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
}

// Charges the work, and returns the number of bytes that count.
double work(const std::string& what, int bytes, double flops, void* payload) {
  const auto all = static_cast<std::size_t>(bytes);
  if (what == "copy") {
    strata::mpix::charge_copy(all);
    return 2.0 * bytes;
  }
  if (what == "combine") {
    strata::mpix::charge_combine(all);
    return 3.0 * bytes;
  }
  if (what == "triad") {
    strata::mpix::charge_streaming(2.0 * bytes / sizeof(double), 4.0 * bytes, 3.0 * bytes);
    return 3.0 * bytes;
  }
  if (what == "compute") {
    strata::mpix::charge_streaming(flops, bytes);
    return bytes;
  }
  pass_on(payload, bytes);
  return 2.0 * bytes;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string what = "copy";
  int bytes = 0;
  double flops = 0;
  strata::cli::App app("memory");
  app.add_option("--work", what)->check(strata::cli::IsMember({"copy", "combine", "triad", "compute", "ring"}));
  app.add_option("--bytes", bytes)->required()->check(strata::cli::PositiveNumber);
  app.add_option("--flops", flops)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  void* payload = strata::mpix::allocate_payload(static_cast<std::size_t>(bytes));
  double counted = 0;
  const double time =
      strata::programs::time_until_last(MPI_COMM_WORLD, [&](double) { counted = work(what, bytes, flops, payload); });
  strata::mpix::free_payload(payload);
  if (rank == 0) {
    strata::programs::report("time", time, "s");
    strata::programs::report("bandwidth", size * counted / time, "B/s");
  }
  MPI_Finalize();
  return 0;
}
