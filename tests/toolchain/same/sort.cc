// SPDX-License-Identifier: LGPL-2.1-only
// Sorts numbers by sampling. Uses collectives with counts, scans, a user-defined operation and datatype, communicators
// split by parity, and one-sided accumulation. All numbers are integers; rank 0 prints.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <numeric>
#include <random>
#include <vector>

namespace {

struct Span {
  std::int64_t least, most;
};

void join(void* in, void* inout, int* length, MPI_Datatype*) {
  const auto* a = static_cast<Span*>(in);
  auto* b = static_cast<Span*>(inout);
  for (int i = 0; i < *length; ++i) b[i] = {std::min(a[i].least, b[i].least), std::max(a[i].most, b[i].most)};
}

std::vector<int> starts_of(const std::vector<int>& counts) {
  std::vector<int> starts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), starts.begin(), 0);
  return starts;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  std::mt19937_64 random(static_cast<unsigned>(17 + rank));
  std::vector<std::int64_t> mine(static_cast<size_t>(1000 + 100 * rank));
  for (std::int64_t& n : mine) n = static_cast<std::int64_t>(random() % 1'000'000);
  std::sort(mine.begin(), mine.end());

  // The ranges of all ranks' numbers.
  MPI_Datatype span_type;
  MPI_Type_contiguous(2, MPI_INT64_T, &span_type);
  MPI_Type_commit(&span_type);
  MPI_Op join_op;
  MPI_Op_create(join, 1, &join_op);
  Span span{mine.front(), mine.back()}, whole{};
  MPI_Allreduce(&span, &whole, 1, span_type, join_op, MPI_COMM_WORLD);
  if (rank == 0)
    std::printf("numbers from %ld to %ld\n", static_cast<long>(whole.least), static_cast<long>(whole.most));

  // Each rank gets the numbers between two splitters.
  std::vector<std::int64_t> splitters(static_cast<size_t>(size - 1)), samples(static_cast<size_t>(size * (size - 1)));
  for (int i = 1; i < size; ++i)
    splitters[i - 1] = mine[mine.size() * static_cast<size_t>(i) / static_cast<size_t>(size)];
  MPI_Allgather(splitters.data(), size - 1, MPI_INT64_T, samples.data(), size - 1, MPI_INT64_T, MPI_COMM_WORLD);
  std::sort(samples.begin(), samples.end());
  std::vector<int> to(size), from(size);
  for (const std::int64_t n : mine) {
    int owner = 0;
    while (owner < size - 1 && n >= samples[static_cast<size_t>(size * owner + (size - 1) / 2)]) ++owner;
    ++to[owner];
  }
  MPI_Alltoall(to.data(), 1, MPI_INT, from.data(), 1, MPI_INT, MPI_COMM_WORLD);
  const std::vector<int> to_starts = starts_of(to), from_starts = starts_of(from);
  std::vector<std::int64_t> sorted(static_cast<size_t>(std::accumulate(from.begin(), from.end(), 0)));
  MPI_Alltoallv(mine.data(), to.data(), to_starts.data(), MPI_INT64_T, sorted.data(), from.data(), from_starts.data(),
                MPI_INT64_T, MPI_COMM_WORLD);
  std::sort(sorted.begin(), sorted.end());

  long count = static_cast<long>(sorted.size()), before = 0;
  MPI_Exscan(&count, &before, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  if (rank == 0) before = 0;
  std::vector<long> all(static_cast<size_t>(size) * 2);
  const long facts[2] = {before, count};
  MPI_Gather(facts, 2, MPI_LONG, all.data(), 2, MPI_LONG, 0, MPI_COMM_WORLD);
  for (int i = 0; rank == 0 && i < size; ++i)
    std::printf("rank %d: %ld numbers before, %ld here\n", i, all[static_cast<size_t>(2 * i)],
                all[static_cast<size_t>(2 * i + 1)]);

  // A checksum by accumulation into rank 0's window.
  std::vector<std::int64_t> sums(4);
  MPI_Win window;
  MPI_Win_create(sums.data(), static_cast<MPI_Aint>(sums.size() * sizeof(std::int64_t)), sizeof(std::int64_t),
                 MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  std::vector<std::int64_t> part(4);
  for (size_t i = 0; i < sorted.size(); ++i)
    part[i % 4] += sorted[i] * static_cast<std::int64_t>(i + static_cast<size_t>(before) + 1);
  MPI_Win_fence(0, window);
  MPI_Accumulate(part.data(), 4, MPI_INT64_T, 0, 0, 4, MPI_INT64_T, MPI_SUM, window);
  MPI_Win_fence(0, window);
  if (rank == 0) {
    for (const std::int64_t sum : sums) std::printf("%ld ", static_cast<long>(sum));
    std::printf("\n");
  }
  MPI_Win_free(&window);

  // Among the ranks with the same parity.
  MPI_Comm half;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  int place;
  MPI_Comm_rank(half, &place);
  long running = 0;
  MPI_Scan(&count, &running, 1, MPI_LONG, MPI_SUM, half);
  std::vector<long> runs(size);
  MPI_Gather(&running, 1, MPI_LONG, runs.data(), 1, MPI_LONG, 0, MPI_COMM_WORLD);
  if (rank == 0) {
    for (const long run : runs) std::printf("%ld ", run);
    std::printf("\n");
  }
  MPI_Comm_free(&half);
  MPI_Op_free(&join_op);
  MPI_Type_free(&span_type);
  MPI_Finalize();
}
