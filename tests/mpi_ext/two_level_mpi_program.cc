// SPDX-License-Identifier: LGPL-2.1-only
// Collectives on new communicators under SMPI, three times each: on the world in a shuffled order, and on halves of it.
// All ranks begin each one at the same moment, and check its data. Rank 0 of the world prints the times until the last
// rank has returned (ps), in lines such as "time allreduce 8 of 16: 3401120 3401120 3401120".
//
//   two_level_mpi_program [ordered]     ordered: only on the world, in its order
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <map>
#include <numeric>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

using namespace strata::mpix::testing;

namespace {

constexpr int kRounds = 3;

// A collective with `count` integers per rank. Returns whether the caller's result is right.
struct Operation {
  const char* name;
  std::function<bool(MPI_Comm, int rank, int size, int count)> run;
};

// The value of element i of rank r's data.
int value(int r, int i) { return 1000 * r + i; }

std::vector<int> data_of(int rank, int count) {
  std::vector<int> data(count);
  for (int i = 0; i < count; ++i) data[i] = value(rank, i);
  return data;
}

std::vector<int> all_data(int size, int count) {
  std::vector<int> all;
  for (int r = 0; r < size; ++r) {
    const std::vector<int> data = data_of(r, count);
    all.insert(all.end(), data.begin(), data.end());
  }
  return all;
}

std::vector<int> sums(int size, int count) {
  std::vector<int> sum(count, 0);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < count; ++i) sum[i] += value(r, i);
  }
  return sum;
}

const std::vector<Operation>& operations() {
  static const std::vector<Operation> all = {
      {"barrier", [](MPI_Comm comm, int, int, int) { return MPI_Barrier(comm) == MPI_SUCCESS; }},
      {"bcast",
       [](MPI_Comm comm, int rank, int size, int count) {
         const int root = size / 3;
         std::vector<int> data = data_of(rank, count);
         MPI_Bcast(data.data(), count, MPI_INT, root, comm);
         return data == data_of(root, count);
       }},
      {"reduce",
       [](MPI_Comm comm, int rank, int size, int count) {
         const int root = size / 3;
         const std::vector<int> data = data_of(rank, count);
         std::vector<int> sum(data.size());
         MPI_Reduce(data.data(), sum.data(), count, MPI_INT, MPI_SUM, root, comm);
         return rank != root || sum == sums(size, count);
       }},
      {"allreduce",
       [](MPI_Comm comm, int rank, int size, int count) {
         const std::vector<int> data = data_of(rank, count);
         std::vector<int> sum(data.size());
         MPI_Allreduce(data.data(), sum.data(), count, MPI_INT, MPI_SUM, comm);
         return sum == sums(size, count);
       }},
      {"allgather",
       [](MPI_Comm comm, int rank, int size, int count) {
         const std::vector<int> data = data_of(rank, count);
         std::vector<int> all(data.size() * static_cast<std::size_t>(size));
         MPI_Allgather(data.data(), count, MPI_INT, all.data(), count, MPI_INT, comm);
         return all == all_data(size, count);
       }},
      {"gather",
       [](MPI_Comm comm, int rank, int size, int count) {
         const std::vector<int> data = data_of(rank, count);
         std::vector<int> all(data.size() * static_cast<std::size_t>(size));
         MPI_Gather(data.data(), count, MPI_INT, all.data(), count, MPI_INT, 0, comm);
         return rank != 0 || all == all_data(size, count);
       }},
      {"scatter",
       [](MPI_Comm comm, int rank, int size, int count) {
         std::vector<int> all = all_data(size, count), mine(count);
         MPI_Scatter(all.data(), count, MPI_INT, mine.data(), count, MPI_INT, 0, comm);
         return mine == data_of(rank, count);
       }},
  };
  return all;
}

// Simulated seconds between two collectives, longer than any of them.
constexpr double kPause = 1;

// The time of each round. All ranks share the address space, so they find the last one's end without a message.
std::array<long, kRounds> measure(Checks& t, MPI_Comm comm, const Operation& operation, int count) {
  static std::array<double, kRounds> last_end;
  std::array<long, kRounds> times{};
  double start = std::ceil(simgrid::s4u::Engine::get_clock()) + kPause;
  simgrid::s4u::this_actor::sleep_until(start);
  last_end.fill(0);
  for (int round = 0; round < kRounds; ++round) {
    simgrid::s4u::this_actor::sleep_until(start += kPause);
    CHECK_TRUE(operation.run(comm, rank_in(comm), size_of(comm), count));
    double& end = last_end.at(round);
    end = std::max(end, simgrid::s4u::Engine::get_clock() - start);
  }
  simgrid::s4u::this_actor::sleep_until(start + kPause);
  for (std::size_t round = 0; round < kRounds; ++round) times.at(round) = std::lround(1e12 * last_end.at(round));
  simgrid::s4u::this_actor::sleep_until(start + 2 * kPause);
  return times;
}

}  // namespace

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  const bool ordered = argc > 1 && std::string(argv[1]) == "ordered";
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  Checks t(rank);
  const int stride = ordered         ? 1
                     : size % 3 == 0 ? 5
                                     : 3;  // shuffles the ranks, which are no longer in the order of their hosts
  for (int halves = 0; halves <= (ordered ? 0 : 1); ++halves) {
    for (const Operation& operation : operations()) {
      for (const int count : {1, 300, 20000}) {
        MPI_Comm comm = MPI_COMM_NULL;
        MPI_Comm_split(MPI_COMM_WORLD, halves * (rank % 2), rank * stride % size, &comm);
        std::array<long, kRounds> times{};
        t.run(operation.name, [&] { times = measure(t, comm, operation, count); });
        if (rank == 0) {
          std::printf("time %s %d of %d: %ld %ld %ld\n", operation.name, count, size_of(comm), times[0], times[1],
                      times[2]);
        }
        MPI_Comm_free(&comm);
      }
    }
  }
  const int code = t.finish();
  MPI_Finalize();
  return code;
}
