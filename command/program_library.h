// SPDX-License-Identifier: LGPL-2.1-only
// The program of `strata exec`, and with which MPI it runs: ./app that mpicc.openmpi made with Open MPI, one that the
// mpicc of `strata mpi` made with SMPI, python3 with the real library that it loads later.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "native/launch/library.h"

namespace strata::command {

/// The program that `mpirun NAME` would start: a path, a name in PATH, or a file in this folder. Absolute. Throws
/// InputError if it does not exist.
std::filesystem::path find_program(const std::string& name);

/// The real MPI library of the program; nothing: it runs with SMPI. `mpi`: the value of --mpi, which may be empty.
/// Such as openmpi-4.1, it names the collectives that SMPI gets.
/// Throws InputError if the program has another library than that, or one without UCX.
std::optional<native::Library> library_of(const std::filesystem::path& program, const std::string& mpi);

/// "those of Open MPI 4.1.8, simulated, by the rules of rules.conf": for `mpi` openmpi-4.1, in a program for SMPI.
/// `rules`: empty: none.
std::string text_of_collectives(const std::string& mpi, const std::string& rules);

}  // namespace strata::command
