// SPDX-License-Identifier: LGPL-2.1-only
// Measures one of MPI's own operations as IMB-MPI1 (Intel MPI Benchmarks) does, to compare with its published results:
//
//   repeated [--operation sendrecv|exchange|bcast|reduce|allreduce|allgather|alltoall] [--bytes N[,N...]]
//            [--repetitions 4] [--warm-up 0] [--as-probe]
//
//   sendrecv   in a ring, each rank sends to the next and receives from the one before
//   exchange   in a ring, each rank sends to both neighbours and receives from both
//   the others MPI_Bcast, MPI_Reduce and MPI_Allreduce of floats (sum), MPI_Allgather, MPI_Alltoall; root is rank 0; a
//              barrier after each repetition, not measured
//
// N is the size that IMB's tables give: of a message, of the vector, of the block of one rank. The algorithms are those
// of the MPI: under simulation SMPI's, chosen as Open MPI chooses.
//
// Reports `time`, of a repetition, the mean over repetitions and ranks (s): IMB's t_avg; of several sizes, with
// `bytes`.
//
// --warm-up: repetitions before these, not measured; the first collective of a program also prepares SMPI's
// communicator.
// --as-probe measures as `strata probe` does: after a barrier and one more repetition, without barriers between them,
// and reports the time of the slowest rank.
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

struct Options {
  std::string operation = "sendrecv";
  std::vector<int> bytes = {0};
  int repetitions = 4, warm_up = 0;
  bool as_probe = false;

  bool has_barriers() const { return !as_probe && operation != "sendrecv" && operation != "exchange"; }
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

void exchange(const Buffers& b, int bytes) {
  const int rank = rank_of(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  const int left = (rank + size - 1) % size, right = (rank + 1) % size;
  MPI_Request sends[2];
  MPI_Isend(b.sent, bytes, MPI_BYTE, right, 0, MPI_COMM_WORLD, &sends[0]);
  MPI_Isend(b.sent, bytes, MPI_BYTE, left, 1, MPI_COMM_WORLD, &sends[1]);
  MPI_Recv(b.received, bytes, MPI_BYTE, left, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Recv(b.received, bytes, MPI_BYTE, right, 1, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
}

int floats(int bytes) { return bytes / static_cast<int>(sizeof(float)); }

const std::map<std::string, Operation>& operations() {
  static const std::map<std::string, Operation> all = {
      {"sendrecv", sendrecv},
      {"exchange", exchange},
      {"bcast", [](const Buffers& b, int bytes) { MPI_Bcast(b.sent, bytes, MPI_BYTE, 0, MPI_COMM_WORLD); }},
      {"reduce",
       [](const Buffers& b, int bytes) {
         MPI_Reduce(b.sent, b.received, floats(bytes), MPI_FLOAT, MPI_SUM, 0, MPI_COMM_WORLD);
       }},
      {"allreduce",
       [](const Buffers& b, int bytes) {
         MPI_Allreduce(b.sent, b.received, floats(bytes), MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
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
double mean_time(const Options& o, const Buffers& buffers, int bytes) {
  const Operation& operation = operations().at(o.operation);
  for (int i = 0; i < o.warm_up; ++i) operation(buffers, bytes);
  strata::mpix::start_together(MPI_COMM_WORLD);
  if (o.as_probe) {
    MPI_Barrier(MPI_COMM_WORLD);
    operation(buffers, bytes);
  }
  double time = 0;
  for (int i = 0; i < o.repetitions; ++i) {
    const double start = MPI_Wtime();
    operation(buffers, bytes);
    time += MPI_Wtime() - start;
    if (o.has_barriers()) MPI_Barrier(MPI_COMM_WORLD);
  }
  strata::mpix::let_others_finish(MPI_COMM_WORLD);
  return time / o.repetitions;
}

void measure(const Options& o, int size) {
  const auto bytes = static_cast<std::size_t>(size), all = bytes * static_cast<std::size_t>(size_of(MPI_COMM_WORLD));
  const Buffers buffers{
      strata::mpix::allocate_payload(o.operation == "alltoall" ? all : bytes),
      strata::mpix::allocate_payload(o.operation == "alltoall" || o.operation == "allgather" ? all : bytes)};
  const double mine = mean_time(o, buffers, size);
  double time = 0;
  MPI_Allreduce(&mine, &time, 1, MPI_DOUBLE, o.as_probe ? MPI_MAX : MPI_SUM, MPI_COMM_WORLD);
  if (!o.as_probe) time /= size_of(MPI_COMM_WORLD);
  strata::mpix::free_payload(buffers.sent);
  strata::mpix::free_payload(buffers.received);
  if (rank_of(MPI_COMM_WORLD) != 0) return;
  strata::programs::report("time", time, "s", o.bytes.size() > 1 ? "\"bytes\":" + std::to_string(size) : "");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Options o;
  strata::cli::App app("repeated");
  app.add_option("--operation", o.operation)->check(strata::cli::IsMember(operations()));
  app.add_option("--bytes", o.bytes)->delimiter(',')->check(strata::cli::NonNegativeNumber);
  app.add_option("--repetitions", o.repetitions)->check(strata::cli::PositiveNumber);
  app.add_option("--warm-up", o.warm_up)->check(strata::cli::NonNegativeNumber);
  app.add_flag("--as-probe", o.as_probe);
  strata::programs::parse(app, argc, argv);
  for (const int size : o.bytes) measure(o, size);
  MPI_Finalize();
  return 0;
}
