// SPDX-License-Identifier: LGPL-2.1-only
// strata replay: runs a recorded program again on any machine, without the program. JSON: schemas/replay.schema.json.
#include <fmt/format.h>

#include <cstdio>
#include <memory>
#include <nlohmann/json.hpp>

#include "command/command.h"
#include "platforms/error.h"
#include "platforms/what_if.h"
#include "records/json.h"
#include "records/trace/trace_file.h"
#include "replay/engine.h"
#include "scenarios/figure_changes.h"

namespace strata::command {
namespace {

constexpr const char* kWhatIf = "what_if.";

struct Options {
  MachineOptions machine;
  std::string trace;
  std::vector<std::string> set;
  bool json = false, strict = false, per_rank = false;
};

// The functions that got an answer that this machine may not give.
std::vector<std::string> doubtful(const Trace& trace) {
  std::vector<std::string> names;
  for (size_t f = 0; f < trace.functions.size(); ++f) {
    if (trace.doubts[f] > 0) names.push_back(trace.functions[f]);
  }
  return names;
}

Machine changed(Machine machine, const std::vector<std::string>& settings) {
  std::vector<WhatIf> changes;
  for (const std::string& s : settings) {
    const size_t equal = s.find('=');
    if (!s.starts_with(kWhatIf) || equal == std::string::npos)
      throw InputError("--set " + s, "does not change the machine", "write --set what_if.FIGURE=VALUE or FACTORx");
    const std::string figure = s.substr(std::string(kWhatIf).size(), equal - std::string(kWhatIf).size());
    set_what_if(figure, s.substr(equal + 1), "--set " + s.substr(0, equal), changes);
  }
  return what_if(std::move(machine), changes);
}

// By rank, the index of its core: as recorded, unless the command line says where ranks are or names another machine.
std::vector<int> place(const Options& o, const Machine& machine, const Trace& trace) {
  const auto ranks = static_cast<int>(trace.cores.size());
  if (o.machine.np != 0 && o.machine.np != ranks)
    throw InputError("-n", fmt::format("the trace has {} ranks, not {}", ranks, o.machine.np), "leave -n out");
  const auto cores_of_machine = machine.topology->cores();
  if (machine.name == trace.machine && !o.machine.has_placement()) {
    for (const int core : trace.cores) {
      if (static_cast<size_t>(core) >= cores_of_machine.size())
        throw InputError(
            o.trace, fmt::format("was recorded on core {}, and {} has {}", core, machine.name, cores_of_machine.size()),
            "give the machine with --machine");
    }
    return trace.cores;
  }
  MachineOptions options = o.machine;
  options.np = ranks;
  return core_indexes(*machine.topology, options.place_on(machine));
}

int replay(const Options& o) {
  const Trace trace = read_trace(o.trace);
  const sim::Installation installation = sim::find_installation();
  MachineOptions options = o.machine;
  if (!options.has_machine()) options.machine = trace.machine;
  const Machine machine = options.load(installation);
  const std::vector<std::string> doubts = doubtful(trace);
  if (o.strict && !doubts.empty()) {
    throw InputError(
        o.trace,
        fmt::format("the program asked what another machine may answer otherwise: {}", fmt::join(doubts, ", ")),
        "without --strict the recorded answers are kept");
  }
  const std::vector<int> cores = place(o, machine, trace);
  const Machine shown = changed(machine, o.set);
  const replay::Replayed result = replay::replay(trace, shown, cores);
  if (o.json) {
    Json json = {{"schema", "strata.replay/1"},
                 {"program", trace.program},
                 {"machine", shown.name},
                 {"ranks", trace.cores.size()},
                 {"simulated_time", {{"value", result.simulated_time}, {"unit", "s"}}},
                 {"messages", result.messages},
                 {"bytes", result.bytes},
                 {"order_may_differ", doubts}};
    if (o.per_rank) json["ended"] = result.ended;
    std::printf("%s\n", json.dump().c_str());
    return 0;
  }
  std::printf("%s: %zu ranks on %s: %.9g s\n", trace.program.c_str(), trace.cores.size(), shown.name.c_str(),
              result.simulated_time);
  if (o.per_rank) {
    for (size_t r = 0; r < result.ended.size(); ++r) std::printf("rank %zu %.17g\n", r, result.ended[r]);
  }
  if (!doubts.empty()) {
    std::fprintf(stderr, "strata: the recorded answers are kept of what another machine may answer otherwise: %s\n",
                 fmt::format("{}", fmt::join(doubts, ", ")).c_str());
  }
  return 0;
}

}  // namespace

void add_replay(cli::App& app, Action& action) {
  auto o = std::make_shared<Options>();
  cli::App* sub = app.add_subcommand("replay", "Run a recorded program again on any machine, without the program");
  sub->add_option("TRACE", o->trace, "what strata exec --record has written")->required();
  o->machine.add_machine(*sub);
  o->machine.add_placement(*sub);
  sub->add_option("--set", o->set, "what_if.FIGURE=VALUE: another figure of the machine, such as what_if.core.speed=2x")
      ->allow_extra_args(false);
  sub->add_flag("--strict", o->strict, "refuse a program that asked what another machine may answer otherwise");
  sub->add_flag("--ranks", o->per_rank, "also when each rank ends");
  sub->add_flag("--json", o->json, "print a JSON document");
  sub->footer(
      "Without --machine it is that of the recording, with each rank where it was.\n"
      "Examples:\n  strata exec --machine ntw10e5 -n 48 --record app.strace -- ./app\n"
      "  strata replay app.strace\n"
      "  strata replay app.strace --machine theta\n"
      "  strata replay app.strace --map-by node --set what_if.Package.latency=2x");
  sub->callback([o, &action] { action = [o] { return replay(*o); }; });
}

}  // namespace strata::command
