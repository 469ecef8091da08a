// SPDX-License-Identifier: LGPL-2.1-only
// A phase between the beginning and the end of a session, repeated `--times N` times: point-to-point messages,
// collectives of SMPI and of mpix.h, one-sided operations. Rank 0 reports the counts of the session, row-major:
// {"messages":[...],"bytes":[...]}.
#include <mpi.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"

namespace {

constexpr int kInts = 3000;

struct Data {
  int rank = 0, size = 0;
  std::vector<int> own = std::vector<int>(kInts), all;
  MPI_Win win = MPI_WIN_NULL;
};

void phase(Data& d) {
  const int next = (d.rank + 1) % d.size, before = (d.rank + d.size - 1) % d.size;
  std::array<int, 2> in{};
  MPI_Sendrecv(d.own.data(), d.rank, MPI_INT, next, 0, d.all.data(), kInts, MPI_INT, before, 0, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(&d.rank, 1, MPI_INT, d.rank, 0, in.data(), 1, MPI_INT, d.rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(d.own.data(), d.all.data(), kInts, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Alltoall(d.own.data(), 3, MPI_INT, d.all.data(), 3, MPI_INT, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  MPIX_Bcast(d.own.data(), kInts, MPI_INT, 1, MPI_COMM_WORLD, MPIX_ALGORITHM_BINOMIAL, 0);
  MPI_Win_fence(0, d.win);
  MPI_Put(d.own.data(), 10 + d.rank, MPI_INT, next, 0, 10 + d.rank, MPI_INT, d.win);
  MPI_Win_fence(0, d.win);
  MPI_Get(d.own.data(), 100 + d.rank, MPI_INT, before, 0, 100 + d.rank, MPI_INT, d.win);
  MPI_Win_fence(0, d.win);
}

void succeed(int error) {
  if (error == MPI_SUCCESS) return;
  std::fprintf(stderr, "%s\n", MPI_M_error_string(error));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

std::string list_of(const std::vector<unsigned long>& numbers) {
  std::string text;
  for (const unsigned long n : numbers) text += (text.empty() ? "" : ",") + std::to_string(n);
  return "[" + text + "]";
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int times = argc > 2 ? std::atoi(argv[2]) : 1;
  Data d;
  MPI_Comm_rank(MPI_COMM_WORLD, &d.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &d.size);
  d.all.resize(static_cast<std::size_t>(kInts) + 3 * static_cast<std::size_t>(d.size));
  std::vector<int> window(kInts);
  MPI_Win_create(window.data(), kInts * static_cast<MPI_Aint>(sizeof(int)), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                 &d.win);
  phase(d);  // not part of the session
  succeed(MPI_M_init());
  MPI_M_msid session = MPI_M_MSID_NULL;
  succeed(MPI_M_start(MPI_COMM_WORLD, &session));
  for (int i = 0; i < times; ++i) phase(d);
  succeed(MPI_M_suspend(session));
  std::vector<unsigned long> messages(static_cast<std::size_t>(d.size) * d.size), bytes(messages.size());
  succeed(MPI_M_rootgather_data(session, 0, messages.data(), bytes.data(), MPI_M_P2P_ONLY | MPI_M_OSC_ONLY));
  succeed(MPI_M_free(session));
  succeed(MPI_M_finalize());
  phase(d);
  if (d.rank == 0)
    std::printf("@strata {\"messages\":%s,\"bytes\":%s}\n", list_of(messages).c_str(), list_of(bytes).c_str());
  MPI_Win_free(&d.win);
  MPI_Finalize();
  return 0;
}
