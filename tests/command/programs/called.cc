// SPDX-License-Identifier: LGPL-2.1-only
// Calls each collective with a size of its own, on all ranks and in groups of ranks:
//
//   called       see the table below; with 8 ranks, groups of two and of six
#include <mpi.h>

#include <numeric>
#include <vector>

namespace {

constexpr int kMost = 1 << 16;  // elements of a buffer
std::vector<double> sent(kMost), received(kMost);

// All ranks: once each, and MPI_Allreduce five times.
void call_all(MPI_Comm comm) {
  int ranks = 0, rank = 0;
  MPI_Comm_size(comm, &ranks);
  MPI_Comm_rank(comm, &rank);
  const int last = ranks - 1;
  std::vector<int> counts(ranks), places(ranks);
  for (int r = 0; r < ranks; ++r) counts[r] = 10 + r;
  std::exclusive_scan(counts.begin(), counts.end(), places.begin(), 0);
  double* const in = sent.data();
  double* const out = received.data();
  MPI_Barrier(comm);
  MPI_Bcast(in, 100, MPI_DOUBLE, last, comm);                                              // 800 B
  MPI_Gather(in, 3, MPI_DOUBLE, out, 3, MPI_DOUBLE, last, comm);                           // 24 B
  MPI_Gather(rank == 0 ? MPI_IN_PLACE : in, 4, MPI_DOUBLE, in, 4, MPI_DOUBLE, 0, comm);    // 32 B
  MPI_Scatter(in, 5, MPI_DOUBLE, out, 5, MPI_DOUBLE, last, comm);                          // 40 B
  MPI_Scatter(in, 6, MPI_DOUBLE, rank == 0 ? MPI_IN_PLACE : out, 6, MPI_DOUBLE, 0, comm);  // 48 B
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, out, 7, MPI_INT, comm);                // 28 B
  MPI_Allgatherv(in, counts[rank], MPI_DOUBLE, out, counts.data(), places.data(), MPI_DOUBLE, comm);
  MPI_Alltoall(in, 9, MPI_INT, out, 9, MPI_INT, comm);  // 36 B
  const std::vector<int> equal(ranks, 11);
  std::vector<int> elevens(ranks);
  std::exclusive_scan(equal.begin(), equal.end(), elevens.begin(), 0);
  MPI_Alltoallv(in, equal.data(), elevens.data(), MPI_INT, out, equal.data(), elevens.data(), MPI_INT, comm);  // 44 B
  MPI_Reduce(in, out, 12, MPI_FLOAT, MPI_SUM, last, comm);                                                     // 48 B
  for (int i = 0; i < 5; ++i) MPI_Allreduce(in, out, 13, MPI_FLOAT, MPI_SUM, comm);                            // 52 B
  MPI_Scan(in, out, 14, MPI_FLOAT, MPI_SUM, comm);                                                             // 56 B
  MPI_Exscan(in, out, 15, MPI_FLOAT, MPI_SUM, comm);                                                           // 60 B
  MPI_Reduce_scatter(in, out, counts.data(), MPI_FLOAT, MPI_SUM, comm);
  MPI_Reduce_scatter_block(in, out, 17, MPI_CHAR, MPI_MAX, comm);  // 17 B
  MPI_Gatherv(in, 1, MPI_DOUBLE, out, counts.data(), places.data(), MPI_DOUBLE, 0, comm);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibcast(in, 1, MPI_DOUBLE, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  call_all(MPI_COMM_WORLD);
  // Two groups in the reverse order of the ranks. Only that of six calls more.
  MPI_Comm group = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < 2 ? 0 : 1, -rank, &group);
  for (int i = 0; i < (rank < 2 ? 1 : 3); ++i) MPI_Bcast(sent.data(), 1, MPI_INT, 0, group);
  // Groups of two: that of ranks 4 and 5 calls most.
  MPI_Comm pair = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank / 2, rank, &pair);
  for (int i = 0; i < (rank / 2 == 2 ? 7 : 2); ++i) MPI_Bcast(sent.data(), 2, MPI_INT, 0, pair);
  MPI_Bcast(sent.data(), 0, MPI_INT, 0, MPI_COMM_WORLD);  // nothing
  MPI_Bcast(sent.data(), 8, MPI_INT, 0, MPI_COMM_SELF);   // to no other rank
  MPI_Comm_free(&group);
  MPI_Comm_free(&pair);
  MPI_Finalize();
  return 0;
}
