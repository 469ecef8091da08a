// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include <mpi.h>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/expected.h"

namespace strata::mpix::testing {

// Splits guided by the type of an object.
void test_guided(Checks& t, const Expected& e);

// Splits straight to a level of the hierarchy.
void test_hints(Checks& t, const Expected& e);

// All levels at once.
void test_all_levels(Checks& t, const Expected& e);

// Hierarchies of groups, for all products of up to three numbers that are the size.
void test_groups(Checks& t);

void test_resource_info(Checks& t, const Expected& e);
void test_errors(Checks& t);

// A communicator of some ranks in a different order: ranks are those of the communicator, places those of the world.
void test_on_a_part(Checks& t, const Expected& e);

// Six ranks that know only their own nodes (strangers.cc).
void test_strangers(Checks& t);

}  // namespace strata::mpix::testing
