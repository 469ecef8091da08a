// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/simulation.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/error.h"
#include "base/fork_server.h"
#include "base/own_file.h"
#include "base/whole_file.h"
#include "records/exchange/exchanged_words.h"
#include "sim/launcher/diagnosis.h"
#include "sim/launcher/measurements.h"
#include "sim/launcher/resources.h"
#include "sim/launcher/runner.h"
#include "sim/launcher/smpimain.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

struct Running {
  size_t simulation;
  std::unique_ptr<ScratchFolder> folder;
  Child child;  // ends before its folder goes
};

Launch launch_of(const Stage& stage, const Simulation& s, const fs::path& folder) {
  Launch launch{.arguments = s.arguments,
                .folder = s.folder.empty() ? folder : s.folder,
                .environment = environment_of(stage),
                .shim = s.shim,
                .mpi = s.mpi,
                .rules = s.rules,
                .timeline = !s.trace.empty(),
                .events = !s.events.empty(),
                .trace = !s.record.empty(),
                .traffic = s.traffic};
  launch.environment.emplace_back("TMPDIR", folder);
  return launch;
}

// Starts one simulation after the other. Simulations of our own programs are forked from a smpimain that has loaded
// SimGrid. Ranks of a user's program have their own libraries, which the loader makes when a process starts.
class Starter {
 public:
  // One simulation is not worth a server.
  explicit Starter(size_t simulations) : forks_(simulations > 1) {}

  Child start(const Stage& stage, const Launch& launch, const fs::path& folder) {
    const Runner runner(stage, launch, folder);
    if (!forks_ || !stage.catalog_program) return runner.start();
    const std::optional<pid_t> pid = server_of(runner.libraries(), stage, runner.command()).start(runner.command());
    return pid ? runner.adopt(*pid) : runner.start();
  }

 private:
  struct Server {
    // The server's environment has nothing of the first simulation, because all others would inherit it.
    Server(const std::vector<fs::path>& libraries, const std::vector<std::string>& words)
        : process({.words = words,
                   .folder = folder.path(),
                   .environment = preloading(libraries, alias),
                   .folders = {alias.folder()}}) {}
    ScratchFolder folder;
    Alias alias{folder.path()};
    ForkServer process;
  };

  ForkServer& server_of(std::vector<fs::path> libraries, const Stage& stage, const Command& first) {
    std::unique_ptr<Server>& server = servers_[libraries];
    if (!server) {
      libraries.push_back(stage.plugin);  // contains the server's side
      server = std::make_unique<Server>(libraries, first.words);
    }
    return server->process;
  }

  bool forks_;
  std::map<std::vector<fs::path>, std::unique_ptr<Server>> servers_;  // by the libraries that they preload
};

// A deadlock, as a simulation that is run again shows it.
struct Deadlock {
  std::string waits;    // which rank waits in which call
  std::string refusal;  // if not empty: it is SMPI's, not the program's
};

// Runs the same simulation again with SMPI's trace.
Deadlock trace_deadlock(const Stage& stage, const Simulation& simulation) {
  const ScratchFolder folder;
  Launch launch = launch_of(stage, simulation, folder.path());
  launch.profile = launch.calls = true;
  Child child = Runner(stage, launch, folder.path()).start();
  await(child);
  Deadlock found{who_waits(folder.path() / kCallsFolder), ""};
  const std::string report = read_whole(folder.path() / kReportFile);
  bool deadlock = false;
  if (report.find(words::kRefused) != std::string::npos) found.refusal = describe_failure(0, report, deadlock);
  return found;
}

// The time at which the last rank ended, from the plugin's report.
std::optional<double> end_in(const std::string& report) {
  const size_t at = report.rfind(words::kEnd);
  if (at == std::string::npos) return std::nullopt;
  return std::strtod(report.c_str() + at + std::strlen(words::kEnd), nullptr);
}

Outcome outcome_of(const Stage& stage, const Simulation& simulation, const fs::path& folder, const Child& child) {
  Outcome outcome;
  outcome.printed = read_whole(folder / "out");
  // Written only now, and by us, so that we notice if the disk is full.
  if (!simulation.output.empty()) {
    write_whole(simulation.output.string() + ".out", outcome.printed);
    write_whole(simulation.output.string() + ".err", read_whole(folder / "err"));
  }
  const Diagnosis d = diagnose(evidence_of(child, launch_of(stage, simulation, folder), folder), stage.time_limit_s);
  if (!d.failure.empty()) {
    outcome.failure = d.failure;
    outcome.bad_usage = d.bad_usage;
    if (d.deadlock) {
      const Deadlock found = trace_deadlock(stage, simulation);
      outcome.failure += found.waits.empty() ? "" : ": " + found.waits;
      if (!found.refusal.empty()) outcome.failure = found.refusal;
    }
    if (stage.progress_threads) outcome.failure = name_threads(outcome.failure, stage.ranks / 2);
    return outcome;
  }
  outcome.simulated_time = end_in(read_whole(folder / kReportFile));
  for (const std::string& line : marked_lines(outcome.printed)) {
    Json json = Json::parse(line, nullptr, false);
    if (json.is_discarded()) {
      outcome.failure =
          "the program printed a line after @strata that is not JSON: " + (words::kMark + line).substr(0, 80);
      return outcome;
    }
    outcome.lines.push_back(std::move(json));
  }
  if (!simulation.trace.empty()) {
    if (!fs::exists(folder / words::kTimelineFile)) {
      outcome.failure = "the platform plugin wrote no trace";
      return outcome;
    }
    copy_whole(folder / words::kTimelineFile, simulation.trace);
  }
  if (!simulation.events.empty()) copy_whole(folder / words::kEventsFile, simulation.events);
  if (!simulation.record.empty()) copy_whole(folder / words::kTraceFile, simulation.record);
  if (simulation.traffic.kept) {
    for (const fs::directory_entry& file : fs::directory_iterator(folder / words::kTrafficFolder))
      copy_whole(file.path(), simulation.traffic_folder / file.path().filename());
  }
  return outcome;
}

}  // namespace

void run_simulations(const std::vector<Stage>& stages, const std::vector<Simulation>& simulations, int jobs,
                     const std::function<bool(size_t, const Outcome&)>& done) {
  const SignalGuard guard;
  require_open_files(jobs);
  std::vector<Running> running;
  size_t next = 0;
  Starter starter(simulations.size());
  while (next < simulations.size() || !running.empty()) {
    while (next < simulations.size() && static_cast<int>(running.size()) < jobs) {
      auto folder = std::make_unique<ScratchFolder>();
      const Simulation& simulation = simulations[next];
      const Stage& stage = stages.at(simulation.stage);
      Child child = starter.start(stage, launch_of(stage, simulation, folder->path()), folder->path());
      running.push_back({next, std::move(folder), std::move(child)});
      ++next;
    }
    SignalGuard::check();
    const auto over = std::find_if(running.begin(), running.end(), [](Running& r) { return r.child.ended(); });
    if (over == running.end()) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      continue;
    }
    const Running ended = std::move(*over);
    running.erase(over);
    const Simulation& simulation = simulations[ended.simulation];
    Outcome outcome = outcome_of(stages[simulation.stage], simulation, ended.folder->path(), ended.child);
    outcome.wall_s = ended.child.wall_s();
    SignalGuard::check();
    if (!done(ended.simulation, outcome)) return;
  }
  SignalGuard::check();
}

}  // namespace strata::sim
