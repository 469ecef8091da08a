// SPDX-License-Identifier: LGPL-2.1-only
// Measures one of MPI's own operations as IMB-MPI1 (Intel MPI Benchmarks) does, to compare with its published results:
//
//   repeated [--operation sendrecv|allreduce|allgather|alltoall] [--bytes N] [--repetitions 4]
//
//   sendrecv   in a ring, each rank sends to the next and receives from the one before; one repetition after another
//   the others MPI_Allreduce of floats (sum), MPI_Allgather, MPI_Alltoall; a barrier after each repetition, not
//   measured
//
// N is the size that IMB's tables give: of a message, of the reduction's vector, of the block of one rank. The
// algorithms are those of the MPI: under simulation SMPI's, chosen as Open MPI chooses.
//
// Reports `time`, of a repetition, the mean over repetitions and ranks (s): IMB's t_avg.
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>

#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

struct Options {
  std::string operation = "sendrecv";
  int bytes = 0, repetitions = 4;
};

struct Buffers {
  void *sent, *received;
};

int rank_of(MPI_Comm comm) {
  int rank = 0;
  MPI_Comm_rank(comm, &rank);
  return rank;
}

int size_of(MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  return size;
}

using Operation = std::function<void(const Buffers&, int bytes)>;

void sendrecv(const Buffers& b, int bytes) {
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Sendrecv(b.sent, bytes, MPI_BYTE, (rank + 1) % size, 0, b.received, bytes, MPI_BYTE, (rank + size - 1) % size, 0,
               MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

const std::map<std::string, Operation>& operations() {
  static const std::map<std::string, Operation> all = {
      {"sendrecv", sendrecv},
      {"allreduce",
       [](const Buffers& b, int bytes) {
         MPI_Allreduce(b.sent, b.received, bytes / static_cast<int>(sizeof(float)), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
       }},
      {"allgather",
       [](const Buffers& b, int bytes) {
         MPI_Allgather(b.sent, bytes, MPI_BYTE, b.received, bytes, MPI_BYTE, MPI_COMM_WORLD);
       }},
      {"alltoall", [](const Buffers& b, int bytes) {
         MPI_Alltoall(b.sent, bytes, MPI_BYTE, b.received, bytes, MPI_BYTE, MPI_COMM_WORLD);
       }}};
  return all;
}

// The mean of the measured repetitions on this rank (s).
double mean_time(const Options& o, const Buffers& buffers) {
  const Operation& operation = operations().at(o.operation);
  const bool barriers = o.operation != "sendrecv";
  strata::mpix::start_together(MPI_COMM_WORLD);
  double time = 0;
  for (int i = 0; i < o.repetitions; ++i) {
    const double start = MPI_Wtime();
    operation(buffers, o.bytes);
    time += MPI_Wtime() - start;
    if (barriers) MPI_Barrier(MPI_COMM_WORLD);
  }
  strata::mpix::let_others_finish(MPI_COMM_WORLD);
  return time / o.repetitions;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options o;
  strata::cli::App app("repeated");
  app.add_option("--operation", o.operation)->check(strata::cli::IsMember(operations()));
  app.add_option("--bytes", o.bytes)->check(strata::cli::NonNegativeNumber);
  app.add_option("--repetitions", o.repetitions)->check(strata::cli::PositiveNumber);
  strata::programs::parse(app, argc, argv);
  const auto bytes = static_cast<std::size_t>(o.bytes), all = bytes * static_cast<std::size_t>(size_of(MPI_COMM_WORLD));
  const Buffers buffers{
      strata::mpix::allocate_payload(o.operation == "alltoall" ? all : bytes),
      strata::mpix::allocate_payload(o.operation == "alltoall" || o.operation == "allgather" ? all : bytes)};
  const double mine = mean_time(o, buffers);
  double sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  strata::mpix::free_payload(buffers.sent);
  strata::mpix::free_payload(buffers.received);
  if (rank_of(MPI_COMM_WORLD) == 0) strata::programs::report("time", sum / size_of(MPI_COMM_WORLD), "s");
  MPI_Finalize();
  return 0;
}
