// SPDX-License-Identifier: LGPL-2.1-only
// The names of a run's jobs for PMIx: that of its MPI_COMM_WORLD, and one for each call of MPI_Comm_spawn, such as
// "15301@0000x02f1c" and "15301@0001x0136a".
//
// Open MPI makes numbers of them, and these decide results: jobs that connect send each other the numbers as text, and
// the smaller one comes first in MPI_Intercomm_merge. So all numbers have ten digits, and ascend, in each run. Names in
// /dev/shm contain them, so they differ between the runs of a computer.
//
// Sources: Open MPI 4.1.4, opal/mca/pmix/pmix.h, OPAL_HASH_JOBID; 5.0.7, opal/mca/pmix/base/pmix_base_fns.c,
// opal_pmix_convert_nspace.
#pragma once

#include <cstdint>
#include <string>

namespace strata::native {

/// The number that Open MPI 4.1 makes of a name.
std::uint32_t open_mpi_4_number(const std::string& job);
/// Open MPI 5.0.
std::uint32_t open_mpi_5_number(const std::string& job);

/// Not thread-safe.
class JobNames {
 public:
  static constexpr int kMost = 4096;  // jobs of a run

  /// `seed` differs between the runs of a computer at a time.
  explicit JobNames(unsigned seed);

  /// Throws std::length_error after kMost names.
  std::string next();

 private:
  unsigned family_;
  int jobs_ = 0;
};

}  // namespace strata::native
