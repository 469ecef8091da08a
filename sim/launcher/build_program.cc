// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/build_program.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <cstdlib>
#include <sstream>
#include <string>

#include "base/child.h"
#include "base/error.h"
#include "base/own_file.h"
#include "base/whole_file.h"
#include "records/folder.h"
#include "sim/launcher/scratch.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

constexpr double kLimit = 7 * 24 * 3600;  // s; far longer than any build takes

std::string last_line(const std::string& text) {
  std::istringstream in(text);
  std::string last;
  for (std::string line; std::getline(in, line);) {
    if (line.find_first_not_of(" \t\r") != std::string::npos) last = line;
  }
  return last;
}

}  // namespace

void build_program(const Scenario& scenario, const fs::path& compilers, const fs::path& out) {
  const ScratchFolder scratch;
  const SignalGuard guard;
  const fs::path folder = scenario.file.parent_path();
  Variables variables;
  if (!compilers.empty()) {
    const char* path = std::getenv("PATH");
    variables.emplace_back("PATH", compilers.string() + (path == nullptr ? "" : std::string(":") + path));
  }
  const Ended ended = run({.words = {"sh", "-c", scenario.study.build},
                           .folder = folder.empty() ? fs::path(".") : folder,
                           .output = scratch.path(),
                           .environment = variables},
                          kLimit);
  const std::string printed = read_whole(scratch.path() / "out"), error = read_whole(scratch.path() / "err");
  const fs::path kept = out / kBuildOutput;
  write_whole(kept.string() + ".out", printed);
  write_whole(kept.string() + ".err", error);
  if (WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0) return;
  std::string what = "`" + scenario.study.build + "` ";
  what += WIFEXITED(ended.status) ? fmt::format("failed with status {}", WEXITSTATUS(ended.status))
                                  : fmt::format("was ended by signal {}", WTERMSIG(ended.status));
  const std::string line = last_line(error.empty() ? printed : error);
  if (!line.empty()) what += ": " + line;
  std::string remedy = "see " + kept.string() + ".err";
  if (!scenario.source.empty()) remedy += "; the program comes from " + scenario.source;
  throw InputError(scenario.file.string() + ": build", what, remedy);
}

}  // namespace strata::sim
