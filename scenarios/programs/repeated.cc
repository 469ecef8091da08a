// SPDX-License-Identifier: LGPL-2.1-only
// Measures an operation in the same way as IMB-MPI1 (Intel MPI Benchmarks) and the OSU micro-benchmarks, for comparison
// with their published results:
//
//   repeated [--operation sendrecv] [--algorithm native] [--bytes N[,N...]] [--repetitions 4] [--warm-up 0]
//            [--slowest] [--as-probe]
//
//   sendrecv   in a ring, each rank sends to the next and receives from the previous one
//   exchange   in a ring, each rank sends to both neighbours and receives from both
//   pingpong   a message from rank 0 to 1, 2 to 3, ... and back, all pairs at the same time; half of the round trip
//   pingping   the same pairs, with both ranks sending to each other at once
//   allgather, allreduce, alltoall, bcast, gather, reduce, scatter
//              reductions compute the sum of floats; root is rank 0; each repetition is followed by a barrier, which is
//              not measured
//
// N is the size in the tables of these benchmarks: of a message, of the vector, or of the block of one rank. The native
// algorithms are those of the MPI: in simulation those of SMPI, selected as in Open MPI. bcast, gather, reduce and
// scatter also have those of mpix.h, without segments: linear, chain, pipeline, binary, binomial.
//
// Reports `time` of a repetition, the mean over repetitions and ranks (s), which is IMB's t_avg and OSU's average
// latency; for several sizes, with `bytes`. For ping-pongs, only the ranks that begin count.
//
//   --warm-up   number of unmeasured repetitions before those of the first size
//   --slowest   reports the time of the slowest rank instead of the mean
//   --as-probe  measures as `strata probe` does: starts with a barrier and an additional repetition, has no barriers
//               between repetitions, and reports the time of the slowest rank
#include <mpi.h>

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

struct Call {
  void *sent, *received;
  int bytes, rank, size;
  int algorithm;  // from mpix.h; kNative: MPI's own

  int floats() const { return bytes / static_cast<int>(sizeof(float)); }
  int left() const { return (rank + size - 1) % size; }
  int right() const { return (rank + 1) % size; }
  int partner() const { return rank ^ 1; }
};

constexpr int kNative = -1;
constexpr int kUnsegmented = 0;  // B
constexpr int kRoot = 0;
const MPI_Comm kWorld = MPI_COMM_WORLD;

void sendrecv(const Call& c) {
  MPI_Sendrecv(c.sent, c.bytes, MPI_BYTE, c.right(), 0, c.received, c.bytes, MPI_BYTE, c.left(), 0, kWorld,
               MPI_STATUS_IGNORE);
}

void exchange(const Call& c) {
  MPI_Request sends[2];
  MPI_Isend(c.sent, c.bytes, MPI_BYTE, c.right(), 0, kWorld, &sends[0]);
  MPI_Isend(c.sent, c.bytes, MPI_BYTE, c.left(), 1, kWorld, &sends[1]);
  MPI_Recv(c.received, c.bytes, MPI_BYTE, c.left(), 0, kWorld, MPI_STATUS_IGNORE);
  MPI_Recv(c.received, c.bytes, MPI_BYTE, c.right(), 1, kWorld, MPI_STATUS_IGNORE);
  MPI_Waitall(2, sends, MPI_STATUSES_IGNORE);
}

