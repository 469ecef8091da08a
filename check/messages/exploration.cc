// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/exploration.h"

#include <fmt/format.h>
#include <sys/wait.h>

#include <algorithm>
#include <chrono>
#include <map>
#include <sstream>
#include <stdexcept>

#include "base/child.h"
#include "base/error.h"
#include "base/own_file.h"
#include "check/messages/drawing.h"
#include "check/messages/execution_path.h"
#include "check/messages/replay_log.h"
#include "check/messages/scene.h"
#include "records/exchange/exchanged_words.h"

namespace strata::check {
namespace {

constexpr long kMostBytes = 256L << 20;  // output of the explored program, over all executions
constexpr long kTelling = 64L << 10;     // bytes that are read at the end of a log

// The result of a path, without key and drawing, which are added at the end.
struct Found {
  Path path;
  Replayed replayed;
};

Found replay_on(const Scene& scene, const Path& path, double limit_s) {
  std::vector<std::string> options = replay_log_options();
  options.push_back("--cfg=model-check/replay:" + record_of(path));
  const Ended ended = strata::run(scene.command(options), limit_s);
  const std::string error = read_whole(scene.folder() / "err");
  if (ended.timed_out) throw std::runtime_error(fmt::format("the replay did not end within {} s", limit_s));
  Found found{.path = path, .replayed = {.verdict = Verdict::kHolds, .run = read_replay(error)}};
  found.replayed.run.out = read_whole(scene.folder() / "out");
  found.replayed.verdict = judge_replay(ended.status, error, found.replayed.run);
  return found;
}

// The path with only the first `most` steps of `actor`.
Path cut_short(const Path& path, const std::string& actor, size_t most) {
  Path kept;
  size_t taken = 0;
  for (const std::string& step : path) {
    if (actor_of(step) != actor || taken++ < most) kept.push_back(step);
  }
  return kept;
}

bool same_failure(const Replayed& a, const Replayed& b) {
  return a.verdict == b.verdict && a.run.message == b.run.message;
}

// Removes steps of the other ranks that the last step does not need to fail: for each rank, as many of its last steps
// as possible. A path to a deadlock needs all its steps.
Found shrink(const Scene& scene, Found found, double limit_s) {
  if (found.replayed.verdict != Verdict::kAborted && found.replayed.verdict != Verdict::kCrashed) return found;
  if (found.replayed.run.steps.empty()) return found;
  for (bool again = true; again;) {
    again = false;
    std::map<std::string, size_t> steps;
    for (const std::string& step : found.path) ++steps[actor_of(step)];
    steps.erase(actor_of(found.path.back()));
    for (const auto& [actor, count] : steps) {
      size_t fewest = 0, enough = count;
      while (fewest < enough) {
        const size_t middle = (fewest + enough) / 2;
        std::optional<Found> shorter;
        try {
          shorter = replay_on(scene, cut_short(found.path, actor, middle), limit_s);
        } catch (const InputError&) {  // the other ranks cannot take these steps without it
        }
        if (shorter.has_value() && same_failure(shorter->replayed, found.replayed)) {
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

// Adds the key and the drawing.
Replayed for_people(const Exploration& exploration, Found found) {
  CounterExample& run = found.replayed.run;
  run.key = text_of(Key{exploration.name, name_of(found.replayed.verdict), key_text_of(found.path)});
  run.drawing = draw_steps(exploration.name + ": " + run.message, run.steps);
  return std::move(found.replayed);
}

[[noreturn]] void fail(const Scene& scene, int status) {
  const std::string log = read_end(scene.folder() / "checker.log", kTelling);
  const std::string error = read_end(scene.folder() / "err", kTelling);
  std::string text;
  for (const std::string& from : {error, log}) {
    std::istringstream in(from);
    for (std::string line; std::getline(in, line);) {
      if (!line.empty() && line.find(words::kStates) == std::string::npos && line.find("xbt_cfg") == std::string::npos)
        text = line;
    }
    if (!text.empty()) break;
  }
  throw std::runtime_error(
      fmt::format("SimGrid's model checker failed with {} {}{}", WIFEXITED(status) ? "status" : "signal",
                  WIFEXITED(status) ? WEXITSTATUS(status) : WTERMSIG(status), text.empty() ? "" : ": " + text));
}

}  // namespace

Explored explore(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration,
                 const Progressed& progressed) {
  const SignalGuard guard;
  const Scene scene(checker, installation, exploration);
  const auto log = scene.folder() / "checker.log";
  Command command = scene.command({});
  make_explore(installation,
               {.reduce = exploration.reduction == Reduction::kDpor,
                .depth = exploration.limits.depth,
                .jobs = exploration.jobs,
                .shard = exploration.shard,
                .shards = exploration.shards,
                .log = log.filename()},
               command);
  command.most_bytes = kMostBytes;
  using Clock = std::chrono::steady_clock;
  const Clock::time_point begin = Clock::now();
  Clock::time_point told = begin;
  const Ended ended = strata::run(command, exploration.limits.seconds, [&] {
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
  if (status != kDeadlocked && status != kCrash) fail(scene, ended.status);
  constexpr double kReplayLimit = 60;                              // s
  const Path path = path_of_record(read_path(said).value_or(""));  // empty if the program is wrong before its first
                                                                   // step
  Found found = replay_on(scene, path, kReplayLimit);
  if (found.replayed.verdict == Verdict::kHolds)
    throw std::runtime_error("SimGrid's model checker found the path " + record_of(path) +
                             ", but nothing is wrong there");
  if (found.replayed.verdict == Verdict::kUndecided) {  // not an error of the program
    explored.limit = found.replayed.run.message;
    return explored;
  }
  Replayed replayed = for_people(exploration, shrink(scene, std::move(found), kReplayLimit));
  explored.verdict = replayed.verdict;
  ++explored.executions;  // including the last one
  explored.counter_example = std::move(replayed.run);
  explored.prefix = read_prefix(said).value_or(0);
  return explored;
}

Replayed replay(const ModelChecker& checker, const sim::Installation& installation, const Exploration& exploration,
                const Key& key) {
  const SignalGuard guard;
  const Path path = path_of_key(key.text);
  const Scene scene(checker, installation, exploration);
  Replayed replayed = for_people(exploration, replay_on(scene, path, exploration.limits.seconds));
  replayed.run.key = text_of(key);
  return replayed;
}

int replay_in_debugger(const ModelChecker& checker, const sim::Installation& installation,
                       const Exploration& exploration, const Key& key) {
  const SignalGuard guard;
  const Path path = path_of_key(key.text);
  const Scene scene(checker, installation, exploration);
  Command command = scene.command({"--log=root.thres:warning", "--cfg=smpi/keep-temps:yes",  // for gdb
                                   "--cfg=model-check/replay:" + record_of(path)});
  // Set the loader's variables only for the program, not for gdb.
  std::vector<std::string> debugger = {"gdb", "-q", "-iex", "set startup-with-shell off"};
  std::erase_if(command.environment, [&debugger](const auto& variable) {
    if (variable.first.rfind("LD_", 0) != 0) return false;
    debugger.insert(debugger.end(), {"-iex", "set environment " + variable.first + " " + variable.second.value_or("")});
    return true;
  });
  debugger.push_back("--args");
  command.words.insert(command.words.begin(), debugger.begin(), debugger.end());
  command.interactive = true;
  const Ended ended = strata::run(command, 0);
  if (!WIFEXITED(ended.status)) return 128 + WTERMSIG(ended.status);
  if (WEXITSTATUS(ended.status) == 127)
    throw InputError("gdb", "is not installed", "install the Debian package gdb, or replay without the debugger");
  return WEXITSTATUS(ended.status);
}

}  // namespace strata::check
