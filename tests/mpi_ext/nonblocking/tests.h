// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include <mpi.h>

#include <string>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/nonblocking/study.h"

namespace strata::mpix::testing {

// All collectives one after another, with all shapes of the tree and all roots; or each root with a different shape.
void test_one_after_another(Checks& t, const Study& study, MPI_Comm comm);

// Collectives that are under way at once, on several communicators of the same ranks, and on halves of them.
void test_communicators(Checks& t, const Operations& operations, MPI_Comm comm);

// One rank is late: before it comes, the barrier is not complete on any rank. It comes when it gets a message from
// another rank, which has tested the barrier several times.
void test_barrier(Checks& t, MPI_Comm comm);

// Progress threads complete collectives without the application: no rank waits before it gets a message from another
// rank whose collective is complete.
void test_background(Checks& t, const Operations& operations, MPI_Comm comm);

// Wrong arguments.
void test_collectives_arguments(Checks& t, MPI_Comm application, const Study& study);

// Wrong values of the keys of MPIX_Comm_set_progress.
void test_settings_arguments(Checks& t, MPI_Comm application);

// Requests that are waited for twice, and calls while threads run.
void test_requests_arguments(Checks& t, MPI_Comm application, const Study& study);

// Threads cannot stop before every request has been waited for.
void test_pending(Checks& t, MPI_Comm* application);

// Rank 0 starts a different collective than the others. All ranks get an error, at the latest in the wait, and the
// communicator still works.
void test_mismatch(Checks& t, const Operations& operations, MPI_Comm application);

// All ranks get the error that progress threads cannot be started; collectives work without them.
void test_refused(Checks& t, MPI_Info info, const std::string& why);

}  // namespace strata::mpix::testing
