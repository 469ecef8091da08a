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
    return {.machines = root / "platforms/data",
            .scenarios = root / "scenarios/catalog",
            .programs = root / "scenarios/programs",
            .protocols = root / "check/protocols",
            .explorer = root / "check/messages/explorer",
            .plugin = root / "sim/plugin/libstrata_platform.so",
            .preload = root / "mpi_ext/shim/preload",
            .profile = root / "sim/profile/libstrata_profile.so",
            .toolchain = root / "toolchain"};
  }
  throw std::runtime_error(
      "the build's runfiles are missing; run ./strata, which builds, or `bazel build //command:strata`");
}

fs::path cache_folder() {
  const auto variable = [](const char* name) -> std::string {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
  };
  if (const std::string own = variable("STRATA_CACHE"); !own.empty()) return own;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "strata";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache/strata";
  throw InputError("the cache", "has no place: HOME is not set", "set STRATA_CACHE to a folder");
}

fs::path Installation::program(const std::string& program, const std::string& source) const {
  std::error_code ignored;
  if (program.find('/') == std::string::npos) {
    for (const fs::path& folder : {programs, protocols}) {
      fs::path built = folder / (program + ".so");
      if (fs::exists(built, ignored)) return built;
    }
  } else if (fs::is_regular_file(program, ignored)) {
    return fs::absolute(program);
  }
  if (!source.empty()) {
    throw InputError("program '" + program + "'", "does not exist",
                     "it comes from " + source +
                         "; build it with the compilers of `strata mpi`, and give its path with --set program=PATH");
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
