// SPDX-License-Identifier: LGPL-2.1-only
// Calls a collective of doubles with each of several counts, from each of several roots, and, where it may be, in
// place:
//
//   collectives bcast 1,100 0,3        MPI_Bcast of 1 and of 100 doubles, from rank 0 and from rank 3
//   collectives reduce 100 0 once      MPI_Reduce of 100 doubles to rank 0, not in place
//
// Blocks of MPI_Allgatherv, MPI_Reduce_scatter and MPI_Alltoallv have different sizes, some of them 0: (i * 7 + count)
// mod (count + 2) elements, i: the rank, or the sender times the number of ranks plus the receiver.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

int ranks, rank;

std::vector<int> numbers(const char* text) {
  std::vector<int> result;
  std::istringstream in(text);
  for (std::string word; std::getline(in, word, ',');) result.push_back(std::stoi(word));
  return result;
}

std::vector<int> blocks(int first, int number, int step, int count) {
  std::vector<int> result;
  for (int i = 0; i < number; ++i) result.push_back(((first + i * step) * 7 + count) % (count + 2));
  return result;
}

std::vector<int> begins(const std::vector<int>& counts) {
  std::vector<int> result(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), result.begin(), 0);
  return result;
}

struct Collective {
  int count, root;
  bool in_place;
  std::vector<double> input = std::vector<double>(static_cast<std::size_t>(ranks) * (count + 2), 1);
  std::vector<double> output = std::vector<double>(static_cast<std::size_t>(ranks) * (count + 2), 1);

  const void* in() const { return in_place ? MPI_IN_PLACE : input.data(); }
  // For a collective where only the root's data may be in place.
  const void* in_at_root() const { return in_place && rank == root ? MPI_IN_PLACE : input.data(); }
  double* out() { return output.data(); }
};

const std::map<std::string, std::function<void(Collective&)>> kCollectives = {
    {"bcast", [](Collective& c) { MPI_Bcast(c.out(), c.count, MPI_DOUBLE, c.root, MPI_COMM_WORLD); }},
    {"reduce",
     [](Collective& c) { MPI_Reduce(c.in_at_root(), c.out(), c.count, MPI_DOUBLE, MPI_SUM, c.root, MPI_COMM_WORLD); }},
    {"allreduce", [](Collective& c) { MPI_Allreduce(c.in(), c.out(), c.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
    {"gather",
     [](Collective& c) {
       MPI_Gather(c.in_at_root(), c.count, MPI_DOUBLE, c.out(), c.count, MPI_DOUBLE, c.root, MPI_COMM_WORLD);
     }},
    {"scatter",
     [](Collective& c) {
       void* into = c.in_place && rank == c.root ? MPI_IN_PLACE : c.out();
       MPI_Scatter(c.input.data(), c.count, MPI_DOUBLE, into, c.count, MPI_DOUBLE, c.root, MPI_COMM_WORLD);
     }},
    {"allgather",
     [](Collective& c) { MPI_Allgather(c.in(), c.count, MPI_DOUBLE, c.out(), c.count, MPI_DOUBLE, MPI_COMM_WORLD); }},
    {"allgatherv",
     [](Collective& c) {
       const std::vector<int> counts = blocks(0, ranks, 1, c.count);
       MPI_Allgatherv(c.in(), counts[rank], MPI_DOUBLE, c.out(), counts.data(), begins(counts).data(), MPI_DOUBLE,
                      MPI_COMM_WORLD);
     }},
    {"alltoall",
     [](Collective& c) { MPI_Alltoall(c.in(), c.count, MPI_DOUBLE, c.out(), c.count, MPI_DOUBLE, MPI_COMM_WORLD); }},
    {"alltoallv",
     [](Collective& c) {
       const std::vector<int> sent = blocks(rank * ranks, ranks, 1, c.count), got = blocks(rank, ranks, ranks, c.count);
       MPI_Alltoallv(c.input.data(), sent.data(), begins(sent).data(), MPI_DOUBLE, c.out(), got.data(),
                     begins(got).data(), MPI_DOUBLE, MPI_COMM_WORLD);
     }},
    {"reduce_scatter",
     [](Collective& c) {
       const std::vector<int> counts = blocks(0, ranks, 1, c.count);
       MPI_Reduce_scatter(c.in(), c.out(), counts.data(), MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
     }},
    {"reduce_scatter_block",
     [](Collective& c) { MPI_Reduce_scatter_block(c.in(), c.out(), c.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
    {"barrier", [](Collective&) { MPI_Barrier(MPI_COMM_WORLD); }},
    {"scan", [](Collective& c) { MPI_Scan(c.in(), c.out(), c.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
    {"exscan", [](Collective& c) { MPI_Exscan(c.in(), c.out(), c.count, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); }},
};

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const bool once = argc == 5 && std::string(argv[4]) == "once";
  if ((argc != 4 && !once) || kCollectives.count(argv[1]) == 0) {
    std::fprintf(stderr, "usage: collectives OPERATION COUNTS ROOTS [once]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  const std::string operation = argv[1];
  const bool may_be_in_place = operation != "bcast" && operation != "barrier" && operation != "alltoallv";
  for (const int count : numbers(argv[2])) {
    for (const int root : numbers(argv[3])) {
      for (const bool in_place : {false, true}) {
        if (in_place && (once || !may_be_in_place)) continue;
        Collective call{count, root, in_place};
        kCollectives.at(operation)(call);
      }
    }
  }
  MPI_Finalize();
  return 0;
}
