// SPDX-License-Identifier: LGPL-2.1-only
#include "command/trace_input.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/child.h"
#include "base/error.h"
#include "base/input_file.h"
#include "base/whole_file.h"
#include "console/number.h"
#include "records/exchange/exchanged_words.h"
#include "records/foreign/actions.h"
#include "records/foreign/goal.h"
#include "records/foreign/goal_trace.h"
#include "records/foreign/otf2_archive.h"
#include "records/trace/recorded_machine.h"
#include "records/trace/trace_file.h"
#include "sim/launcher/action_replay.h"
#include "sim/launcher/call_replay.h"

namespace strata::command {
namespace {

// Enough to detect a format, even after a long comment.
constexpr std::size_t kBeginning = 65536;  // B

std::string beginning_of(const std::string& file) {
  std::ifstream in = open_input(file, "give a trace", kAnySize_bytes);
  errno = 0;
  std::string bytes(kBeginning, '\0');
  in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  if (in.bad() || (!in && in.gcount() == 0 && !in.eof())) throw InputError(file, std::strerror(errno), "give a trace");
  bytes.resize(in.gcount());
  return bytes;
}

Trace record(const std::string& file, const MachineOptions& options, const Machine& machine,
             const sim::Installation& installation, double time_limit_s) {
  const ActionFiles actions = read_actions(file);
  if (options.np != 0 && options.np != actions.ranks)
    throw InputError("-n", fmt::format("the trace has {} ranks, not {}", actions.ranks, options.np), "leave -n out");
  MachineOptions all = options;
  all.np = actions.ranks;
  const SignalGuard guard;
  Trace trace = sim::record_actions(actions, machine, all.place_on(machine), installation, time_limit_s);
  trace.program = std::filesystem::path(file).filename();
  return trace;
}

Trace record_otf2(const std::string& file, const MachineOptions& options, const Machine& machine,
                  const sim::Installation& installation, double time_limit_s) {
  const auto place = [&](int ranks) {
    if (options.np != 0 && options.np != ranks)
      throw InputError("-n", fmt::format("the archive has {} ranks, not {}", ranks, options.np), "leave -n out");
    MachineOptions all = options;
    all.np = ranks;
    return all.place_on(machine);
  };
  const SignalGuard guard;
  sim::RecordedArchive recorded = sim::record_archive(file, machine, place, installation, time_limit_s);
  std::fprintf(stderr, "strata: %s: %s; %d ranks took %s from MPI_Init to MPI_Finalize where it was made\n",
               file.c_str(), recorded.archive.creator.c_str(), recorded.archive.ranks,
               console::with_unit(recorded.archive.seconds, "s", 4).c_str());
  for (const std::string& note : recorded.archive.notes) std::fprintf(stderr, "strata: %s\n", note.c_str());
  recorded.trace.program = std::filesystem::absolute(file).parent_path().filename();
  return std::move(recorded.trace);
}

// Loads the machine that a recording carries.
void load_carried(const std::string& file, TraceInput& input) {
  const RecordedMachine carried = unpack(input.trace.recorded_machine, file);
  auto folder = std::make_shared<sim::ScratchFolder>(false);
  for (const auto& [name, contents] : carried.files) write_whole(folder->path() / name, contents);
  try {
    input.machine = load_machine(folder->path() / words::kMachineFile);
  } catch (const InputError& e) {
    throw InputError(file, std::string("the machine that it carries cannot be read: ") + e.what(),
                     "record it again, or give a machine with --machine");
  }
  input.machine_folder = std::move(folder);
  const std::string hash = machine_hash(input.machine);
  if (hash != carried.hash)
    throw InputError(file,
                     fmt::format("this version of Strata reads another machine from it than the one of the recording "
                                 "(hash {}, not {})",
                                 hash, carried.hash),
                     "record it again, or give a machine with --machine");
}

// The machine for a recording: that of the command line, the one that it carries, or the catalog's of its name.
void load_for(const std::string& file, const MachineOptions& options, const sim::Installation& installation,
              TraceInput& input) {
  const Trace& trace = input.trace;
  if (options.has_machine()) {
    input.machine = options.load(installation);
    if (trace.recorded_machine.empty() || input.machine.name != trace.machine) return;
    if (unpack(trace.recorded_machine, file).hash != machine_hash(input.machine))
      std::fprintf(stderr, "strata: %s: the machine %s of the command line differs from the recording's of this name\n",
                   file.c_str(), trace.machine.c_str());
    return;
  }
  if (!trace.recorded_machine.empty()) return load_carried(file, input);
  MachineOptions by_name = options;
  by_name.machine = trace.machine;
  if (!by_name.has_machine())
    throw InputError(file, "does not say for which machine it is", "give one, such as --machine ntw10e5");
  input.machine = by_name.load(installation);
  std::fprintf(stderr,
               "strata: %s: an older version of Strata recorded only its machine's name, so the catalog's %s is taken; "
               "give --machine if it was another\n",
               file.c_str(), trace.machine.c_str());
}

}  // namespace

TraceInput read_any_trace(const std::string& file, const MachineOptions& options, const sim::Installation& installation,
                          double time_limit_s) {
  const std::string beginning = beginning_of(file);
  TraceInput input;
  if (is_goal(beginning)) {
    GoalTrace goal = trace_of(read_goal(file));
    for (const std::string& note : goal.notes) std::fprintf(stderr, "strata: %s\n", note.c_str());
    input.trace = std::move(goal.trace);
    load_for(file, options, installation, input);
  } else if (is_otf2(beginning)) {
    load_for(file, options, installation, input);
    input.trace = record_otf2(file, options, input.machine, installation, time_limit_s);
  } else if (is_trace(beginning)) {
    input.trace = read_trace(file);
    load_for(file, options, installation, input);
  } else {
    read_actions(file);  // before loading the machine: report first that a file is not a trace
    load_for(file, options, installation, input);
    input.trace = record(file, options, input.machine, installation, time_limit_s);
  }
  return input;
}

}  // namespace strata::command
