// SPDX-License-Identifier: LGPL-2.1-only
// Makes smpimain a fork server (base/fork_server.h) where the launcher preloads this library. smpimain's main
// calls nothing but smpi_main, which is defined here first: it has SimGrid and this library in memory, and each of its
// new processes goes on into SimGrid's smpi_main with its own arguments.
#include <dlfcn.h>
#include <smpi/smpi.h>

#include <cstdio>
#include <vector>

#include "base/fork_server.h"

extern "C" __attribute__((visibility("default"))) int smpi_main(const char* program, int argc, char* argv[]) {
  const auto simgrids = reinterpret_cast<decltype(&smpi_main)>(::dlsym(RTLD_NEXT, "smpi_main"));
  if (simgrids == nullptr) {
    std::fputs("libstrata_platform.so: there is no SimGrid to go on with\n", stderr);
    return 1;
  }
  if (!strata::is_fork_server()) return simgrids(program, argc, argv);
  ::dlopen(program, RTLD_LAZY | RTLD_LOCAL);  // where it cannot be loaded, SimGrid will say so
  strata::serve([simgrids](std::vector<char*>& arguments) {
    return simgrids(arguments.front(), static_cast<int>(arguments.size()) - 1, arguments.data());
  });
  return 0;
}
