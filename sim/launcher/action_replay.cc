// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/action_replay.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/output_error.h"
#include "base/whole_file.h"
#include "records/trace/trace_file.h"
#include "sim/launcher/execution.h"
#include "sim/launcher/run.h"
#include "sim/launcher/scratch.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

bool ends_with_line_feed(const fs::path& file) {
  std::ifstream in(file, std::ios::binary | std::ios::ate);
  if (in.tellg() <= 0) return true;
  in.seekg(-1, std::ios::end);
  return in.get() == '\n';
}

// SMPI's replayer ignores a last line without a line feed. Such files are copied, with one, into `folder`.
std::vector<fs::path> with_last_line(const std::vector<fs::path>& files, const fs::path& folder) {
  std::vector<fs::path> all;
  for (const fs::path& file : files) {
    all.push_back(file);
    if (ends_with_line_feed(file)) continue;
    all.back() = folder / std::to_string(all.size());
    copy_whole(file, all.back());
    std::ofstream out(all.back(), std::ios::binary | std::ios::app);
    out << '\n';
    out.close();
    if (!out) throw OutputError(all.back().string(), "cannot be written", "set TMPDIR to a folder with space");
  }
  return all;
}

}  // namespace

Trace record_actions(const ActionFiles& actions, const Machine& machine, const std::vector<Binding>& ranks,
                     const Installation& installation, double time_limit_s) {
  const std::filesystem::path replayer = std::filesystem::path(STRATA_SMPIMAIN).parent_path() / "smpireplaymain";
  if (!std::filesystem::exists(replayer))
    throw InputError(replayer.string(), "there is no such program", "it replays actions, and is part of SimGrid");
  const ScratchFolder folder;
  const Stage stage = prepare_stage(machine, {ranks}, folder.path(), installation, replayer.string(), time_limit_s);
  const ScratchFolder copies;
  const Executed executed =
      execute(stage, {.silent = true, .trace = true, .actions = with_last_line(actions.files, copies.path())});
  if (executed.crashed)
    throw InputError(actions.files.front().string(), "SMPI's replay of it crashes: " + executed.failure,
                     "record the program with strata exec --record instead");
  if (!executed.failure.empty()) throw SimulationFailed("SMPI's replay: " + executed.failure);
  if (executed.exit_code != 0)
    throw InputError(actions.files.front().string(), "SMPI's replay of it ends early: " + executed.ending,
                     "record the program with strata exec --record instead");
  Trace trace = read_trace(executed.trace);
  trace.program_hash.clear();  // that of the replayer
  // The replayer calls SMPI below the MPI functions, so the recorder does not see these calls.
  for (const auto& [function, count] : actions.doubts) {
    const auto known = std::find(trace.functions.begin(), trace.functions.end(), function);
    trace.doubts[known - trace.functions.begin()] += count;
  }
  return trace;
}

}  // namespace strata::sim
