// SPDX-License-Identifier: LGPL-2.1-only
// Operations on a window.
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"

namespace strata::mpix::testing {

// The last rank's memory is read and written by rank 0.
void check_one_sided(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count) {
  const std::vector<Element> there = r.array(count);
  const auto [first, last] = data_bounds(there);
  if (overlaps(there) || (first < 0 && !kNegativePlaces)) return;
  const long begin = std::min(first, 0L), end = std::max(last, 0L);  // displacements must not be negative
  RandomType other = generator.equal_to(there);
  const int rank = rank_in(comm), target = size_of(comm) - 1;
  Memory before(there), after(there), own(other.elements), got(other.elements), should(other.elements);
  fill(before, there, target);
  fill(after, there, 0);
  fill(own, other.elements, 0);
  fill(should, other.elements, target);
  unsigned char* base = nullptr;
  MPI_Win win = MPI_WIN_NULL;
  // Not MPI_Win_create, which Open MPI 4.1 refuses without a network. In windows of odd sizes, MPICH 4.0 loses data.
  MPI_Win_allocate((end - begin + 64) / 64 * 64, 1, MPI_INFO_NULL, comm, &base, &win);
  std::memcpy(base, before.at(begin), static_cast<std::size_t>(end - begin));
  const auto window = [&] {
    Memory memory(there);
    std::memcpy(memory.at(begin), base, static_cast<std::size_t>(end - begin));
    return memory;
  };
  MPI_Win_fence(0, win);
  if (rank == 0) MPI_Get(got.at(), 1, other.type, target, -begin, count, r.type, win);
  MPI_Win_fence(0, win);
  if (rank == 0) CHECK_MEMORY(should, got);
  if (rank == 0) MPI_Put(own.at(), 1, other.type, target, -begin, count, r.type, win);
  MPI_Win_fence(0, win);
  CHECK_MEMORY(rank == target ? after : before, window());
  const bool uniform =
      std::all_of(there.begin(), there.end(), [&](const Element& e) { return e.which == there[0].which; });
  if (uniform && !there.empty() && there[0].which != 3) {
    MPI_Win_fence(0, win);
    if (rank == 0) MPI_Accumulate(own.at(), 1, other.type, target, -begin, count, r.type, MPI_SUM, win);
    MPI_Win_fence(0, win);
    if (rank == target) {
      std::vector<int> twice = values(after, there);
      for (int& v : twice) v *= 2;
      CHECK_EQ(twice, values(window(), there));
    }
  }
  MPI_Win_free(&win);
  MPI_Type_free(&other.type);
}

}  // namespace strata::mpix::testing
