// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, one in each file, and the messages that several of them expect.
#pragma once

#include <mpi.h>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {

// A collective with all algorithms, roots, layouts and cuts.
void test_bcast(Checks& t, const Over& over);
void test_reduce(Checks& t, const Over& over);
void test_allreduce(Checks& t, const Over& over);
void test_gather(Checks& t, const Over& over);
void test_scatter(Checks& t, const Over& over);
void test_allgather(Checks& t, const Over& over);
void test_barrier(Checks& t, const Over& over);

// Errors in a rank's own arguments are found before it sends a message. They call the communicator's handler once.
void test_errors(Checks& t, MPI_Comm world, bool real);

// A datatype of absolute addresses, used with MPI_BOTTOM.
void test_bottom(Checks& t, MPI_Comm comm);

// A combination is charged bytes / bandwidth seconds; nothing on a host without the property.
void test_charge(Checks& t, double bandwidth);

// By the shape of the tree: every rank except the root gets every segment once. Split binary: a rank gets the segments
// of its half, and then the other half.
Traffic bcast_traffic(int size, int algorithm, const Cut& cut);

Traffic reduce_traffic(int size, int algorithm, const Operation& operation, const Cut& cut, int root);

enum class Place { kSeparate, kInPlace };

}  // namespace strata::mpix::testing
