// SPDX-License-Identifier: LGPL-2.1-only
// Libraries that tests preload, for example the shim, and the described machines of these tests.
#pragma once

#include <string>

#include "tests/mpi_ext/mpi_run.h"

namespace strata::mpix::testing {

/// A library to preload. It finds the library that it needs in the same folder.
inline std::string preloaded_library(const std::string& name, const std::string& mpi) {
  return runfile("mpi_ext/preload/libmpix_" + name + "_" + mpi + ".so");
}

inline std::string shim_of(const std::string& mpi) { return preloaded_library("cart_shim", mpi); }

/// Three nodes of four cores, with a rank on each core.
inline Placed three_nodes() { return placed(machine_from_tree("node:3 core:4 pu:1"), 12, "core", "core"); }

/// The same with two nodes.
inline Placed two_nodes() { return placed(machine_from_tree("node:2 core:4 pu:1"), 8, "core", "core"); }

/// Ten ranks on three nodes: 5, 3 and 2.
inline Placed uneven_nodes() {
  return bound(machine_from_tree("node:3 core:5 pu:1"),
               "0 0 0\n1 0 1\n2 0 2\n3 0 3\n4 0 4\n5 1 0\n6 1 1\n7 1 2\n8 2 0\n9 2 1\n");
}

}  // namespace strata::mpix::testing
