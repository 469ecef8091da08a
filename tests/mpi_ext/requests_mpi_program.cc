// SPDX-License-Identifier: LGPL-2.1-only
// A program that uses only MPI: persistent requests of all kinds, completed in all ways, and requests that are freed or
// cancelled while they are active. Runs under SMPI, with Strata's functions preloaded, and under Open MPI and MPICH.
// The tests are in requests/.
#include <mpi.h>

#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/requests/tests.h"
#include "tests/mpi_ext/requests/ways.h"

using namespace strata::mpix::testing;  // NOLINT: the checks

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const MPI_Comm world = MPI_COMM_WORLD;
  const int size = size_of(world);
  Checks t(rank_in(world));
  const int room = 2 * (size + 2) * (4 * 200'000 + MPI_BSEND_OVERHEAD);
  std::vector<char> attached(room);
  const auto buffered = [&](bool attach, const auto& check) {
    if (attach) MPI_Buffer_attach(attached.data(), room);
    check();
    void* buffer = nullptr;
    int bytes = 0;
    if (attach) MPI_Buffer_detach(&buffer, &bytes);
  };
  for (const int length : kLengths) {
    const std::string of = ", " + std::to_string(length) + " ints";
    for (const Way way : kWays) {
      if (length > 1'000 && way != Way::kWait && way != Way::kTestany && way != Way::kWaitsome) continue;
      for (const Send kind : kSends) {
        if (!kKnowsNoProcess && kind == Send::kBuffered && length > 1'000) continue;  // Open MPI 4.1 sends zeros
        t.run("rounds" + of,
              [&] { buffered(kind == Send::kBuffered, [&] { check_rounds(t, world, kind, way, length); }); });
      }
    }
    if (length == 0) continue;
    t.run("derived types" + of, [&] { check_derived(t, world, length); });
    t.run("freed" + of, [&] {
      check_freed(t, world, true, length);
      check_freed(t, world, false, length);
    });
  }
  for (const bool restart : {false, true}) {
    t.run("ahead, buffered", [&] { buffered(true, [&] { check_ahead(t, world, Send::kBuffered, restart); }); });
    // The caller knows that these are eager.
    if (argc > 1) t.run("ahead, eager", [&] { check_ahead(t, world, Send::kStandard, restart); });
  }
  t.run("partly complete", [&] { check_partly_complete(t, world); });
  for (const Way way : kWays) t.run("cancelled", [&] { check_cancelled(t, world, way); });
#ifdef SMPI_H
  t.run("cancelled send, short", [&] { check_cancelled_send(t, world, 4); });
  t.run("cancelled send, long", [&] { check_cancelled_send(t, world, 200'000); });
#endif
  t.run("errors", [&] { check_errors(t, world); });
  const int code = t.finish();
  std::vector<int> data;
  leave_to_finalize(200'000, data);
  MPI_Finalize();
  return code;
}
