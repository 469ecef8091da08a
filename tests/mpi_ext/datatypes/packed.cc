// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Pack and MPI_Unpack.
#include <mpi.h>

#include <cstring>
#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"

namespace strata::mpix::testing {

void check_packed(Checks& t, const RandomType& r, int count) {
  const std::vector<Element> elements = r.array(count);
  Memory from(elements);
  fill(from, elements, 0);
  int bound = 0, position = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Pack_size(count, r.type, MPI_COMM_SELF, &bound));
  const int bytes = static_cast<int>(count * r.size());
  CHECK_TRUE(bound >= bytes);
  std::vector<unsigned char> packed(static_cast<std::size_t>(bound) + 8, kUntouched);
  CHECK_EQ(MPI_SUCCESS, MPI_Pack(from.at(), count, r.type, packed.data(), bound, &position, MPI_COMM_SELF));
  CHECK_EQ(bytes, position);
  std::size_t at = 0;
  for (const Element& e : elements) {
    const auto length = static_cast<std::size_t>(basic(e.which).bytes);
    CHECK_EQ(0, std::memcmp(packed.data() + at, from.at(e.at), length));
    at += length;
  }
  if (overlaps(elements)) return;
  Memory to(elements), expected(elements);
  expect_arrival(from, elements, expected, elements);
  position = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Unpack(packed.data(), bytes, &position, to.at(), count, r.type, MPI_COMM_SELF));
  CHECK_EQ(bytes, position);
  CHECK_MEMORY(expected, to);
}

}  // namespace strata::mpix::testing
