// SPDX-License-Identifier: LGPL-2.1-only
// Inspects a program's file and reports, before it runs, what will not work under SMPI. Does not execute the program.
//
//   inspect_program("./solver", ".../libmpix_supply_smpi.so")
//     InputError "./solver: is built for Open MPI (it needs libmpi.so.40); build it with the mpicc of `strata mpi`"
//   or
//     {.missing_functions = {"MPI_Comm_spawn"}, .shared_variables = {"Cache<int>::size"}, ...}
//
// SMPI runs all ranks in one process, and opens a copy of the program's file for each, so that each has its own
// variables. The copies share variables outside that file, and those that the C++ compiler marks as unique.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace strata::sim {

struct ProgramFacts {
  /// MPI functions that the program or one of its libraries refers to, and that neither SMPI nor the supply library
  /// has, by name. The program ends if it calls one; it may never do so.
  std::vector<std::string> missing_functions;
  /// Variables that all ranks share, although each should have its own, by name. GCC's -fno-gnu-unique gives each rank
  /// its own.
  std::vector<std::string> shared_variables;
  /// Shared libraries outside the system's folders that have variables, in the order in which they are needed: each
  /// rank must get its own.
  std::vector<std::filesystem::path> private_libraries;
  /// Whether the program's thread-local variables are in a block of the first thread's that exists once for all ranks
  /// (about 1.6 KB): many ranks then fail to start.
  bool static_tls = false;

  /// One line for each possible problem.
  std::vector<std::string> warnings(const std::filesystem::path& program) const;
};

/// Throws InputError for a program that cannot run: it is missing, not an MPI program, for another processor or another
/// MPI, not built to be loaded, or without `main`; or a library that it needs is missing. `supply_library` adds
/// functions to SMPI's; empty: none.
ProgramFacts inspect_program(const std::filesystem::path& program, const std::filesystem::path& supply_library);

}  // namespace strata::sim