void send(const Call& c) {
  MPI_Request request;  // nonblocking, because SMPI then charges the send overhead for all sizes
  MPI_Isend(c.sent, c.bytes, MPI_BYTE, c.partner(), 0, kWorld, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void receive(const Call& c) { MPI_Recv(c.received, c.bytes, MPI_BYTE, c.partner(), 0, kWorld, MPI_STATUS_IGNORE); }

void pingpong(const Call& c) {
  if (c.rank % 2 == 0) {
    send(c);
    receive(c);
  } else {
    receive(c);
    send(c);
  }
}

void pingping(const Call& c) {
  MPI_Sendrecv(c.sent, c.bytes, MPI_BYTE, c.partner(), 0, c.received, c.bytes, MPI_BYTE, c.partner(), 0, kWorld,
               MPI_STATUS_IGNORE);
}

void bcast(const Call& c) {
  if (c.algorithm == kNative) {
    MPI_Bcast(c.sent, c.bytes, MPI_BYTE, kRoot, kWorld);
  } else {
    MPIX_Bcast(c.sent, c.bytes, MPI_BYTE, kRoot, kWorld, c.algorithm, kUnsegmented);
  }
}

// SMPI's algorithms of reductions divide by the number of elements: a reduction of none ends the simulation. It has no
// effect, so it is left out.
bool reduces_nothing(const Call& c) { return c.floats() == 0; }

void reduce(const Call& c) {
  if (reduces_nothing(c)) return;
  if (c.algorithm == kNative) {
    MPI_Reduce(c.sent, c.received, c.floats(), MPI_FLOAT, MPI_SUM, kRoot, kWorld);
  } else {
    MPIX_Reduce(c.sent, c.received, c.floats(), MPI_FLOAT, MPI_SUM, kRoot, kWorld, c.algorithm, kUnsegmented);
  }
}

void gather(const Call& c) {
  if (c.algorithm == kNative) {
    MPI_Gather(c.sent, c.bytes, MPI_BYTE, c.received, c.bytes, MPI_BYTE, kRoot, kWorld);
  } else {
    MPIX_Gather(c.sent, c.bytes, MPI_BYTE, c.received, c.bytes, MPI_BYTE, kRoot, kWorld, c.algorithm);
  }
}

void scatter(const Call& c) {
  if (c.algorithm == kNative) {
    MPI_Scatter(c.sent, c.bytes, MPI_BYTE, c.received, c.bytes, MPI_BYTE, kRoot, kWorld);
  } else {
    MPIX_Scatter(c.sent, c.bytes, MPI_BYTE, c.received, c.bytes, MPI_BYTE, kRoot, kWorld, c.algorithm);
  }
}

void allreduce(const Call& c) {
  if (reduces_nothing(c)) return;
  MPI_Allreduce(c.sent, c.received, c.floats(), MPI_FLOAT, MPI_SUM, kWorld);
}

void allgather(const Call& c) { MPI_Allgather(c.sent, c.bytes, MPI_BYTE, c.received, c.bytes, MPI_BYTE, kWorld); }

void alltoall(const Call& c) { MPI_Alltoall(c.sent, c.bytes, MPI_BYTE, c.received, c.bytes, MPI_BYTE, kWorld); }

enum class Blocks { kOne, kOfEachRank };
enum class Kind { kNeighbours, kPairs, kCollective };

struct Operation {
  std::function<void(const Call&)> call;
  Kind kind;
  Blocks sent, received;
};

const std::map<std::string, Operation>& operations() {
  constexpr Blocks kOne = Blocks::kOne, kAll = Blocks::kOfEachRank;
  static const std::map<std::string, Operation> all = {{"sendrecv", {sendrecv, Kind::kNeighbours, kOne, kOne}},
                                                       {"exchange", {exchange, Kind::kNeighbours, kOne, kOne}},
                                                       {"pingpong", {pingpong, Kind::kPairs, kOne, kOne}},
                                                       {"pingping", {pingping, Kind::kPairs, kOne, kOne}},
                                                       {"allgather", {allgather, Kind::kCollective, kOne, kAll}},
                                                       {"allreduce", {allreduce, Kind::kCollective, kOne, kOne}},
                                                       {"alltoall", {alltoall, Kind::kCollective, kAll, kAll}},
                                                       {"bcast", {bcast, Kind::kCollective, kOne, kOne}},
                                                       {"gather", {gather, Kind::kCollective, kOne, kAll}},
                                                       {"reduce", {reduce, Kind::kCollective, kOne, kOne}},
                                                       {"scatter", {scatter, Kind::kCollective, kAll, kOne}}};
  return all;
}

const std::map<std::string, int>& algorithms() {
  static const std::map<std::string, int> all = {{"native", kNative},
                                                 {"linear", MPIX_ALGORITHM_LINEAR},
                                                 {"chain", MPIX_ALGORITHM_CHAIN},
                                                 {"pipeline", MPIX_ALGORITHM_PIPELINE},
                                                 {"binary", MPIX_ALGORITHM_BINARY},
                                                 {"binomial", MPIX_ALGORITHM_BINOMIAL}};
  return all;
}

bool has_algorithm(const std::string& operation, const std::string& algorithm) {
  if (algorithm == "native" || operation == "bcast" || operation == "reduce") return true;
  return (operation == "gather" || operation == "scatter") && (algorithm == "linear" || algorithm == "binomial");
}

struct Options {
  std::string operation = "sendrecv", algorithm = "native";
  std::vector<int> bytes = {0};
  int repetitions = 4, warm_up = 0;
  bool slowest = false, as_probe = false;

  const Operation& which() const { return operations().at(operation); }
  bool has_barriers() const { return !as_probe && which().kind == Kind::kCollective; }
};

Options parse_options(int argc, char** argv, int size) {
  Options o;
  strata::cli::App app("repeated");
  app.add_option("--operation", o.operation)->check(strata::cli::IsMember(operations()));
  app.add_option("--algorithm", o.algorithm)->check(strata::cli::IsMember(algorithms()));
  app.add_option("--bytes", o.bytes)->delimiter(',')->check(strata::cli::NonNegativeNumber);
  app.add_option("--repetitions", o.repetitions)->check(strata::cli::PositiveNumber);
  app.add_option("--warm-up", o.warm_up)->check(strata::cli::NonNegativeNumber);
  app.add_flag("--slowest", o.slowest);
  app.add_flag("--as-probe", o.as_probe);
  app.callback([&] {
    if (!has_algorithm(o.operation, o.algorithm))
      throw strata::cli::ValidationError("--algorithm", o.operation + " has no " + o.algorithm);
  });
  strata::programs::parse(app, argc, argv);
  o.slowest = o.slowest || o.as_probe;
  if (o.which().kind == Kind::kPairs && size % 2 != 0)
    strata::programs::refuse(o.operation + " needs an even number of ranks, not " + std::to_string(size));
  return o;
}

// The first call lets mpix.h make its communicators.
void prepare(const Operation& operation, Call call) {
  std::vector<float> sent(call.size), received(sent);
  call.sent = sent.data();
  call.received = received.data();
  call.bytes = sizeof(float);
  operation.call(call);
}

// The mean of the measured repetitions on this rank (s).
double mean_time(const Options& o, const Call& call) {
  if (call.algorithm != kNative) prepare(o.which(), call);
  if (call.bytes == o.bytes.front()) {
    for (int i = 0; i < o.warm_up; ++i) o.which().call(call);
  }
  strata::mpix::start_together(kWorld);
  if (o.as_probe) {
    MPI_Barrier(kWorld);
    o.which().call(call);
  }
  double time = 0;
  for (int i = 0; i < o.repetitions; ++i) {
    const double start = MPI_Wtime();
    o.which().call(call);
    time += MPI_Wtime() - start;
    if (o.has_barriers()) MPI_Barrier(kWorld);
  }
  strata::mpix::let_others_finish(kWorld);
  if (o.operation == "pingpong") time = call.rank % 2 == 0 ? time / 2 : 0;
  return time / o.repetitions;
}

void measure(const Options& o, int bytes, int rank, int size) {
  const auto buffer = [&](Blocks blocks) {
    const std::size_t count = blocks == Blocks::kOne ? 1 : static_cast<std::size_t>(size);
    return strata::mpix::allocate_payload(count * static_cast<std::size_t>(bytes));
  };
  const Call call{.sent = buffer(o.which().sent),
                  .received = buffer(o.which().received),
                  .bytes = bytes,
                  .rank = rank,
                  .size = size,
                  .algorithm = algorithms().at(o.algorithm)};
  const double mine = mean_time(o, call);
  double time = 0;
  MPI_Allreduce(&mine, &time, 1, MPI_DOUBLE, o.slowest ? MPI_MAX : MPI_SUM, kWorld);
  if (!o.slowest) time /= o.operation == "pingpong" ? size / 2 : size;
  strata::mpix::free_payload(call.sent);
  strata::mpix::free_payload(call.received);
  if (rank != 0) return;
  strata::programs::report("time", time, "s", o.bytes.size() > 1 ? "\"bytes\":" + std::to_string(bytes) : "");
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(kWorld, &rank);
  MPI_Comm_size(kWorld, &size);
  const Options o = parse_options(argc, argv, size);
  for (const int bytes : o.bytes) measure(o, bytes, rank, size);
  MPI_Finalize();
  return 0;
}
