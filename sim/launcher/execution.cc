// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/execution.h"

#include <fmt/format.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstring>
#include <regex>
#include <sstream>
#include <thread>

#include "platforms/error.h"
#include "records/exchange/words.h"
#include "records/whole_file.h"
#include "sim/launcher/diagnosis.h"
#include "sim/launcher/smpimain.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

// Files that the simulator writes to the stage's folder.
constexpr const char* kLog = "log";
constexpr const char* kReport = "report";
constexpr const char* kProfile = "profile.json";
// A file that it reads there: the names of the files of actions.
constexpr const char* kActions = "actions";

// The number of waiting ranks that a report names, and of messages for each of them.
constexpr size_t kMostWaiting = 8, kMostAwaited = 4;

// s of wall time for addr2line, which is slow for large programs.
constexpr double kDebuggerSeconds = 20;

std::vector<std::string> smpimain_words(const Stage& stage, const Execution& execution, const Alias& alias) {
  std::vector<std::string> options;
  if (execution.host_speed > 0) {
    options.emplace_back("--cfg=smpi/simulate-computation:yes");
    options.push_back(fmt::format("--cfg=smpi/host-speed:{}f", execution.host_speed));
  }
  if (!execution.actions.empty()) {
    options.push_back("--cfg=smpi/replay:" + alias / kActions);
    options.emplace_back("--cfg=smpi/simulate-computation:yes");  // otherwise `compute` takes no time
  }
  options.push_back("--log=root.app:file:" + alias / kLog);
  return words_of(stage, {.platform = stage.plugin,
                          .hosts = alias / words::kHostsFile,
                          .scratch = alias / "",
                          .program = stage.program,
                          .options = options,
                          .arguments = execution.arguments});
}

Variables variables(const Stage& stage, const Execution& execution, const Alias& alias) {
  Variables all = execution.environment;
  std::vector<fs::path> libraries = libraries_of(stage, execution.shim);
  libraries.insert(libraries.begin(), stage.profile);
  const Variables loading = preloading(libraries, alias);
  all.insert(all.end(), loading.begin(), loading.end());
  all.emplace_back(words::kFewMappings, few_mappings_of(stage));
  all.emplace_back(words::kMachine, stage.folder / words::kMachineFile);
  all.emplace_back(words::kPlacement, stage.folder / words::kPlacementFile);
  if (!stage.cores.empty()) all.emplace_back(words::kCores, stage.folder / words::kCoresFile);
  all.emplace_back(words::kReport, stage.folder / kReport);
  all.emplace_back(words::kProfile, stage.folder / kProfile);
  all.emplace_back(words::kTraffic, stage.folder / words::kTrafficFolder);
  if (execution.messages) all.emplace_back(words::kTrafficMessages, "1");
  if (execution.most_pairs > 0) all.emplace_back(words::kTrafficPairs, std::to_string(execution.most_pairs));
  if (execution.events) all.emplace_back(words::kEvents, stage.folder / words::kEventsFile);
  if (execution.trace) all.emplace_back(words::kTrace, stage.folder / words::kTraceFile);
  if (execution.shim != kShimOff && execution.shim != kShimOn) all.emplace_back(words::kCartMethod, execution.shim);
  return all;
}

// Killed at the end of its scope, if it has not ended before.
class Child {
 public:
  explicit Child(pid_t pid) : pid_(pid) {}
  Child(const Child&) = delete;
  Child& operator=(const Child&) = delete;
  ~Child() {
    if (!over_) kill_process(pid_);
  }
  bool ended() {
    over_ = over_ || ::waitpid(pid_, &status_, WNOHANG) != 0;
    return over_;
  }
  int status() const { return status_; }

 private:
  pid_t pid_;
  int status_ = 0;
  bool over_ = false;
};

// " for a message from rank 1 (tag 7)"; empty if the message is unknown.
std::string awaited_text(const std::vector<Awaited>& awaits) {
  std::vector<std::string> texts;
  for (const Awaited& a : awaits) {
    const std::string other = a.rank < 0 ? "any rank" : fmt::format("rank {}", a.rank);
    const std::string tag = a.tag < 0 ? "" : fmt::format(" (tag {})", a.tag);
    texts.push_back(fmt::format("{} {}{}", a.receive ? "a message from" : "the receive of", other, tag));
    if (texts.size() == kMostAwaited) break;
  }
  if (awaits.size() > texts.size()) texts.push_back(fmt::format("{} more", awaits.size() - texts.size()));
  return texts.empty() ? "" : fmt::format(" for {}", fmt::join(texts, ", "));
}

