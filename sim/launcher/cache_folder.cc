// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/cache_folder.h"

#include <cstdlib>
#include <string>

namespace strata::sim {
namespace {

std::filesystem::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

}  // namespace

std::filesystem::path cache_folder() {
  if (const std::filesystem::path own = variable("STRATA_CACHE"); !own.empty()) return own;
  if (const std::filesystem::path caches = variable("XDG_CACHE_HOME"); !caches.empty()) return caches / "strata";
  if (const std::filesystem::path home = variable("HOME"); !home.empty()) return home / ".cache/strata";
  return {};
}

}  // namespace strata::sim
