// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/smpimain.h"

#include <fcntl.h>
#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

#include "base/error.h"
#include "base/system_error.h"
#include "records/exchange/exchanged_words.h"
#include "records/launch.h"

namespace strata::sim {
namespace {

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// The program of the catalog that repeats the calls of a user's program (call_replay.h). SMPI must treat them like the
// user's.
bool makes_users_calls(const Stage& stage) { return stage.program.stem() == "calls"; }

// Among our other programs, only `repeated --operation bcast` measures SMPI's own broadcasts, unless another algorithm
// is selected.
bool measures_broadcasts(const Smpimain& smpimain) {
  const std::vector<std::string>& a = smpimain.arguments;
  const auto has = [&](const char* word) { return std::find(a.begin(), a.end(), word) != a.end(); };
  return std::filesystem::path(smpimain.program).stem() == "repeated" && has("bcast") &&
         (!has("--algorithm") || has("native"));
}

}  // namespace

Alias::Alias(const std::filesystem::path& folder)
    : descriptor_(::open(folder.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC)), folder_(folder) {
  if (descriptor_.get() < 0) throw SystemError(folder.string(), errno);
}

std::string Alias::operator/(const std::string& file) const {
  return fmt::format("{}{}{}{}", words::kPrivateCopies, descriptor_.get(), file.empty() ? "" : "/", file);
}

std::vector<std::string> words_of(const Stage& stage, const Smpimain& smpimain) {
  const bool one_image = stage.catalog_program || stage.progress_threads;
  std::vector<std::string> words = {STRATA_SMPIMAIN,
                                    smpimain.program,
                                    std::string("--cfg=smpi/privatization:") + (one_image ? "no" : "dlopen"),
                                    fmt::format("--cfg=smpi/np:{}", stage.ranks),
                                    "--cfg=smpi/hostfile:" + smpimain.hosts,
                                    "--cfg=smpi/tmpdir:" + smpimain.scratch};
  for (const std::string& option : options_of(stage)) words.push_back("--cfg=" + option);
  if (stage.catalog_program) {
    words.emplace_back(kCatalogStack);
    // SMPI broadcasts an id when it creates a communicator. From 256 ranks on, the algorithm that the selector chooses
    // takes seconds of wall time for this.
    if (!makes_users_calls(stage) && !measures_broadcasts(smpimain))
      words.emplace_back("--cfg=smpi/bcast:binomial_tree");
  }
  if (!stage.mappings.guards) words.emplace_back("--cfg=contexts/guard-size:0");
  words.emplace_back("--log=root.thres:warning");
  words.insert(words.end(), smpimain.options.begin(), smpimain.options.end());
  words.push_back(smpimain.platform);
  words.emplace_back("--");  // what follows is for the program, even if it looks like an option of SimGrid
  for (const std::string& argument : smpimain.arguments) {
    if (argument == "--") {
      throw InputError("the program's argument '--'", "is lost on the way: SimGrid drops it",
                       "leave it out, if the program allows that");
    }
    words.push_back(argument);
  }
  return words;
}

std::vector<std::string> call_tracing(const std::string& file) {
  return {"--cfg=tracing:yes", "--cfg=tracing/filename:" + file, "--cfg=tracing/smpi:yes",
          "--cfg=tracing/smpi/format:TI", "--cfg=tracing/smpi/computing:yes"};
}

std::vector<std::filesystem::path> libraries_of(const Stage& stage, const std::string& shim, const std::string& mpi) {
  // The tap for programs that monitor their messages (mpi_ext/MPI_Monitoring.h) must be first, so that it sees the
  // program's own calls.
  std::vector<std::filesystem::path> libraries = {stage.preload / kMonitoringLibrary, stage.preload / kTwoLevelLibrary};
  if (!stage.catalog_program || makes_users_calls(stage)) libraries.push_back(stage.preload / kSupplyLibrary);
  if (shim != kShimOff) libraries.push_back(stage.preload / kShimLibrary);
  if (has_other_collectives(mpi)) libraries.push_back(stage.preload / kCollectivesLibrary);
  // If each rank has its own copy of the program, it needs its own copies of some libraries too.
  if (!stage.catalog_program && !stage.progress_threads) libraries.push_back(stage.loader);
  return libraries;
}

Variables preloading(const std::vector<std::filesystem::path>& libraries, const Alias& scratch) {
  const std::string preload = value_of("LD_PRELOAD"), users = value_of("LD_LIBRARY_PATH");
  // Only the names, because ld.so splits LD_PRELOAD at spaces, which the paths of our folders may contain. The loader
  // (toolchain) needs the folder with the ranks' copies first.
  std::vector<std::string> names, folders = {scratch / ""};
  for (const std::filesystem::path& library : libraries) {
    const std::string name = library.filename(), folder = library.parent_path();
    if (!std::filesystem::exists(library)) throw std::runtime_error("the build's runfiles lack " + name);
    names.push_back(name);
    if (std::find(folders.begin(), folders.end(), folder) == folders.end()) folders.push_back(folder);
  }
  if (!preload.empty()) names.push_back(preload);
  if (!users.empty()) folders.push_back(users);
  return {{"LD_PRELOAD", fmt::format("{}", fmt::join(names, ":"))},
          {"LD_LIBRARY_PATH", fmt::format("{}", fmt::join(folders, ":"))},
          {words::kUsersPreload, preload}};
}

}  // namespace strata::sim
