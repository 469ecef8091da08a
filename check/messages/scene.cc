// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/scene.h"

#include <elf.h>
#include <fmt/format.h>

#include <climits>
#include <cstdlib>
#include <fstream>
#include <set>
#include <sstream>

#include "base/error.h"
#include "base/own_file.h"
#include "base/whole_file.h"
#include "records/exchange/exchanged_words.h"

namespace strata::check {
namespace {

namespace fs = std::filesystem;

// Hosts with the properties that programs read (mpi_ext/adapter/transport_smpi.cc) and the platform plugin's names.
// There is no network and all durations are zero, because SimGrid's checker ignores both.
std::string platform_xml(const Machine& machine, const RankPlacement& placement, const fs::path& hosts) {
  std::string text =
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\">\n<zone id=\"machine\" routing=\"None\">\n";
  std::ifstream names(hosts);
  std::set<std::string> known;
  for (const std::vector<Binding>* half : {&placement.ranks, &placement.progress}) {
    for (const Binding& b : *half) {
      std::string name;
      std::getline(names, name);
      if (!known.insert(name).second) continue;
      text += fmt::format(
          "<host id=\"{}\" speed=\"1Gf\"><prop id=\"{}\" value=\"{}\"/><prop id=\"{}\" value=\"{}\"/></host>\n", name,
          words::kNodeProperty, machine.topology->node(b.core), words::kCopiesProperty,
          static_cast<int>(machine.copies().si));
    }
  }
  return text + "</zone>\n</platform>\n";
}

// Throws InputError unless the program is an ELF object that is linked with SimGrid's library, which SMPI requires.
void check_program(const fs::path& program) {
  const std::string text = read_whole(program);
  if (text.compare(0, SELFMAG, ELFMAG) != 0) {
    throw InputError("program '" + program.string() + "'", "is not an executable",
                     "give one that was built with smpicc (or smpicxx, smpif90)");
  }
  if (text.find("libsimgrid.so") == std::string::npos) {
    throw InputError("program '" + program.string() + "'", "was not built for SMPI",
                     "build it with smpicc (or smpicxx, smpif90) instead of another MPI's mpicc");
  }
}

// The checker's SimGrid first, then the folders of the user's libraries.
std::optional<std::string> library_path(const ModelChecker& checker) {
  const char* users = std::getenv("LD_LIBRARY_PATH");
  const bool none = users == nullptr || *users == '\0';
  if (checker.systems) return none ? std::nullopt : std::optional<std::string>(users);
  return none ? checker.folder.string() : checker.folder.string() + ":" + users;
}

long send_threshold(const Exploration& exploration) {
  switch (exploration.buffering) {
    case Buffering::kAll:
      return INT_MAX;
    case Buffering::kNone:
      return 0;
    case Buffering::kSome:
      break;
  }
  return static_cast<long>(exploration.eager_limit_bytes);
}

}  // namespace

Scene::Scene(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration)
    : checker_(checker),
      exploration_(exploration),
      stage_(sim::prepare_stage(*exploration.machine, exploration.placement, folder_.path(), installation,
                                exploration.program, exploration.limits.seconds)) {
  check_program(stage_.program);
  write_whole(folder_.path() / "platform.xml",
              platform_xml(*exploration.machine, exploration.placement, folder_.path() / words::kHostsFile));
  fs::create_symlink(stage_.program, folder_.path() / "program.so");
  fs::create_directory_symlink(stage_.preload, folder_.path() / "preload");
  preload_.push_back(std::string("./preload/") + sim::kMonitoringLibrary);
  if (!stage_.catalog_program) preload_.push_back(std::string("./preload/") + sim::kSupplyLibrary);
  for (const fs::path& library : corrections_of(installation)) {
    fs::create_symlink(library, folder_.path() / library.filename());
    preload_.push_back("./" + library.filename().string());
  }
}

Command Scene::command(const std::vector<std::string>& options) const {
  Command command{.words = {checker_.main(), "./program.so"}, .folder = folder_.path()};
  std::vector<std::string>& words = command.words;
  const bool one_image = stage_.catalog_program || stage_.progress_threads;
  for (const std::string& option : std::initializer_list<std::string>{
           one_image ? "smpi/privatization:no" : "smpi/privatization:dlopen", fmt::format("smpi/np:{}", stage_.ranks),
           std::string("smpi/hostfile:") + words::kHostsFile, "smpi/tmpdir:.", "smpi/simulate-computation:no",
           "smpi/coll-selector:ompi",
           "smpi/async-small-thresh:0",  // one mailbox for each rank; two would need a lock, whose orders would be
                                         // explored
           fmt::format("smpi/send-is-detached-thresh:{}", send_threshold(exploration_))}) {
    words.push_back("--cfg=" + option);
  }
  if (stage_.catalog_program) words.push_back(sim::kCatalogStack);
  for (const std::string& option : program_options()) words.push_back(option);
  words.insert(words.end(), options.begin(), options.end());
  words.push_back("platform.xml");
  words.insert(words.end(), exploration_.arguments.begin(), exploration_.arguments.end());
  command.environment = sim::environment_of(stage_);
  command.environment.insert(
      command.environment.end(),
      {{"LD_LIBRARY_PATH", library_path(checker_)},
       {words::kUnmatched, exploration_.watch_leftovers ? std::optional<std::string>("1") : std::nullopt},
       {"LD_PRELOAD", fmt::format("{}", fmt::join(preload_, ":"))},
       {"LD_BIND_NOW", "1"}});  // once, instead of in each execution
  return command;
}

}  // namespace strata::check
