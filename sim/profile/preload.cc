// SPDX-License-Identifier: LGPL-2.1-only
// Preloaded into the simulator, this library writes where the program's time went (records/profile.h), to the file that
// STRATA_PROFILE names:
//
//   LD_PRELOAD=libstrata_profile.so STRATA_PROFILE=profile.json smpimain ...
//
// It comes before other preloaded libraries: what they call is part of the function that the program called. README.md
// says how it sees the functions, and what counts as waiting.
#include <dlfcn.h>
#include <mpi.h>
#include <unistd.h>
#include <xbt/log.h>

#include <algorithm>
#include <cerrno>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <simgrid/Exception.hpp>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Barrier.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <simgrid/s4u/Mutex.hpp>
#include <string>
#include <tuple>
#include <vector>

#include "records/exchange/words.h"
#include "records/profile.h"
#include "sim/profile/ledger.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/context.h"
#include "sim/simgrid/request.h"

namespace strata::sim {
namespace {

using simgrid::s4u::Engine;
using simgrid::smpi::Request;

// The functions of MPI by number, and their names by it.
enum Function {
#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS) k##NAME,
#include "sim/profile/calls.inc"
#undef PROFILED
};

const std::vector<std::string>& names() {
  static const std::vector<std::string> all = {
#define PROFILED(TYPE, NAME, PARAMETERS, ARGUMENTS) #NAME,
#include "sim/profile/calls.inc"
#undef PROFILED
  };
  return all;
}

// The account of a simulation, from its start to its end.
class Session {
 public:
  explicit Session(const char* file) : file_(file), process_(::getpid()), ledger_(names()) {
    errno = 0;
    out_.open(file_, std::ios::binary);
    if (!out_) fail();
  }

  Ledger& ledger() { return ledger_; }
  /// Not written yet; false in a child that a rank has forked.
  bool open() const { return !written_ && ::getpid() == process_; }

  void write(double now) {
    if (!open()) return;
    written_ = true;
    errno = 0;
    write_profile(out_, ledger_.profile(now));
    out_.close();
    if (!out_) fail();
  }

 private:
  [[noreturn]] void fail() {
    std::fprintf(stderr, "\n%s %s: cannot be written: %s; is the disk full, or the folder not there?\n",
                 words::kPlatform, file_.c_str(), std::strerror(errno));
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file_, ignored)) std::remove(file_.c_str());
    std::fflush(nullptr);
    std::_Exit(2);
  }

  std::string file_;
  pid_t process_;
  std::ofstream out_;
  Ledger ledger_;
  bool written_ = false;
};

Session* g_session = nullptr;  // nullptr: nothing is kept. Never deleted: exit() may come from anywhere

// SMPI gives its ranks the actor ids 1 to n; other actors are not accounted for. -1: the simulator's own, or a thread
// that SimGrid does not know.
int current_rank() {
  const simgrid::s4u::Actor* self = simgrid::s4u::Actor::self();
  return self == nullptr ? -1 : static_cast<int>(self->get_pid()) - 1;
}

// nullptr: nothing is kept, or the calling actor is not a rank.
RankLedger* current() {
  return g_session == nullptr ? nullptr : g_session->ledger().rank(static_cast<std::size_t>(current_rank()));
}

double now() { return Engine::get_clock(); }

// The function of that name behind this library.
template <class F>
F* behind(const char* name) {
  return reinterpret_cast<F*>(::dlsym(RTLD_NEXT, name));
}
template <class F>
F* behind(F&, const char* name) {
  return behind<F>(name);
}

// While in scope the calling rank is in an MPI function; also left if the rank is killed in it, by an exception.
template <Function kFunction>
class Inside {
 public:
  Inside() : rank_(current()) {
    if (rank_ == nullptr) return;
    if constexpr (kFunction == kMPI_Init || kFunction == kMPI_Init_thread) rank_->initialized = true;
    rank_->enter(kFunction, now());
  }
  ~Inside() {
    if (rank_ == nullptr) return;
    rank_->leave(g_session->ledger().calls(), now());
    if constexpr (kFunction == kMPI_Finalize) rank_->finalized = true;
  }
  Inside(const Inside&) = delete;
  Inside& operator=(const Inside&) = delete;

