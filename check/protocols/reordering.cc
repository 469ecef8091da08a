// SPDX-License-Identifier: LGPL-2.1-only
// Ranks reordered by their communication: all processes agree on the new ranks, and data are moved to them, in every
// order of messages.
//
//   reordering [--from matrix|rows] [--algorithm NAME] [--count N] [--use]
//
// Rank i sends most to rank i + p/2, which is far away if ranks fill nodes in order. Calls MPIX_Comm_reorder with that
// matrix, or MPIX_Comm_reorder_rows, and then MPIX_Comm_redistribute with N numbers of 8 bytes. With --use, it
// continues like an application: each rank of the new communicator exchanges the same number of bytes with its partner.
//
// Asserted, as mpix.h specifies:
// - MPIX_Comm_get_reordering returns a permutation k, and the process of rank r has rank k[r] in the new communicator,
//   whose members are all processes. All processes compute the same permutation, and it is that of the communicator.
// - treematch and scotch do not increase the sum of bytes times edges of the tree. treematch finds the minimum over all
//   orders (these machines are small enough to try all).
// - The data of rank i of the old communicator arrive at rank i of the new one.
#include <mpi.h>

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "check/protocols/expect.h"
#include "check/protocols/reading.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/options.h"

namespace {

using namespace strata::check::protocols;

constexpr unsigned long kMuch = 1000, kLittle = 1;  // bytes

unsigned long bytes_between(int size, int from, int to) {
  if (from == to) return 0;
  return to == (from + size / 2) % size ? kMuch : kLittle;
}

int distance(int a, int b) {
  const auto& tree = *world().topology;
  return tree.depth(a) + tree.depth(b) - 2 * tree.depth(tree.lowest_common_ancestor(a, b));
}

// The sum of bytes times edges if the process of old rank r has rank k[r].
unsigned long cost(const std::vector<int>& k) {
  const int size = static_cast<int>(k.size());
  unsigned long sum = 0;
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b < size; ++b) {
      sum += bytes_between(size, k[a], k[b]) * distance(world().vertex[a], world().vertex[b]);
    }
  }
  return sum;
}

unsigned long least_cost(int size) {
  std::vector<int> k(size);
  std::iota(k.begin(), k.end(), 0);
  unsigned long least = cost(k);
  while (std::next_permutation(k.begin(), k.end())) least = std::min(least, cost(k));
  return least;
}

MPI_Comm reorder(const std::string& from, const std::string& algorithm) {
  const int rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm made = MPI_COMM_NULL;
  if (from == "matrix") {
    std::vector<unsigned long> matrix;
    for (int i = 0; rank == 0 && i < size; ++i) {
      for (int j = 0; j < size; ++j) matrix.push_back(bytes_between(size, i, j));
    }
    succeed("MPIX_Comm_reorder", MPIX_Comm_reorder(MPI_COMM_WORLD, matrix.data(), &made));
    return made;
  }
  std::vector<int> peers;
  std::vector<unsigned long> bytes;
  for (int j = 0; j < size; ++j) {
    if (j == rank) continue;
    peers.push_back(j);
    bytes.push_back(bytes_between(size, rank, j));
  }
  MPI_Info info = MPI_INFO_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, "mpix_reorder_algorithm", algorithm.c_str());
  succeed("MPIX_Comm_reorder_rows", MPIX_Comm_reorder_rows(MPI_COMM_WORLD, static_cast<int>(peers.size()), peers.data(),
                                                           bytes.data(), info, &made));
  MPI_Info_free(&info);
  return made;
}

// The data of an application rank.
std::vector<long> data_of(int rank, int count) {
  std::vector<long> data(count);
  for (int i = 0; i < count; ++i) data[i] = 1000003L * (rank + 1) + i;
  return data;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  std::string from = "matrix", algorithm = "treematch";
  int count = 1;
  bool use = false;
  strata::cli::App app("reordering");
  app.add_option("--from", from)->check(strata::cli::IsMember({"matrix", "rows"}));
  app.add_option("--algorithm", algorithm);
  app.add_option("--count", count)->check(strata::cli::NonNegativeNumber);
  app.add_flag("--use", use);
  strata::programs::parse(app, argc, argv);

  const int old_rank = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  MPI_Comm comm = reorder(from, algorithm);
  std::vector<int> k(size), identity(size), members(size);
  std::iota(identity.begin(), identity.end(), 0);
  succeed("MPIX_Comm_get_reordering", MPIX_Comm_get_reordering(comm, k.data()));
  expect("whether it is a permutation", true, std::is_permutation(k.begin(), k.end(), identity.begin()));
  for (int r = 0; r < size; ++r) members[k[r]] = r;
  expect("the processes by their new ranks", members, members_of(comm));
  expect("this process", k[old_rank], rank_in(comm));
  if (algorithm == "treematch" || algorithm == "scotch" || algorithm == "identity")
    expect("no dearer than before", true, cost(k) <= cost(identity));
  if (algorithm == "treematch") expect("bytes times edges", least_cost(size), cost(k));

  std::vector<long> data(count, -1);
  succeed("MPIX_Comm_redistribute",
          MPIX_Comm_redistribute(data_of(old_rank, count).data(), data.data(), count, MPI_LONG, comm));
  expect("what the new rank takes over", data_of(rank_in(comm), count), data);
  if (use) {
    const int partner = (rank_in(comm) + size / 2) % size, back = (rank_in(comm) + size - size / 2) % size;
    std::vector<long> got(count, -1);
    MPI_Sendrecv(data.data(), count, MPI_LONG, partner, 0, got.data(), count, MPI_LONG, back, 0, comm,
                 MPI_STATUS_IGNORE);
    expect("what the partner sends", data_of(back, count), got);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
