// SPDX-License-Identifier: LGPL-2.1-only
#include "command/map_by_time.h"

#include <fmt/format.h>
#include <signal.h>  // NOLINT(modernize-deprecated-headers): sigaction is POSIX's

#include <charconv>
#include <chrono>
#include <csignal>
#include <limits>

#include "analysis/format.h"
#include "analysis/rank_groups.h"
#include "base/error.h"
#include "command/command.h"
#include "command/error_bar_report.h"
#include "command/mapped_ranks.h"
#include "command/traced.h"
#include "console/progress.h"
#include "models/message_cost.h"
#include "mpi_ext/reorder/mapping.h"
#include "replay/engine.h"

namespace strata::command {
namespace {

volatile std::sig_atomic_t stopped = 0;

// Sets `stopped` on the first Ctrl-C in its scope.
class StopOnInterrupt {
 public:
  StopOnInterrupt() {
    stopped = 0;
    struct sigaction action {};
    action.sa_handler = [](int) { stopped = 1; };
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    sigaction(SIGINT, &action, &before_);
  }
  ~StopOnInterrupt() { sigaction(SIGINT, &before_, nullptr); }
  StopOnInterrupt(const StopOnInterrupt&) = delete;
  StopOnInterrupt& operator=(const StopOnInterrupt&) = delete;

 private:
  struct sigaction before_ {};
};

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace

Budget parse_budget(const std::string& text) {
  const bool timed = text.ends_with('s');
  const char *begin = text.data(), *end = begin + text.size() - (timed ? 1 : 0);
  Budget budget;
  bool valid = false;
  if (timed) {
    const auto [rest, error] = std::from_chars(begin, end, budget.seconds);
    valid = error == std::errc() && rest == end && budget.seconds > 0 && budget.seconds <= 1e9;
    budget.evaluations = std::numeric_limits<long>::max();
  } else {
    const auto [rest, error] = std::from_chars(begin, end, budget.evaluations);
    valid = error == std::errc() && rest == end && budget.evaluations > 0;
  }
  if (!valid) {
    throw InputError("--budget", "'" + text + "' is neither a number of mappings nor a time",
                     "give for example 500, or 90s");
  }
  return budget;
}

TimedMapping map_by_time(const Trace& trace, const Machine& machine, const std::vector<Binding>& ranks,
                         const Pattern& bytes, const Budget& budget, std::uint64_t seed) {
  const auto start = std::chrono::steady_clock::now();
  const mpix::PlaceTree tree = place_tree_of(*machine.topology, ranks);
  TimedMapping mapping;
  for (const auto method : {mpix::MapMethod::kIdentity, mpix::MapMethod::kTreeMatch, mpix::MapMethod::kScotch}) {
    mapping.starts.push_back(
        {std::string(mpix::name_of(method)), mpix::inverse(mpix::map_ranks(bytes, tree, method, seed))});
  }
  const std::vector<int> core_of_process = core_indexes(*machine.topology, ranks);
  const models::Judge judge = [&](const std::vector<int>& process_of) {
    const replay::Replayed replayed =
        replay::replay(trace, machine, analysis::by_application(core_of_process, process_of));
    return models::Judged{replayed.simulated_time, replayed.ended};
  };
  const StopOnInterrupt interrupt;
  console::Progress progress({.what = ""});
  models::TimeSearchOptions options;
  options.evaluations = budget.evaluations;
  options.seed = seed;
  options.stop = [&] { return stopped != 0 || (budget.seconds > 0 && seconds_since(start) >= budget.seconds); };
  options.told = [&](long evaluations, double least) {
    const double fraction = budget.seconds > 0
                                ? seconds_since(start) / budget.seconds
                                : static_cast<double>(evaluations) / static_cast<double>(budget.evaluations);
    progress.working(
        fmt::format("{} mappings replayed, least time {}", evaluations, analysis::with_unit(least, "s", 4)), fraction);
  };
  std::vector<int> vertices;
  for (const Binding& b : ranks) vertices.push_back(b.core);
  const models::MessageCosts costs(machine, ranks);
  mapping.found = models::search_by_time(costs, vertices, bytes, mapping.starts, judge, options);
  mapping.interrupted = stopped != 0;
  return mapping;
}

std::vector<analysis::DifferenceBar> longer_than_found(const Trace& trace, const Machine& machine,
                                                       const std::vector<Binding>& ranks, const TimedMapping& mapping) {
  const std::vector<int> core_of_process = core_indexes(*machine.topology, ranks);
  const auto effects = [&](const std::vector<int>& process_of, double seconds) {
    const std::vector<int> cores = analysis::by_application(core_of_process, process_of);
    analysis::FigureEffects all;
    for (const replay::FigureError& f : error_bar_of(trace, machine, cores, seconds, default_jobs()).figures)
      all[f.figure.name] = {f.larger, f.smaller};
    return all;
  };
  const models::TimeSearchResult& found = mapping.found;
  const analysis::FigureEffects of_found = effects(found.process_of, found.seconds);
  if (of_found.empty()) return {};
  std::vector<analysis::DifferenceBar> longer;
  for (std::size_t i = 0; i < mapping.starts.size(); ++i) {
    const std::vector<int>& start = mapping.starts[i].process_of;
    const double seconds = found.start_seconds[i];
    longer.push_back(analysis::difference_bar(seconds - found.seconds, of_found,
                                              start == found.process_of ? of_found : effects(start, seconds)));
  }
  return longer;
}

}  // namespace strata::command
