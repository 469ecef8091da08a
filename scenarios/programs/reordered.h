// SPDX-License-Identifier: LGPL-2.1-only
// The common part of the programs of PDSEC'20, Section VI: an initial order of the ranks, and the new order that
// follows from the messages in a session (Figure 1).
#pragma once

#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"
#include "scenarios/programs/options.h"
#include "scenarios/programs/rank_and_size.h"

namespace strata::programs {

/// Ends the program if a function of a session fails, because these call no error handler.
inline void must(int error) {
  if (error == MPI_SUCCESS) return;
  std::fprintf(stderr, "monitoring: %s\n", MPI_M_error_string(error));
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// The ranks of MPI_COMM_WORLD in the order of an algorithm that needs no messages: "identity", "roundrobin" over the
/// nodes, or "random". Collective.
inline MPI_Comm in_order(const std::string& algorithm) {
  MPI_Info info = MPI_INFO_NULL;
  MPI_Comm comm = MPI_COMM_NULL;
  MPI_Info_create(&info);
  MPI_Info_set(info, const_cast<char*>("mpix_reorder_algorithm"), const_cast<char*>(algorithm.c_str()));
  MPIX_Comm_reorder_rows(MPI_COMM_WORLD, 0, nullptr, nullptr, info, &comm);
  MPI_Info_free(&info);
  return comm;
}

/// A session over a communicator, active from construction until its data is requested.
class Watching {
 public:
  explicit Watching(MPI_Comm comm) : comm_(comm) {
    must(MPI_M_init());
    must(MPI_M_start(comm, &session_));
  }
  Watching(const Watching&) = delete;
  Watching& operator=(const Watching&) = delete;
  ~Watching() {
    MPI_M_free(session_);
    MPI_M_finalize();
  }

  void suspend() { must(MPI_M_suspend(session_)); }

  /// Bytes by sender and receiver, on rank 0; empty on other ranks. Suspends the session. Collective.
  std::vector<unsigned long> matrix() {
    const auto size = static_cast<std::size_t>(size_of(comm_));
    std::vector<unsigned long> bytes(rank_in(comm_) == 0 ? size * size : 0);
    must(MPI_M_rootgather_data(session_, 0, MPI_M_DATA_IGNORE, bytes.data(), MPI_M_P2P_ONLY));
    return bytes;
  }

 private:
  MPI_Comm comm_;
  MPI_M_msid session_ = MPI_M_MSID_NULL;
};

/// The communicator with the order that follows from the session's data. Collective.
inline MPI_Comm reordered(MPI_Comm comm, const std::vector<unsigned long>& matrix) {
  MPI_Comm newcomm = MPI_COMM_NULL;
  MPIX_Comm_reorder(comm, matrix.data(), &newcomm);
  return newcomm;
}

}  // namespace strata::programs
