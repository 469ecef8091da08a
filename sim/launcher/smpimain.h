// SPDX-License-Identifier: LGPL-2.1-only
// Starts SimGrid's smpimain, which runs all ranks of an MPI program in one process. smpirun, the shell script that
// usually starts it, would split the program's arguments at blanks.
#pragma once

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "base/child.h"
#include "base/whole_file.h"
#include "sim/launcher/stage.h"

namespace strata::sim {

/// A name without blanks for a folder, because SimGrid splits the values of its options at blanks. The name is valid
/// while this lives, and in every process whose Command::folders has folder().
class Alias {
 public:
  /// Throws std::runtime_error if the folder does not exist.
  explicit Alias(const std::filesystem::path& folder);
  /// A file in it; "": the folder itself.
  std::string operator/(const std::string& file) const;
  /// Its descriptor and path.
  std::pair<int, std::filesystem::path> folder() const { return {descriptor_.get(), folder_}; }

 private:
  Descriptor descriptor_;
  std::filesystem::path folder_;
};

struct Smpimain {
  std::filesystem::path platform;  // an XML file, or a plugin
  std::string hosts;               // a file, one line for each rank; without blanks
  std::string scratch;             // a folder for copies of the program; without blanks
  std::filesystem::path program;
  std::vector<std::string> options = {};    // additional SimGrid options, given last: "--cfg=smpi/list-leaks:50"
  std::vector<std::string> arguments = {};  // of the program
};

/// The command line. Throws InputError for an argument that SimGrid would drop.
std::vector<std::string> words_of(const Stage& stage, const Smpimain& smpimain);

/// Options that make SMPI write a line for each call of each rank (its time-independent trace) into files in the folder
/// `file` + "_files". Without blanks.
std::vector<std::string> call_tracing(const std::string& file);

/// The libraries that observe messages and, for a user's program, supply functions that SMPI lacks and give each rank
/// its own libraries; with the Cartesian shim unless `shim` is kShimOff, and with another library's collectives if
/// `mpi` names one (study.h). In the order for preloading().
std::vector<std::filesystem::path> libraries_of(const Stage& stage, const std::string& shim, const std::string& mpi);

/// The variables that load these libraries into the simulator, but not into programs that the simulated program starts.
/// The first library sees the program's calls first. `scratch` is Smpimain's. Throws std::runtime_error if a library is
/// missing, because ld.so would continue without it.
Variables preloading(const std::vector<std::filesystem::path>& libraries, const Alias& scratch);

}  // namespace strata::sim
