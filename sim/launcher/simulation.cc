// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/simulation.h"

#include <fmt/format.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <thread>

#include "platforms/error.h"
#include "records/exchange/words.h"
#include "records/whole_file.h"
#include "sim/launcher/diagnosis.h"
#include "sim/launcher/fork_server.h"
#include "sim/launcher/measurements.h"
#include "sim/launcher/smpimain.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

struct Child {
  pid_t pid;
  size_t simulation;
  Clock::time_point started;
  bool timed_out = false;
  std::unique_ptr<ScratchFolder> folder;
};

// Files that the simulator writes to the simulation's folder.
constexpr const char* kTrace = "trace";
constexpr const char* kReport = "report";
constexpr const char* kProfile = "profile.json";

enum class Trace { kNo, kCalls };

// The command that starts smpimain. Its temporary files are in the alias' folder and are removed with it.
Command command_of(const Stage& stage, const Simulation& simulation, Trace trace, const Alias& alias,
                   const std::vector<fs::path>& libraries) {
  const fs::path folder = alias.folder().second;
  fs::create_symlink(stage.folder / words::kHostsFile, folder / words::kHostsFile);
  Command command{.words = words_of(stage, {.platform = stage.plugin,
                                            .hosts = alias / words::kHostsFile,
                                            .scratch = alias / "",
                                            .program = stage.program,
                                            .options = trace == Trace::kCalls ? call_tracing(alias / kTrace)
                                                                              : std::vector<std::string>(),
                                            .arguments = simulation.arguments}),
                  .folder = simulation.folder.empty() ? folder : simulation.folder,
                  .output = folder,
                  .environment = environment_of(stage),
                  .folders = {alias.folder()}};
  command.environment.emplace_back("TMPDIR", folder);
  if (!simulation.events.empty()) command.environment.emplace_back(words::kEvents, folder / words::kEventsFile);
  if (!simulation.record.empty()) command.environment.emplace_back(words::kTrace, folder / words::kTraceFile);
  if (trace == Trace::kCalls) command.environment.emplace_back(words::kProfile, folder / kProfile);
  const Variables loading = preloading(libraries, alias);
  command.environment.insert(command.environment.end(), loading.begin(), loading.end());
  command.environment.emplace_back(words::kReport, folder / kReport);
  // Files that the plugin writes.
  if (!simulation.trace.empty()) command.environment.emplace_back(words::kTimeline, folder / words::kTimelineFile);
  if (simulation.traffic.kept) {
    fs::create_directory(folder / words::kTrafficFolder);
    command.environment.emplace_back(words::kTraffic, folder / words::kTrafficFolder);
    if (simulation.traffic.period_s > 0)
      command.environment.emplace_back(words::kTrafficPeriod, fmt::format("{}", simulation.traffic.period_s));
    if (simulation.traffic.messages) command.environment.emplace_back(words::kTrafficMessages, "1");
  }
  if (simulation.shim != kShimOff && simulation.shim != kShimOn)
    command.environment.emplace_back(words::kCartMethod, simulation.shim);
  return command;
}

// sim/profile records events and traces, and knows which messages ranks wait for.
std::vector<fs::path> libraries_of(const Stage& stage, const Simulation& simulation, Trace trace = Trace::kNo) {
  std::vector<fs::path> libraries = libraries_of(stage, simulation.shim);
  if (!simulation.events.empty() || !simulation.record.empty() || trace == Trace::kCalls)
    libraries.insert(libraries.begin(), stage.profile);
  return libraries;
}

pid_t start_alone(const Stage& stage, const Simulation& simulation, Trace trace, const fs::path& folder) {
  const Alias alias(folder);
  return sim::start(command_of(stage, simulation, trace, alias, libraries_of(stage, simulation, trace)));
}

// Starts one simulation after the other. Simulations of our own programs are forked from a smpimain that has loaded
// SimGrid. Ranks of a user's program have their own libraries, which the loader makes when a process starts.
class Starter {
 public:
  // One simulation is not worth a server.
  explicit Starter(size_t simulations) : forks_(simulations > 1) {}

