// SPDX-License-Identifier: LGPL-2.1-only
// Finds the parts of Strata. There are two layouts, and only installation.cc knows them:
//
//   built       bazel-bin/command/strata.runfiles/strata/    platforms/data, scenarios/programs, ..., as in the sources
//   installed   PREFIX/bin/strata, PREFIX/lib/strata, PREFIX/share/strata/{machines,scenarios}
//   (command/package/pack.sh)
#pragma once

#include <filesystem>
#include <string>

namespace strata::sim {

struct Installation {
  std::filesystem::path machines;   // the machine catalog
  std::filesystem::path scenarios;  // the scenario catalog
  std::filesystem::path programs;   // NAME.so for each program of the catalog
  std::filesystem::path protocols;  // the same, for the programs that the model checker explores
  std::filesystem::path explorer;   // folder with the explorer and the corrections of SimGrid 4.0
  std::filesystem::path plugin;     // libstrata_platform.so
  std::filesystem::path preload;    // folder with libraries preloaded into the simulator, and their dependencies
  std::filesystem::path profile;    // libstrata_profile.so
  std::filesystem::path toolchain;  // folder with the parts of a prefix of strata mpi, and libstrata_loader.so
  std::filesystem::path transport;  // libucp.so.0 of ours, for real MPI libraries
  std::filesystem::path supply;     // libmpix_supply_smpi.so: functions that SMPI lacks
  std::string command;              // what users type to start the command: strata, or ./strata in a clone

  /// The catalog program NAME, or `program` itself if it is a path. Throws InputError if neither exists; `source` says
  /// where to get it.
  std::filesystem::path program(const std::string& program, const std::string& source = "") const;
};

/// Throws std::runtime_error if the build or the installation is incomplete.
Installation find_installation();

/// The program strata itself, also if this is strata_check.
std::filesystem::path find_strata();

/// The programs of `strata check`; they may be missing. strata_check is the checker itself; install-mc, which builds
/// SimGrid's model checker, exists only in an installed Strata (in a clone, ./strata starts it).
struct CheckPrograms {
  std::filesystem::path checker, install_mc;
};
CheckPrograms find_check_programs();

/// The folder for files that can be regenerated; it may not exist yet: ${STRATA_CACHE}, or strata in ${XDG_CACHE_HOME}
/// or ${HOME}/.cache. Throws InputError if none of these variables is set.
std::filesystem::path cache_folder();

}  // namespace strata::sim
