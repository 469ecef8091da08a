// SPDX-License-Identifier: LGPL-2.1-only
// Measures how long a message keeps the core of its sender busy, and that of its receiver (s; LogGP's o_s and o_r), for
// each of several sizes.
//
//   busy --bytes 0,1024,1048576 [--messages 16]
//
// Rank 0 sends several messages to rank 1. It is busy from its first MPI_Isend until its last one returns, and the
// messages move while it waits: this time by the number of messages is `send_overhead`. Rank 1 takes the messages when
// all of them have arrived, so that it does not wait for any: the time of its MPI_Waitall by the number of messages is
// `receive_overhead`. A real MPI would move long messages only in that MPI_Waitall, so this holds under SMPI.
#include <mpi.h>

#include <string>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/measure.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/options.h"

namespace {

// The seconds that rank 0 is busy with sending. Returns when the messages have left.
double send(const void* buffer, int bytes, int messages) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(messages));
  const double start = MPI_Wtime();
  for (MPI_Request& r : requests) MPI_Isend(buffer, bytes, MPI_BYTE, 1, 0, MPI_COMM_WORLD, &r);
  const double busy_s = MPI_Wtime() - start;
  MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
  return busy_s;
}

// The seconds from when rank 1 has computed for `before_s` until it has taken all messages.
double receive(char* buffer, int bytes, int messages, double before_s) {
  std::vector<MPI_Request> requests(static_cast<std::size_t>(messages));
  for (int i = 0; i < messages; ++i) {
    MPI_Irecv(buffer + static_cast<std::size_t>(i) * static_cast<std::size_t>(bytes), bytes, MPI_BYTE, 0, 0,
              MPI_COMM_WORLD, &requests[i]);
  }
  if (before_s > 0) strata::mpix::charge_seconds(before_s);
  const double start = MPI_Wtime();
  MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
  return MPI_Wtime() - start;
}

void measure(int rank, int bytes, int messages) {
  // A core that both computes and copies gives each its share, so messages have arrived after twice the time.
  constexpr double kUntilArrived = 4;
  const int buffers = rank == 0 ? 1 : messages;
  void* buffer = strata::mpix::allocate_payload(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(buffers));
  const std::string parameters = "\"bytes\":" + std::to_string(bytes);
  double alone_s = 0;  // how long the messages take if rank 1 only waits for them
  for (const double before : {0.0, kUntilArrived}) {
    strata::mpix::start_together(MPI_COMM_WORLD);
    if (rank == 0) {
      const double busy_s = send(buffer, bytes, messages);
      if (before > 0) strata::programs::report("send_overhead", busy_s / messages, "s", parameters);
    } else if (rank == 1) {
      const double busy_s = receive(static_cast<char*>(buffer), bytes, messages, before * alone_s);
      if (before > 0) strata::programs::report("receive_overhead", busy_s / messages, "s", parameters);
      alone_s = busy_s;
    }
  }
  strata::mpix::free_payload(buffer);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::vector<int> sizes;
  int messages = 16, rank = 0;
  strata::cli::App app("busy");
  app.add_option("--bytes", sizes)->delimiter(',')->required()->check(strata::cli::NonNegativeNumber);
  app.add_option("--messages", messages)->check(strata::cli::PositiveNumber);
  strata::programs::parse(app, argc, argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (const int bytes : sizes) measure(rank, bytes, messages);
  MPI_Finalize();
  return 0;
}
