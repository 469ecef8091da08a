// SPDX-License-Identifier: LGPL-2.1-only
// The tests of one run of this program, and the shape of the trees of its collectives.
#pragma once

#include <mpi.h>

#include <array>
#include <string>
#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/guarded_buffers.h"
#include "tests/mpi_ext/info.h"

namespace strata::mpix::testing {

// The tests of one run of the program.
struct Study {
  bool brief = false, real = false;
  bool threads = true;
  bool errors = false, mismatch = false;
  std::vector<int> sizes = {};  // empty: from 1 to all
  std::vector<int> cores = {};  // communication cores and all cores, if the test knows them
};

// The steps and the tree of a communicator's collectives.
struct Shape {
  std::string steps = "auto";
  int arity = 2;
  const char* tree = "flat";
  bool checked = true;  // compares what ranks have started: with many ranks more messages than a collective
};

void set_shape(Checks& t, MPI_Comm comm, const Shape& shape);

// Number of pairs that is above the eager limit of the described machines (4 KiB).
inline constexpr int kLong = 600;

// The operations, which must outlive started collectives.
struct Operations {
  Operation affine{compose, compose_all, false}, sum{add, add_all, true};
  std::array<const Operation*, 2> all() const { return {&affine, &sum}; }
};

}  // namespace strata::mpix::testing
