// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/action_replay.h"

#include <algorithm>
#include <filesystem>

#include "platforms/error.h"
#include "records/trace/trace_file.h"
#include "sim/launcher/execution.h"
#include "sim/launcher/run.h"
#include "sim/launcher/scratch.h"

namespace strata::sim {

Trace record_actions(const ActionFiles& actions, const Machine& machine, const std::vector<Binding>& ranks,
                     const Installation& installation) {
  const std::filesystem::path replayer = std::filesystem::path(STRATA_SMPIMAIN).parent_path() / "smpireplaymain";
  if (!std::filesystem::exists(replayer))
    throw InputError(replayer.string(), "there is no such program", "it replays actions, and is part of SimGrid");
  const ScratchFolder folder;
  const Stage stage = prepare_stage(machine, {ranks}, folder.path(), installation, replayer.string(), 0);
  const Executed executed = execute(stage, {.silent = true, .trace = true, .actions = actions.files});
  if (!executed.failure.empty()) throw SimulationFailed("SMPI's replay: " + executed.failure);
  if (executed.exit_code != 0) throw SimulationFailed("SMPI's replay: " + executed.ending);
  Trace trace = read_trace(executed.trace);
  trace.program_hash.clear();  // that of the replayer
  // The replayer calls SMPI below the MPI functions, so the recorder does not see these calls.
  for (const auto& [function, count] : actions.doubts) {
    const auto known = std::find(trace.functions.begin(), trace.functions.end(), function);
    trace.doubts[static_cast<std::size_t>(known - trace.functions.begin())] += count;
  }
  return trace;
}

}  // namespace strata::sim
