// SPDX-License-Identifier: LGPL-2.1-only
// The environment of a rank: from it an MPI library learns who it is, where its launcher's server is, and that it has
// to communicate by UCX. For example rank 3 of Open MPI has OMPI_MCA_pml=ucx and OMPI_COMM_WORLD_RANK=3.
//
// The user's own settings (OMPI_MCA_pml=ob1) win over those here, except for the identity of the rank.
#pragma once

#include <map>
#include <string>

#include "native/launch/library.h"
#include "native/launch/places.h"

namespace strata::native {

/// Variables by name.
using Environment = std::map<std::string, std::string>;

/// `variables` as in `environ`, without those by which another launcher (mpirun, srun, mpiexec) has said to this
/// process who it is, and without those that change which node hwloc finds.
Environment inherited(const char* const* variables);

/// Adds the settings of the library that the user does not have: those of both if the program's library is unknown.
void add_settings(Environment& environment, Library::Kind library);

/// Throws InputError if the user's settings lead messages past UCX, for example OMPI_MCA_pml=ob1.
void check_settings(const Environment& environment, Library::Kind library);

/// Adds the identity of the rank under the names of Open MPI, MPICH and Slurm, and its node for hwloc.
void add_rank(Environment& environment, const Places& places, int rank);

}  // namespace strata::native
