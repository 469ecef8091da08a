// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/stage.h"

#include <fmt/format.h>

#include "base/child.h"
#include "base/own_file.h"
#include "base/whole_file.h"
#include "flow/precision.h"
#include "platforms/core_name.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/placement_file.h"
#include "records/trace/recorded_machine.h"
#include "records/trace/trace_file.h"
#include "sim/launcher/resources.h"
#include "sim/simgrid/version.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

// The placement file's text, with the machine's files in its folder.
std::string placement_file_of(const Machine& machine, const fs::path& folder, int application) {
  const std::vector<std::string> files = node_files(machine);
  const fs::path bindings = folder / words::kBindingsFile;
  if (machine.kinds.empty()) {
    return format_placement_file(files.front().empty() ? "" : folder / files.front(), machine.node.synthetic,
                                 machine.network, bindings, application);
  }
  std::vector<PlacedNodes> nodes;
  for (size_t i = 0; i < files.size(); ++i) {
    nodes.push_back(
        {machine.kinds[i].count, files[i].empty() ? "" : folder / files[i], machine.kinds[i].source.synthetic});
  }
  return format_placement_file(nodes, machine.network, bindings, application);
}

}  // namespace

std::string packed_machine(const Machine& machine, const fs::path& folder) {
  std::vector<std::string> names = node_files(machine);
  names.insert(names.end(), {words::kMachineFile, "fabric.txt"});
  RecordedMachine recorded{.hash = machine_hash(machine), .files = {}};
  for (const std::string& name : names) {
    if (!name.empty() && fs::exists(folder / name)) recorded.files[name] = read_whole(folder / name);
  }
  return pack(recorded);
}

double least_overhead(const Machine& machine) {
  double least = 0;
  for (const LevelCosts& level : machine.levels) {
    if (level.overhead.si > 0 && (least == 0 || level.overhead.si < least)) least = level.overhead.si;
  }
  return least;
}

std::vector<std::string> options_of(const Stage& stage) {
  const std::string limit = std::to_string(static_cast<long>(stage.eager_limit_bytes));
  std::vector<std::string> options = {
      fmt::format("{}:{}", kPrecision, flow::kTimePrecision),
      "smpi/coll-selector:ompi",       // MPI's own collectives: algorithms as in Open MPI
      "smpi/wtime:0",                  // reading the clock takes no time
      "smpi/simulate-computation:no",  // time on our processor is not the machine's time
      "smpi/async-small-thresh:" + limit,
      "smpi/send-is-detached-thresh:" + limit,
  };
  if (stage.poll_s > 0) {
    // SMPI's defaults, 0.1 ms or more for each call, would dominate the time of a program that polls.
    options.push_back(fmt::format("smpi/test:{}", stage.poll_s));
    options.push_back(fmt::format("smpi/iprobe:{}", stage.poll_s));
    options.emplace_back("smpi/grow-injected-times:no");
    options.emplace_back("smpi/wtime:1e-8");  // s, SMPI's default: a loop that waits for the clock to advance must end
  }
  return options;
}

std::optional<std::string> few_mappings_of(const Stage& stage) {
  return stage.mappings.merged ? std::optional<std::string>("1") : std::nullopt;
}

Variables machine_variables(const Stage& stage) {
  return {{words::kMachine, stage.folder / words::kMachineFile},
          {words::kPlacement, stage.folder / words::kPlacementFile},
          {words::kFewMappings, few_mappings_of(stage)}};
}

Variables environment_of(const Stage& stage) {
  Variables all = machine_variables(stage);
  all.insert(all.end(), {{words::kCartMethod, std::nullopt},  // not inherited: results must state how they were made
                         {"LC_ALL", "C"},
                         {"TMPDIR", "."}});
  return all;
}

Stage prepare_stage(const Machine& machine, const RankPlacement& placement, const fs::path& scratch,
                    const Installation& installation, const std::string& program, double time_limit_s) {
  const size_t ranks = placement.ranks.size();
  const bool threads = !placement.progress.empty(), catalog_program = program.find('/') == std::string::npos;
  const long copies = catalog_program || threads ? 0 : 1;  // a rank's own files
  Stage stage{.folder = scratch,
              .plugin = installation.plugin,
              .preload = installation.preload,
              .profile = installation.profile,
              .loader = installation.toolchain / "libstrata_loader.so",
              .program = installation.program(program),
              .catalog_program = catalog_program,
              .progress_threads = threads,
              .ranks = static_cast<int>(ranks + placement.progress.size()),
              .eager_limit_bytes = machine.eager_limit.si,
              .time_limit_s = time_limit_s,
              .mappings = mappings_for("ranks", static_cast<long>(ranks + placement.progress.size()), copies)};
  require_memory(machine);
  save_machine(machine, scratch);
  write_whole(scratch / kRecordedMachineFile, packed_machine(machine, scratch));
  write_whole(scratch / words::kBindingsFile, format_placement(placement));
  write_whole(scratch / words::kPlacementFile,
              placement_file_of(machine, scratch, threads ? static_cast<int>(ranks) : 0));
  // A rank is simulated on the first core of its binding.
  std::string hosts;
  for (const std::vector<Binding>* half : {&placement.ranks, &placement.progress}) {
    for (const int core : core_indexes(*machine.topology, *half)) hosts += core_name(*machine.topology, core) + "\n";
  }
  write_whole(scratch / words::kHostsFile, hosts);
  return stage;
}

}  // namespace strata::sim
