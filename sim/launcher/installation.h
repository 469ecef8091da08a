// SPDX-License-Identifier: LGPL-2.1-only
// Where the parts of Strata are. There are two layouts, and only installation.cc knows them:
//
//   built       bazel-bin/command/strata.runfiles/strata/    platforms/data, scenarios/programs, ..., as in the sources
//   installed   PREFIX/bin/strata, PREFIX/lib/strata, PREFIX/share/strata/{machines,scenarios}
//   (command/package/pack.sh)
#pragma once

#include <filesystem>
#include <string>

namespace strata::sim {

struct Installation {
  std::filesystem::path machines;       // the machine catalog
  std::filesystem::path scenarios;      // the scenario catalog
  std::filesystem::path programs;       // NAME.so for each program of the catalog
  std::filesystem::path protocols;      // the same, of those that the model checker explores
  std::filesystem::path explorer;       // a folder: what explores and corrects SimGrid 4.0
  std::filesystem::path plugin;         // libstrata_platform.so
  std::filesystem::path preload;        // a folder: what is preloaded into the simulator, and what that needs
  std::filesystem::path profile;        // libstrata_profile.so
  std::filesystem::path toolchain;      // a folder: what a prefix of strata mpi is made of, libstrata_loader.so
  std::filesystem::path supply;         // libmpix_supply_smpi.so: functions that SMPI lacks
  std::filesystem::path supply_header;  // mpix_supply.h, which declares them
  std::string command;                  // what users type to start the command: strata, or ./strata in a clone

  /// The catalog program NAME, or `program` itself where it is a path. Throws InputError where neither is there;
  /// `source` says where to get it.
  std::filesystem::path program(const std::string& program, const std::string& source = "") const;
};

/// Throws std::runtime_error where the build or the installation is incomplete.
Installation find_installation();

/// The programs that belong to `strata check`; they need not be there. strata_check is the checker itself; install-mc,
/// which builds SimGrid's model checker, is there where Strata is installed (in a clone, ./strata starts it).
struct CheckPrograms {
  std::filesystem::path checker, install_mc;
};
CheckPrograms find_check_programs();

/// The folder for what may be made again, which need not exist yet: ${STRATA_CACHE}, or strata in ${XDG_CACHE_HOME} or
/// ${HOME}/.cache. Throws InputError where no variable says it.
std::filesystem::path cache_folder();

}  // namespace strata::sim
