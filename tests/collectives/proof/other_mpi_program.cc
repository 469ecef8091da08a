// SPDX-License-Identifier: LGPL-2.1-only
// Calls collectives, and prints "done" if their values are right:
//
//   other all_collectives      each once, also nonblocking ones and those of neighbourhoods
//   other two_groups           on a communicator of two groups of ranks
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <string>
#include <vector>

namespace {

int rank = 0, ranks = 0;

void require(bool right, const char* what) {
  if (right) return;
  std::fprintf(stderr, "rank %d: %s\n", rank, what);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

void finish(MPI_Request* request) { MPI_Wait(request, MPI_STATUS_IGNORE); }

void call_all() {
  MPI_Comm world = MPI_COMM_WORLD;
  const int sum = ranks * (ranks - 1) / 2;
  std::vector<int> in(ranks, rank), out(ranks), ones(ranks, 1), places(ranks), bytes(ranks);
  std::iota(places.begin(), places.end(), 0);
  for (int r = 0; r < ranks; ++r) bytes[r] = 4 * r;
  std::vector<MPI_Datatype> types(ranks, MPI_INT);
  const auto require_all = [&](int value, const char* what) {
    for (const int o : out) require(o == value, what);
  };
  const auto require_ranks = [&](const char* what) {
    for (int r = 0; r < ranks; ++r) require(out[r] == r, what);
  };
  MPI_Barrier(world);
  MPI_Gatherv(&rank, 1, MPI_INT, out.data(), ones.data(), places.data(), MPI_INT, 0, world);
  if (rank == 0) require_ranks("gatherv");
  int mine = -1;
  MPI_Scatterv(places.data(), ones.data(), places.data(), MPI_INT, &mine, 1, MPI_INT, 0, world);
  require(mine == rank, "scatterv");
  MPI_Alltoallw(in.data(), ones.data(), bytes.data(), types.data(), out.data(), ones.data(), bytes.data(), types.data(),
                world);
  require_ranks("alltoallw");
  MPI_Reduce_scatter_block(in.data(), &mine, 1, MPI_INT, MPI_SUM, world);
  require(mine == sum, "reduce_scatter_block");

  MPI_Request r = MPI_REQUEST_NULL;
  MPI_Ibarrier(world, &r);
  finish(&r);
  mine = rank == 0 ? 7 : 0;
  MPI_Ibcast(&mine, 1, MPI_INT, 0, world, &r);
  finish(&r);
  require(mine == 7, "ibcast");
  MPI_Iallreduce(in.data(), out.data(), ranks, MPI_INT, MPI_SUM, world, &r);
  finish(&r);
  require_all(sum, "iallreduce");
  MPI_Ireduce(&rank, &mine, 1, MPI_INT, MPI_SUM, 0, world, &r);
  finish(&r);
  if (rank == 0) require(mine == sum, "ireduce");
  MPI_Iallgather(&rank, 1, MPI_INT, out.data(), 1, MPI_INT, world, &r);
  finish(&r);
  require_ranks("iallgather");
  MPI_Iallgatherv(&rank, 1, MPI_INT, out.data(), ones.data(), places.data(), MPI_INT, world, &r);
  finish(&r);
  require_ranks("iallgatherv");
  MPI_Ialltoall(in.data(), 1, MPI_INT, out.data(), 1, MPI_INT, world, &r);
  finish(&r);
  require_ranks("ialltoall");
  MPI_Ialltoallv(in.data(), ones.data(), places.data(), MPI_INT, out.data(), ones.data(), places.data(), MPI_INT, world,
                 &r);
  finish(&r);
  require_ranks("ialltoallv");
  MPI_Ialltoallw(in.data(), ones.data(), bytes.data(), types.data(), out.data(), ones.data(), bytes.data(),
                 types.data(), world, &r);
  finish(&r);
  require_ranks("ialltoallw");
  MPI_Igather(&rank, 1, MPI_INT, out.data(), 1, MPI_INT, 0, world, &r);
  finish(&r);
  if (rank == 0) require_ranks("igather");
  MPI_Igatherv(&rank, 1, MPI_INT, out.data(), ones.data(), places.data(), MPI_INT, 0, world, &r);
  finish(&r);
  MPI_Iscatter(places.data(), 1, MPI_INT, &mine, 1, MPI_INT, 0, world, &r);
  finish(&r);
  require(mine == rank, "iscatter");
  MPI_Iscatterv(places.data(), ones.data(), places.data(), MPI_INT, &mine, 1, MPI_INT, 0, world, &r);
  finish(&r);
  MPI_Iscan(&rank, &mine, 1, MPI_INT, MPI_SUM, world, &r);
  finish(&r);
  require(mine == rank * (rank + 1) / 2, "iscan");
  MPI_Iexscan(&rank, &mine, 1, MPI_INT, MPI_SUM, world, &r);
  finish(&r);
  MPI_Ireduce_scatter(in.data(), &mine, ones.data(), MPI_INT, MPI_SUM, world, &r);
  finish(&r);
  require(mine == sum, "ireduce_scatter");
  MPI_Ireduce_scatter_block(in.data(), &mine, 1, MPI_INT, MPI_SUM, world, &r);
  finish(&r);
  require(mine == sum, "ireduce_scatter_block");

  MPI_Comm ring = MPI_COMM_NULL;
  const int periodic = 1;
  MPI_Cart_create(world, 1, &ranks, &periodic, 0, &ring);
  int beside[2] = {-1, -1};
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, beside, 1, MPI_INT, ring);
  require(beside[0] == (rank + ranks - 1) % ranks && beside[1] == (rank + 1) % ranks, "neighbor_allgather");
  MPI_Neighbor_alltoall(in.data(), 1, MPI_INT, beside, 1, MPI_INT, ring);
  MPI_Ineighbor_allgather(&rank, 1, MPI_INT, beside, 1, MPI_INT, ring, &r);
  finish(&r);
  MPI_Comm_free(&ring);
}

void call_between_groups() {
  MPI_Comm group = MPI_COMM_NULL, between = MPI_COMM_NULL;
  const bool first = rank < ranks / 2;
  MPI_Comm_split(MPI_COMM_WORLD, first ? 0 : 1, rank, &group);
  MPI_Intercomm_create(group, 0, MPI_COMM_WORLD, first ? ranks / 2 : 0, 1, &between);
  MPI_Barrier(between);
  const int root = first ? (rank == 0 ? MPI_ROOT : MPI_PROC_NULL) : 0;
  int value = rank == 0 ? 5 : 0, sum = 0;
  MPI_Bcast(&value, 1, MPI_INT, root, between);
  if (!first) require(value == 5, "bcast between groups");
  const int one = 1;
  int remote = 0;
  MPI_Comm_remote_size(between, &remote);
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, between);
  require(sum == remote, "allreduce between groups");
  std::vector<int> all(ranks);
  MPI_Allgather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, between);
  require(all[0] == (first ? ranks / 2 : 0), "allgather between groups");
  MPI_Gather(&rank, 1, MPI_INT, all.data(), 1, MPI_INT, root, between);
  MPI_Reduce(&one, &sum, 1, MPI_INT, MPI_SUM, root, between);
  MPI_Comm_free(&between);
  MPI_Comm_free(&group);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const std::string what = argc > 1 ? argv[1] : "";
  what == "two_groups" ? call_between_groups() : call_all();
  if (rank == 0) std::puts("done");
  MPI_Finalize();
  return 0;
}
