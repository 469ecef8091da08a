// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <stdexcept>
#include <vector>

#include "platforms/error.h"

namespace strata::sim {

namespace fs = std::filesystem;

Installation find_installation() {
  std::vector<fs::path> roots;
  if (const char* tests = std::getenv("TEST_SRCDIR")) roots.push_back(fs::path(tests) / "strata");
  std::error_code ignored;
  roots.push_back(fs::path(fs::read_symlink("/proc/self/exe", ignored).string() + ".runfiles") / "strata");
  for (const fs::path& root : roots) {
    if (!fs::exists(root / "platforms/data", ignored)) continue;
    return {root / "platforms/data",      root / "scenarios/catalog",       root / "scenarios/programs",
            root / "check/protocols",     root / "check/messages/explorer", root / "sim/plugin/libstrata_platform.so",
            root / "mpi_ext/shim/preload"};
  }
  throw std::runtime_error(
      "the build's runfiles are missing; run ./strata, which builds, or `bazel build //command:strata`");
}

fs::path Installation::program(const std::string& program) const {
  std::error_code ignored;
  if (program.find('/') == std::string::npos) {
    for (const fs::path& folder : {programs, protocols}) {
      const fs::path built = folder / (program + ".so");
      if (fs::exists(built, ignored)) return built;
    }
  } else if (fs::is_regular_file(program, ignored)) {
    return fs::absolute(program);
  }
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(programs, ignored)) {
    if (entry.path().extension() == ".so") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  throw InputError("program '" + program + "'", "does not exist",
                   fmt::format("name one of {}, or give the path (with a '/') of a program built with smpicc",
                               fmt::join(names, ", ")));
}

}  // namespace strata::sim
