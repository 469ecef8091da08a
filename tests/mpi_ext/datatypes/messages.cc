// SPDX-License-Identifier: LGPL-2.1-only
// Messages between two types with the same signature.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"

namespace strata::mpix::testing {

// From rank 0 to rank 1 (itself, if it is alone), to a type with the same signature and back.
void check_message(Checks& t, MPI_Comm comm, TypeGenerator& generator, const RandomType& r, int count) {
  const std::vector<Element> there = r.array(count);
  RandomType other = generator.equal_to(there);
  const int rank = rank_in(comm), peer = size_of(comm) > 1 ? 1 : 0;
  Memory memory(there), elsewhere(other.elements);
  fill(memory, there, 0);
  Memory expected(other.elements);
  expect_arrival(memory, there, expected, other.elements);
  std::array<MPI_Request, 2> requests = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  std::array<MPI_Status, 2> statuses;
  if (rank == peer) MPI_Irecv(elsewhere.at(), 1, other.type, 0, 3, comm, &requests[0]);
  if (rank == 0) MPI_Isend(memory.at(), count, r.type, peer, 3, comm, &requests[1]);
  MPI_Waitall(2, requests.data(), statuses.data());
  if (rank == peer) {
    CHECK_MEMORY(expected, elsewhere);
    int elements = -1, whole = -1;
    if (kCountsAllElements || r.classic) {
      CHECK_EQ(MPI_SUCCESS, MPI_Get_elements(&statuses[0], r.type, &elements));
      CHECK_EQ(static_cast<int>(there.size()), elements);
    }
    CHECK_EQ(MPI_SUCCESS, MPI_Get_count(&statuses[0], r.type, &whole));
    if (!r.elements.empty()) CHECK_EQ(count, whole);
  }
  // Back, all but some elements, into the type that may have gaps.
  const int most = static_cast<int>(std::min<std::size_t>(there.size(), 5)) - 1;
  const int short_by = most < 1 || !kEndsAnywhere ? 0 : generator.number(0, most);
  if (!overlaps(there)) {
    const std::vector<Element> part(there.begin(), there.end() - short_by);
    RandomType sent = generator.equal_to(part);
    Memory back(sent.elements), into(there), as(there);
    fill(back, sent.elements, 1);
    expect_arrival(back, sent.elements, as, part);
    if (rank == 0) MPI_Irecv(into.at(), count, r.type, peer, 4, comm, &requests[0]);
    if (rank == peer) MPI_Isend(back.at(), 1, sent.type, 0, 4, comm, &requests[1]);
    MPI_Waitall(2, requests.data(), statuses.data());
    if (rank == 0) {
      CHECK_MEMORY(as, into);
      int elements = -1;
      if (kCountsAllElements || r.classic) {
        CHECK_EQ(MPI_SUCCESS, MPI_Get_elements(&statuses[0], r.type, &elements));
        CHECK_EQ(static_cast<int>(part.size()), elements);
      }
    }
    MPI_Type_free(&sent.type);
  }
  MPI_Type_free(&other.type);
}

}  // namespace strata::mpix::testing
