// SPDX-License-Identifier: LGPL-2.1-only
#include "command/splittree_run.h"

#include <fmt/format.h>

#include <map>

#include "base/error.h"
#include "platforms/placement.h"
#include "sim/launcher/run.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

using Metrics = std::map<std::string, double>;

// Runs nbc, and returns the metrics that it prints.
Metrics run_nbc(const Machine& machine, const RankPlacement& placement, const NbcRun& run,
                const std::vector<std::string>& more, const std::filesystem::path& trace,
                const sim::Installation& installation) {
  const sim::ScratchFolder scratch;
  const sim::Stage stage =
      sim::prepare_stage(machine, placement, scratch.path(), installation, "nbc", run.time_limit_s);
  sim::Simulation simulation{.arguments = run.collective, .output = scratch.path() / "output", .trace = trace};
  simulation.arguments.insert(simulation.arguments.end(), more.begin(), more.end());
  Metrics metrics;
  sim::run_simulations({stage}, {simulation}, 1, [&](size_t, const sim::Outcome& outcome) {
    if (outcome.bad_usage) throw InputError("command line", outcome.failure);
    if (!outcome.failure.empty()) throw sim::SimulationFailed("nbc: " + outcome.failure);
    for (const Json& line : outcome.lines) metrics[line.at("metric")] = line.at("value");
    return true;
  });
  return metrics;
}

}  // namespace

NbcTimes simulate_nbc(const Machine& machine, const RankPlacement& placement, const NbcRun& run,
                      const sim::Installation& installation) {
  const Topology& t = *machine.topology;
  const std::vector<Binding> all = place(t, static_cast<int>(t.cores().size()));
  const double work = run_nbc(machine, {all, all}, run, {}, {}, installation).at("work");
  const Metrics m = run_nbc(machine, placement, run, {"--steps", run.steps, "--work", fmt::format("{:.17g}", work)},
                            run.trace, installation);
  return {.blocking = m.at("blocking"),
          .nonblocking = m.at("nonblocking"),
          .overlapped = m.at("time"),
          .computation = m.at("computation")};
}

}  // namespace strata::command
