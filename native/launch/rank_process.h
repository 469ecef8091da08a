// SPDX-License-Identifier: LGPL-2.1-only
// Starts the process of a rank. It takes about as long as the kernel needs for exec, however large the launcher is,
// because the child shares the launcher's memory until then (vfork).
#pragma once

#include <sys/resource.h>
#include <sys/types.h>

#include <filesystem>
#include <vector>

#include "native/launch/environment.h"

namespace strata::native {

struct RankProcess {
  std::filesystem::path program;  // a path
  std::vector<std::string> words;
  std::filesystem::path folder;  // where it runs; empty: where the launcher runs
  Environment environment;
  std::vector<int> streams;  // descriptors that become its 0, 1, 2
  std::vector<int> kept;     // descriptors that it inherits under the same number, above 2
  pid_t group = 0;           // a process group of this session; 0: the launcher's
  rlimit open_files{};       // its limit
};

/// Returns its process id. The process ends with the calling thread. Exits with 126 or 127, after a line on its stderr,
/// if the program cannot be run. Throws SystemError if no process can be made.
pid_t start(const RankProcess& process);

}  // namespace strata::native
