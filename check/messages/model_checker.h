// SPDX-License-Identifier: LGPL-2.1-only
// SimGrid's model checker: a build of SimGrid of its own, for Debian's has none. tools/install-mc makes it from
// Debian's source package, with the corrections in tools/simgrid-mc/, and puts it into a cache.
#pragma once

#include <filesystem>
#include <optional>
#include <string>

namespace strata::check {

struct ModelChecker {
  std::filesystem::path folder;  // holds simgrid-mc, smpimain and libsimgrid.so.3.32

  std::filesystem::path checker() const { return folder / "simgrid-mc"; }
  std::filesystem::path main() const { return folder / "smpimain"; }
};

/// Where --install-mc puts it: ${STRATA_CACHE}, or strata in ${XDG_CACHE_HOME} or ${HOME}/.cache. Throws InputError
/// where none of them is set.
std::filesystem::path model_checker_cache();

/// The one in the folder ${STRATA_SIMGRID_MC}, else the one in the cache; nothing where neither is there. Throws
/// InputError where STRATA_SIMGRID_MC names a folder that holds none.
std::optional<ModelChecker> find_model_checker();

/// The same, or InputError that says how to get it.
ModelChecker need_model_checker();

}  // namespace strata::check
