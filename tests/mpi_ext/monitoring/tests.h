// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include <string>

#include "tests/mpi_ext/monitoring/accounts.h"

namespace strata::mpix::testing {

// All kinds of sends, from each rank to the next one and to itself.
void test_sends(const Env& e);

void test_membership(const Env& e);

void test_overlap(const Env& e);
void test_gathers(const Env& e);

void test_errors(const Env& e);

// Calls before, between and after environments. No environment exists when this begins and when it ends.
void test_environments(const Env& e);

// Files of a session in which one int goes around the ring. All ranks use the same `folder`.
void test_files(const Env& e, const std::string& folder);

// Barriers of mpix.h, and MPI_Barrier if `mpis` names its algorithm.
void test_barriers(const Env& e, const std::string& mpis, const std::string& folder);

// Called collectives of mpix.h on communicators that are the session's, a part of it, or larger.
void test_called(const Env& e);

void test_one_sided(const Env& e);

// Two threads of each rank send, and have their own sessions; a further session over all ranks counts both.
void test_threads(const Env& e);

}  // namespace strata::mpix::testing
