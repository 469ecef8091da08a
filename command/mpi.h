// SPDX-License-Identifier: LGPL-2.1-only
// The MPI installation of strata mpi, for the commands that compile users' programs.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "command/command.h"

namespace strata::command {

struct MpiInstallation {
  std::filesystem::path prefix;
  std::vector<std::string> machine;  // the words that name it to strata exec
};

/// Makes the installation for a machine, or brings it up to date: in the cache folder, or in `prefix`. Throws
/// InputError, OutputError.
MpiInstallation make_mpi(const MachineOptions& machine, const std::string& prefix = "");

}  // namespace strata::command