std::string ending_text(const Ending& e) {
  switch (e.how) {
    case Ending::How::kAbort:
      return fmt::format("rank {} called MPI_Abort with {}", e.rank, e.code);
    case Ending::How::kDeadlock:
      return fmt::format("rank {} waits in {}{}", e.rank, e.call, awaited_text(e.awaits));
    case Ending::How::kExit:
      return fmt::format("rank {} called exit with {}", e.rank, e.code);
    case Ending::How::kReturn:
      return fmt::format("rank {} returned {} from main", e.rank, e.code);
    case Ending::How::kUnfinalized:
      return fmt::format("rank {} ended without MPI_Finalize", e.rank);
  }
  return "";
}

// ": rank 0 waits in MPI_Recv for a message from rank 1 (tag 7); rank 1 ..."
std::string who_waits(const Profile& profile) {
  std::vector<std::string> texts;
  size_t more = 0;
  for (const Ending& e : profile.endings) {
    if (e.how != Ending::How::kDeadlock) continue;
    if (texts.size() < kMostWaiting) {
      texts.push_back(ending_text(e));
    } else {
      ++more;
    }
  }
  if (more > 0) texts.push_back(fmt::format("and {} more ranks", more));
  return texts.empty() ? "" : fmt::format(": {}", fmt::join(texts, "; "));
}

// " at solver.cc:120 (in relax)": the place at which a rank crashed, if the program has debugging information (-g).
std::string crash_place(const Stage& stage, const std::string& report) {
  static const std::regex crash(std::string(words::kCrash) + R"( rank -?\d+ signal \d+ at (0x[0-9a-f]+))");
  std::smatch parts;
  if (!std::regex_search(report, parts, crash)) return "";
  run({.words = {"addr2line", "-s", "-f", "-C", "-e", stage.program, parts[1].str()}, .folder = stage.folder},
      kDebuggerSeconds);
  std::istringstream out(read_whole(stage.folder / "out"));
  std::string function, line;
  if (!std::getline(out, function) || !std::getline(out, line)) return "";
  const std::string in = function == "??" ? "" : fmt::format(" (in {})", function);
  return line.starts_with("??") ? (in.empty() ? "" : " in " + function)
                                : fmt::format(" at {}{}", line.substr(0, line.find(' ')), in);
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

Executed execute(const Stage& stage, const Execution& execution) {
  const Alias alias(stage.folder);
  Executed executed;
  executed.traffic = stage.folder / words::kTrafficFolder;
  fs::create_directory(executed.traffic);
  if (execution.events) executed.events = stage.folder / words::kEventsFile;
  if (execution.trace) executed.trace = stage.folder / words::kTraceFile;
  if (!execution.actions.empty()) {
    std::string names;
    for (const fs::path& file : execution.actions) names += file.string() + "\n";
    write_whole(stage.folder / kActions, names);
  }
  if (!stage.cores.empty()) {
    std::string cores;
    for (const double c : stage.cores) cores += fmt::format("{}\n", c);
    write_whole(stage.folder / words::kCoresFile, cores);
  }
  Child child(start({.words = smpimain_words(stage, execution, alias),
                     .folder = execution.folder,
                     .environment = variables(stage, execution, alias),
                     .interactive = true,
                     .folders = {alias.folder()},
                     .input = execution.input,
                     .silent = execution.silent}));
  const auto begun = Clock::now();
  while (!child.ended()) {
    SignalGuard::check();
    if (stage.time_limit_s > 0 && Clock::now() - begun > std::chrono::duration<double>(stage.time_limit_s)) {
      executed.failure = fmt::format("no end after {} s of wall time, the time limit", stage.time_limit_s);
      return executed;
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  SignalGuard::check();
  const std::string report = read_whole(stage.folder / kReport) + read_whole(stage.folder / kLog);
  const std::optional<Profile> profile = profile_in(stage.folder / kProfile);
  if (profile) executed.profile = *profile;
  // After MPI_Abort, SimGrid 3.32 may report that the other ranks cannot continue.
  const bool aborted = profile && !profile->endings.empty() && profile->endings.front().how == Ending::How::kAbort;
  bool deadlock = report.find(words::kDeadlock) != std::string::npos;
  const bool refused =
      report.find(words::kPlatform) != std::string::npos || report.find(words::kRefused) != std::string::npos;
  if (!aborted && (deadlock || refused || !profile || !WIFEXITED(child.status()))) {
    executed.failure = describe_failure(child.status(), report, deadlock);
    executed.crashed = !deadlock && !refused;
    executed.failure += deadlock ? (profile ? who_waits(*profile) : "") : crash_place(stage, report);
    return executed;
  }
  executed.exit_code = WIFEXITED(child.status()) ? WEXITSTATUS(child.status()) : 1;
  if (!executed.profile.endings.empty()) {
    const Ending& first = executed.profile.endings.front();
    executed.ending = ending_text(first);
    if (first.how != Ending::How::kUnfinalized) executed.exit_code = first.code & 0xff;  // as in a shell
  }
  executed.levels = read_levels(executed.traffic / kLevelsFile);
  executed.links = read_links(executed.traffic / kLinksFile);
  return executed;
}

}  // namespace strata::sim
