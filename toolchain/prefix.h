// SPDX-License-Identifier: LGPL-2.1-only
// An MPI installation that simulates: a folder with mpicc, mpirun and all else that build systems look for.
//
//   PREFIX/bin/mpicc ...          the script `compile`, under the names that compilers of MPI have
//   PREFIX/bin/mpirun, mpiexec    the script `mpirun`: their options become those of strata exec
//   PREFIX/include                mpi.h, mpif.h and mpi.mod: SMPI's, with what Strata adds
//   PREFIX/lib                    what the wrappers link; lib/pkgconfig
//   PREFIX/share/strata           flags.sh for `compile`, launch.sh for `mpirun`, toolchain.cmake
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::toolchain {

/// The files that go into a prefix.
struct Parts {
  std::filesystem::path scripts;        // the folder with `compile` and `mpirun`
  std::filesystem::path libraries;      // the folder with libstrata_program.a and libstrata_shared_malloc.a
  std::filesystem::path supply;         // libmpix_supply_smpi.so: functions that SMPI lacks; need not be there
  std::filesystem::path supply_header;  // mpix_supply.h, which declares them; need not be there
  std::filesystem::path strata;         // the command that mpirun starts
};

/// Makes the folder, or brings an older one up to date: its files appear whole, so that programs may be compiled
/// meanwhile. `machine` are the words that name it to strata exec: {"--machine", "theta"}. Throws InputError where the
/// folder holds other files, or SMPI is not installed; OutputError where it cannot be written.
void write_prefix(const std::filesystem::path& prefix, const Parts& parts, const std::vector<std::string>& machine);

/// The lines that a shell evaluates to use it.
std::string shell_settings(const std::filesystem::path& prefix);

/// A word as a shell reads it back.
std::string quoted(const std::string& word);

}  // namespace strata::toolchain
