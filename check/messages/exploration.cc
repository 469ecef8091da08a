#include "check/messages/exploration.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <stdexcept>

#include "platforms/error.h"
#include "check/messages/counter_example.h"
#include "check/messages/scene.h"
#include "sim/launcher/child.h"

namespace strata::sim {
namespace {

using Path = std::vector<std::string>;  // SimGrid's notation of steps, "3" or "3/1": an actor, and its choice

constexpr const char* kNoStep = "0";     // a path of no steps
constexpr long kMostBytes = 256L << 20;  // of what the explored program prints, over all executions
constexpr long kTelling = 64L << 10;     // bytes at the end of a log that are read

// The status that simgrid-mc ends with.
enum : int { kNothingFound = 0, kSafety = 1, kDeadlocked = 3, kCrash = 6 };

Path path_of(const std::string& text) {
  Path path;
  std::istringstream in(text);
  for (std::string step; std::getline(in, step, ';');) path.push_back(step);
  return path;
}

std::string text_of(const Path& path) {
  std::string text;
  for (const std::string& step : path) text += (text.empty() ? "" : ";") + step;
  return text;
}

std::string actor_of(const std::string& step) { return step.substr(0, step.find('/')); }

Replayed replay_on(const Scene& scene, const std::string& path, double limit_s) {
  std::vector<std::string> options = replay_log_options();
  options.push_back("--cfg=model-check/replay:" + path);
  const Ended ended = run(scene.command({}, options), limit_s);
  const std::string error = read_whole(scene.folder() / "err");
  if (ended.timed_out) throw std::runtime_error(fmt::format("the replay did not end in {} s", limit_s));
  Replayed replayed{.verdict = Verdict::kHolds, .run = read_replay(error)};
  replayed.run.path = path;
  replayed.run.out = read_whole(scene.folder() / "out");
  replayed.verdict = judge_replay(ended.status, error, replayed.run);
  return replayed;
}

// The path without what `actor` does after its first `most` steps.
Path cut_short(const Path& path, const std::string& actor, size_t most) {
  Path kept;
  size_t taken = 0;
  for (const std::string& step : path) {
    if (actor_of(step) != actor || taken++ < most) kept.push_back(step);
  }
  return kept;
}

// Leaves out what the others do that is not needed for the last step to fail: of each rank as many of its last steps as
// possible. A path that ends in a deadlock needs all of its steps.
Replayed shrink(const Scene& scene, Replayed found, double limit_s) {
  if (found.verdict != Verdict::kAborted && found.verdict != Verdict::kCrashed) return found;
  if (found.run.steps.empty()) return found;
  for (bool again = true; again;) {
    again = false;
    const Path path = path_of(found.run.path);
    std::map<std::string, size_t> steps;
    for (const std::string& step : path) ++steps[actor_of(step)];
    steps.erase(actor_of(path.back()));
    for (const auto& [actor, count] : steps) {
      size_t fewest = 0, enough = count;
      while (fewest < enough) {
        const size_t middle = (fewest + enough) / 2;
        std::optional<Replayed> shorter;
        try {
          shorter = replay_on(scene, text_of(cut_short(path_of(found.run.path), actor, middle)), limit_s);
        } catch (const InputError&) {  // the others cannot go that way without it
        }
        if (shorter.has_value() && shorter->verdict == found.verdict && shorter->run.why == found.run.why) {
          found = *std::move(shorter);
          enough = middle;
          again = true;
        } else {
          fewest = middle + 1;
        }
      }
    }
  }
  return found;
}

[[noreturn]] void fail(const Scene& scene, int status) {
  const std::string log = read_end(scene.folder() / "checker.log", kTelling);
  const std::string error = read_end(scene.folder() / "err", kTelling);
  std::string text;
  for (const std::string& from : {error, log}) {
    std::istringstream in(from);
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.find("@strata states") == std::string::npos &&
          line.find("xbt_cfg") == std::string::npos)
        text = line;
    }
    if (!text.empty()) break;
  }
  throw std::runtime_error(
      fmt::format("SimGrid's model checker failed with {} {}{}", WIFEXITED(status) ? "status" : "signal",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), text.empty() ? "" : ": " + text));
}

}  // namespace

const char* name_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::kHolds:
      return "holds";
    case Verdict::kDeadlock:
      return "deadlock";
    case Verdict::kAborted:
      return "aborted";
    case Verdict::kCrashed:
      return "crashed";
    case Verdict::kUnmatched:
      return "unmatched";
    case Verdict::kUndecided:
      break;
  }
  return "undecided";
}

