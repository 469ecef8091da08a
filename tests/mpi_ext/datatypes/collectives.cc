// SPDX-License-Identifier: LGPL-2.1-only
// Collectives that move data.
#include <mpi.h>

#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"

namespace strata::mpix::testing {

namespace {

// Blocks of `count` elements from each rank, in a buffer of all.
std::vector<Element> block(const RandomType& r, int count, int number) {
  std::vector<Element> elements = r.array(count);
  for (Element& e : elements) e.at += static_cast<long>(number) * count * r.extent();
  return elements;
}

}  // namespace

// Collectives that move data. Each rank's block goes into a buffer of the random type.
void check_collectives(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count) {
  const int rank = rank_in(comm), size = size_of(comm), root = generator.number(0, size - 1);
  const std::vector<Element> mine = r.array(count), all = r.array(static_cast<long>(count) * size);
  RandomType other = generator.equal_to(mine);
  const auto close = [&] { MPI_Type_free(&other.type); };
  if (overlaps(all)) return close();
  {
    Memory memory(mine), expected(mine);
    fill(expected, mine, root);
    if (rank == root) fill(memory, mine, root);
    CHECK_EQ(MPI_SUCCESS, MPI_Bcast(memory.at(), count, r.type, root, comm));
    CHECK_MEMORY(expected, memory);
    Memory late(mine);
    if (rank == root) fill(late, mine, root);
    MPI_Request request = MPI_REQUEST_NULL;
    CHECK_EQ(MPI_SUCCESS, MPI_Ibcast(late.at(), count, r.type, root, comm, &request));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_MEMORY(expected, late);
  }
  Memory gathered(all), expected(all), nothing(all);
  for (int from = 0; from < size; ++from) fill(expected, block(r, count, from), from);
  Memory own(other.elements);
  fill(own, other.elements, rank);
  std::vector<int> counts(size, count), places;
  for (int i = 0; i < size; ++i) places.push_back(i * count);
  CHECK_EQ(MPI_SUCCESS, MPI_Gather(own.at(), 1, other.type, gathered.at(), count, r.type, root, comm));
  CHECK_MEMORY(rank == root ? expected : nothing, gathered);
  gathered = nothing;
  CHECK_EQ(MPI_SUCCESS,
           MPI_Gatherv(own.at(), 1, other.type, gathered.at(), counts.data(), places.data(), r.type, root, comm));
  CHECK_MEMORY(rank == root ? expected : nothing, gathered);
  gathered = nothing;
  CHECK_EQ(MPI_SUCCESS, MPI_Allgather(own.at(), 1, other.type, gathered.at(), count, r.type, comm));
  CHECK_MEMORY(expected, gathered);
  gathered = nothing;
  CHECK_EQ(MPI_SUCCESS,
           MPI_Allgatherv(own.at(), 1, other.type, gathered.at(), counts.data(), places.data(), r.type, comm));
  CHECK_MEMORY(expected, gathered);
  gathered = nothing;
  fill(gathered, block(r, count, rank), rank);
  CHECK_EQ(MPI_SUCCESS, MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, gathered.at(), count, r.type, comm));
  CHECK_MEMORY(expected, gathered);
  const Memory own_before = own;
  Memory empty(other.elements);
  own = empty;
  CHECK_EQ(MPI_SUCCESS, MPI_Scatter(expected.at(), count, r.type, own.at(), 1, other.type, root, comm));
  CHECK_MEMORY(own_before, own);
  own = empty;
  CHECK_EQ(MPI_SUCCESS,
           MPI_Scatterv(expected.at(), counts.data(), places.data(), r.type, own.at(), 1, other.type, root, comm));
  CHECK_MEMORY(own_before, own);
  // Rank p's block q has the values of rank p + 10 q.
  Memory sent(all), arrived(all), should(all);
  for (int to = 0; to < size; ++to) fill(sent, block(r, count, to), rank + 10 * to);
  for (int from = 0; from < size; ++from) fill(should, block(r, count, from), from + 10 * rank);
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoall(sent.at(), count, r.type, arrived.at(), count, r.type, comm));
  CHECK_MEMORY(should, arrived);
  arrived = nothing;
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoallv(sent.at(), counts.data(), places.data(), r.type, arrived.at(), counts.data(),
                                      places.data(), r.type, comm));
  CHECK_MEMORY(should, arrived);
  arrived = sent;
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoall(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, arrived.at(), count, r.type, comm));
  CHECK_MEMORY(should, arrived);
  std::vector<int> bytes;
  for (int i = 0; i < size; ++i) bytes.push_back(static_cast<int>(i * count * r.extent()));
  const std::vector<MPI_Datatype> types(size, r.type);
  arrived = nothing;
  CHECK_EQ(MPI_SUCCESS, MPI_Alltoallw(sent.at(), counts.data(), bytes.data(), types.data(), arrived.at(), counts.data(),
                                      bytes.data(), types.data(), comm));
  CHECK_MEMORY(should, arrived);
  close();
}

}  // namespace strata::mpix::testing
