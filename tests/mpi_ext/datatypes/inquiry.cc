// SPDX-License-Identifier: LGPL-2.1-only
// The inquiry functions of a type.
#include <mpi.h>

#include <vector>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"

namespace strata::mpix::testing {

void check_inquiry(Checks& t, const RandomType& r) {
  int size = -1;
  MPI_Aint lower = -1, extent = -1;
  CHECK_EQ(MPI_SUCCESS, MPI_Type_size(r.type, &size));
  CHECK_EQ(r.size(), size);
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_extent(r.type, &lower, &extent));
  CHECK_EQ(r.lower, lower);
  CHECK_EQ(r.extent(), extent);
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_true_extent(r.type, &lower, &extent));
  const auto [begin, end] = data_bounds(r.elements);
  CHECK_EQ(end - begin, extent);
  if (!r.elements.empty()) CHECK_EQ(begin, lower);
  int integers = 0, addresses = 0, types = 0, combiner = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_envelope(r.type, &integers, &addresses, &types, &combiner));
  CHECK_EQ(r.made.combiner, combiner);
  CHECK_EQ(static_cast<int>(r.made.integers.size()), integers);
  CHECK_EQ(static_cast<int>(r.made.addresses.size()), addresses);
  CHECK_EQ(r.made.types, types);
  if (combiner != r.made.combiner || combiner == MPI_COMBINER_NAMED) return;
  std::vector<int> got_integers(integers);
  std::vector<MPI_Aint> got_addresses(addresses);
  std::vector<MPI_Datatype> got_types(types);
  CHECK_EQ(MPI_SUCCESS, MPI_Type_get_contents(r.type, integers, addresses, types, got_integers.data(),
                                              got_addresses.data(), got_types.data()));
  // The lengths of a structure come before its places, those of hindexed too.
  CHECK_EQ(r.made.integers, got_integers);
  CHECK_EQ(r.made.addresses, got_addresses);
  for (MPI_Datatype& type : got_types) {
    CHECK_EQ(MPI_SUCCESS, MPI_Type_get_envelope(type, &integers, &addresses, &types, &combiner));
    if (combiner != MPI_COMBINER_NAMED) MPI_Type_free(&type);
  }
}

}  // namespace strata::mpix::testing
