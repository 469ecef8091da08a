// SPDX-License-Identifier: LGPL-2.1-only
// asks WHAT: each rank makes one call whose result may differ on another machine, and otherwise exchanges messages with
// its neighbours. With `nothing` there is no such call: only waits, collectives in groups of ranks, and MPI_Put.
#include <mpi.h>
#include <sys/time.h>
#include <time.h>

#include <array>
#include <string>

// The C library's clocks are replaced by SMPI's, as in the compilers of strata mpi.
#define SMPI_NO_OVERRIDE_MALLOC
#include <smpi/smpi_helpers.h>

namespace {

constexpr int kBytes = 100'000;  // longer than the eager limits

std::array<char, kBytes> g_out, g_in, g_more;
int g_next, g_previous;

// A message to the next rank; a long and a short message from the previous one.
struct Exchange {
  std::array<MPI_Request, 3> requests;
  explicit Exchange(int source = g_previous, int tag = 0) {
    MPI_Irecv(g_in.data(), kBytes, MPI_CHAR, source, tag, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(g_more.data(), 8, MPI_CHAR, g_previous, 1, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(g_out.data(), kBytes, MPI_CHAR, g_next, 0, MPI_COMM_WORLD, &requests[2]);
    MPI_Send(g_out.data(), 8, MPI_CHAR, g_next, 1, MPI_COMM_WORLD);
  }
  ~Exchange() { MPI_Waitall(3, requests.data(), MPI_STATUSES_IGNORE); }
  Exchange(const Exchange&) = delete;
  Exchange& operator=(const Exchange&) = delete;
};

void nothing() {
  { Exchange exchange; }
  Exchange exchange;
  MPI_Wait(&exchange.requests[1], MPI_STATUS_IGNORE);
  int sum = 0;
  MPI_Allreduce(&g_next, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Request barrier;
  MPI_Ibarrier(MPI_COMM_WORLD, &barrier);
  MPI_Wait(&barrier, MPI_STATUS_IGNORE);
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, g_next % 2, 0, &half);
  MPI_Comm_free(&half);
  MPI_Win window;
  MPI_Win_create(g_in.data(), kBytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  MPI_Put(g_out.data(), kBytes, MPI_CHAR, g_next, 0, kBytes, MPI_CHAR, window);
  MPI_Win_fence(0, window);
  MPI_Win_free(&window);
}

void ask(const std::string& what) {
  int flag = 0, index = 0, count = 0;
  std::array<int, 3> indices{};
  char name[MPI_MAX_PROCESSOR_NAME];
  if (what == "nothing") nothing();
  if (what == "any source") Exchange exchange(MPI_ANY_SOURCE, 0);
  if (what == "any tag") {
    MPI_Request request;
    MPI_Irecv(g_in.data(), kBytes, MPI_CHAR, g_previous, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
    MPI_Send(g_out.data(), 8, MPI_CHAR, g_next, 3, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (what == "waitany" || what == "waitsome" || what == "testany" || what == "testsome" || what == "testall") {
    Exchange exchange;
    MPI_Request* const all = exchange.requests.data();
    if (what == "waitany") MPI_Waitany(3, all, &index, MPI_STATUS_IGNORE);
    if (what == "waitsome") MPI_Waitsome(3, all, &count, indices.data(), MPI_STATUSES_IGNORE);
    if (what == "testany") MPI_Testany(3, all, &index, &flag, MPI_STATUS_IGNORE);
    if (what == "testsome") MPI_Testsome(3, all, &count, indices.data(), MPI_STATUSES_IGNORE);
    if (what == "testall") MPI_Testall(3, all, &flag, MPI_STATUSES_IGNORE);
  }
  if (what == "test, and it is not there") {
    MPI_Request request;
    MPI_Irecv(g_in.data(), kBytes, MPI_CHAR, g_previous, 0, MPI_COMM_WORLD, &request);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Send(g_out.data(), 8, MPI_CHAR, g_next, 0, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (what == "test, and it is there") {
    MPI_Request request;
    MPI_Irecv(g_in.data(), kBytes, MPI_CHAR, g_previous, 0, MPI_COMM_WORLD, &request);
    MPI_Send(g_out.data(), 8, MPI_CHAR, g_next, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (what == "probe" || what == "iprobe") {
    MPI_Send(g_out.data(), 8, MPI_CHAR, g_next, 0, MPI_COMM_WORLD);
    if (what == "probe") MPI_Probe(MPI_ANY_SOURCE, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (what == "iprobe") MPI_Iprobe(g_previous, 0, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(g_in.data(), kBytes, MPI_CHAR, g_previous, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
  if (what == "cancelled") {
    MPI_Request request;
    MPI_Status status;
    MPI_Irecv(g_in.data(), kBytes, MPI_CHAR, g_previous, 9, MPI_COMM_WORLD, &request);
    MPI_Cancel(&request);
    MPI_Wait(&request, &status);
    MPI_Test_cancelled(&status, &flag);
  }
  if (what == "wtime") MPI_Wtime();
  if (what == "gettimeofday") {
    timeval time;
    gettimeofday(&time, nullptr);
  }
  if (what == "clock_gettime") {
    timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
  }
  if (what == "name") MPI_Get_processor_name(name, &count);
  if (what == "node") {
    MPI_Comm node;
    MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
    MPI_Comm_free(&node);
  }
  if (what == "graph") {
    MPI_Comm graph;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &g_previous, &count, 1, &g_next, &count, MPI_INFO_NULL, 1,
                                   &graph);
    MPI_Comm_free(&graph);
  }
  if (what == "lock") {
    MPI_Win window;
    MPI_Win_create(g_in.data(), kBytes, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  g_next = (rank + 1) % size;
  g_previous = (rank + size - 1) % size;
  ask(argc > 1 ? argv[1] : "nothing");
  MPI_Finalize();
}
