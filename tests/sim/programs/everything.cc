// SPDX-License-Identifier: LGPL-2.1-only
// Sends in all ways that MPI has, including SMPI's own collectives and one-sided operations, as a user's program might:
// for the conservation test. Needs at least two ranks.
#include <mpi.h>

#include <array>
#include <cstddef>
#include <vector>

namespace {

struct Self {
  int rank = 0, size = 0;
};

void point_to_point(const Self& me) {
  const int next = (me.rank + 1) % me.size, before = (me.rank + me.size - 1) % me.size;
  std::vector<char> out(100'000), in(100'000);
  // Empty, eager and rendezvous messages.
  for (const int bytes : {0, 1, 1000, 100'000}) {
    MPI_Sendrecv(out.data(), bytes, MPI_BYTE, next, 1, in.data(), bytes, MPI_BYTE, before, 1, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
  }
  MPI_Sendrecv(out.data(), 77, MPI_BYTE, me.rank, 2, in.data(), 77, MPI_BYTE, me.rank, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Sendrecv(out.data(), 7, MPI_BYTE, MPI_PROC_NULL, 2, in.data(), 7, MPI_BYTE, MPI_PROC_NULL, 2, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  // A message smaller than the receive buffer, from any source.
  std::array<MPI_Request, 2> requests{};
  MPI_Irecv(in.data(), 5000, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, requests.data());
  MPI_Isend(out.data(), 3333, MPI_BYTE, next, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  // A vector of three blocks of two ints.
  MPI_Datatype blocks;
  MPI_Type_vector(3, 2, 5, MPI_INT, &blocks);
  MPI_Type_commit(&blocks);
  MPI_Irecv(in.data(), 1, blocks, before, 4, MPI_COMM_WORLD, requests.data());
  MPI_Issend(out.data(), 1, blocks, next, 4, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  MPI_Type_free(&blocks);
  // Persistent requests, started twice.
  MPI_Recv_init(in.data(), 20'000, MPI_BYTE, before, 5, MPI_COMM_WORLD, requests.data());
  MPI_Send_init(out.data(), 20'000, MPI_BYTE, next, 5, MPI_COMM_WORLD, &requests[1]);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests.data());
    MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
  }
  for (MPI_Request& r : requests) MPI_Request_free(&r);
}

void collectives(const Self& me, MPI_Comm comm) {
  int size = 0;
  MPI_Comm_size(comm, &size);
  for (const int n : {1, 3000}) {
    std::vector<int> own(n, me.rank), all(static_cast<size_t>(n) * size), to_all(all.size());
    MPI_Barrier(comm);
    MPI_Bcast(own.data(), n, MPI_INT, size - 1, comm);
    MPI_Reduce(own.data(), all.data(), n, MPI_INT, MPI_SUM, 0, comm);
    MPI_Allreduce(own.data(), all.data(), n, MPI_INT, MPI_MAX, comm);
    MPI_Gather(own.data(), n, MPI_INT, all.data(), n, MPI_INT, size / 2, comm);
    MPI_Scatter(all.data(), n, MPI_INT, own.data(), n, MPI_INT, 0, comm);
    MPI_Allgather(own.data(), n, MPI_INT, all.data(), n, MPI_INT, comm);
    MPI_Alltoall(all.data(), n, MPI_INT, to_all.data(), n, MPI_INT, comm);
    MPI_Scan(own.data(), all.data(), n, MPI_INT, MPI_SUM, comm);
    MPI_Reduce_scatter_block(to_all.data(), own.data(), n, MPI_INT, MPI_SUM, comm);
  }
  MPI_Request request;
  int one = 1, sum = 0;
  MPI_Iallreduce(&one, &sum, 1, MPI_INT, MPI_SUM, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

void one_sided(const Self& me) {
  constexpr int kInts = 4000;
  std::vector<int> window(kInts), buffer(kInts, me.rank);
  MPI_Win win;
  MPI_Win_create(window.data(), kInts * static_cast<MPI_Aint>(sizeof(int)), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD,
                 &win);
  const int next = (me.rank + 1) % me.size;
  MPI_Win_fence(0, win);
  MPI_Put(buffer.data(), 10, MPI_INT, next, 0, 10, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Get(buffer.data(), kInts, MPI_INT, next, 0, kInts, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Accumulate(buffer.data(), 500, MPI_INT, next, 0, 500, MPI_INT, MPI_SUM, win);
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, next, 0, win);
  MPI_Put(buffer.data(), 1, MPI_INT, next, 3, 1, MPI_INT, win);
  MPI_Win_unlock(next, win);
  MPI_Win_free(&win);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Self me;
  MPI_Comm_rank(MPI_COMM_WORLD, &me.rank);
  MPI_Comm_size(MPI_COMM_WORLD, &me.size);
  point_to_point(me);
  collectives(me, MPI_COMM_WORLD);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, me.rank % 2, -me.rank, &half);
  collectives(me, half);
  MPI_Comm_free(&half);
  one_sided(me);
  MPI_Finalize();
  return 0;
}
