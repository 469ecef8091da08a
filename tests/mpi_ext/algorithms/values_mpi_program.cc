// SPDX-License-Identifier: LGPL-2.1-only
// Calls every blocking collective whose algorithm an MPI chooses, and checks each element of the results:
//
//   values 1,100,5000       with 1, 100 and 5,000 elements: prints "wrong" and ends with 1 if one is wrong
//
// Each collective is called from several roots, in place where it may be, with an operation that is not commutative,
// with blocks of different sizes that are not in order and have gaps between them, and on the ranks in reverse order.
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Values = std::vector<long>;

int size, rank;
MPI_Comm comm;
constexpr long kGap = -7;

// Element `i` of what `from` has for `to`.
long value(int from, int to, long i) { return 1'000'000L * from + 10'000L * to + i % 9973; }

void check(const char* what, long got, long expected) {
  if (got == expected) return;
  std::printf("wrong: %s, rank %d of %d: %ld, not %ld\n", what, rank, size, got, expected);
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

Values own(long count, int to = 0) {
  Values v(count);
  for (long i = 0; i < count; ++i) v[i] = value(rank, to, i);
  return v;
}

// A block of this rank for each rank.
Values for_all(long count) {
  Values v;
  for (int to = 0; to < size; ++to) {
    const Values block = own(count, to);
    v.insert(v.end(), block.begin(), block.end());
  }
  return v;
}

// Composes maps x -> m x + c modulo a prime, in pairs (m, c): associative, not commutative.
constexpr long kPrime = 10007;
void compose(void* in, void* inout, int* count, MPI_Datatype*) {
  const long* a = static_cast<long*>(in);
  long* b = static_cast<long*>(inout);
  for (long i = 0; i < 2L * *count; i += 2) {
    const long m = a[i] * b[i] % kPrime, c = (a[i + 1] * b[i] + b[i + 1]) % kPrime;
    b[i] = m;
    b[i + 1] = c;
  }
}

Values pairs(int of, long count) {
  Values v(2 * count);
  for (long i = 0; i < count; ++i) {
    v[2 * i] = 2 + (of + i) % 11;
    v[2 * i + 1] = (of * 13 + i) % kPrime;
  }
  return v;
}

Values composed(int first, int last, long count) {
  Values v = pairs(first, count);
  for (int r = first + 1; r <= last; ++r) {
    Values next = pairs(r, count);
    int n = static_cast<int>(count);
    compose(v.data(), next.data(), &n, nullptr);
    v = next;
  }
  return v;
}

long sum_to(int last, int to, long i) {
  long sum = 0;
  for (int r = 0; r <= last; ++r) sum += value(r, to, i);
  return sum;
}

void bcast(int count, int root) {
  Values v = rank == root ? own(count) : Values(count);
  MPI_Bcast(v.data(), count, MPI_LONG, root, comm);
  for (int i = 0; i < count; ++i) check("bcast", v[i], value(root, 0, i));
  // Every second element of the memory.
  MPI_Datatype every_second;
  MPI_Type_vector(count, 1, 2, MPI_LONG, &every_second);
  MPI_Type_commit(&every_second);
  Values wide(2 * static_cast<long>(count), kGap);
  if (rank == root) {
    for (int i = 0; i < count; ++i) wide[2 * static_cast<long>(i)] = value(root, 0, i);
  }
  MPI_Bcast(wide.data(), 1, every_second, root, comm);
  for (int i = 0; i < count; ++i) {
    check("bcast of a vector", wide[2 * static_cast<long>(i)], value(root, 0, i));
    check("bcast of a vector, gap", wide[2 * static_cast<long>(i) + 1], kGap);
  }
  MPI_Type_free(&every_second);
}

void reduce(int count, int root, bool in_place) {
  Values in = own(count), out = in_place ? in : Values(count);
  const bool here = in_place && rank == root;
  MPI_Reduce(here ? MPI_IN_PLACE : in.data(), rank == root ? out.data() : nullptr, count, MPI_LONG, MPI_SUM, root,
             comm);
  for (int i = 0; rank == root && i < count; ++i) check("reduce", out[i], sum_to(size - 1, 0, i));
}

void allreduce(int count, bool in_place) {
  Values in = own(count), out = in_place ? in : Values(count);
  MPI_Allreduce(in_place ? MPI_IN_PLACE : in.data(), out.data(), count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) check("allreduce", out[i], sum_to(size - 1, 0, i));
}

void scans(int count, bool in_place) {
  Values in = own(count), out = in_place ? in : Values(count);
  MPI_Scan(in_place ? MPI_IN_PLACE : in.data(), out.data(), count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) check("scan", out[i], sum_to(rank, 0, i));
  out = in_place ? in : Values(count);
  MPI_Exscan(in_place ? MPI_IN_PLACE : in.data(), out.data(), count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; rank > 0 && i < count; ++i) check("exscan", out[i], sum_to(rank - 1, 0, i));
}

void in_order(int count, int root) {
  MPI_Op op;
  MPI_Op_create(compose, 0, &op);
  MPI_Datatype pair;
  MPI_Type_contiguous(2, MPI_LONG, &pair);
  MPI_Type_commit(&pair);
  const Values in = pairs(rank, count), all = composed(0, size - 1, count);
  Values out(2 * static_cast<long>(count));
  MPI_Reduce(in.data(), rank == root ? out.data() : nullptr, count, pair, op, root, comm);
  for (int i = 0; rank == root && i < 2 * count; ++i) check("reduce in order", out[i], all[i]);
  MPI_Allreduce(in.data(), out.data(), count, pair, op, comm);
  for (int i = 0; i < 2 * count; ++i) check("allreduce in order", out[i], all[i]);
  MPI_Scan(in.data(), out.data(), count, pair, op, comm);
  const Values before = composed(0, rank, count);
  for (int i = 0; i < 2 * count; ++i) check("scan in order", out[i], before[i]);
  MPI_Exscan(in.data(), out.data(), count, pair, op, comm);
  const Values before_own = rank > 0 ? composed(0, rank - 1, count) : out;
  for (int i = 0; i < 2 * count; ++i) check("exscan in order", out[i], before_own[i]);
  Values blocks(2L * count * size), part(2L * count);
  for (int r = 0; r < size; ++r) std::copy(in.begin(), in.end(), blocks.begin() + 2L * count * r);
  MPI_Reduce_scatter_block(blocks.data(), part.data(), count, pair, op, comm);
  for (int i = 0; i < 2 * count; ++i) check("reduce_scatter_block in order", part[i], all[i]);
  MPI_Type_free(&pair);
  MPI_Op_free(&op);
}

void gather(int count, int root, bool in_place) {
  Values in = own(count), out(static_cast<long>(count) * size);
  const bool here = in_place && rank == root;
  if (here) std::copy(in.begin(), in.end(), out.begin() + static_cast<long>(root) * count);
  MPI_Gather(here ? MPI_IN_PLACE : in.data(), count, MPI_LONG, rank == root ? out.data() : nullptr, count, MPI_LONG,
             root, comm);
  for (long i = 0; rank == root && i < static_cast<long>(count) * size; ++i)
    check("gather", out[i], value(static_cast<int>(i / count), 0, i % count));
}

void scatter(int count, int root, bool in_place) {
  const Values in = for_all(count);
  Values out(count);
  const bool here = in_place && rank == root;
  MPI_Scatter(rank == root ? in.data() : nullptr, count, MPI_LONG, here ? MPI_IN_PLACE : out.data(), count, MPI_LONG,
              root, comm);
  for (int i = 0; !here && i < count; ++i) check("scatter", out[i], value(root, rank, i));
}

void allgather(int count, bool in_place) {
  Values in = own(count), out(static_cast<long>(count) * size);
  if (in_place) std::copy(in.begin(), in.end(), out.begin() + static_cast<long>(rank) * count);
  MPI_Allgather(in_place ? MPI_IN_PLACE : in.data(), count, MPI_LONG, out.data(), count, MPI_LONG, comm);
  for (long i = 0; i < static_cast<long>(count) * size; ++i)
    check("allgather", out[i], value(static_cast<int>(i / count), 0, i % count));
}

void alltoall(int count, bool in_place) {
  const Values in = for_all(count);
  Values out = in_place ? in : Values(in.size());
  MPI_Alltoall(in_place ? MPI_IN_PLACE : in.data(), count, MPI_LONG, out.data(), count, MPI_LONG, comm);
  for (long i = 0; i < static_cast<long>(count) * size; ++i)
    check("alltoall", out[i], value(static_cast<int>(i / count), rank, i % count));
}

// The last rank's block comes first, and there is an element between the blocks.
std::vector<int> backwards(const std::vector<int>& counts) {
  std::vector<int> places(counts.size());
  int next = 0;
  for (std::size_t r = counts.size(); r-- > 0; next += counts[r] + 1) places[r] = next;
  return places;
}

std::vector<int> uneven(int first, int step, int count) {
  std::vector<int> counts(size);
  for (int r = 0; r < size; ++r) counts[r] = ((first + r * step) * 7 + count) % (count + 2);
  return counts;
}

void uneven_blocks(int count, bool in_place) {
  const std::vector<int> counts = uneven(0, 1, count), places = backwards(counts);
  const long total = std::accumulate(counts.begin(), counts.end(), 0L) + size;
  Values in = own(counts[rank]), out(total, kGap);
  if (in_place) std::copy(in.begin(), in.end(), out.begin() + places[rank]);
  MPI_Allgatherv(in_place ? MPI_IN_PLACE : in.data(), counts[rank], MPI_LONG, out.data(), counts.data(), places.data(),
                 MPI_LONG, comm);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < counts[r]; ++i) check("allgatherv", out[places[r] + i], value(r, 0, i));
    check("allgatherv, gap", out[places[r] + counts[r]], kGap);
  }
  const long all = std::accumulate(counts.begin(), counts.end(), 0L);
  Values vector(all);
  for (long i = 0; i < all; ++i) vector[i] = value(rank, 0, i);
  Values part = in_place ? vector : Values(counts[rank]);
  MPI_Reduce_scatter(in_place ? MPI_IN_PLACE : vector.data(), part.data(), counts.data(), MPI_LONG, MPI_SUM, comm);
  const long before = std::accumulate(counts.begin(), counts.begin() + rank, 0L);
  for (int i = 0; i < counts[rank]; ++i) check("reduce_scatter", part[i], sum_to(size - 1, 0, before + i));
}

