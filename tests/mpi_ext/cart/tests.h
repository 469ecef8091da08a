// SPDX-License-Identifier: LGPL-2.1-only
// The tests of this program, an idea in each file.
#pragma once

#include <mpi.h>

#include "mpi_ext/cart/cart_mapping.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/checks.h"

namespace strata::mpix::testing {

// Without reordering everything is the same as in MPI's own communicator.
void test_in_order(Test& test, const Mesh& mesh);

// Each method on all meshes: the mapping is that of the pure core.
void test_methods(Test& test);

// Sub-grids of a reordered communicator.
void test_sub(Test& test);

void test_neighbours(Test& test, const Mesh& mesh);
void test_neighbour_errors(Test& test);

// Arguments that are wrong on all processes, or only on the last one: all processes get the error.
void test_create_errors(Test& test);
void test_local_errors(Test& test);

// A communicator without dimensions contains only rank 0.
void test_no_dimensions(Test& test);

void test_settings(Test& test);

// MPIX_CART_METHOD names no method.
void test_bad_environment(Checks& t);

void test_dims_create(Test& test);

// Places are exchanged in the first call, and not again. `everywhere`: all ranks know all places.
void test_messages(Test& test, bool everywhere);

}  // namespace strata::mpix::testing