 private:
  RankLedger* rank_;
};

// Keeps the code that MPI_Abort is called with, which SMPI ignores.
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

// When the message of a request began to flow; kNotYet if it has not, or the request has no message.
double began(const Request* request) {
  if (request == MPI_REQUEST_NULL || request->message() == nullptr) return kNotYet;
  const double start = request->message()->start_time();
  if (start == -1) return kNotYet;
  if (start >= 0 && start <= now()) return start;
  std::fprintf(stderr,
               "libstrata_profile: SMPI's messages are not those of SimGrid %d.%d: run with the one that the library "
               "was built for\n",
               SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
  std::abort();
}

// While in scope the calling rank may be blocked. Request::finish_wait tells when it is not, and for what message it
// was; what remains until the end is waiting.
class Blocked {
 public:
  explicit Blocked(Request* const* requests = nullptr, int count = 0) : rank_(current()) {
    if (rank_ != nullptr) rank_->block(now(), requests, count);
  }
  ~Blocked() { until(kNotYet); }
  Blocked(const Blocked&) = delete;
  Blocked& operator=(const Blocked&) = delete;

  /// The rest was for a message that began to flow at that time.
  void until(double began) {
    if (rank_ != nullptr && rank_->blocked()) rank_->unblock(began, now());
  }
  /// There was nothing to wait for.
  void not_at_all() {
    if (rank_ != nullptr) rank_->unblock(0, 0);
  }

 private:
  RankLedger* rank_;
};

// Keeps a rank's exit code. SMPI prints it and returns that of one rank; MPI_Abort's code it ignores. Returns whether
// the message can be left out, as the reader of the profile says it better.
bool noted(const xbt_log_event_s& event, const char* format, va_list arguments) {
  if (g_session == nullptr) return false;
  if (std::strcmp(format, "SMPI process did not return 0. Return value : %d") == 0) {
    const bool exit = event.functionName != nullptr && std::strcmp(event.functionName, "smpi_exit") == 0;
    g_session->ledger().tell(
        {current_rank(), exit ? Ending::How::kExit : Ending::How::kReturn, va_arg(arguments, int)});
    return true;
  }
  return std::strstr(format, "MPI_Abort was called") != nullptr;
}

// The messages that a blocked rank waits for, which have not begun to flow.
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

// No rank can go on; those that have not ended are about to be killed.
void note_deadlock() {
  if (g_session == nullptr) return;
  Ledger& ledger = g_session->ledger();
  for (std::size_t number = 0; number < ledger.size(); ++number) {
    const RankLedger& rank = *ledger.rank(number);
    if (rank.ended()) continue;
    ledger.tell({static_cast<int>(number), Ending::How::kDeadlock, 0, ledger.name(rank.call()), awaited_by(rank)});
  }
}

// exit() of the C library, and so Fortran's STOP, would end the simulator, and all ranks with it. Here it ends the
// rank, as smpi_exit does, which smpicc writes for exit: by an exception. That must not pass through exit(), which C++
// takes for a function without exceptions, so the rank's stack is just left.
void leave_by_exit(int code, void*) {
  if (!g_session->open()) return;
  if (current_rank() >= 0) {
    ::on_exit(leave_by_exit, nullptr);  // the next rank's
    try {
      smpi_exit(code);
    } catch (const simgrid::ForcefulKillException&) {
      // The actor has ended.
    }
    simgrid::kernel::context::Context::self()->suspend();
  }
  g_session->write(now());
}

// Before the first rank is made.
void start() {
  const char* file = std::getenv(words::kProfile);
  if (file == nullptr || *file == '\0') return;
  g_session = new Session(file);
  ::on_exit(leave_by_exit, nullptr);
}

// SMPI makes all ranks before the first of them runs. An actor that a program makes later is not a rank.
void add_rank() {
  static const bool once = (start(), true);
  static_cast<void>(once);
  if (g_session != nullptr) g_session->ledger().add_rank();
}

void end_rank(const simgrid::s4u::Actor& actor) {
  if (g_session == nullptr) return;
  const int number = static_cast<int>(actor.get_pid()) - 1;
  RankLedger* rank = g_session->ledger().rank(static_cast<std::size_t>(number));
  if (rank == nullptr || rank->ended()) return;
  rank->end(g_session->ledger().calls(), now());
  // Those that MPI_Abort ends do not end by themselves.
  if (rank->initialized && !rank->finalized && !g_session->ledger().aborted())
    g_session->ledger().tell({number, Ending::How::kUnfinalized, 0});
}

[[gnu::constructor]] void listen() {
  simgrid::s4u::Actor::on_creation_cb([](const simgrid::s4u::Actor&) { add_rank(); });
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

// SMPI charges what a rank has computed since its last MPI function, within the next one.
void smpi_execute(double seconds) {
  static const auto next = strata::sim::behind(smpi_execute, "smpi_execute");
  strata::sim::RankLedger* rank = strata::sim::current();
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

int Request::wait(Request** request, MPI_Status* status) {
  static const auto next = behind(Request::wait, kRequestWait);
  const Blocked blocked(request, 1);
  return next(request, status);
}

int Request::waitany(int count, Request* requests[], MPI_Status* status) {
  static const auto next = behind(Request::waitany, kRequestWaitany);
  Blocked blocked(requests, count);
  const int index = next(count, requests, status);
  if (index != MPI_UNDEFINED) blocked.until(strata::sim::began(requests[index]));
  return index;
}

int Request::test(Request** request, MPI_Status* status, int* done) {
  static const auto next = behind(Request::test, kRequestTest);
  Blocked blocked;
  const int code = next(request, status, done);
  if (*done == 0) blocked.until(strata::sim::began(*request));
  return code;
}

int Request::testany(int count, Request* requests[], int* index, int* done, MPI_Status* status) {
  static const auto next = behind(Request::testany, kRequestTestany);
  Blocked blocked;
  const int code = next(count, requests, index, done, status);
  double first = strata::sim::kNotYet;
  if (*done == 0) {
    for (int i = 0; i < count; ++i) first = std::min(first, strata::sim::began(requests[i]));
  }
  blocked.until(first);
  return code;
}

// MPI_Probe is one after another until a message is found.
void Request::iprobe(int source, int tag, Comm* comm, int* found, MPI_Status* status) {
  static const auto next = behind(Request::iprobe, kRequestIprobe);
  Blocked blocked;
  next(source, tag, comm, found, status);
  if (*found != 0) blocked.not_at_all();
}

void Request::finish_wait(Request** request, MPI_Status* status) {
  static const auto next = behind(Request::finish_wait, kRequestFinishWait);
  strata::sim::RankLedger* rank = strata::sim::current();
  if (rank != nullptr && rank->blocked()) rank->unblock(strata::sim::began(*request), strata::sim::now());
  next(request, status);
}

}  // namespace smpi

namespace s4u {

// MPI_Init and MPI_Win_fence.
int Barrier::wait() {
  static const auto next = strata::sim::behind<int(Barrier*)>("_ZN7simgrid3s4u7Barrier4waitEv");
  const strata::sim::Blocked blocked;
  return next(this);
}

// MPI_Win_lock.
void Mutex::lock() {
  static const auto next = strata::sim::behind<void(Mutex*)>("_ZN7simgrid3s4u5Mutex4lockEv");
  const strata::sim::Blocked blocked;
  next(this);
}

}  // namespace s4u
}  // namespace simgrid
