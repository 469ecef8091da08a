// SPDX-License-Identifier: LGPL-2.1-only
// This library is preloaded into the simulator. It writes where the program's time went (records/profile.h) to the file
// that STRATA_PROFILE names, the events (records/events.h) to the file that STRATA_EVENTS names, and what each rank did
// (records/trace/trace.h) to the file that STRATA_TRACE names:
//
//   LD_PRELOAD=libstrata_profile.so STRATA_PROFILE=profile.json STRATA_EVENTS=run.events smpimain ...
//
// It must be the first preloaded library: calls made by the others count as part of the function that the program
// called. README.md describes how it intercepts functions, and what counts as waiting.
#include <fmt/format.h>
#include <mpi.h>
#include <pthread.h>
#include <unistd.h>
#include <xbt/log.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>
#include <optional>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Barrier.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Host.hpp>
#include <simgrid/s4u/Mutex.hpp>
#include <simgrid/s4u/NetZone.hpp>
#include <string>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>
#include <xbt/config.hpp>

#include "records/event_recorder.h"
#include "records/events.h"
#include "records/exchange/phases.h"
#include "records/exchange/traced_work.h"
#include "records/exchange/words.h"
#include "records/ledger.h"
#include "records/profile.h"
#include "records/trace/program_hash.h"
#include "records/trace/trace_file.h"
#include "sim/plugin/core_of.h"
#include "sim/plugin/report.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/functions.h"
#include "sim/profile/last_comers.h"
#include "sim/profile/message_log.h"
#include "sim/profile/tracing.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/communication.h"
#include "sim/simgrid/context.h"
#include "sim/simgrid/request.h"
#include "sim/simgrid/window.h"

namespace strata::sim {
namespace {

using simgrid::s4u::Engine;
using simgrid::smpi::Request;

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

void give_up_events(const OutputError& e);
void give_up_trace(const OutputError& e);

// The text of an error without the file name at its start, which may be that of the temporary file.
std::string reason(const OutputError& e, const std::string& file) {
  const std::string what = e.what();
  const std::size_t end = what.starts_with(file) ? what.find(": ", file.size()) : std::string::npos;
  return end == std::string::npos ? what : what.substr(end + 2);
}

const char* g_program = "";  // the first argument of smpimain

std::string program_name() {
  const std::filesystem::path program = g_program;
  return program.extension() == ".so" ? program.stem() : program.filename();
}

// The file for the profile.
class ProfileFile {
 public:
  explicit ProfileFile(std::string file) : file_(std::move(file)) {
    errno = 0;
    out_.open(file_, std::ios::binary);
    if (!out_) fail();
  }
  void write(const Profile& profile) {
    errno = 0;
    write_profile(out_, profile);
    out_.close();
    if (!out_) fail();
  }

 private:
  [[noreturn]] void fail() {
    give_up(file_,
            fmt::format("cannot be written: {}; is the disk full, or the folder not there?", std::strerror(errno)));
  }

  std::string file_;
  std::ofstream out_;
};

// State that only the stream of events needs.
struct Recording {
  Recording(const std::string& file, const EventsHeader& header, bool measured)
      : events(file, header, measured, give_up_events), messages(events), measured(measured) {}