void reduce_scatter_block(int count, bool in_place) {
  Values in = for_all(count), out = in_place ? in : Values(count);
  MPI_Reduce_scatter_block(in_place ? MPI_IN_PLACE : in.data(), out.data(), count, MPI_LONG, MPI_SUM, comm);
  for (int i = 0; i < count; ++i) check("reduce_scatter_block", out[i], sum_to(size - 1, rank, i));
}

void alltoallv(int count) {
  const std::vector<int> sent = uneven(rank * size, 1, count), got = uneven(rank, size, count);
  const std::vector<int> from = backwards(sent), to = backwards(got);
  Values in(std::accumulate(sent.begin(), sent.end(), 0L) + size, kGap);
  Values out(std::accumulate(got.begin(), got.end(), 0L) + size, kGap);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < sent[r]; ++i) in[from[r] + i] = value(rank, r, i);
  }
  MPI_Alltoallv(in.data(), sent.data(), from.data(), MPI_LONG, out.data(), got.data(), to.data(), MPI_LONG, comm);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < got[r]; ++i) check("alltoallv", out[to[r] + i], value(r, rank, i));
    check("alltoallv, gap", out[to[r] + got[r]], kGap);
  }
}

// Both ranks of a pair have as many elements for each other.
void alltoallv_in_place(int count) {
  std::vector<int> counts(size);
  for (int r = 0; r < size; ++r) counts[r] = (rank + r) * 5 % (count + 2);
  const std::vector<int> places = backwards(counts);
  Values data(std::accumulate(counts.begin(), counts.end(), 0L) + size, kGap);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < counts[r]; ++i) data[places[r] + i] = value(rank, r, i);
  }
  MPI_Alltoallv(MPI_IN_PLACE, nullptr, nullptr, MPI_LONG, data.data(), counts.data(), places.data(), MPI_LONG, comm);
  for (int r = 0; r < size; ++r) {
    for (int i = 0; i < counts[r]; ++i) check("alltoallv in place", data[places[r] + i], value(r, rank, i));
    check("alltoallv in place, gap", data[places[r] + counts[r]], kGap);
  }
}

void call_all(int count) {
  std::vector<int> roots = {0, size - 1, size / 2};
  for (const int root : roots) {
    bcast(count, root);
    in_order(count, root);
    for (const bool in_place : {false, true}) {
      reduce(count, root, in_place);
      gather(count, root, in_place);
      scatter(count, root, in_place);
    }
  }
  for (const bool in_place : {false, true}) {
    allreduce(count, in_place);
    scans(count, in_place);
    allgather(count, in_place);
    alltoall(count, in_place);
    uneven_blocks(count, in_place);
    reduce_scatter_block(count, in_place);
  }
  alltoallv(count);
  alltoallv_in_place(count);
  MPI_Barrier(comm);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int world = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -world, &reversed);
  for (MPI_Comm one : {MPI_COMM_WORLD, reversed}) {
    comm = one;
    MPI_Comm_size(comm, &size);
    MPI_Comm_rank(comm, &rank);
    std::istringstream in(argc > 1 ? argv[1] : "1");
    for (std::string word; std::getline(in, word, ',');) call_all(std::atoi(word.c_str()));
  }
  if (world == 0) std::printf("right\n");
  MPI_Comm_free(&reversed);
  MPI_Finalize();
  return 0;
}
