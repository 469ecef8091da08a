// SPDX-License-Identifier: LGPL-2.1-only
// The lowest level that covers some ranks.
#include <mpi.h>

#include <cstring>
#include <numeric>
#include <string>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/tests.h"

namespace strata::mpix::testing {

std::string min_hlevel(Checks& t, MPI_Comm comm, const Ranks& ranks) {
  char* type = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_min_hlevel(comm, static_cast<int>(ranks.size()), ranks.data(), &type));
  return type == nullptr ? "(null)" : type;
}

void test_min_hlevel(Checks& t, const Expected& e) {
  const int me = rank_in(MPI_COMM_WORLD), size = size_of(MPI_COMM_WORLD);
  for (int i = 0; i < size; ++i) {
    const int partner = (me + i) % size;  // each rank may ask about another pair
    CHECK_EQ(e.name_of({me, partner}), min_hlevel(t, MPI_COMM_WORLD, {me, partner}));
  }
  Ranks all(size);
  std::iota(all.begin(), all.end(), 0);
  CHECK_EQ(e.name_of(all), min_hlevel(t, MPI_COMM_WORLD, all));
  CHECK_EQ(e.name_of({me}), min_hlevel(t, MPI_COMM_WORLD, {me}));
  CHECK_EQ(std::string("Unknown"), min_hlevel(t, MPI_COMM_WORLD, {}));
  CHECK_EQ(me == 0 ? e.name_of({0}) : std::string("Unknown"), min_hlevel(t, MPI_COMM_WORLD, {0}));
  // Ranks are those of the communicator, not of the world.
  MPI_Comm reversed;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &reversed);
  CHECK_EQ(e.name_of({me, 0}), min_hlevel(t, reversed, {size - 1, size - 1 - me}));
  MPI_Comm_free(&reversed);

  MPI_Comm quiet = quiet_world();
  for (int bad : {-1, size}) {
    const Ranks ranks = {me == size - 1 ? bad : me};  // wrong on one rank; the others get their answer
    char* type = nullptr;
    const int error = class_of(MPIX_Comm_get_min_hlevel(quiet, 1, ranks.data(), &type));
    CHECK_EQ(me == size - 1 ? static_cast<int>(MPI_ERR_RANK) : MPI_SUCCESS, error);
    if (me != size - 1) CHECK_EQ(e.name_of({me}), std::string(type == nullptr ? "(null)" : type));
  }
  char* type = nullptr;
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_get_min_hlevel(quiet, -1, nullptr, &type)));
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_get_min_hlevel(quiet, 1, nullptr, &type)));
  CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(MPIX_Comm_get_min_hlevel(quiet, 0, nullptr, nullptr)));
  MPI_Comm_free(&quiet);
}

}  // namespace strata::mpix::testing
