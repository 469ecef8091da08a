// SPDX-License-Identifier: LGPL-2.1-only
// A program that fails in the given way, for tests that the launcher distinguishes these ways.
//
//   misbehave --how deadlock|waitall|collective|...
#undef NDEBUG  // assert() is one of the ways
#include <mpi.h>

#include <cassert>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <stdexcept>
#include <string>

namespace {

int g_rank = 0;

void report(const char* value = "1") {
  if (g_rank == 0) std::printf("@strata {\"metric\":\"time\",\"value\":%s,\"unit\":\"s\"}\n", value);
  std::fflush(stdout);
}

void finalize() { MPI_Finalize(); }

void receive(int from, int tag) {
  int value = 0;
  MPI_Recv(&value, 1, MPI_INT, from, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
}

// Too deep for any stack. The compiler must not be able to predict the end or turn the recursion into a loop.
int overflow(volatile int* depth) {
  volatile char page[4096];
  std::memset(const_cast<char*>(page), *depth, sizeof page);
  *depth = *depth + 1;
  return *depth < 0 ? 0 : overflow(depth) + page[7];
}

// Ranks 0 and 1 receive from each other before they send. The other ranks are done.
void deadlock() {
  if (g_rank < 2) receive(1 - g_rank, 7);
}

// Both wait for two messages that no rank sends.
void waitall() {
  if (g_rank < 2) {
    int values[2] = {};
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) {
      MPI_Irecv(&values[i], 1, MPI_INT, 1 - g_rank, 5 + i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
}

// Like `waitall`, but waits only for the first of two requests.
void wait_for_one() {
  if (g_rank < 2) {
    int values[2] = {};
    MPI_Request requests[2];
    for (int i = 0; i < 2; ++i) {
      MPI_Irecv(&values[i], 1, MPI_INT, 1 - g_rank, 5 + i, MPI_COMM_WORLD, &requests[i]);
    }
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  }
}

// A rendezvous send that no rank receives.
void send() {
  static char big[1 << 20];
  if (g_rank == 0) MPI_Send(big, sizeof big, MPI_CHAR, 1, 3, MPI_COMM_WORLD);
}

// Rank 1 does not call the allreduce that the other ranks call.
void collective() {
  int one = 1, sum = 0;
  if (g_rank != 1) MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
}

void segv() {
  if (g_rank == 1) {
    volatile int* volatile nowhere = nullptr;
    *nowhere = 1;
  }
}

void stack() {
  if (g_rank == 1) {
    volatile int depth = 1;
    std::printf("%d\n", overflow(&depth));
  }
}

void throws() {
  if (g_rank == 1) throw std::runtime_error("a matrix that is not there");
}

void aborts() {
  if (g_rank == 1) MPI_Abort(MPI_COMM_WORLD, 5);
}

void spin() {
  for (volatile bool on = true; on;) {
  }
}

void leaves() {
  report();
  if (g_rank == 1) std::exit(0);
}

}  // namespace

int main(int argc, char** argv) {
  const std::map<std::string, std::function<void()>> ways = {
      {"well", [] { report(); }},
      {"deadlock", deadlock},
      {"waitall", waitall},
      {"wait", wait_for_one},
      {"send", send},
      {"collective", collective},
      {"segv", segv},
      {"stack", stack},
      {"throw", throws},
      {"abort", aborts},
      {"assert", [] { assert(g_rank != 1); }},
      {"spin", spin},
      {"silent", [] {}},
      {"nan", [] { report("NaN"); }},
      {"huge", [] { report("1e999"); }},
      {"text", [] { report("\"fast\""); }},
      {"unit",
       [] {
         if (g_rank == 0) std::printf("@strata {\"metric\":\"time\",\"value\":1,\"unit\":\"ms\"}\n");
       }},
      {"parameters",
       [] {
         if (g_rank == 0) std::printf("@strata {\"metric\":\"time\",\"value\":1,\"unit\":\"s\",\"parameters\":7}\n");
       }},
      {"json",
       [] {
         if (g_rank == 0) std::printf("@strata time 1 s\n");
       }},
      {"leaves", leaves},
  };
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &g_rank);
  const std::string how = argc > 2 ? argv[2] : "well";
  if (how == "status") {
    finalize();
    return 7;
  }
  ways.at(how)();
  if (how == "leaves") return 0;
  finalize();
  return 0;
}
