// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include <mpi.h>

#include <string>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"

namespace strata::mpix::testing {

// All levels, one split after another.
void test_levels(Checks& t, const Expected& e);

// Splits by type, in which some ranks do not take part.
void test_split_type(Checks& t, const Expected& e);

// The level that MPIX_Comm_get_min_hlevel names.
std::string min_hlevel(Checks& t, MPI_Comm comm, const Ranks& ranks);
void test_min_hlevel(Checks& t, const Expected& e);

void test_broadcast(Checks& t, MPI_Comm comm, bool real);

// User messages with the same tag as the library's, on the same communicator: a message waits for its receive while
// broadcasts run, or a receive from any source waits for its message.
void test_user_messages(Checks& t, MPI_Comm comm);

void test_errors(Checks& t, bool real);

// A rank without a binding fails, and the other ranks get an error instead of waiting.
void test_short(Checks& t);

// A user's attribute copy function, which only MPI_Comm_dup may call.
void test_user_attributes(Checks& t);

// Creates all kinds of communicators and frees them, on a dup, so that its context is freed too.
void create_and_free(Checks& t, MPI_Comm world);

// Threads that use the library for the first time at the same moment, each on its own communicator.
void test_threads(Checks& t);

// This machine, as hwloc sees it.
void test_live(Checks& t);

// Ranks of one node to which hwloc shows different trees: it is only known that they share the node.
void test_mixed_trees(Checks& t);

}  // namespace strata::mpix::testing
