// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/runner.h"

#include <fmt/format.h>

#include <limits>
#include <optional>

#include "base/error.h"
#include "base/own_file.h"
#include "base/whole_file.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/finding.h"
#include "records/trace/trace_file.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

constexpr const char* kLog = "log";          // SimGrid's messages, if stderr is the terminal
constexpr const char* kCalls = "calls";      // kCallsFolder without SMPI's suffix
constexpr const char* kRulesFile = "rules";  // Launch::rules
constexpr const char* kActions = "actions";  // the names of the files of actions

void write_files(const Stage& stage, const Launch& launch, const fs::path& folder) {
  if (folder != stage.folder) fs::create_symlink(stage.folder / words::kHostsFile, folder / words::kHostsFile);
  if (launch.traffic.kept) fs::create_directory(folder / words::kTrafficFolder);
  if (!launch.actions.empty()) {
    std::string names;
    for (const fs::path& file : launch.actions) names += file.string() + "\n";
    write_whole(folder / kActions, names);
  }
  if (!launch.rules.file.empty()) write_whole(folder / kRulesFile, launch.rules.text);
  if (!stage.cores.empty()) {
    std::string cores;
    for (const double c : stage.cores) cores += fmt::format("{}\n", c);
    write_whole(folder / words::kCoresFile, cores);
  }
}

std::vector<std::string> options_of(const Launch& launch, const Alias& alias) {
  std::vector<std::string> options;
  if (launch.calls) options = call_tracing(alias / kCalls);
  if (launch.host_speed > 0) {
    options.emplace_back("--cfg=smpi/simulate-computation:yes");
    options.push_back(fmt::format("--cfg=smpi/host-speed:{}f", launch.host_speed));
  }
  if (!launch.actions.empty()) {
    options.push_back("--cfg=smpi/replay:" + alias / kActions);
    options.emplace_back("--cfg=smpi/simulate-computation:yes");  // otherwise `compute` takes no time
  }
  if (launch.interactive) options.push_back("--log=root.app:file:" + alias / kLog);
  return options;
}

// sim/profile comes before the others: it records profiles, events and traces, and knows which messages ranks wait for.
// The checks see each call before it does, and may refuse it.
std::vector<fs::path> libraries_for(const Stage& stage, const Launch& launch) {
  std::vector<fs::path> libraries = libraries_of(stage, launch.shim, launch.mpi);
  if (launch.profile || launch.events || launch.trace) libraries.insert(libraries.begin(), stage.profile);
  if (launch.checks) libraries.insert(libraries.begin(), stage.preload / kChecksLibrary);
  return libraries;
}

Variables variables_of(const Stage& stage, const Launch& launch, const std::vector<fs::path>& libraries,
                       const Alias& alias, const fs::path& folder) {
  Variables all = launch.environment;
  for (const Variables& more : {machine_variables(stage), preloading(libraries, alias)})
    all.insert(all.end(), more.begin(), more.end());
  all.emplace_back(words::kReport, folder / kReportFile);
  const auto add_if = [&](bool wanted, const char* variable, const std::string& value) {
    if (wanted) all.emplace_back(variable, value);
  };
  add_if(!stage.cores.empty(), words::kCores, folder / words::kCoresFile);
  add_if(launch.profile, words::kProfile, folder / kProfileFile);
  add_if(launch.timeline, words::kTimeline, folder / words::kTimelineFile);
  add_if(launch.events, words::kEvents, folder / words::kEventsFile);
  add_if(launch.trace, words::kTrace, folder / words::kTraceFile);
  add_if(launch.checks, kFindingsVariable, folder / kFindingsFile);
  if (launch.traffic.kept) {
    const Traffic& traffic = launch.traffic;
    add_if(true, words::kTraffic, folder / words::kTrafficFolder);
    add_if(traffic.period_s > 0, words::kTrafficPeriod, fmt::format("{}", traffic.period_s));
    add_if(traffic.messages, words::kTrafficMessages, "1");
    add_if(launch.most_pairs > 0, words::kTrafficPairs, std::to_string(launch.most_pairs));
  }
  add_if(has_other_collectives(launch.mpi), words::kCollectives, launch.mpi);
  add_if(!launch.rules.file.empty(), words::kRules, folder / kRulesFile);
  add_if(!launch.rules.file.empty(), words::kRulesName, launch.rules.file);
  add_if(launch.shim != kShimOff && launch.shim != kShimOn, words::kCartMethod, launch.shim);
  return all;
}

// Empty if the simulator ended before it had written the whole profile.
std::optional<Profile> profile_in(const fs::path& file) {
  try {
    return read_profile(file);
  } catch (const InputError&) {
    return {};
  }
}

}  // namespace

Runner::Runner(const Stage& stage, const Launch& launch, const fs::path& folder)
    : alias_(folder),
      libraries_(libraries_for(stage, launch)),
      time_limit_s_(stage.time_limit_s > 0 ? stage.time_limit_s : std::numeric_limits<double>::infinity()) {
  write_files(stage, launch, folder);
  command_ = {.words = words_of(stage, {.platform = stage.plugin,
                                        .hosts = alias_ / words::kHostsFile,
                                        .scratch = alias_ / "",  // its temporary files are removed with the folder
                                        .program = stage.program,
                                        .options = options_of(launch, alias_),
                                        .arguments = launch.arguments}),
              .folder = launch.folder,
              .output = folder,
              .environment = variables_of(stage, launch, libraries_, alias_, folder),
              .interactive = launch.interactive,
              .folders = {alias_.folder()},
              .input = launch.input,
              .silent = launch.silent};
}

Child Runner::adopt(pid_t pid) const {
  return {pid, command_.interactive ? Child::Group::kOurs : Child::Group::kOwn, time_limit_s_};
}

Evidence evidence_of(const Child& child, const Launch& launch, const fs::path& folder) {
  return {.status = child.status(),
          .timed_out = child.timed_out(),
          .text = read_whole(folder / kReportFile) + read_whole(folder / (launch.interactive ? kLog : "err")),
          .profiled = launch.profile,
          .profile = launch.profile ? profile_in(folder / kProfileFile) : std::nullopt};
}

}  // namespace strata::sim
