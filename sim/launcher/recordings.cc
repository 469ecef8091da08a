// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/launcher/recordings.h"

#include <fmt/format.h>
#include <xxhash.h>

#include <exception>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "platforms/placement.h"
#include "records/launch.h"
#include "records/trace/recorded_machine.h"
#include "records/trace/trace_file.h"
#include "replay/engine.h"

namespace strata::sim {

std::filesystem::path recording_file(const std::filesystem::path& folder, const std::string& program,
                                     const std::vector<std::string>& arguments, const std::string& shim,
                                     const std::string& mpi, const std::string& rules, const RankPlacement& placement) {
  Json input = {{"arguments", arguments},
                {"shim", shim},
                {"ranks", placement.ranks.size()},
                {"threads", placement.progress.size()}};
  if (has_other_collectives(mpi)) input["mpi"] = mpi;
  if (!rules.empty()) input["mpi_rules"] = rules;
  const std::string text = input.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::filesystem::path file = folder / fmt::format("{}-{:016x}", std::filesystem::path(program).filename().string(),
                                                    XXH3_64bits(text.data(), text.size()));
  const std::filesystem::path earlier = file.string() + ".strace";
  file += ".mpitrace";
  return !std::filesystem::exists(file) && std::filesystem::exists(earlier) ? earlier : file;
}

std::optional<RecordedOn> recording_of(const std::filesystem::path& file, const std::string& program) {
  try {
    if (!std::filesystem::exists(file)) return {};
    const Trace trace = read_trace(file);
    if (trace.program_hash != program) return {};
    if (trace.recorded_machine.empty()) return RecordedOn{trace.machine, ""};
    return RecordedOn{trace.machine, unpack(trace.recorded_machine, file).hash};
  } catch (const std::exception&) {
    return {};
  }
}

double Replays::simulated_time(const std::filesystem::path& recording, const Machine& machine,
                               const RankPlacement& placement) {
  if (file_ != recording || !trace_) {
    trace_ = read_trace(recording);
    file_ = recording;
  }
  std::vector<Binding> all = placement.ranks;
  all.insert(all.end(), placement.progress.begin(), placement.progress.end());
  return replay::replay(*trace_, machine, core_indexes(*machine.topology, all)).simulated_time;
}

}  // namespace strata::sim
