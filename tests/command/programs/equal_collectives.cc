// SPDX-License-Identifier: LGPL-2.1-only
// Times equal collectives. All ranks begin each of them at the same simulated time, to the ns:
//
//   equal_collectives BYTES...     for each number of bytes, on a new communicator of all ranks: three MPI_Allreduce of
//                                  that size, and on another one three MPI_Bcast. Rank 0 prints the time until the last
//                                  rank has returned, in ns: "allreduce 4: 20120 20120 20120".
#include <mpi.h>
#include <time.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

extern "C" int smpi_nanosleep(const struct timespec* duration, struct timespec* rest);  // of simulated time

namespace {

constexpr int kRounds = 3;
constexpr double kPeriod = 1;  // s, longer than any collective here

// Sleeps until the next multiple of kPeriod.
double next_period() {
  const double now = MPI_Wtime(), next = kPeriod * (std::floor(now / kPeriod) + 2);
  const double whole = std::floor(next - now);
  const struct timespec duration { static_cast<time_t>(whole), std::lround(1e9 * (next - now - whole)) };
  smpi_nanosleep(&duration, nullptr);
  return next;
}

template <class Call>
void time_rounds(const char* name, int bytes, const Call& call) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  std::array<double, kRounds> mine{}, last{};
  for (double& time : mine) {
    const double start = next_period();
    call(comm);
    time = MPI_Wtime() - start;
  }
  MPI_Reduce(mine.data(), last.data(), kRounds, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  if (rank == 0) std::printf("%s %d: %.0f %.0f %.0f\n", name, bytes, 1e9 * last[0], 1e9 * last[1], 1e9 * last[2]);
  MPI_Comm_free(&comm);
}

}  // namespace

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  for (int i = 1; i < argc; ++i) {
    const int bytes = std::atoi(argv[i]);
    std::vector<char> in(bytes, 1), out(in.size());
    time_rounds("allreduce", bytes,
                [&](MPI_Comm comm) { MPI_Allreduce(in.data(), out.data(), bytes, MPI_CHAR, MPI_BOR, comm); });
    time_rounds("bcast", bytes, [&](MPI_Comm comm) { MPI_Bcast(in.data(), bytes, MPI_CHAR, 0, comm); });
  }
  MPI_Finalize();
  return 0;
}
