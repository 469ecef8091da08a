// SPDX-License-Identifier: LGPL-2.1-only
// Writes an MPI installation whose programs are simulated: a folder with mpicc, mpirun and all other files that build
// systems look for.
//
//   PREFIX/bin/mpicc ...          the script `compile`, under the usual names of MPI compilers
//   PREFIX/bin/mpirun, mpiexec    the script `mpirun`, which translates their options to those of strata exec
//   PREFIX/include                SMPI's mpi.h, mpif.h and mpi.mod, with additions by Strata
//   PREFIX/lib                    the libraries that the wrappers link; lib/pkgconfig
//   PREFIX/share/strata           flags.sh for `compile`, launch.sh for `mpirun`, toolchain.cmake
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::toolchain {

/// The files that go into a prefix.
struct Parts {
  std::filesystem::path scripts;    // folder with `compile` and `mpirun`
  std::filesystem::path libraries;  // folder with libstrata_program.a, libstrata_mpi.so and others, and headers
  std::filesystem::path supply;     // libmpix_supply_smpi.so, with functions that SMPI lacks; optional
  std::filesystem::path strata;     // the command that mpirun calls
};

/// Creates the folder, or updates an older one. Files are replaced atomically, so programs may be compiled meanwhile.
/// `machine`: the arguments that select it in strata exec, such as {"--machine", "theta"}. Throws InputError if the
/// folder holds other files or SMPI is not installed, and OutputError if it cannot be written.
void write_prefix(const std::filesystem::path& prefix, const Parts& parts, const std::vector<std::string>& machine);

/// Shell commands that make the prefix the current MPI installation.
std::string shell_settings(const std::filesystem::path& prefix);

/// Quotes a word for the shell.
std::string quoted(const std::string& word);

}  // namespace strata::toolchain
