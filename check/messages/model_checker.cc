// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/model_checker.h"

#include <cstdlib>
#include <system_error>

#include "platforms/error.h"

namespace strata::check {
namespace {

namespace fs = std::filesystem;

// The version of Debian's package, which programs are compiled with, and the revision of the corrections: as in
// tools/install-mc.
constexpr const char* kName = "simgrid-mc-3.32-2+1";

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool complete(const ModelChecker& checker) {
  std::error_code ignored;
  return fs::exists(checker.checker(), ignored) && fs::exists(checker.main(), ignored) &&
         fs::exists(checker.folder / "libsimgrid.so.3.32", ignored);
}

}  // namespace

fs::path model_checker_cache() {
  if (const std::string own = variable("STRATA_CACHE"); !own.empty()) return own;
  if (const std::string cache = variable("XDG_CACHE_HOME"); !cache.empty()) return fs::path(cache) / "strata";
  if (const std::string home = variable("HOME"); !home.empty()) return fs::path(home) / ".cache/strata";
  throw InputError("the cache", "has no place: HOME is not set", "set STRATA_CACHE to a folder");
}

std::optional<ModelChecker> find_model_checker() {
  if (const std::string named = variable("STRATA_SIMGRID_MC"); !named.empty()) {
    const ModelChecker checker{fs::absolute(named)};
    if (complete(checker)) return checker;
    throw InputError("STRATA_SIMGRID_MC", "'" + named + "' holds no simgrid-mc, smpimain and libsimgrid.so.3.32",
                     "name the folder that `./strata check --install-mc` says");
  }
  ModelChecker checker{model_checker_cache() / kName};
  if (!complete(checker)) return std::nullopt;
  return checker;
}

ModelChecker need_model_checker() {
  if (std::optional<ModelChecker> found = find_model_checker()) return *found;
  throw InputError("SimGrid's model checker", "is not installed",
                   "do: ./strata check --install-mc (once; Debian's package of SimGrid is built without it)");
}

}  // namespace strata::check
