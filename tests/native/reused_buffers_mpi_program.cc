// SPDX-License-Identifier: LGPL-2.1-only
// Ranks that use their buffers again. The first argument says what they do:
//
//   ring BYTES PIECES RANKS    the first RANKS ranks pass messages of BYTES around a ring. Each has a vector of PIECES
//                              messages: it sends one of them, and receives into the next one. Rank 0 prints how long
//                              such a step takes, in s
//   collectives BYTES          collectives of several kinds, with as many bytes for each rank, again and again
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

namespace {

int rank, ranks;

void ring(int bytes, int pieces, int active) {
  if (rank >= active) return;
  std::vector<char> vector(static_cast<std::size_t>(bytes) * pieces);
  const int next = (rank + 1) % active, before = (rank + active - 1) % active;
  const auto pass_on = [&](int rounds) {
    for (int step = 0; step < rounds * pieces; ++step) {
      char* const out = vector.data() + static_cast<std::size_t>(step % pieces) * bytes;
      char* const in = vector.data() + static_cast<std::size_t>((step + 1) % pieces) * bytes;
      MPI_Sendrecv(out, bytes, MPI_CHAR, next, 0, in, bytes, MPI_CHAR, before, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    }
  };
  constexpr int kBefore = 10, kMeasured = 5;  // rounds: after the first ones all ranks do the same at the same time
  pass_on(kBefore);
  const double begin = MPI_Wtime();
  pass_on(kMeasured);
  if (rank == 0) printf("%.15g\n", (MPI_Wtime() - begin) / (kMeasured * pieces));
}

void collectives(int bytes) {
  const auto each = static_cast<std::size_t>(bytes);
  std::vector<char> one(each), all(each * ranks), others(each * ranks);
  std::vector<int> numbers(each / sizeof(int)), sums(each / sizeof(int));
  for (int i = 0; i < 4; ++i) {
    MPI_Allgather(one.data(), bytes, MPI_CHAR, all.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Bcast(one.data(), bytes, MPI_CHAR, i % ranks, MPI_COMM_WORLD);
    MPI_Allreduce(numbers.data(), sums.data(), static_cast<int>(numbers.size()), MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    MPI_Alltoall(all.data(), bytes, MPI_CHAR, others.data(), bytes, MPI_CHAR, MPI_COMM_WORLD);
    MPI_Sendrecv(all.data(), 64, MPI_CHAR, (rank + 1) % ranks, 0, others.data(), 64, MPI_CHAR,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  }
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const auto number = [&](int i) { return i < argc ? atoi(argv[i]) : 0; };
  if (argc > 1 && strcmp(argv[1], "ring") == 0) ring(number(2), number(3), number(4));
  if (argc > 1 && strcmp(argv[1], "collectives") == 0) collectives(number(2));
  MPI_Finalize();
  return 0;
}
