// SPDX-License-Identifier: LGPL-2.1-only
// A started collective, and the comparison of its result with a slow definition.
#pragma once

#include <mpi.h>

#include <functional>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {

// A started collective, which owns its buffers. `check` compares them with the expected results.
struct Running {
  MPIX_Request request = MPIX_REQUEST_NULL;
  std::function<void()> check;
};

void expect_started(Checks& t, const Running& running, int code);
void expect_complete(Checks& t, const Running& running);

// Waits for it, and compares.
void finish(Checks& t, Running running);

enum class Place { kSeparate, kInPlace };
enum class Reduction { kReduce, kAllreduce, kScan };

// `salt` makes the data of two collectives differ.
Running start_bcast(Checks& t, MPI_Comm comm, const Layout& layout, int count, int root, int salt);
Running start_reduction(Checks& t, MPI_Comm comm, Reduction kind, const Layout& layout, const Operation& operation,
                        int count, int root, Place place, int salt);
Running start_gather(Checks& t, MPI_Comm comm, const Exchange& e, int root, Place place, int salt);
Running start_scatter(Checks& t, MPI_Comm comm, const Exchange& e, int root, Place place, int salt);
Running start_barrier(Checks& t, MPI_Comm comm);

}  // namespace strata::mpix::testing
