// SPDX-License-Identifier: LGPL-2.1-only
// Programs whose critical path is known by hand, for critical_path_test.cc. Computation is given in flops: at 1
// Gflop/s, a million takes 1 ms.
//
//   waits pipeline       each rank computes for 1 ms, then passes a message to the next
//   waits slow           rank 2 computes for 5 ms, the others for 1 ms, then all take part in an MPI_Allreduce
//   waits ping N BYTES   ranks 0 and 1 send a message back and forth N times
//   waits pair BYTES     the ranks of the first half each send a message to one of the second half
//   waits late_sender    rank 0 computes for 3 ms before it sends; rank 1 waits
//   waits late_receiver  rank 1 computes for 3 ms before it receives a long message
//   waits phases         in the phase "solve" the last rank computes for 3 ms and the others for 1 ms; none in "idle"
//   waits halo N BYTES   N exchanges with both neighbours in a ring, each after 10 us of computing
//   waits mix            collectives, one-sided messages, polling, nonblocking messages that overlap computation
#include <mpi.h>
#include <smpi/smpi.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>
#include <vector>

namespace {

constexpr int kSmall = 984;        // B: eager; 1,000 with the envelope
constexpr int kLarge = 999'984;    // B: waits for its receiver; 1,000,000 with the envelope
constexpr double kMs = 1'000'000;  // flops

int g_rank = 0, g_size = 1;
std::vector<char> g_out(4 * kLarge), g_in(4 * kLarge);

void send(int bytes, int to) { MPI_Send(g_out.data(), bytes, MPI_CHAR, to, 0, MPI_COMM_WORLD); }
void receive(int bytes, int from) {
  MPI_Recv(g_in.data(), bytes, MPI_CHAR, from, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void pipeline() {
  if (g_rank > 0) receive(kSmall, g_rank - 1);
  smpi_execute_flops(kMs);
  if (g_rank + 1 < g_size) send(kSmall, g_rank + 1);
}

void slow() {
  smpi_execute_flops(g_rank == 2 ? 5 * kMs : kMs);
  double mine = 1, sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
}

void ping(int times, int bytes) {
  for (int i = 0; i < times; ++i) {
    if (g_rank == 0) send(bytes, 1), receive(bytes, 1);
    if (g_rank == 1) receive(bytes, 0), send(bytes, 0);
  }
}

void pair(int bytes) {
  const int half = g_size / 2;
  if (g_rank < half) {
    send(bytes, g_rank + half);
  } else {
    receive(bytes, g_rank - half);
  }
}

void phases() {
  MPI_Pcontrol(1, "solve");
  smpi_execute_flops(g_rank == g_size - 1 ? 3 * kMs : kMs);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(-1, "solve");
  MPI_Pcontrol(1, "idle");
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Pcontrol(-1, "idle");
}

void halo(int times, int bytes) {
  for (int i = 0; i < times; ++i) {
    smpi_execute_flops(kMs / 100);
    std::array<MPI_Request, 4> requests{};
    const int left = (g_rank + g_size - 1) % g_size, right = (g_rank + 1) % g_size;
    MPI_Irecv(g_in.data(), bytes, MPI_CHAR, left, 1, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(g_in.data() + bytes, bytes, MPI_CHAR, right, 2, MPI_COMM_WORLD, &requests[1]);
    MPI_Isend(g_out.data(), bytes, MPI_CHAR, right, 1, MPI_COMM_WORLD, &requests[2]);
    MPI_Isend(g_out.data(), bytes, MPI_CHAR, left, 2, MPI_COMM_WORLD, &requests[3]);
    MPI_Waitall(4, requests.data(), MPI_STATUSES_IGNORE);
  }
}

void one_sided() {
  std::vector<int> window(16);
  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_create(window.data(), 64, 4, MPI_INFO_NULL, MPI_COMM_WORLD, &win);
  MPI_Win_fence(0, win);
  if (g_rank % 2 == 0) smpi_execute_flops(kMs);
  int value = g_rank, got = 0;
  MPI_Put(&value, 1, MPI_INT, (g_rank + 1) % g_size, 0, 1, MPI_INT, win);
  MPI_Get(&got, 1, MPI_INT, (g_rank + 2) % g_size, 1, 1, MPI_INT, win);
  MPI_Win_fence(0, win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, win);
  MPI_Put(&value, 1, MPI_INT, 0, 2, 1, MPI_INT, win);
  MPI_Win_unlock(0, win);
  MPI_Win_free(&win);
}

void poll() {
  MPI_Request request = MPI_REQUEST_NULL;
  const int next = (g_rank + 1) % g_size;
  MPI_Irecv(g_in.data(), kSmall, MPI_CHAR, MPI_ANY_SOURCE, 3, MPI_COMM_WORLD, &request);
  smpi_execute_flops(kMs * (1 + g_rank % 3));
  MPI_Send(g_out.data(), kSmall, MPI_CHAR, next, 3, MPI_COMM_WORLD);
  for (int done = 0; done == 0;) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  for (int found = 0; found == 0;) {
    if (g_rank == 0) MPI_Send(g_out.data(), 0, MPI_CHAR, 1, 4, MPI_COMM_WORLD), found = 1;
    if (g_rank == 1) MPI_Iprobe(0, 4, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
    if (g_rank > 1) found = 1;
  }
  if (g_rank == 1) MPI_Recv(g_in.data(), 0, MPI_CHAR, 0, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

void mix() {
  halo(3, kSmall);
  halo(2, kLarge / 4);
  MPI_Bcast(g_out.data(), kSmall, MPI_CHAR, g_size - 1, MPI_COMM_WORLD);
  one_sided();
  poll();
  MPI_Request request = MPI_REQUEST_NULL;
  std::vector<double> mine(1000, g_rank), sum(1000);
  MPI_Iallreduce(mine.data(), sum.data(), 1000, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  smpi_execute_flops(kMs / 2 * g_rank);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Alltoall(g_out.data(), kSmall, MPI_CHAR, g_in.data(), kSmall, MPI_CHAR, MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, g_rank % 2, g_rank, &half);
  MPI_Reduce(mine.data(), sum.data(), 1000, MPI_DOUBLE, MPI_SUM, 0, half);
  MPI_Comm_free(&half);
  slow();
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &g_size);
  const std::string what = argc > 1 ? argv[1] : "";
  const auto number = [&](int i) { return i < argc ? std::atoi(argv[i]) : 0; };
  if (what == "pipeline") pipeline();
  if (what == "slow") slow();
  if (what == "ping") ping(number(2), number(3));
  if (what == "pair") pair(number(2));
  if (what == "late_sender") {
    if (g_rank == 0) smpi_execute_flops(3 * kMs), send(kSmall, 1);
    if (g_rank == 1) receive(kSmall, 0);
  }
  if (what == "late_receiver") {
    if (g_rank == 0) send(kLarge, 1);
    if (g_rank == 1) smpi_execute_flops(3 * kMs), receive(kLarge, 0);
  }
  if (what == "phases") phases();
  if (what == "halo") halo(number(2), number(3));
  if (what == "mix") mix();
  MPI_Finalize();
  return 0;
}
