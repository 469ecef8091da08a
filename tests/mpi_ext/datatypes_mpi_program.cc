// SPDX-License-Identifier: LGPL-2.1-only
// Random nested datatypes in MPI's functions: what their inquiry functions tell, and that data arrive where the type
// map says, in packed buffers, messages, collectives, reductions with the program's operations, and one-sided
// operations. Uses only MPI. The tests are in datatypes/.
//
//   seed=S rounds=N
#include <mpi.h>

#include <cstdio>
#include <string>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/datatypes/memory.h"
#include "tests/mpi_ext/datatypes/tests.h"
#include "tests/mpi_ext/random_types.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: the checks

int argument(int argc, char** argv, const std::string& name, int standard) {
  for (int i = 1; i < argc; ++i) {
    if (std::string(argv[i]).rfind(name + "=", 0) == 0) return std::stoi(argv[i] + name.size() + 1);
  }
  return standard;
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm comm = MPI_COMM_WORLD;
  Checks t(rank_in(comm));
  const int seed = argument(argc, argv, "seed", 1), rounds = argument(argc, argv, "rounds", 100);
  t.run("padding", [&] {
    check_padding(t, comm);
    check_padding(t, MPI_COMM_SELF);
  });
  for (int round = 0; round < rounds; ++round) {
    const long failures = t.failed();
    TypeGenerator generator(static_cast<unsigned>(seed + round));
    // Other ranks may still use a type when this one has finished.
    auto& r = *new RandomType(
        generator.type(generator.number(1, 3), generator.number(0, 2) == 0 ? generator.number(0, 3) : -1));
    if (r.elements.size() < 100 && (kEmptyTypes || !r.elements.empty())) {
      const int count = generator.number(1, 3);
      t.run("random types", [&] {
        check_inquiry(t, r);
        check_packed(t, r, count);
        check_message(t, MPI_COMM_SELF, generator, r, count);
        check_message(t, comm, generator, r, count);
        check_collectives(t, comm, generator, r, count);
        check_reductions(t, comm, generator, r, count, round % 2 == 0);
        check_one_sided(t, comm, generator, r, count);
      });
    }
    if (r.made.combiner != MPI_COMBINER_NAMED) MPI_Type_free(&r.type);
    if (t.failed() != failures) std::fprintf(stderr, "seed=%d has failures\n", seed + round);
  }
  const int code = t.finish();
  MPI_Finalize();
  return code;
}