Explored explore(const ModelChecker& checker, const Installation& installation, const Machine& machine,
                 const Exploration& exploration, const Progressed& progressed) {
  const SignalGuard guard;
  const Scene scene(checker, installation, machine, exploration);
  const auto log = scene.folder() / "checker.log";
  Command command = scene.command(
      {checker.checker(), "--log=root.app:file:checker.log"},
      {fmt::format("--cfg=model-check/reduction:{}", exploration.reduction == Reduction::kDpor ? "dpor" : "none"),
       fmt::format("--cfg=model-check/max-depth:{}", exploration.limits.depth)});
  command.most_bytes = kMostBytes;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Clock::time_point told = begin;
  const Ended ended = run(command, exploration.limits.seconds, [&] {
    if (!progressed || Clock::now() - told < std::chrono::milliseconds(200)) return;
    told = Clock::now();
    if (const auto s = read_statistics(read_end(log, kTelling)); s.has_value()) progressed(s->states, s->executions);
  });
  Explored explored;
  explored.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  const std::string said = read_end(log, 1L << 24);
  const Statistics statistics = read_statistics(said).value_or(Statistics{});
  explored.states = statistics.states;
  explored.executions = statistics.executions - statistics.redundant - statistics.cut;
  explored.transitions = statistics.transitions;
  if (ended.timed_out) {
    explored.limit = fmt::format("no end within {} s", exploration.limits.seconds);
    return explored;
  }
  const int status = WIFEXITED(ended.status) ? WEXITSTATUS(ended.status) : -1;
  if (status == kNothingFound) {
    if (!statistics.end) fail(scene, ended.status);
    explored.verdict = statistics.cut == 0 ? Verdict::kHolds : Verdict::kUndecided;
    if (statistics.cut > 0)
      explored.limit =
          fmt::format("{} executions were cut off after {} steps", statistics.cut, exploration.limits.depth);
    return explored;
  }
  if (status != kSafety && status != kDeadlocked && status != kCrash) fail(scene, ended.status);
  // A program may be wrong before its first step.
  const std::string path = read_path(said).value_or("");
  constexpr double kReplayLimit = 60;  // s
  Replayed found = replay_on(scene, path.empty() ? kNoStep : path, kReplayLimit);
  if (found.verdict == Verdict::kHolds)
    throw std::runtime_error("SimGrid's model checker found the path " + path + ", but nothing is wrong there");
  found = shrink(scene, std::move(found), kReplayLimit);
  explored.verdict = found.verdict;
  ++explored.executions;  // the last one
  explored.counter_example = std::move(found.run);
  return explored;
}

Replayed replay(const ModelChecker& checker, const Installation& installation, const Machine& machine,
                const Exploration& exploration, const std::string& path) {
  const SignalGuard guard;
  return replay_on(Scene(checker, installation, machine, exploration), path, exploration.limits.seconds);
}

int replay_in_debugger(const ModelChecker& checker, const Installation& installation, const Machine& machine,
                       const Exploration& exploration, const std::string& path) {
  const SignalGuard guard;
  const Scene scene(checker, installation, machine, exploration);
  Command command = scene.command({}, {"--log=root.thres:warning", "--cfg=smpi/keep-temps:yes",  // gdb reads them
                                       "--cfg=model-check/replay:" + path});
  // What is for the program's loader is not for gdb's own.
  std::vector<std::string> debugger = {"gdb", "-q", "-iex", "set startup-with-shell off"};
  std::erase_if(command.environment, [&debugger](const auto& variable) {
    if (variable.first.rfind("LD_", 0) != 0) return false;
    debugger.insert(debugger.end(), {"-iex", "set environment " + variable.first + " " + variable.second.value_or("")});
    return true;
  });
  debugger.push_back("--args");
  command.words.insert(command.words.begin(), debugger.begin(), debugger.end());
  command.interactive = true;
  const Ended ended = run(command, 0);
  if (!WIFEXITED(ended.status)) return 128 + WTERMSIG(ended.status);
  if (WEXITSTATUS(ended.status) == 127)
    throw InputError("gdb", "is not installed", "install the Debian package gdb, or replay without the debugger");
  return WEXITSTATUS(ended.status);
}

}  // namespace strata::sim
