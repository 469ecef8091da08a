// SPDX-License-Identifier: LGPL-2.1-only
// The cost of monitoring messages under a real MPI, in processor time. A process sends messages of 8 bytes to itself,
// the shortest path through MPI, by MPI_Isend with MPI_Recv and MPI_Wait.
//   bazel run -c opt //tests/benchmarks:monitoring_benchmark_openmpi
//   bazel run -c opt //tests/benchmarks:monitoring_benchmark_mpich
//
// Every repetition alternates four variants in short rounds, so that other load on the computer affects all of them.
// The result of each is its median round:
//   bare       MPI's own functions, called directly
//   tap        with our functions in front of them, but no active session
//   session    with one active session
//   sessions   with eight active sessions
// The time is that of one message of the variant; `ratio` is this time divided by the bare one in the same repetition,
// and `more_ns` their difference.
#include <benchmark/benchmark.h>
#include <dlfcn.h>
#include <mpi.h>
#include <time.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"

namespace strata::benchmarks {
namespace {

constexpr int kRounds = 400;
constexpr int kMessages = 500;  // per round
constexpr int kSessions = 8;

enum Way { kBare, kTap, kSession, kSessionsAtOnce, kWays };

// The MPI library's own function: in this program the tap defines the plain names.
template <class Function>
Function* own(const char* name) {
  void* const found = ::dlsym(RTLD_NEXT, name);
  if (found == nullptr) throw std::runtime_error(name);
  return reinterpret_cast<Function*>(found);
}

// The processor time of this thread, which never waits.
double processor_seconds() {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

template <class Isend>
double seconds_of(const Isend& isend) {
  long out = 1, in = 0;
  const double start = processor_seconds();
  for (int i = 0; i < kMessages; ++i) {
    MPI_Request request = MPI_REQUEST_NULL;
    isend(&out, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, &request);
    MPI_Recv(&in, 1, MPI_LONG, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  return processor_seconds() - start;
}

void must(int code) {
  if (code != MPI_SUCCESS) throw std::runtime_error(MPI_M_error_string(code));
}

// Seconds per message of each variant.
std::array<double, kWays> measure() {
  const auto own_isend = own<decltype(MPI_Isend)>("PMPI_Isend");
  std::array<std::vector<double>, kWays> rounds;
  std::vector<MPI_M_msid> ids(kSessions);
  for (int round = 0; round < kRounds; ++round) {
    rounds[kBare].push_back(seconds_of(own_isend));
    rounds[kTap].push_back(seconds_of(MPI_Isend));
    must(MPI_M_init());
    for (int s = 0; s < kSessions; ++s) {
      must(MPI_M_start(MPI_COMM_WORLD, &ids[s]));
      if (s == 0) rounds[kSession].push_back(seconds_of(MPI_Isend));
    }
    rounds[kSessionsAtOnce].push_back(seconds_of(MPI_Isend));
    unsigned long sent = 0;
    must(MPI_M_suspend(ids[0]));
    must(MPI_M_get_data(ids[0], &sent, MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY));
    if (sent != 2 * kMessages) throw std::runtime_error("the session has not seen the messages");
    must(MPI_M_suspend(MPI_M_ALL_MSID));
    must(MPI_M_free(MPI_M_ALL_MSID));
    must(MPI_M_finalize());
  }
  std::array<double, kWays> median{};
  for (int way = 0; way < kWays; ++way) {
    const auto middle = rounds[way].begin() + kRounds / 2;
    std::nth_element(rounds[way].begin(), middle, rounds[way].end());
    median[way] = *middle / kMessages;
  }
  return median;
}

void messages(benchmark::State& state) {
  const int way = static_cast<int>(state.range(0));
  double bare = 0, mine = 0;
  for (auto _ : state) {
    const std::array<double, kWays> s = measure();
    state.SetIterationTime(s[way]);
    bare += s[kBare];
    mine += s[way];
  }
  state.SetLabel(std::array{"bare", "tap", "session", "sessions"}[way]);
  state.counters["ratio"] = mine / bare;
  state.counters["more_ns"] = (mine - bare) / static_cast<double>(state.iterations()) * 1e9;
}

BENCHMARK(messages)
    ->DenseRange(kTap, kWays - 1)
    ->UseManualTime()
    ->Iterations(1)
    ->Repetitions(5)
    ->Unit(benchmark::kNanosecond);

}  // namespace
}  // namespace strata::benchmarks

int main(int argc, char** argv) {
  ::setenv("MPI_M_PROVIDER", "pmpi", 0);
  MPI_Init(&argc, &argv);
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  MPI_Finalize();
  return 0;
}
