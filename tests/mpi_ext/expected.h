// SPDX-License-Identifier: LGPL-2.1-only
// The results that a test program expects from the placement file and the pure core, and queries of actual results. For
// every MPI.
#pragma once

#include <mpi.h>

#include <memory>
#include <string>
#include <vector>

#include "mpi_ext/hierarchy/split.h"
#include "mpi_ext/mpix.h"
#include "records/exchange/placement_file.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"

namespace strata::mpix::testing {

inline void release(MPI_Comm& comm) {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

// A dup of MPI_COMM_WORLD that returns errors.
inline MPI_Comm quiet_world() {
  MPI_Comm comm;
  MPI_Comm_dup(MPI_COMM_WORLD, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  return comm;
}

// The expected hierarchy: the pure core's for the placement file.
struct Expected {
  std::shared_ptr<const Topology> topology;
  std::vector<int> vertices;
  Hierarchy all;

  explicit Expected(const char* file) {
    const PlacementFile p = read_placement_file(file);
    topology = p.topology;
    vertices.assign(p.vertex.begin(), p.vertex.begin() + size_of(MPI_COMM_WORLD));
    all = split_all(topology->parents(), vertices);
  }
  std::string name_of(const Ranks& ranks) const {
    std::vector<int> theirs;
    for (int r : ranks) theirs.push_back(vertices[r]);
    return topology->name(lowest_common_ancestor(topology->parents(), theirs));
  }
  int node_of(int rank) const { return topology->node(vertices[rank]); }
};

inline void check_info(Checks& t, MPI_Comm comm, int num_comms, int index, const std::string& type) {
  int got_num = -1, got_index = -1;
  char* got_type = nullptr;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_get_hlevel_info(comm, &got_num, &got_index, &got_type));
  CHECK_EQ(num_comms, got_num);
  CHECK_EQ(index, got_index);
  CHECK_TRUE(got_type != nullptr);
  if (got_type != nullptr) CHECK_EQ(type, std::string(got_type));
}

}  // namespace strata::mpix::testing
