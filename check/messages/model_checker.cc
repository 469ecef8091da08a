// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/model_checker.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <system_error>

#include "base/error.h"
#include "sim/simgrid/version.h"

namespace strata::check {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

bool has(const fs::path& folder, const std::string& file) {
  std::error_code ignored;
  return fs::exists(folder / file, ignored);
}

}  // namespace

#ifdef STRATA_SIMGRID_3_32

std::optional<ModelChecker> find_model_checker() {
  // The version of Debian's package, with which programs are compiled, and the revision of the corrections. Must agree
  // with tools/install-mc.
  constexpr const char* kName = "simgrid-mc-3.32-2+1";
  const auto complete = [](const fs::path& folder) {
    return has(folder, "simgrid-mc") && has(folder, "smpimain") && has(folder, "libsimgrid.so.3.32");
  };
  if (const std::string named = variable("STRATA_SIMGRID_MC"); !named.empty()) {
    if (complete(named)) return ModelChecker{.folder = fs::absolute(named)};
    throw InputError("STRATA_SIMGRID_MC", "'" + named + "' holds no simgrid-mc, smpimain and libsimgrid.so.3.32",
                     "name the folder that `strata check --install-mc` says");
  }
  const fs::path built = sim::cache_folder() / kName;
  if (!complete(built)) return std::nullopt;
  return ModelChecker{.folder = built};
}

ModelChecker need_model_checker() {
  if (std::optional<ModelChecker> found = find_model_checker()) return *found;
  throw InputError("SimGrid's model checker", "is not installed",
                   "do: strata check --install-mc (once; Debian's package of SimGrid is built without it)");
}

std::vector<fs::path> corrections_of(const sim::Installation&) { return {}; }

std::vector<std::string> program_options() { return {}; }

std::vector<std::string> replay_log_options() {
  return {"--log=root.thres:warning",     "--log=xbt_cfg.thres:warning",
          "--log=mc_record.thres:debug",  "--log=smpi_request.thres:verbose",
          "--log=smpi_mpi.thres:verbose", std::string("--log=root.fmt:") + kLogMark + "%P|%c|%m%n"};
}

#else

std::optional<ModelChecker> find_model_checker() {
  constexpr const char* kLibrary = "libsimgrid.so.4.0";
  if (const std::string named = variable("STRATA_SIMGRID_MC"); !named.empty()) {
    if (has(named, "smpimain") && has(named, kLibrary)) return ModelChecker{.folder = fs::absolute(named)};
    throw InputError("STRATA_SIMGRID_MC", fmt::format("'{}' holds no smpimain and {}", named, kLibrary),
                     "unset it for the system's, or name a folder of SimGrid 4.0");
  }
  const fs::path libraries = STRATA_LIBRARIES;  // the system's library folder
  if (!has(libraries, "simgrid/smpimain")) return std::nullopt;
  if (!has(libraries, kLibrary)) {
    throw InputError("SimGrid's model checker",
                     fmt::format("needs {}, which is not in {}", kLibrary, libraries.string()),
                     "run ./strata, which builds again with the SimGrid that is installed");
  }
  return ModelChecker{.folder = libraries / "simgrid", .systems = true};
}

ModelChecker need_model_checker() {
  if (std::optional<ModelChecker> found = find_model_checker()) return *found;
  throw InputError("SimGrid's model checker", "is not installed", "do: apt-get install libsimgrid-dev");
}

std::vector<fs::path> corrections_of(const sim::Installation& installation) {
  return {installation.explorer / "libstrata_corrections.so"};
}

// A test takes no time. In 4.0, its duration would be a step.
std::vector<std::string> program_options() { return {"--cfg=smpi/test:0"}; }

std::vector<std::string> replay_log_options() {
  return {"--log=no_loc",
          "--log=root.thres:warning",
          "--log=xbt_cfg.thres:warning",
          "--log=mc_record.thres:info",
          "--log=smpi_request.thres:verbose",
          "--log=smpi_mpi.thres:verbose",
          "--log=strata_check.thres:verbose",
          std::string("--log=root.fmt:") + kLogMark + "%P|%c|%m%n"};
}

#endif

void make_explore(const sim::Installation& installation, const ExplorerOptions& options, Command& command) {
  std::vector<std::string> before = {installation.explorer / "strata_explorer",
                                     options.log,
                                     options.reduce ? "dpor" : "none",
                                     std::to_string(options.depth),
                                     std::to_string(options.jobs),
                                     options.shard == 0 ? "-" : fmt::format("{}/{}", options.shard, options.shards)};
  // Set the library variables only for the program, not for the explorer.
  std::erase_if(command.environment, [&before](const auto& set) {
    if ((set.first != "LD_PRELOAD" && set.first != "LD_LIBRARY_PATH") || !set.second.has_value()) return false;
    before.push_back(set.first + "=" + *set.second);
    return true;
  });
  before.push_back("--");
  command.words.insert(command.words.begin(), before.begin(), before.end());
}

}  // namespace strata::check