  pid_t start(const Stage& stage, const Simulation& simulation, const fs::path& folder) {
    if (forks_ && stage.catalog_program) {
      const Alias alias(folder);
      const std::vector<fs::path> libraries = libraries_of(stage, simulation);
      const Command command = command_of(stage, simulation, Trace::kNo, alias, libraries);
      const std::optional<pid_t> pid = server_of(libraries, stage, command).start(command);
      return pid ? *pid : sim::start(command);
    }
    return start_alone(stage, simulation, Trace::kNo, folder);
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
  ScratchFolder folder;
  const pid_t pid = start_alone(stage, simulation, Trace::kCalls, folder.path());
  const auto limit = Clock::now() + std::chrono::duration<double>(stage.time_limit_s);
  while (::waitpid(pid, nullptr, WNOHANG) == 0) {
    if (Clock::now() > limit || SignalGuard::caught() != 0) {
      kill_group(pid);
      break;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  Deadlock found{who_waits(folder.path() / (std::string(kTrace) + "_files")), ""};
  const std::string report = read_whole(folder.path() / kReport);
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

Outcome outcome_of(const Stage& stage, const Simulation& simulation, const fs::path& folder, int status,
                   bool timed_out) {
  Outcome outcome;
  const std::string report = read_whole(folder / kReport), printed_error = read_whole(folder / "err");
  const std::string error = report + printed_error;
  outcome.printed = read_whole(folder / "out");
  // Written only now, and by us, so that we notice if the disk is full.
  write_whole(simulation.output.string() + ".out", outcome.printed);
  write_whole(simulation.output.string() + ".err", printed_error);
  if (timed_out) {
    outcome.failure = fmt::format("no end after {} s of wall time, the time limit", stage.time_limit_s);
    return outcome;
  }
  bool deadlock = error.find(words::kDeadlock) != std::string::npos;
  // After MPI_Abort smpimain ends with status 0.
  const bool aborted = error.find(kAbortMessage) != std::string::npos;
  const bool failed = !WIFEXITED(status) || WEXITSTATUS(status) != 0 || deadlock || aborted;
  if (failed) {
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127) {
      outcome.failure = "SimGrid's smpimain is not installed (Debian package libsimgrid-dev)";
      return outcome;
    }
    outcome.failure = describe_failure(status, error, deadlock);
    outcome.bad_usage = error.find(words::kUsage) != std::string::npos;
    if (deadlock) {
      const Deadlock found = trace_deadlock(stage, simulation);
      outcome.failure += found.waits.empty() ? "" : ": " + found.waits;
      if (!found.refusal.empty()) outcome.failure = found.refusal;
    }
    if (stage.progress_threads) outcome.failure = name_threads(outcome.failure, stage.ranks / 2);
    return outcome;
  }
  outcome.simulated_time = end_in(report);
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
  std::vector<Child> running;
  struct Reaper {  // no child may outlive us
    std::vector<Child>& running;
    ~Reaper() {
      for (const Child& c : running) kill_group(c.pid);
    }
  } reaper{running};
  size_t next = 0;
  Starter starter(simulations.size());
  while (next < simulations.size() || !running.empty()) {
    while (next < simulations.size() && static_cast<int>(running.size()) < jobs) {
      auto folder = std::make_unique<ScratchFolder>();
      const Simulation& simulation = simulations[next];
      const pid_t pid = starter.start(stages.at(simulation.stage), simulation, folder->path());
      running.push_back({pid, next, Clock::now(), false, std::move(folder)});
      ++next;
    }
    SignalGuard::check();
    bool ended = false;
    for (size_t i = 0; i < running.size(); ++i) {
      Child& child = running[i];
      const Stage& stage = stages[simulations[child.simulation].stage];
      int status = 0;
      const std::chrono::duration<double> age = Clock::now() - child.started;
      if (age.count() > stage.time_limit_s) {
        child.timed_out = true;
        kill_group(child.pid);
      } else if (::waitpid(child.pid, &status, WNOHANG) == 0) {
        continue;
      }
      const Child over = std::move(child);
      running.erase(running.begin() + static_cast<long>(i));
      ended = true;
      ::kill(-over.pid, SIGKILL);  // processes that the program may have left behind
      Outcome outcome = outcome_of(stage, simulations[over.simulation], over.folder->path(), status, over.timed_out);
      outcome.wall_s = age.count();
      SignalGuard::check();
      if (!done(over.simulation, outcome)) return;
      break;
    }
    if (!ended) std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  SignalGuard::check();
}

}  // namespace strata::sim
