// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/installation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/error.h"

namespace strata::sim {

namespace fs = std::filesystem;

namespace {

fs::path this_program() {
  std::error_code ignored;
  return fs::read_symlink("/proc/self/exe", ignored);
}

// The folder above bin/strata and lib/strata/strata_check, if this program is one of these two; else empty.
fs::path installed_prefix() {
  const fs::path folder = this_program().parent_path();
  for (const fs::path& prefix : {folder.parent_path(), folder.parent_path().parent_path()}) {
    const bool in_place = folder == prefix / "bin" || folder == prefix / "lib/strata";
    std::error_code ignored;
    if (in_place && fs::is_directory(prefix / "share/strata/machines", ignored)) return prefix;
  }
  return {};
}

Installation installed(const fs::path& prefix) {
  const fs::path data = prefix / "share/strata", parts = prefix / "lib/strata";
  return {.machines = data / "machines",
          .scenarios = data / "scenarios",
          .programs = parts / "programs",
          .protocols = parts / "protocols",
          .explorer = parts / "explorer",
          .plugin = parts / "libstrata_platform.so",
          .preload = parts / "preload",
          .profile = parts / "libstrata_profile.so",
          .toolchain = parts / "toolchain",
          .transport = parts / "native/libucp.so.0",
          .supply = parts / "preload/libmpix_supply_smpi.so",
          .command = "strata"};
}

Installation built(const fs::path& root) {
  std::error_code ignored;
  return {.machines = root / "platforms/data",
          .scenarios = root / "scenarios/catalog",
          .programs = root / "scenarios/programs",
          .protocols = root / "check/protocols",
          .explorer = root / "check/messages/explorer",
          .plugin = root / "sim/plugin/libstrata_platform.so",
          .preload = root / "mpi_ext/preload",
          .profile = root / "sim/profile/libstrata_profile.so",
          .toolchain = root / "toolchain",
          .transport = fs::weakly_canonical(root / "native/rank/libucp.so.0", ignored),
          // Users' programs live longer than the runfiles, which are links.
          .supply = fs::weakly_canonical(root / "mpi_ext/preload/libmpix_supply_smpi.so", ignored),
          .command = "./strata"};
}

// A test gets only the files that it requests from Bazel, even if more have been built.
std::optional<fs::path> runfiles_of_test() {
  const char* tests = std::getenv("TEST_SRCDIR");
  if (tests == nullptr) return std::nullopt;
  return fs::path(tests) / "strata";
}

}  // namespace

Installation find_installation() {
  if (const fs::path prefix = installed_prefix(); !prefix.empty()) return installed(prefix);
  std::vector<fs::path> roots;
  if (const auto root = runfiles_of_test()) roots.push_back(*root);
  roots.push_back(fs::path(this_program().string() + ".runfiles") / "strata");
  std::error_code ignored;
  for (const fs::path& root : roots) {
    if (fs::exists(root / "platforms/data", ignored)) return built(root);
  }
  throw std::runtime_error(
      "the build's runfiles are missing; run ./strata, which builds, or `bazel build //command:strata`");
}

fs::path find_strata() {
  if (const fs::path prefix = installed_prefix(); !prefix.empty()) return prefix / "bin/strata";
  fs::path self = this_program();
  if (self.filename() == "strata") return self;
  std::error_code ignored;
  if (const auto root = runfiles_of_test(); root && fs::exists(*root / "command/strata", ignored))
    return fs::weakly_canonical(*root / "command/strata", ignored);
  return self.parent_path() / "strata";
}

CheckPrograms find_check_programs() {
  if (const fs::path prefix = installed_prefix(); !prefix.empty()) {
    const fs::path parts = prefix / "lib/strata";
    return {.checker = parts / "strata_check", .install_mc = parts / "install-mc"};
  }
  std::error_code ignored;
  fs::path folder = this_program().parent_path();
  if (const auto root = runfiles_of_test(); root && fs::exists(*root / "command/strata", ignored))
    folder = *root / "command";
  return {.checker = folder / "strata_check", .install_mc = {}};
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
