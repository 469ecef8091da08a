// SPDX-License-Identifier: LGPL-2.1-only
// Measures a collective before and after reordering its ranks by its own messages (PDSEC'20, Section VI-C, Figure 5):
// the time until the last rank has finished (s), from a moment when all ranks are ready.
//
//   reorder_collective --collective bcast|reduce [--order initial|reordered] [--initial identity|roundrobin|random]
//                      [--elements N] [--segment BYTES]
//
// The broadcast uses a binomial tree, the reduction a binary one, from and to rank 0 of the communicator. Elements have
// 4 bytes, and reductions compute the sum. Reordered: a session records the collective once with the same number of
// elements, and MPIX_Comm_reorder makes the communicator that is measured. Results are verified if they fit in memory
// (payload.h).
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "mpi_ext/mpix.h"
#include "records/exchange/exchanged_words.h"
#include "scenarios/programs/checked_buffers.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/rank_and_size.h"
#include "scenarios/programs/region.h"
#include "scenarios/programs/reordered.h"

namespace {

using strata::programs::Collective;
using strata::programs::Payload;
using strata::programs::rank_in;
using strata::programs::size_of;

struct Options {
  std::string collective = "bcast", order = "initial", initial = "identity";
  int elements = 1, segment_bytes = 0;

  Collective kind() const { return collective == "bcast" ? Collective::kBcast : Collective::kReduce; }
};

Options parse_options(int argc, char** argv) {
  Options o;
  strata::cli::App app("reorder_collective");
  app.add_option("--collective", o.collective)->check(strata::cli::IsMember({"bcast", "reduce"}));
  app.add_option("--order", o.order)->check(strata::cli::IsMember({"initial", "reordered"}));
  app.add_option("--initial", o.initial)->check(strata::cli::IsMember({"identity", "roundrobin", "random"}));
  app.add_option("--elements", o.elements)->check(strata::cli::NonNegativeNumber);
  app.add_option("--segment", o.segment_bytes)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);
  return o;
}

void call(const Options& o, Payload& payload, int elements, MPI_Comm comm) {
  if (o.kind() == Collective::kBcast) {
    MPIX_Bcast(payload.receive(), elements, MPI_UINT32_T, 0, comm, MPIX_ALGORITHM_BINOMIAL, o.segment_bytes);
  } else {
    MPIX_Reduce(payload.send(), payload.receive(), elements, MPI_UINT32_T, MPI_SUM, 0, comm, MPIX_ALGORITHM_BINARY,
                o.segment_bytes);
  }
}

// The time of the last rank. Adds the number of the caller's wrong elements to `wrong`.
double measure(const Options& o, MPI_Comm comm, int& wrong) {
  const int rank = rank_in(comm), size = size_of(comm);
  Payload one(o.kind(), 1, 0, rank, size);
  call(o, one, 1, comm);  // the first call makes contexts
  Payload payload(o.kind(), o.elements, 0, rank, size);
  const double slowest = strata::programs::time_until_last(comm, [&](double) { call(o, payload, o.elements, comm); });
  wrong += payload.count_wrong();
  return slowest;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int rank = rank_in(MPI_COMM_WORLD);
  int wrong = 0, any_wrong = 0;
  const Options o = parse_options(argc, argv);

  MPI_Comm comm = strata::programs::in_order(o.initial);
  if (o.order == "reordered") {
    Payload payload(o.kind(), o.elements, 0, rank_in(comm), size_of(comm));
    call(o, payload, 0, comm);
    strata::programs::Watching session(comm);
    call(o, payload, o.elements, comm);
    session.suspend();
    MPI_Comm better = strata::programs::reordered(comm, session.matrix());
    MPI_Comm_free(&comm);
    comm = better;
  }
  const double slowest = measure(o, comm, wrong);
  MPI_Comm_free(&comm);
  MPI_Allreduce(&wrong, &any_wrong, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (wrong != 0) std::fprintf(stderr, "%s rank %d has %d wrong elements\n", strata::words::kWrong, rank, wrong);
  if (rank == 0 && any_wrong == 0) strata::programs::report("time", slowest, "s");
  MPI_Finalize();
  return any_wrong == 0 ? 0 : 1;
}
