// SPDX-License-Identifier: LGPL-2.1-only
// A program whose profile follows by hand, for profile_test.cc. Its argument selects what it does.
#include <mpi.h>
#include <smpi/smpi.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <random>
#include <simgrid/s4u.hpp>
#include <string>
#include <thread>
#include <vector>

#include "sim/simgrid/version.h"

namespace {

constexpr int kSmall = 84;                   // B: eager; 100 with its envelope
constexpr int kLarge = 9'984;                // B: waits for its receiver; 10,000 with its envelope
constexpr int kUs = 1'000, kMs = 1'000'000;  // flops of 1 us and 1 ms on the unit machine

std::vector<char> data(kLarge);

void send(int bytes, int to, int tag = 0) { MPI_Send(data.data(), bytes, MPI_CHAR, to, tag, MPI_COMM_WORLD); }
void receive(int bytes, int from, int tag = 0) {
  MPI_Recv(data.data(), bytes, MPI_CHAR, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}
MPI_Request ireceive(int from) {
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Irecv(data.data(), kSmall, MPI_CHAR, from, 0, MPI_COMM_WORLD, &request);
  return request;
}

// One sequence of random numbers determines the calls of all ranks, another one the computation of each rank.
void random_calls(int rank) {
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::mt19937 ours(1), mine(static_cast<unsigned>(rank) + 2);
  std::vector<char> all(static_cast<std::size_t>(size) * kLarge), more(all.size());
  MPI_Win window = MPI_WIN_NULL;
  MPI_Win_create(all.data(), static_cast<MPI_Aint>(all.size()), 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_fence(0, window);
  for (int step = 0; step < 200; ++step) {
    smpi_execute_flops(static_cast<double>(mine() % 20'000));
    const int bytes = static_cast<int>(ours() % 2 == 0 ? ours() % kSmall : ours() % kLarge);
    const int shift = 1 + static_cast<int>(ours() % static_cast<unsigned>(size));
    const int to = (rank + shift) % size, from = (rank + size - shift % size) % size;
    const int root = static_cast<int>(ours() % static_cast<unsigned>(size));
    MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
    switch (ours() % 10) {
      case 0:
        MPI_Sendrecv(data.data(), bytes, MPI_CHAR, to, 1, all.data(), bytes, MPI_CHAR, from, 1, MPI_COMM_WORLD,
                     MPI_STATUS_IGNORE);
        break;
      case 1:
      case 2:
        MPI_Irecv(all.data(), bytes, MPI_CHAR, step % 2 == 0 ? MPI_ANY_SOURCE : from, step, MPI_COMM_WORLD,
                  &requests[0]);
        MPI_Isend(data.data(), bytes, MPI_CHAR, to, step, MPI_COMM_WORLD, &requests[1]);
        smpi_execute_flops(static_cast<double>(mine() % 5'000));
        MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
        break;
      case 3:
        MPI_Bcast(data.data(), bytes, MPI_CHAR, root, MPI_COMM_WORLD);
        break;
      case 4:
        MPI_Allreduce(data.data(), all.data(), bytes, MPI_CHAR, MPI_MAX, MPI_COMM_WORLD);
        break;
      case 5:
        MPI_Alltoall(more.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
        break;
      case 6:
        MPI_Ibarrier(MPI_COMM_WORLD, &requests[0]);
        for (int done = 0; done == 0;) MPI_Test(&requests[0], &done, MPI_STATUS_IGNORE);
        break;
      case 7:
        MPI_Put(data.data(), bytes, MPI_CHAR, to, 0, bytes, MPI_CHAR, window);
        MPI_Win_fence(0, window);
        MPI_Get(data.data(), bytes, MPI_CHAR, from, 0, bytes, MPI_CHAR, window);
        MPI_Win_fence(0, window);
        break;
      case 8:
        MPI_Win_lock(MPI_LOCK_EXCLUSIVE, root, 0, window);
        MPI_Put(data.data(), bytes, MPI_CHAR, root, 0, bytes, MPI_CHAR, window);
        MPI_Win_unlock(root, window);
        break;
      default:
        MPI_Barrier(MPI_COMM_WORLD);
    }
  }
  MPI_Win_free(&window);
}

void do_it(const std::string& what, int rank) {
  if (what == "late_sender") {
    if (rank == 0) smpi_execute_flops(kMs), send(kSmall, 1);
    if (rank == 1) receive(kSmall, 0);
  } else if (what == "late_receiver") {
    if (rank == 0) send(kLarge, 1);
    if (rank == 1) smpi_execute_flops(kMs), receive(kLarge, 0);
  } else if (what == "eager") {
    if (rank == 0) send(kSmall, 1);
    if (rank == 1) smpi_execute_flops(kMs), receive(kSmall, 0);
  } else if (what == "barrier") {
    if (rank == 1) smpi_execute_flops(kMs);
    MPI_Barrier(MPI_COMM_WORLD);
  } else if (what == "computation") {
    smpi_execute_flops(rank * kMs);
  } else if (what == "waitall") {
    if (rank != 1) smpi_execute_flops(rank == 0 ? kMs : 2 * kMs), send(kSmall, 1);
    if (rank == 1) {
      MPI_Request requests[] = {ireceive(0), MPI_REQUEST_NULL, ireceive(2)};
      MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
    }
  } else if (what == "test" || what == "testany") {
    if (rank == 0) smpi_execute_flops(kMs), send(kSmall, 1);
    if (rank == 1) {
      MPI_Request request = ireceive(0);
      int index = 0;
      for (int done = 0; done == 0;) {
        if (what == "test")
          MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        else
          MPI_Testany(1, &request, &index, &done, MPI_STATUS_IGNORE);
      }
    }
  } else if (what == "probe") {
    if (rank == 0) smpi_execute_flops(kMs), send(kSmall, 1);
    if (rank == 1) {
      MPI_Probe(0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      receive(kSmall, 0);
    }
  } else if (what == "fence") {
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_create(data.data(), kSmall, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 1) smpi_execute_flops(kMs);
    MPI_Win_fence(0, window);
    MPI_Win_free(&window);
  } else if (what == "nested") {
    const int other = 1 - rank;
    MPI_Sendrecv_replace(data.data(), kSmall, MPI_CHAR, other, 0, other, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  } else if (what == "busy") {  // occupies the real processor
    if (rank == 0) {
      const std::clock_t end = std::clock() + CLOCKS_PER_SEC / 20;
      while (std::clock() < end) continue;
      send(kSmall, 1);
    }
    if (rank == 1) receive(kSmall, 0);
  } else if (what == "actor") {
    if (rank == 0) {
      const auto sleep = [] { simgrid::s4u::this_actor::sleep_for(1); };
#ifdef STRATA_SIMGRID_3_32
      simgrid::s4u::Actor::create("another", simgrid::s4u::this_actor::get_host(), sleep);
#else
      simgrid::s4u::Engine::get_instance()->add_actor("another", simgrid::s4u::this_actor::get_host(), sleep);
#endif
    }
  } else if (what == "deadlock") {
    if (rank == 0) receive(kSmall, 1, 7);
    if (rank == 1) send(kLarge, 2, 8);
    if (rank == 2) {
      MPI_Request requests[] = {ireceive(0), ireceive(MPI_ANY_SOURCE)};
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
  } else if (what == "fork") {
    if (rank == 0) {
      const pid_t child = ::fork();
      if (child == 0) std::exit(4);
      ::waitpid(child, nullptr, 0);
    }
  } else if (what == "wait") {
    MPI_Request request = MPI_REQUEST_NULL;
    if (rank == 0) MPI_Isend(data.data(), kLarge, MPI_CHAR, 1, 3, MPI_COMM_WORLD, &request);
    if (rank == 1) MPI_Irecv(data.data(), kLarge, MPI_CHAR, 0, 3, MPI_COMM_WORLD, &request);
    smpi_execute_flops(rank == 0 ? kMs : kUs);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (what == "bcast") {
    MPI_Bcast(data.data(), kSmall, MPI_CHAR, 0, MPI_COMM_WORLD);
  } else if (what == "self") {
    MPI_Request request = ireceive(0);
    send(kSmall, 0);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  } else if (what == "unreceived") {
    if (rank == 0) send(kSmall, 1);
  } else if (what == "lock") {
    MPI_Win window = MPI_WIN_NULL;
    MPI_Win_create(data.data(), kSmall, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    if (rank == 1) smpi_execute_flops(kUs);
    MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
    smpi_execute_flops(kMs);
    MPI_Win_unlock(0, window);
    MPI_Win_free(&window);
  } else if (what == "phases") {
    MPI_Pcontrol(0);
    MPI_Pcontrol(1, "whole");
    smpi_execute_flops(kMs);
    MPI_Pcontrol(5);
    smpi_execute_flops(kMs);
    MPI_Pcontrol(1, "odd\nname");
    MPI_Pcontrol(-1, "never begun");
    MPI_Pcontrol(-1, "whole");
    smpi_execute_flops(kMs);
    MPI_Pcontrol(-5);
    MPI_Pcontrol(1, nullptr);
    MPI_Pcontrol(-1, reinterpret_cast<const char*>(1));
    MPI_Pcontrol(1, std::string(65, 'x').c_str());
  } else if (what == "random") {
    random_calls(rank);
  } else if (what == "crash") {
    std::raise(SIGKILL);
  } else if (what == "abort") {
    if (rank == 1) MPI_Abort(MPI_COMM_WORLD, 3);
    receive(kSmall, 1);
  }
}

}  // namespace

int main(int argc, char** argv) {
  const std::string what = argc > 1 ? argv[1] : "";
  int provided = 0, rank = 0;
  if (what == "late_init" && simgrid::s4u::this_actor::get_pid() == 2) simgrid::s4u::this_actor::sleep_for(1e-3);
  MPI_Init_thread(&argc, &argv, MPI_THREAD_SINGLE, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  do_it(what, rank);
  if (rank == 1 && what == "return_early") return 5;
  if (rank == 1 && what == "smpi_exit") smpi_exit(6);
  if (rank == 1 && what == "exit") std::exit(7);
  if (rank == 2 && what == "exit") smpi_execute_flops(kMs);
  if (rank == 1 && what == "no_finalize") return 0;
  MPI_Finalize();
  return rank == 1 && what == "return" ? 8 : 0;
}