  EventRecorder events;
  MessageLog messages;
  const bool measured;  // SMPI charges computation
  Barriers barriers;
  Mutexes mutexes;
  std::unordered_set<const void*> sending;  // requests that are being started
};

std::string value_of(const char* variable) {
  const char* value = std::getenv(variable);
  return value == nullptr ? "" : value;
}

// The machine as the trace shall carry it: the bytes of a file that the launcher has written beside the machine's.
// Empty: no such file.
std::string recorded_machine() {
  const std::filesystem::path machine = value_of(words::kMachine);
  std::ifstream in(machine.parent_path() / kRecordedMachineFile, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

// Everything that is recorded about a simulation, from start to end.
class Session {
 public:
  /// File names; empty: this file is not written.
  Session(const std::string& profile, std::string events, std::string trace)
      : process_(::getpid()),
        events_file_(std::move(events)),
        trace_file_(std::move(trace)),
        ledger_(function_names()) {
    if (!profile.empty()) profile_.emplace(profile);
  }

  Ledger& ledger() { return ledger_; }
  /// Whether there is a profile. If so, it contains how ranks end, and exit() ends only one rank.
  bool profiled() const { return profile_.has_value(); }
  /// nullptr: no events are recorded.
  Recording* recording() { return recording_.get(); }
  const std::string& events_file() const { return events_file_; }
  const std::string& trace_file() const { return trace_file_; }
  /// nullptr: no trace is recorded.
  Tracing* tracing() { return tracing_.get(); }
  /// Whether the files still have to be written; false in a child process that a rank has forked.
  bool open() const { return !written_ && ::getpid() == process_; }

  void add_rank(const simgrid::s4u::Host& host) {
    if (started_) return;  // a thread of the program
    ledger_.add_rank();
    cores_.push_back(core_of(host));
  }
  /// nullptr: there is no such rank. The first call comes when all ranks have been created and none has run.
  RankLedger* rank(int number) {
    if (!started_) start();
    return ledger_.rank(static_cast<std::size_t>(number));
  }

  void write(double now) {
    if (!open()) return;
    written_ = true;
    if (!started_) start();
    const Profile profile = ledger_.profile(now);
    if (recording_ != nullptr) recording_->events.finish(now);
    if (tracing_ != nullptr) write_trace();
    if (profile_) profile_->write(profile);
  }

 private:
  void start() {
    started_ = true;
    const char* machine = Engine::get_instance()->get_netzone_root()->get_property(words::kMachineProperty);
    if (!trace_file_.empty()) {
      recorded_machine_ = recorded_machine();  // now, because the program may change the folder
      tracing_ = std::make_unique<Tracing>(program_name(), machine == nullptr ? "" : machine, function_names(), cores_,
                                           trace_file_, give_up_trace);
    }
    if (events_file_.empty()) return;
    const bool measured = simgrid::config::get_value<bool>("smpi/simulate-computation");
    try {
      recording_ = std::make_unique<Recording>(
          events_file_, EventsHeader{program_name(), machine == nullptr ? "" : machine, function_names(), cores_},
          measured);
    } catch (const OutputError& e) {
      give_up_events(e);
    }
    ledger_.record(&recording_->events);
  }

  void write_trace() {
    try {
      tracing_->recorder().write(program_hash(g_program), recorded_machine_);
    } catch (const OutputError& e) {
      give_up_trace(e);
    }
  }

  pid_t process_;
  std::string events_file_, trace_file_, recorded_machine_;
  std::optional<ProfileFile> profile_;
  Ledger ledger_;
  std::vector<int> cores_;  // by rank
  std::unique_ptr<Recording> recording_;
  std::unique_ptr<Tracing> tracing_;
  bool started_ = false, written_ = false;
};

Session* g_session = nullptr;  // nullptr: nothing is recorded. Never deleted, because exit() may be called anywhere

void give_up_events(const OutputError& e) { give_up(g_session->events_file(), reason(e, g_session->events_file())); }
// The trace is written completely or not at all, so an older trace of that name stays.
void give_up_trace(const OutputError& e) { end_without(g_session->trace_file(), reason(e, g_session->trace_file())); }

// nullptr: no events are recorded.
Recording* recording() { return g_session == nullptr ? nullptr : g_session->recording(); }

// nullptr: nothing is recorded, or the calling actor is not a rank.
RankLedger* current() { return g_session == nullptr ? nullptr : g_session->rank(current_rank()); }

// nullptr: no trace is recorded.
Tracing* any_tracing() { return g_session == nullptr ? nullptr : g_session->tracing(); }
// nullptr also if the calling actor is not a rank.
Tracing* tracing() { return current() == nullptr ? nullptr : g_session->tracing(); }
// Notes that the program reads the clock through SMPI's replacement of a C library function. Such a call goes directly
// to libsimgrid, not through this library, and takes simulated time outside MPI's functions.
void note_clock(double sleep_s) {
  static const double looking_s = simgrid::config::get_value<double>("smpi/wtime");
  Tracing* t = tracing();
  if (t != nullptr && sleep_s == looking_s && current()->call() < 0) t->doubt("gettimeofday or clock_gettime");
}

void note_step(const TraceStep& step) {
  if (Tracing* t = tracing()) t->add(step);
}

// While in scope, the calling rank is in an MPI function. The destructor also runs if the rank is killed inside,
// because that is an exception.
template <Function kFunction>
class Inside {
 public:
  Inside() : rank_(current()) {
    if (rank_ == nullptr) return;
    if constexpr (kFunction == kMPI_Init || kFunction == kMPI_Init_thread) rank_->initialized = true;
    rank_->enter(kFunction, now());
    if (Tracing* t = g_session->tracing()) t->enter(kFunction, rank_->call());
  }
  ~Inside() {
    if (rank_ == nullptr) return;
    rank_->leave(g_session->ledger().calls(), now());
    if (Tracing* t = g_session->tracing()) t->recorder().enter(rank_->number(), rank_->call());
    if constexpr (kFunction == kMPI_Finalize) rank_->finalized = true;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  RankLedger* rank_;
};

// Records the code passed to MPI_Abort, which SMPI ignores.
template <Function kFunction>
struct Note {
  template <class... Arguments>
  void operator()([[maybe_unused]] const Arguments&... arguments) const {
    if constexpr (kFunction == kMPI_Abort) {
      const int code = std::get<1>(std::tie(arguments...));
      if (g_session != nullptr) g_session->ledger().tell({current_rank(), Ending::How::kAbort, code});
    }
  }
};

[[noreturn]] void refuse_version() {
  std::fprintf(stderr,
               "libstrata_profile: SMPI's messages are not those of SimGrid %d.%d: run with the one that the library "
               "was built for\n",
               SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
  std::abort();
}

// The time at which a request's message began to flow; kNotYet if it has not, or if there is no message.
double began(const Request* request) {
  if (request == MPI_REQUEST_NULL || request->message() == nullptr) return kNotYet;
  const double start = request->message()->start_time();
  if (start == -1) return kNotYet;
  if (start < 0 || start > now()) refuse_version();
  return start;
}

// The message of a request, if events are recorded.
Cause cause(const Request* request) {
  if (recording() == nullptr || request == MPI_REQUEST_NULL || request->message() == nullptr) return {};
  return {recording()->messages.number(request->message())};
}

// While in scope, the calling rank may be blocked. Request::finish_wait reports when a wait ends and for which message
// it was. The rest, until the end of the scope, counts as waiting.
class Blocked {
 public:
  explicit Blocked(Request* const* requests = nullptr, int count = 0) : rank_(current()) {
    if (rank_ != nullptr) rank_->block(now(), requests, count);
  }
  ~Blocked() { until(kNotYet); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

  /// The remaining time was for a message that began to flow at `began`.
  void until(double began, const Cause& cause = {}) {
    if (rank_ != nullptr && rank_->blocked()) rank_->unblock(began, now(), cause);
  }
  /// The rank did not have to wait.
  void not_at_all() {
    if (rank_ != nullptr) rank_->unblock(0, now());
  }

 private:
  RankLedger* rank_;
};

// While in scope, a request is being started.
class Sending {
 public:
  explicit Sending(const Request* request) {
    if (recording() == nullptr || (request->flags() & Request::kReceive) != 0 || request->receiver() < 0) return;
    request_ = request;
    recording()->sending.insert(request);
  }
  ~Sending() {
    if (request_ != nullptr) recording()->sending.erase(request_);
  }
  Sending(const Sending&) = delete;
  Sending& operator=(const Sending&) = delete;

  /// Checks that the send was seen when it was posted.
  void expect_sent() const {
    if (request_ != nullptr && recording()->sending.contains(request_)) refuse_version();
  }

 private:
  const Request* request_ = nullptr;
};

// Called when a send is posted. Sends of threads, and of programs that use SimGrid directly, are not MPI messages.
void note_sent(Recording& r, const simgrid::kernel::actor::CommIsendSimcall& posted) {
  if (r.sending.erase(posted.request()) == 0) return;
  const auto& request = *static_cast<const Request*>(posted.request());
  const aid_t ranks = static_cast<aid_t>(g_session->ledger().size());
  if (std::max(request.sender(), request.receiver()) > ranks) return;
  r.messages.sent(posted.message(), static_cast<int>(request.sender()) - 1, static_cast<int>(request.receiver()) - 1,
                  request.tag(), static_cast<std::int64_t>(request.size()), posted.detached(), now());
}

// Called where a phase begins or ends, like MPI functions: SMPI charges the computation before it.
RankLedger* between_functions() {
  RankLedger* rank = recording() == nullptr ? nullptr : current();
  if (rank == nullptr || rank->ended()) return nullptr;
  if (recording()->measured && rank->initialized && !rank->finalized && rank->call() < 0) {
    smpi_bench_end();
    smpi_bench_begin();
  }
  return rank;
}

void begin_phase(const std::string& name) {
  if (const RankLedger* rank = between_functions()) recording()->events.begin_phase(rank->number(), name, now());
}

void end_phase(const std::string& name) {
  if (const RankLedger* rank = between_functions()) recording()->events.end_phase(rank->number(), name, now());
}

// The text at this address, if it is a name: 1 to 64 printable ASCII characters. If the program passes no name, the
// address may be anything. So the memory is read by writing it to a pipe, which fails if the address is invalid.
std::string name_at(const char* text) {
  constexpr std::size_t kLongest = 64;
  std::array<int, 2> ends{};
  if (text == nullptr || ::pipe(ends.data()) != 0) return "";
  std::string name;
  bool ended = false;
  while (!ended && name.size() <= kLongest && ::write(ends[1], text + name.size(), 1) == 1) {
    char c = 0;
    if (::read(ends[0], &c, 1) != 1) break;
    ended = c == '\0';
    if (c < ' ' || c > '~') break;
    name += c;
  }
  for (const int end : ends) ::close(end);
  return ended && name.size() <= kLongest ? name : "";
}

// MPI defines only the levels 0, 1 and 2: off, on, flush. In IPM, and in Intel MPI's statistics in IPM's format, (1,
// "name") begins a region of the program and (-1, "name") ends it. In Intel's Application Performance Snapshot, (5)
// begins region 5 and (-5) ends it, and so on for larger numbers.
void control_phase(int level, const char* text) {
  constexpr int kFirstNumber = 5;
  if (recording() == nullptr) return;
  const bool named = level == 1 || level == -1;
  if (!named && level < kFirstNumber && level > -kFirstNumber) return;
  const std::string name = named ? name_at(text) : fmt::format("phase {}", std::abs(static_cast<long>(level)));
  if (name.empty()) return;
  if (level > 0) {
    begin_phase(name);
  } else {
    end_phase(name);
  }
}

// Records a rank's exit code: SMPI prints all of them but returns only one, and ignores MPI_Abort's code. Returns
// whether the message can be suppressed, because the reader of the profile gives a better one.
bool noted(const xbt_log_event_s& event, const char* format, va_list arguments) {
  if (g_session == nullptr || !g_session->profiled()) return false;
  if (std::strcmp(format, "SMPI process did not return 0. Return value : %d") == 0) {
    const bool exit = event.functionName != nullptr && std::strcmp(event.functionName, "smpi_exit") == 0;
    g_session->ledger().tell(
        {current_rank(), exit ? Ending::How::kExit : Ending::How::kReturn, va_arg(arguments, int)});
    return true;
  }
  return std::strstr(format, "MPI_Abort was called") != nullptr;
}

// The messages for which a blocked rank waits, if they have not begun to flow.
std::vector<Awaited> awaited_by(const RankLedger& rank) {
  std::vector<Awaited> all;
  const auto* const requests = static_cast<Request* const*>(rank.requests());
  for (int i = 0; i < rank.request_count(); ++i) {
    const Request* r = requests[i];
    if (r == MPI_REQUEST_NULL || r->message() == nullptr || r->message()->start_time() >= 0) continue;
    const bool receive = (r->flags() & Request::kReceive) != 0;
    const aid_t other = receive ? r->sender() : r->receiver();
    all.push_back(
        {receive, other == MPI_ANY_SOURCE ? -1 : static_cast<int>(other) - 1, r->tag() == MPI_ANY_TAG ? -1 : r->tag()});
  }
  return all;
}

// The requests for whose messages blocked ranks wait, if these have not begun to flow.
std::vector<const Request*> awaited_requests(Ledger& ledger) {
  std::vector<const Request*> all;
  for (std::size_t number = 0; number < ledger.size(); ++number) {
    const RankLedger& rank = *ledger.rank(number);
    const auto* const requests = static_cast<Request* const*>(rank.requests());
    for (int i = 0; !rank.ended() && i < rank.request_count(); ++i) {
      const Request* r = requests[i];
      if (r != MPI_REQUEST_NULL && r->message() != nullptr && r->message()->start_time() < 0) all.push_back(r);
    }
  }
  return all;
}

bool matches(const Request& send, const Request& receive) {
  return send.receiver() == receive.receiver() && send.communicator()->id() == receive.communicator()->id() &&
         (receive.sender() == MPI_ANY_SOURCE || receive.sender() == send.sender()) &&
         (receive.tag() == MPI_ANY_TAG || receive.tag() == send.tag());
}

// If a send and a receive wait for each other, the program has no deadlock: SMPI has not matched them. It keeps
// long and short messages apart, so a short receive does not find a long message.
void report_unmatched_pair() {
  const std::vector<const Request*> all = awaited_requests(g_session->ledger());
  for (const Request* send : all) {
    if ((send->flags() & Request::kSend) == 0) continue;
    for (const Request* receive : all) {
      if ((receive->flags() & Request::kReceive) == 0 || !matches(*send, *receive)) continue;
      const bool truncated = receive->size() < send->size();
      report(
          fmt::format("{} rank {} receives at most {} bytes from rank {} (tag {}), which sends {}: {}", words::kRefused,
                      receive->receiver() - 1, receive->size(), send->sender() - 1, send->tag(), send->size(),
                      truncated ? "the receive is too short (MPI_ERR_TRUNCATE)"
                                : "SimGrid does not match them, which is a limit of the simulator and no deadlock of "
                                  "the program"));
      return;
    }
  }
}

// Called when no rank can continue. The ranks that have not ended are about to be killed.
void note_deadlock() {
  if (g_session == nullptr) return;
  Ledger& ledger = g_session->ledger();
  for (std::size_t number = 0; number < ledger.size(); ++number) {
    const RankLedger& rank = *ledger.rank(number);
    if (rank.ended()) continue;
    ledger.tell({static_cast<int>(number), Ending::How::kDeadlock, 0, ledger.name(rank.call()), awaited_by(rank)});
  }
  report_unmatched_pair();
}

// exit() of the C library, and therefore Fortran's STOP, would end the simulator with all ranks. Here it ends only the
// rank, like smpi_exit (by which smpicc replaces exit): with an exception. The exception must not pass through exit(),
// which C++ treats as noexcept, so it is caught here and the rank's stack is abandoned.
void leave_by_exit(int code, void*) {
  if (!g_session->open()) return;
  if (current_rank() >= 0) {
    ::on_exit(leave_by_exit, nullptr);  // for the next rank
    try {
      smpi_exit(code);
    } catch (const simgrid::ForcefulKillException&) {
      // The actor has ended.
    }
    simgrid::kernel::context::Context::self()->suspend();
  }
  g_session->write(now());
}

// Called before the first rank is created.
void open_session() {
  const std::string profile = value_of(words::kProfile), events = value_of(words::kEvents),
                    trace = value_of(words::kTrace);
  if (profile.empty() && events.empty() && trace.empty()) return;
  open_report();
  g_session = new Session(profile, events, trace);
  if (!profile.empty()) {
    ::on_exit(leave_by_exit, nullptr);
  } else {
    std::atexit([] { g_session->write(now()); });
  }
  ::pthread_atfork(nullptr, nullptr, [] {
    if (Recording* r = recording()) r->events.abandon();
  });
}

// SMPI creates all ranks before the first of them runs. Actors that a program creates later are not ranks.
void add_rank(const simgrid::s4u::Actor& actor) {
  static const bool once = (open_session(), true);
  static_cast<void>(once);
  if (g_session != nullptr) g_session->add_rank(*actor.get_host());
}

void end_rank(const simgrid::s4u::Actor& actor) {
  if (g_session == nullptr) return;
  const int number = static_cast<int>(actor.get_pid()) - 1;
  RankLedger* rank = g_session->rank(number);
  if (rank == nullptr || rank->ended()) return;
  rank->end(g_session->ledger().calls(), now());
  if (Recording* r = recording()) r->events.end_rank(number, now());
  if (Tracing* t = g_session->tracing()) t->recorder().end(number, now());
  // Ranks that MPI_Abort ends do not end by themselves.
  if (rank->initialized && !rank->finalized && !g_session->ledger().aborted())
    g_session->ledger().tell({number, Ending::How::kUnfinalized, 0});
}

// The loader passes the process's arguments to constructors.
[[gnu::constructor]] void listen(int argc, char** argv) {
  g_program = argc > 1 ? argv[1] : "";
  simgrid::s4u::Actor::on_creation_cb(add_rank);
  simgrid::s4u::Actor::on_termination_cb(end_rank);
  Engine::on_deadlock_cb(note_deadlock);
  Engine::on_simulation_end_cb([] {
    if (g_session != nullptr) g_session->write(now());
  });
}

}  // namespace
}  // namespace strata::sim

// --- MPI's functions ---

extern "C" {

#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS)                   \
  TYPE P##NAME PARAMETERS {                                           \
    static const auto next = strata::sim::behind(P##NAME, "P" #NAME); \
    constexpr strata::sim::Note<strata::sim::k##NAME> note;           \
    note ARGUMENTS;                                                   \
    const strata::sim::Inside<strata::sim::k##NAME> inside;           \
    return next ARGUMENTS;                                            \
  }
#include "sim/profile/calls.inc"
#undef PROFILED

// Programs call SMPI's MPI_Pcontrol, which passes on only the level. On x86-64 and arm64, the second argument is still
// in the register in which the program put it, because MPI_Pcontrol does not use that register.
int PMPI_Pcontrol(const int level, ...) {
  static const auto next = strata::sim::behind(PMPI_Pcontrol, "PMPI_Pcontrol");
  va_list arguments;
  va_start(arguments, level);
  const char* const name = va_arg(arguments, const char*);
  va_end(arguments);
  strata::sim::control_phase(level, name);
  return next(level, name);
}

// Phases marked by other means, such as monitoring sessions.
void strata_phase_begin(const char* name) { strata::sim::begin_phase(name); }
void strata_phase_end(const char* name) { strata::sim::end_phase(name); }

// Work charged by our own code.
void strata_work_begin(int kind, double amount, double moved, double working_set) {
  if (strata::sim::Tracing* t = strata::sim::tracing())
    t->begin_work(static_cast<strata::TracedWork::Kind>(kind), amount, moved, working_set);
}
void strata_work_end() {
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->end_work();
}
void strata_read_clock(const int* ranks, int count) {
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->read_clock(ranks, count);
}
void strata_start_together(const int* ranks, int count) {
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->start_together(ranks, count);
}

// Called at the start of every MPI function that may take time.
void smpi_bench_end() {
  static const auto next = strata::sim::behind(smpi_bench_end, "smpi_bench_end");
  next();
  const strata::sim::Recording* recording = strata::sim::recording();
  if (recording == nullptr || !recording->measured) return;
  if (strata::RankLedger* rank = strata::sim::current()) rank->begin(strata::sim::now());
}

// Inside an MPI function, SMPI charges what the rank has computed since the previous one.
void smpi_execute(double seconds) {
  static const auto next = strata::sim::behind(smpi_execute, "smpi_execute");
  strata::RankLedger* rank = strata::sim::current();
  const double start = rank == nullptr ? 0 : strata::sim::now();
  next(seconds);
  if (rank != nullptr) rank->computed(strata::sim::now() - start);
}

void _xbt_log_event_log(xbt_log_event_t event, const char* format, ...) {
  static const auto next = strata::sim::behind<void(xbt_log_event_t, const char*, ...)>("_xbt_log_event_log");
  va_list arguments;
  va_start(arguments, format);
  va_list again;
  va_copy(again, arguments);
  const bool left_out = strata::sim::noted(*event, format, again);
  va_end(again);
  if (!left_out) {
    va_copy(again, arguments);
    std::string text(static_cast<std::size_t>(std::max(0, std::vsnprintf(nullptr, 0, format, again))), ' ');
    va_end(again);
    std::vsnprintf(text.data(), text.size() + 1, format, arguments);
    next(event, "%s", text.c_str());
  }
  va_end(arguments);
}
}

// --- Where a rank may be blocked ---

namespace simgrid {
namespace smpi {

using strata::sim::behind;
using strata::sim::Blocked;

void Request::start() {
  // A member function is called like a function whose first argument is the object.
  static const auto next = behind<void(Request*)>(kRequestStart);
  const strata::sim::Sending sending(this);
  strata::sim::Tracing* const trace = strata::sim::tracing();
  if (trace != nullptr) trace->start(*this);
  {
    const strata::sim::Deeper overhead = strata::sim::quiet(trace);  // part of the send
    next(this);
  }
  sending.expect_sent();
  if (trace != nullptr) trace->started(*this);
}

int Request::wait(Request** request, MPI_Status* status) {
  static const auto next = behind(Request::wait, kRequestWait);
  const Blocked blocked(request, 1);
  strata::sim::Waits waits(strata::sim::tracing(), request, 1);
  const int code = next(request, status);
  waits.all_ended();
  return code;
}

int Request::waitall(int count, Request* requests[], MPI_Status* status) {
  static const auto next = behind(Request::waitall, kRequestWaitall);
  strata::sim::Tracing* const trace = strata::sim::tracing();
  strata::sim::Waits waits(trace, requests, count);
  int code = 0;
  {
    const strata::sim::Deeper all = strata::sim::waiting_for_all(trace);
    code = next(count, requests, status);
  }
  waits.all_ended();
  return code;
}

int Request::waitany(int count, Request* requests[], MPI_Status* status) {
  static const auto next = behind(Request::waitany, kRequestWaitany);
  Blocked blocked(requests, count);
  strata::sim::Tracing* const trace = strata::sim::tracing();
  strata::sim::Waits waits(trace, requests, trace != nullptr && trace->waits_for_all() ? 0 : count);
  const int index = next(count, requests, status);
  waits.ended(index, waits.count() > 1);
  if (waits.count() > 1) waits.asked();
  if (index != MPI_UNDEFINED) blocked.until(strata::sim::began(requests[index]), strata::sim::cause(requests[index]));
  return index;
}

int Request::test(Request** request, MPI_Status* status, int* done) {
  static const auto next = behind(Request::test, kRequestTest);
  Blocked blocked;
  strata::sim::Waits waits(strata::sim::tracing(), request, 1);
  const int code = next(request, status, done);
  waits.asked();
  if (*done != 0) waits.ended(0, true);
  if (*done == 0) blocked.until(strata::sim::began(*request));
  return code;
}

int Request::testany(int count, Request* requests[], int* index, int* done, MPI_Status* status) {
  static const auto next = behind(Request::testany, kRequestTestany);
  Blocked blocked;
  strata::sim::Waits waits(strata::sim::tracing(), requests, count);
  const int code = next(count, requests, index, done, status);
  waits.asked();
  if (*done != 0) waits.ended(*index, true);
  double first = strata::kNotYet;
  if (*done == 0) {
    for (int i = 0; i < count; ++i) first = std::min(first, strata::sim::began(requests[i]));
  }
  blocked.until(first);
  return code;
}

// MPI_Probe calls this repeatedly until a message is found.
void Request::iprobe(int source, int tag, Comm* comm, int* found, MPI_Status* status) {
  static const auto next = behind(Request::iprobe, kRequestIprobe);
  Blocked blocked;
  strata::sim::Tracing* const trace = strata::sim::tracing();
  const double start = strata::sim::now();
  {
    const strata::sim::Deeper looking = strata::sim::quiet(trace);
    next(source, tag, comm, found, status);
  }
  if (*found != 0) blocked.not_at_all();
  if (trace != nullptr) trace->probe(start, *found != 0, source, comm, status);
}

void Request::finish_wait(Request** request, MPI_Status* status) {
  static const auto next = behind(Request::finish_wait, kRequestFinishWait);
  strata::RankLedger* rank = strata::sim::current();
  if (rank != nullptr && rank->blocked())
    rank->unblock(strata::sim::began(*request), strata::sim::now(), strata::sim::cause(*request));
  if (strata::sim::Recording* r = strata::sim::recording(); r != nullptr && (*request)->message() != nullptr)
    r->messages.released((*request)->message());
  next(request, status);
}

// --- One-sided communication ---

int Win::put(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Request* request) {
  static const auto next =
      behind<int(Win*, const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Request*)>(kPut);
  const strata::sim::OneSided operation(strata::sim::tracing(), strata::TraceStep::Kind::kPut, *this, target,
                                        request != nullptr);
  return next(this, origin, count, type, target, at, target_count, target_type, request);
}

int Win::get(void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
             MPI_Datatype target_type, MPI_Request* request) {
  static const auto next =
      behind<int(Win*, void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Request*)>(kGet);
  const strata::sim::OneSided operation(strata::sim::tracing(), strata::TraceStep::Kind::kGet, *this, target,
                                        request != nullptr);
  return next(this, origin, count, type, target, at, target_count, target_type, request);
}

int Win::accumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                    MPI_Datatype target_type, MPI_Op op, MPI_Request* request) {
  static const auto next =
      behind<int(Win*, const void*, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype, MPI_Op, MPI_Request*)>(
          kAccumulate);
  const strata::sim::OneSided operation(strata::sim::tracing(), strata::TraceStep::Kind::kAccumulate, *this, target,
                                        request != nullptr);
  return next(this, origin, count, type, target, at, target_count, target_type, op, request);
}

int Win::finish_comms() {
  static const auto next = behind<int(Win*)>(kFinishAll);
  strata::sim::Tracing* const trace = strata::sim::tracing();
  if (trace != nullptr) trace->flush(this);
  const strata::sim::Deeper part_of_it = strata::sim::quiet(trace);
  return next(this);
}

int Win::finish_comms(int rank) {
  static const auto next = behind<int(Win*, int)>(kFinishOne);
  strata::sim::Tracing* const trace = strata::sim::tracing();
  if (trace != nullptr) trace->flush(this, rank);
  const strata::sim::Deeper part_of_it = strata::sim::quiet(trace);
  return next(this, rank);
}

int Win::del(Win* win) {
  static const auto next = behind(Win::del, kFreeWindow);
  const int code = next(win);
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->free_window(win);
  return code;
}

void Comm::add_rma_win(Win* win) {
  static const auto next = behind<void(Comm*, Win*)>(kAddWindow);
  next(this, win);
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->add_window(win);
}

}  // namespace smpi

namespace s4u {

// Used by MPI_Init and MPI_Win_free.
int Barrier::wait() {
  static const auto next = strata::sim::behind<int(Barrier*)>("_ZN7simgrid3s4u7Barrier4waitEv");
  strata::sim::Blocked blocked;
  strata::sim::Recording* const r = strata::sim::recording();
  const int round = r == nullptr ? 0 : r->barriers.come(this, strata::sim::current_rank());
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->recorder().come(strata::sim::current_rank(), this);
  const int result = next(this);
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->recorder().all_there(this);
  if (r != nullptr) blocked.until(strata::kNotYet, {0, r->barriers.last(this, round)});
  return result;
}

namespace this_actor {

// Time spent within SMPI: in MPI_Test, or in the program's sleep() and gettimeofday().
void sleep_for(double seconds) {
  static const auto next = strata::sim::behind<void(double)>("_ZN7simgrid3s4u10this_actor9sleep_forEd");
  strata::sim::note_clock(seconds);
  strata::sim::note_step({.kind = strata::TraceStep::Kind::kSleep, .amount = seconds});
  next(seconds);
}

// Computation, charged or measured.
ExecPtr exec_init(double flops) {
  static const auto next = strata::sim::behind<ExecPtr(double)>("_ZN7simgrid3s4u10this_actor9exec_initEd");
  strata::sim::note_step({.kind = strata::TraceStep::Kind::kExecute, .amount = flops});
  return next(flops);
}

}  // namespace this_actor

// Used by MPI_Win_lock.
void Mutex::lock() {
  static const auto next = strata::sim::behind<void(Mutex*)>("_ZN7simgrid3s4u5Mutex4lockEv");
  strata::sim::Blocked blocked;
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->lock(this);
  next(this);
  if (strata::sim::Recording* r = strata::sim::recording())
    blocked.until(strata::kNotYet, {0, r->mutexes.take(this, strata::sim::current_rank())});
}

void Mutex::unlock() {
  static const auto next = strata::sim::behind<void(Mutex*)>("_ZN7simgrid3s4u5Mutex6unlockEv");
  if (strata::sim::Tracing* t = strata::sim::tracing()) t->unlock(this);
  next(this);
}

}  // namespace s4u

// --- The path of a message ---

namespace kernel::activity {

using strata::sim::behind;
using strata::sim::recording;

ActivityImplPtr CommImpl::isend(actor::CommIsendSimcall* posted) {
  static const auto next = behind(CommImpl::isend, kPostSend);
  ActivityImplPtr message = next(posted);
  if (auto* r = recording()) strata::sim::note_sent(*r, *posted);
  if (strata::sim::Tracing* t = strata::sim::any_tracing()) t->recorder().sent(posted->request(), posted->message());
  return message;
}

ActivityImplPtr CommImpl::irecv(actor::CommIrecvSimcall* posted) {
  static const auto next = behind(CommImpl::irecv, kPostReceive);
  ActivityImplPtr message = next(posted);
  if (auto* r = recording())
    r->messages.posted(message.get(), message->done(), message->start_time(), strata::sim::now());
  return message;
}

void CommImpl::finish() {
  static const auto next = behind<void(CommImpl*)>(kFinish);
  if (recording() == nullptr) return next(this);
  const ActivityImplPtr message(reinterpret_cast<ActivityImpl*>(this));  // next may release it
  next(this);
  if (message->done()) recording()->messages.complete(this, message->start_time(), strata::sim::now());
}

void CommImpl::cancel() {
  static const auto next = behind<void(CommImpl*)>(kCancel);
  strata::sim::Tracing* const trace = strata::sim::any_tracing();
  if (recording() == nullptr && trace == nullptr) return next(this);
  const ActivityImplPtr message(reinterpret_cast<ActivityImpl*>(this));
  next(this);
  if (!message->canceled()) return;
  if (recording() != nullptr) recording()->messages.cancelled(this);
  if (trace != nullptr) trace->recorder().cancelled(this);
}

}  // namespace kernel::activity
}  // namespace simgrid
