// SPDX-License-Identifier: LGPL-2.1-only
// The MPI installation of strata mpi, for commands that compile users' programs: `run`, `check` of a
// scenario, `calibrate`.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command/command.h"

namespace strata::command {

struct MpiInstallation {
  std::filesystem::path prefix;
  std::vector<std::string> machine;  // the arguments of strata exec that select it
};

/// Creates or updates the installation for a machine, in `prefix` or else in the cache folder. Throws InputError,
/// OutputError.
MpiInstallation make_mpi(const MachineOptions& machine, const std::string& prefix = "");

}  // namespace strata::command
