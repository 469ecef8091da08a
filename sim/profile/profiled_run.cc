// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/profile/profiled_run.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <utility>
#include <xbt/config.hpp>

#include "base/own_file.h"
#include "records/exchange/exchanged_words.h"
#include "records/trace/program_hash.h"
#include "records/trace/trace_file.h"
#include "sim/plugin/core_of.h"
#include "sim/plugin/launcher_lines.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/functions.h"

namespace strata::sim {
namespace {

using simgrid::s4u::Engine;

Session* g_session = nullptr;

// Reports that a file cannot be written, and ends the simulation.
[[noreturn]] void end_without(const std::string& file, const std::string& why) {
  report(fmt::format("{} {}: {}", words::kPlatform, file, why));
  std::fflush(nullptr);
  std::_Exit(2);
}

// Does the same after removing the incomplete file.
[[noreturn]] void give_up(const std::string& file, const std::string& why) {
  std::error_code ignored;
  if (std::filesystem::is_regular_file(file, ignored)) std::remove(file.c_str());
  end_without(file, why);
}

// The text of an error without the file name at its start, which may be that of the temporary file.
std::string reason(const OutputError& e, const std::string& file) {
  const std::string what = e.what();
  const std::size_t end = what.starts_with(file) ? what.find(": ", file.size()) : std::string::npos;
  return end == std::string::npos ? what : what.substr(end + 2);
}

void give_up_events(const OutputError& e) { give_up(g_session->events_file(), reason(e, g_session->events_file())); }
// The trace is written completely or not at all, so an older trace of that name stays.
void give_up_trace(const OutputError& e) { end_without(g_session->trace_file(), reason(e, g_session->trace_file())); }

std::string program_name(const std::filesystem::path& program) {
  return program.extension() == ".so" ? program.stem() : program.filename();
}

// The machine as the trace shall carry it: the bytes of a file that the launcher has written beside the machine's.
// Empty: no such file.
std::string recorded_machine() {
  const char* file = std::getenv(words::kMachine);
  const std::filesystem::path machine = file == nullptr ? "" : file;
  return read_whole(machine.parent_path() / kRecordedMachineFile);
}

}  // namespace

ProfileFile::ProfileFile(std::string file) : file_(std::move(file)) {
  errno = 0;
  out_.open(file_, std::ios::binary);
  if (!out_) fail();
}

void ProfileFile::write(const Profile& profile) {
  errno = 0;
  write_profile(out_, profile);
  out_.close();
  if (!out_) fail();
}

void ProfileFile::fail() {
  give_up(file_,
          fmt::format("cannot be written: {}; is the disk full, or the folder not there?", std::strerror(errno)));
}

Recording::Recording(const std::string& file, const EventsHeader& header, bool measured)
    : events(file, header, measured, give_up_events), messages(events), measured(measured) {}

Session::Session(std::string program, const std::string& profile, std::string events, std::string trace)
    : process_(::getpid()),
      program_(std::move(program)),
      events_file_(std::move(events)),
      trace_file_(std::move(trace)),
      ledger_(function_names()) {
  if (!profile.empty()) profile_.emplace(profile);
}

bool Session::open() const { return !written_ && ::getpid() == process_; }

void Session::add_rank(const simgrid::s4u::Host& host) {
  if (started_) return;
  ledger_.add_rank();
  cores_.push_back(core_of(host));
}

void Session::write(double now) {
  if (!open()) return;
  written_ = true;
  if (!started_) start();
  const Profile profile = ledger_.profile(now);
  if (recording_ != nullptr) recording_->events.finish(now);
  if (tracing_ != nullptr) write_trace();
  if (profile_) profile_->write(profile);
}

void Session::start() {
  started_ = true;
  const char* machine = Engine::get_instance()->get_netzone_root()->get_property(words::kMachineProperty);
  if (!trace_file_.empty()) {
    recorded_machine_ = recorded_machine();  // now, because the program may change the folder
    tracing_ = std::make_unique<Tracing>(program_name(program_), machine == nullptr ? "" : machine, function_names(),
                                         cores_, trace_file_, give_up_trace);
    if (const char* library = std::getenv(words::kCollectives)) tracing_->recorder().set_library(library);
  }
  if (events_file_.empty()) return;
  const bool measured = simgrid::config::get_value<bool>("smpi/simulate-computation");
  try {
    recording_ = std::make_unique<Recording>(
        events_file_, EventsHeader{program_name(program_), machine == nullptr ? "" : machine, function_names(), cores_},
        measured);
  } catch (const OutputError& e) {
    give_up_events(e);
  }
  ledger_.record(&recording_->events);
}

void Session::write_trace() {
  try {
    tracing_->recorder().write(program_hash(program_), recorded_machine_);
  } catch (const OutputError& e) {
    give_up_trace(e);
  }
}

Session* session() { return g_session; }

void open_session(Session* session) { g_session = session; }

Recording* recording() { return g_session == nullptr ? nullptr : g_session->recording(); }

RankLedger* current() { return g_session == nullptr ? nullptr : g_session->rank(current_rank()); }

Tracing* any_tracing() { return g_session == nullptr ? nullptr : g_session->tracing(); }

Tracing* tracing() { return current() == nullptr ? nullptr : g_session->tracing(); }

}  // namespace strata::sim
