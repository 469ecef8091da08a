// SPDX-License-Identifier: LGPL-2.1-only
// Measures how fast several processes on one node send to as many on another at the same time. This is the subject of
// the max-rate model (models/max_rate.h), and a ping-pong of two processes does not show it.
//
//   pairs [--pairs K] [--bytes N]
//
// The first K ranks on the node of rank 0 each send a message of N bytes at the same time to the first K ranks on the
// next node with ranks, in order. Other ranks do nothing.
//
// Reports
//   time  from the start until the last message has arrived (s)
//   rate  the total size of the K messages divided by that time (MB/s, 10^6 bytes per second)
#include <mpi.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "records/program_defaults.h"
#include "scenarios/programs/measurement.h"
#include "scenarios/programs/node.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/region.h"

namespace {

// The role of the calling process: sends to or receives from `partner`; does nothing for MPI_PROC_NULL.
struct Part {
  bool sends;
  int partner;
};

// Uses the first `pairs` ranks on the node of rank 0, and on the next node. Refuses if there are fewer.
Part own_part(int pairs) {
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int own = strata::programs::own_node();
  std::vector<int> node(size);
  MPI_Allgather(&own, 1, MPI_INT, node.data(), 1, MPI_INT, MPI_COMM_WORLD);
  std::vector<int> senders, receivers;
  for (int r = 0; r < size; ++r) {
    if (node[r] == node[0]) {
      senders.push_back(r);
    } else if (receivers.empty() || node[r] == node[receivers.front()]) {
      receivers.push_back(r);
    }
  }
  if (static_cast<std::size_t>(pairs) > std::min(senders.size(), receivers.size())) {
    strata::programs::refuse("--pairs: " + std::to_string(pairs) + " pairs, but the node of rank 0 has " +
                             std::to_string(senders.size()) + " ranks and the next " +
                             std::to_string(receivers.size()));
  }
  for (int i = 0; i < pairs; ++i) {
    if (senders[i] == rank) return {true, receivers[i]};
    if (receivers[i] == rank) return {false, senders[i]};
  }
  return {false, MPI_PROC_NULL};
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  strata::programs::PairsOptions o;
  strata::cli::App app("pairs");
  app.add_option("--pairs", o.pairs)->check(strata::cli::PositiveNumber);
  app.add_option("--bytes", o.bytes)->check(strata::cli::NonNegativeNumber);
  strata::programs::parse(app, argc, argv);
  const Part part = own_part(o.pairs);
  void* buffer = strata::mpix::allocate_payload(static_cast<std::size_t>(o.bytes));
  const double time = strata::programs::time_until_last(MPI_COMM_WORLD, [&](double) {
    MPI_Request request = MPI_REQUEST_NULL;  // nonblocking, because SMPI then charges the send overhead for all sizes
    if (part.sends) {
      MPI_Isend(buffer, o.bytes, MPI_BYTE, part.partner, 0, MPI_COMM_WORLD, &request);
    } else {
      MPI_Irecv(buffer, o.bytes, MPI_BYTE, part.partner, 0, MPI_COMM_WORLD, &request);
    }
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  });
  strata::mpix::free_payload(buffer);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    strata::programs::report("time", time, "s");
    if (time > 0) strata::programs::report("rate", static_cast<double>(o.pairs) * o.bytes / time / 1e6, "MB/s");
  }
  MPI_Finalize();
  return 0;
}
