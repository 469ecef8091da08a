// SPDX-License-Identifier: LGPL-2.1-only
#include "command/simulated_probe.h"

#include <sys/wait.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/child.h"
#include "base/error.h"
#include "base/own_file.h"
#include "base/whole_file.h"
#include "calibration/held_out.h"
#include "calibration/probe/probe_samples.h"
#include "command/fit_table.h"
#include "command/mpi.h"
#include "sim/launcher/run.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/simulation.h"

namespace strata::command {
namespace {

namespace fs = std::filesystem;

// s of wall time. Compiling 600 lines takes less than one second; simulating two nodes of 128 cores about a minute.
constexpr double kCompileLimit = 60, kSimulationLimit = 300;

// The first line of an output that is not empty.
std::string first_line(const std::string& text) {
  const size_t begin = text.find_first_not_of(" \t\r\n");
  return begin == std::string::npos ? "" : text.substr(begin, text.find('\n', begin) - begin);
}

void compile(const fs::path& yaml, const fs::path& folder) {
  MachineOptions machine;
  machine.machine = fs::absolute(yaml);
  const MpiInstallation mpi = make_mpi(machine, folder / "mpi");
  const SignalGuard guard;
  const Ended ended =
      strata::run({.words = {mpi.prefix / "bin/mpicc", "-O2", "-std=c99", "probe.c", "-o", "probe"}, .folder = folder},
                  kCompileLimit);
  if (!ended.timed_out && WIFEXITED(ended.status) && WEXITSTATUS(ended.status) == 0) return;
  throw InputError("mpicc", "the probe does not compile: " + first_line(read_whole(folder / "err")),
                   "install the compiler that ./strata installs");
}

// Adds rates of one core and of all cores of the first memory, if the machine has figures of its memory.
void add_memory(const Machine& machine, const sim::Installation& installation, calibration::Reading& reading) {
  using calibration::Operation;
  for (const MemoryFit& f : fit_memory(machine, installation)) {
    if (f.work != "copy" && f.work != "combine") continue;
    reading.measurements.push_back({.operation = f.work == "copy" ? Operation::kCopy : Operation::kDaxpy,
                                    .level = "",
                                    .bytes = 0,
                                    .at_once = f.cores,
                                    .value = f.measured.value,
                                    .source = "memory"});
  }
}

}  // namespace

calibration::Reading simulate_probe(const Machine& machine, const fs::path& yaml,
                                    const calibration::ProbeSettings& settings, const sim::Installation& installation) {
  const sim::ScratchFolder build, stage_folder;
  const fs::path& folder = build.path();
  const NodeTree& node = machine.topology->node_tree(0);
  write_whole(folder / "probe.c", calibration::probe_program());
  write_whole(folder / "plan.txt", calibration::probe_plan(node, settings));
  write_whole(folder / "places.txt", calibration::probe_places(node, settings));
  compile(yaml, folder);
  const std::vector<Binding> ranks =
      calibration::bindings_at(calibration::simulated_places(node, settings), machine, "the simulated probe");
  const sim::Stage stage =
      sim::prepare_stage(machine, {ranks}, stage_folder.path(), installation, folder / "probe", kSimulationLimit);
  sim::run_simulations(
      {stage},
      {{.arguments = {folder / "plan.txt", folder / "samples.csv", folder / "places.txt"}, .output = folder / "probe"}},
      1, [](size_t, const sim::Outcome& outcome) {
        if (!outcome.failure.empty()) throw sim::SimulationFailed("the probe: " + outcome.failure);
        return true;
      });
  calibration::Reading reading = calibration::read_probe(folder / "samples.csv");
  add_memory(machine, installation, reading);
  return reading;
}

}  // namespace strata::command
