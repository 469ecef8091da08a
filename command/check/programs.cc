// SPDX-License-Identifier: LGPL-2.1-only
#include "command/check/programs.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <utility>

#include "base/error.h"
#include "check/engine/explore.h"
#include "command/check/text.h"
#include "command/print.h"
#include "console/progress.h"
#include "sim/launcher/execution.h"
#include "sim/launcher/scratch.h"

namespace strata::command {
namespace {

using check::Buffering;
using check::Verdict;

std::string ranks_text(long ranks, long threads) {
  return counted(ranks, "rank") + (threads == 0 ? "" : " with " + counted(threads, "progress thread"));
}

std::string ranks_text(const ProgramQuestion& q) {
  const RankPlacement& p = q.exploration.placement;
  return ranks_text(static_cast<long>(p.ranks.size()), static_cast<long>(p.progress.size()));
}

// Explains a word of --buffering.
std::string buffering_text(const std::string& word) {
  if (word == "all") return "every send complete at once";
  if (word == "none") return "every send waiting for its receive";
  return fmt::format("sends of less than {} B complete at once", word);
}

// "all", "none" or "16384", as in --buffering.
std::string buffering_word(const check::Exploration& e) {
  return e.buffering == Buffering::kAll    ? "all"
         : e.buffering == Buffering::kNone ? "none"
                                           : fmt::format("{:.0f}", e.eager_limit_bytes);
}

// Wall time of the run with checks, in s. A program that polls may have no end in it.
constexpr double kMostSecondsOfRun = 20;

// A run with checks of the program's calls.
ProgramResult run_first(const ProgramQuestion& q, const sim::Installation& installation) {
  const check::Exploration& e = q.exploration;
  const SignalGuard guard;
  const sim::ScratchFolder folder;
  const auto begin = std::chrono::steady_clock::now();
  sim::Stage stage =
      sim::prepare_stage(*e.machine, e.placement, folder.path(), installation, installation.program(e.program).string(),
                         std::min(kMostSecondsOfRun, e.limits.seconds));
  constexpr double kAllMessages = 1 << 30;  // B: longer than any message
  stage.eager_limit_bytes = e.buffering == Buffering::kAll    ? kAllMessages
                            : e.buffering == Buffering::kNone ? 0
                                                              : e.eager_limit_bytes;
  stage.catalog_program = false;
  ProgramResult result{.question = q, .explored = {}};
  result.findings = analysis::merged(sim::check_once(stage, {.arguments = e.arguments}));
  result.explored.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  result.explored.verdict = result.findings.empty() ? Verdict::kUndecided : Verdict::kViolated;
  return result;
}

}  // namespace

std::vector<ProgramResult> check_programs(const std::vector<ProgramQuestion>& questions,
                                          const std::function<void(const ProgramResult&)>& done) {
  if (questions.empty()) return {};
  std::optional<check::ModelChecker> checker;
  const sim::Installation installation = sim::find_installation();
  console::Progress progress({.what = "", .total = questions.size(), .logged = false, .even = false});
  std::set<std::string> wrong;
  std::vector<ProgramResult> results;
  for (size_t i = 0; i < questions.size(); ++i) {
    const ProgramQuestion& q = questions[i];
    // A shard does not know the results of the others, so merging leaves these out instead.
    if (wrong.count(q.exploration.name) > 0 && q.exploration.shards == 0) {
      progress.point_done("");
      continue;
    }
    if (q.runs_first && q.exploration.shards == 0) {
      ProgramResult first = run_first(q, installation);
      if (!first.findings.empty()) {
        wrong.insert(q.exploration.name);
        results.push_back(std::move(first));
        progress.point_done("");
        progress.clear();
        done(results.back());
        continue;
      }
    }
    if (!checker) checker = check::need_model_checker();
    const auto progressed = [&](long states, long executions) {
      progress.working(
          fmt::format("{}: {}, {}", q.exploration.name, counted(states, "state"), counted(executions, "execution")));
    };
    try {
      results.push_back({q, check::explore(*checker, installation, q.exploration, progressed)});
    } catch (const InputError&) {
      throw;
    } catch (const std::runtime_error& e) {
      throw check::CheckerFailed("the checker failed on " + q.exploration.name + ": " + e.what());
    }
    progress.point_done("");
    progress.clear();
    if (!results.back().holds()) wrong.insert(q.exploration.name);
    done(results.back());
  }
  return results;
}

std::string program_text(const Json& r) {
  const bool ran = r.contains("findings") && !r.at("findings").empty();
  const std::string size =
      ran ? "one run"
          : counted(r.at("states").get<long>(), "state") + ", " + counted(r.at("executions").get<long>(), "execution");
  std::string text = fmt::format("{:<11} {}: {}, {}; {}, {:.1f} s\n", r.at("verdict").get<std::string>(),
                                 r.at("name").get<std::string>(), ranks_text(r.at("ranks"), r.at("progress_threads")),
                                 buffering_text(r.at("buffering")), size, r.at("seconds").get<double>());
  if (!r.at("limit").is_null())
    text += fmt::format("  no violation until then: {}\n", r.at("limit").get<std::string>());
  return text;
}

std::string text_of(const ProgramResult& r) {
  const std::optional<check::CounterExample>& c = r.explored.counter_example;
  if (!r.findings.empty()) {
    const std::string program = std::filesystem::path(r.question.exploration.program).filename();
    return program_text(json_of(r)) + "\n" + indented(analysis::findings_text(r.findings, program), 4) + "\n";
  }
  return program_text(json_of(r)) + (c ? text_of(*c, "", r.question.again(c->key)) : "");
}

Json json_of(const ProgramResult& r) {
  const check::Explored& e = r.explored;
  Json result = {{"name", r.question.exploration.name},
                 {"ranks", r.question.exploration.placement.ranks.size()},
                 {"progress_threads", r.question.exploration.placement.progress.size()},
                 {"arguments", r.question.exploration.arguments},
                 {"buffering", buffering_word(r.question.exploration)},
                 {"verdict", name_of(e.verdict)},
                 {"states", e.states},
                 {"transitions", e.transitions},
                 {"executions", e.executions},
                 {"seconds", e.seconds},
                 {"limit", e.limit.empty() ? Json(nullptr) : Json(e.limit)},
                 {"counter_example", nullptr}};
  if (e.counter_example)
    result["counter_example"] = json_of(*e.counter_example, r.question.again(e.counter_example->key));
  if (r.question.runs_first && r.question.exploration.shards == 0)
    result["findings"] = analysis::findings_json(r.findings);
  if (r.question.exploration.shards > 0) result["prefix"] = e.counter_example ? Json(e.prefix) : Json(nullptr);
  return result;
}

std::string verdict_of(const std::vector<ProgramResult>& results) {
  long states = 0, executions = 0, wrong = 0;
  double seconds = 0;
  for (const ProgramResult& r : results) {
    states += r.explored.states;
    executions += r.explored.executions;
    seconds += r.explored.seconds;
    wrong += !r.holds();
  }
  const long all = static_cast<long>(results.size());
  return fmt::format("{}: {}, {}, {}, {:.1f} s\n",
                     wrong == 0 ? "no violation in any order of messages"
                                : fmt::format("{} of {} violated or undecided", wrong, counted(all, "exploration")),
                     counted(all, "exploration"), counted(states, "state"), counted(executions, "execution"), seconds);
}

int replay_program(const ProgramQuestion& q, const std::string& text, bool debugger, bool json) {
  const check::Key key = check::parse_key(text);
  const check::ModelChecker checker = check::need_model_checker();
  const sim::Installation installation = sim::find_installation();
  if (debugger) return check::replay_in_debugger(checker, installation, q.exploration, key);
  const check::Replayed replayed = check::replay(checker, installation, q.exploration, key);
  const check::CounterExample& run = replayed.run;
  const bool holds = replayed.verdict == Verdict::kHolds;
  if (json) {
    const Json document = {{"schema", "strata.check/1"},
                           {"verdict", name_of(replayed.verdict)},
                           {"key", run.key},
                           {"message", holds ? Json(nullptr) : Json(run.message)},
                           {"steps", steps_json(run)},
                           {"stdout", run.out},
                           {"stderr", run.err}};
    print(document);
    return holds ? 0 : 1;
  }
  fmt::print("{}: {}, {}\n\n{}\n", q.exploration.name, ranks_text(q), buffering_text(buffering_word(q.exploration)),
             run.drawing.text);
  if (!run.out.empty()) fmt::print("stdout:\n{}\n", indented(run.out, 2));
  if (!run.err.empty()) fmt::print("stderr:\n{}\n", indented(run.err, 2));
  fmt::print("{}\n", holds ? name_of(replayed.verdict) : fmt::format("{}: {}", name_of(replayed.verdict), run.message));
  return holds ? 0 : 1;
}

}  // namespace strata::command
