// SPDX-License-Identifier: LGPL-2.1-only
// strata_explorer LOG dpor|none DEPTH COPIES I/N|- [NAME=VALUE...] -- PROGRAM [ARGUMENT...]
//
// Explores all orders of an SMPI program, instead of SimGrid's simgrid-mc. PROGRAM is smpimain; the variables are only
// set for it. COPIES of the program run at the same time (ahead.h); the result does not depend on their number. With
// I/N, it explores shard I of N (shard.h).
//
// The log gets a line of statistics from time to time. If an error is found, it gets "Path = 1;3/1;3", after "Prefix =
// 2" for a shard. The last line ends with "end". The exit status is that of simgrid-mc 3.32: 0 no error, 3 a deadlock,
// 6 the program ended before its end. 2 means that the program could not be explored; the reason is on stderr.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "check/messages/explorer/ahead.h"
#include "check/messages/explorer/exploration_shard.h"
#include "check/messages/explorer/search.h"
#include "check/messages/explorer/simgrid_application.h"
#include "records/exchange/exchanged_words.h"

namespace strata::check {
namespace {

std::string text_of(const SearchCounts& c) {
  return std::string(words::kStates) + " " + std::to_string(c.states) + " transitions " +
         std::to_string(c.transitions) + " replayed " + std::to_string(c.replayed) + " executions " +
         std::to_string(c.executions) + " redundant " + std::to_string(c.redundant) + " cut " + std::to_string(c.cut);
}

std::string text_of(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps) {
    text += (text.empty() ? "" : ";") + std::to_string(step.actor);
    if (step.choice > 0) text += "/" + std::to_string(step.choice);
  }
  return text;
}

// "3/8" gives 3 and 8, "-" no value.
std::optional<std::pair<int, int>> shard_of(const std::string& word) {
  if (word == "-") return std::nullopt;
  const std::size_t slash = word.find('/');
  return std::pair{std::stoi(word), std::stoi(word.substr(slash + 1))};
}

int explore(const std::vector<std::string>& words) {
  std::vector<std::string> variables, program;
  std::size_t at = 5;
  for (; at < words.size() && words[at] != "--"; ++at) variables.push_back(words[at]);
  if (at + 1 >= words.size()) {
    std::fprintf(stderr,
                 "usage: strata_explorer LOG dpor|none DEPTH COPIES I/N|- [NAME=VALUE...] -- PROGRAM [ARGUMENT...]\n");
    return 2;
  }
  program.assign(words.begin() + static_cast<std::ptrdiff_t>(at) + 1, words.end());
  std::ofstream log(words[0]);
  const bool reduce = words[1] == "dpor";
  const std::size_t depth = std::stoul(words[2]);
  const int copies = std::stoi(words[3]);
  const std::optional<std::pair<int, int>> shard = shard_of(words[4]);
  const auto start = [&] { return start_simgrid_application(program, variables); };
  std::unique_ptr<Application> application;
  if (copies > 1) {
    application = std::make_unique<AheadApplication>(
        start, AheadApplication::Options{.reduce = reduce, .most_steps = depth, .most_copies = copies});
  } else {
    application = start();
  }
  using Clock = std::chrono::steady_clock;
  Clock::time_point reported = Clock::now();
  const auto report = [&](const SearchCounts& counts) {
    if (Clock::now() - reported < std::chrono::milliseconds(200)) return;
    reported = Clock::now();
    log << text_of(counts) << std::endl;
  };
  SearchResult result;
  SearchCounts counts;
  if (shard.has_value()) {
    const Prefixes prefixes = lay_out_prefixes(*start(), depth);
    ShardResult of_shard = search_shard(*application, prefixes, shard->first, shard->second, reduce, depth, report);
    result = std::move(of_shard.found);
    counts = of_shard.counts;
    if (result.wrong != Wrong::kNothing) log << "Prefix = " << of_shard.prefix << '\n';
  } else {
    Search search(*application, reduce, depth, report);
    result = search.run();
    counts = search.counts();
  }
  if (result.wrong != Wrong::kNothing) log << "Path = " << text_of(result.steps) << '\n';
  log << text_of(counts) << " end" << std::endl;
  [[maybe_unused]] const Application* left = application.release();  // a copy may be in an endless step
  switch (result.wrong) {
    case Wrong::kNothing:
      return 0;
    case Wrong::kDeadlock:
      return 3;
    case Wrong::kDied:
      return 6;
  }
  return 2;
}

}  // namespace
}  // namespace strata::check

int main(int argc, char** argv) {
  try {
    std::_Exit(strata::check::explore({argv + 1, argv + argc}));  // threads may still run
  } catch (const std::exception& error) {
    std::fprintf(stderr, "strata_explorer: %s\n", error.what());
    return 2;
  }
}
