// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/call_replay.h"

#include <algorithm>
#include <filesystem>
#include <string>

#include "base/error.h"
#include "base/json.h"
#include "records/trace/trace_file.h"
#include "sim/launcher/execution.h"
#include "sim/launcher/run.h"
#include "sim/launcher/scratch.h"
#include "sim/launcher/workers.h"

namespace strata::sim {
namespace {

namespace fs = std::filesystem;

constexpr double kLimit_s = 24 * 3600;  // for reading an archive, unless the user gives a limit

Otf2Summary read_apart(const fs::path& anchor, const fs::path& folder, double limit_s) {
  Otf2Summary summary;
  run_in_workers(
      1, 1, limit_s,
      [&](std::size_t) {
        const Otf2Summary s = write_calls_of(anchor, folder);
        return Json{{"ranks", s.ranks},
                    {"creator", s.creator},
                    {"seconds", s.seconds},
                    {"doubts", s.doubts},
                    {"notes", s.notes}}
            .dump();
      },
      [&](std::size_t, const Answer& answer) {
        if (answer.bad_usage) throw InputError::of_message(answer.failure);
        if (!answer.failure.empty())
          throw InputError(anchor.string(), "cannot be read: " + answer.failure, "the archive is damaged or too large");
        const Json s = Json::parse(answer.text);
        summary = {s["ranks"], s["creator"], s["seconds"], s["doubts"], s["notes"]};
        return true;
      });
  return summary;
}

}  // namespace

RecordedArchive record_archive(const fs::path& anchor, const Machine& machine,
                               const std::function<std::vector<Binding>(int)>& place, const Installation& installation,
                               double time_limit_s) {
  const ScratchFolder calls, folder;
  RecordedArchive recorded{.archive = read_apart(anchor, calls.path(), time_limit_s > 0 ? time_limit_s : kLimit_s),
                           .trace = {}};
  const Stage stage =
      prepare_stage(machine, {place(recorded.archive.ranks)}, folder.path(), installation, "calls", time_limit_s);
  const Executed executed =
      execute(stage, {.arguments = {"--folder", calls.path().string()}, .silent = true, .trace = true});
  if (executed.crashed)
    throw InputError(anchor.string(), "the simulator crashes on its calls: " + executed.failure,
                     "record the program with strata exec --record instead");
  if (!executed.failure.empty()) throw SimulationFailed("the calls of " + anchor.string() + ": " + executed.failure);
  if (!executed.ending.empty())
    throw InputError(anchor.string(), "the simulation of its calls ends early: " + executed.ending,
                     "record the program with strata exec --record instead");
  recorded.trace = read_trace(executed.trace);
  recorded.trace.program_hash.clear();  // that of `calls`
  for (const auto& [function, count] : recorded.archive.doubts) {
    auto known = std::find(recorded.trace.functions.begin(), recorded.trace.functions.end(), function);
    if (known == recorded.trace.functions.end()) {
      known = recorded.trace.functions.insert(known, function);
      recorded.trace.doubts.push_back(0);
    }
    recorded.trace.doubts[known - recorded.trace.functions.begin()] += count;
  }
  return recorded;
}

}  // namespace strata::sim
