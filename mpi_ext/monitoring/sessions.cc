// SPDX-License-Identifier: LGPL-2.1-only
// MPI_M_init to MPI_M_get_info: the environment, and the states of sessions.
#include <climits>
#include <cstdio>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/adapter/share.h"
#include "mpi_ext/adapter/watched.h"
#include "mpi_ext/monitoring/api_guard.h"
#include "mpi_ext/monitoring/collect_rows.h"
#include "mpi_ext/ranks.h"
#include "records/exchange/report_phase.h"

namespace strata::mpix::monitoring {
namespace {

static_assert(static_cast<int>(Verdict::kMissingInit) == MPI_M_MISSING_INIT);
static_assert(static_cast<int>(Verdict::kMultipleInit) == MPI_M_MULTIPLE_INIT);
static_assert(static_cast<int>(Verdict::kInvalidMsid) == MPI_M_INVALID_MSID);
static_assert(static_cast<int>(Verdict::kSessionActive) == MPI_M_SESSION_ACTIVE);
static_assert(static_cast<int>(Verdict::kSessionSuspended) == MPI_M_SESSION_SUSPENDED);
static_assert(static_cast<int>(Verdict::kSessionsLeft) == MPI_M_SESSIONS_LEFT);

// Applies the call to a session, which must be in the right state. The caller holds the mutex.
void apply(Process& process, SessionCall what, MPI_M_msid msid) {
  const std::shared_ptr<Session>& session = process.sessions.at(msid);
  if (what == SessionCall::kSuspend) process.ignore(session);
  if (what == SessionCall::kContinue) process.watch(session);
  if (what == SessionCall::kReset) {
    session->sent.clear();
    session->sent_here.clear();
  }
  process.protocol.apply(what, msid);
}

// Reports active sessions as phases of the program. Must be called without the mutex, because the simulator may let
// other processes run.
void tell_phases(SessionCall what, const std::vector<std::string>& phases) {
  if (what == SessionCall::kContinue && strata_phase_begin != nullptr) {
    for (const std::string& name : phases) strata_phase_begin(name.c_str());
  }
  if (what == SessionCall::kSuspend && strata_phase_end != nullptr) {
    for (const std::string& name : phases) strata_phase_end(name.c_str());
  }
}

int local(SessionCall what, MPI_M_msid msid) {
  return call_of_monitoring([&] {
    Process& process = own_state();
    std::vector<std::string> phases;
    Verdict verdict = Verdict::kFine;
    {
      const std::lock_guard guard(process.mutex);
      std::vector<int> sessions = {msid};
      if (msid == MPI_M_ALL_MSID && process.provider != nullptr) {
        sessions = process.protocol.all_for(what);
      } else {
        verdict = process.protocol.judge(what, msid);
        if (verdict != Verdict::kFine) sessions.clear();
      }
      for (const int each : sessions) {
        apply(process, what, each);
        phases.push_back(process.sessions.at(each)->phase);
      }
    }
    tell_phases(what, phases);
    return static_cast<int>(verdict);
  });
}

// The members of the communicator. Made only once if ranks share memory.
std::shared_ptr<const Members> members_of(MPI_Comm comm) {
  std::shared_ptr<Members> made;
  if (is_maker(comm)) {
    std::vector<ProcessId> ids;
    for (const int rank : translate_ranks(all_ranks_of(comm), comm, MPI_COMM_WORLD)) ids.push_back(process_of(rank));
    made = std::make_shared<Members>(std::move(ids));
  }
  return std::static_pointer_cast<const Members>(shared_with_all(comm, std::move(made)));
}

// The number of the next session, which no other process has. MPI_M_MSID_NULL if no number is left.
MPI_M_msid next_number(const Process& process) {
  const long number = static_cast<long>(process.started) * size_of(MPI_COMM_WORLD) + rank_in(MPI_COMM_WORLD) + 1;
  return number > INT_MAX ? MPI_M_MSID_NULL : static_cast<MPI_M_msid>(number);
}

struct Judged {
  int code;
  MPI_M_msid number = MPI_M_MSID_NULL;
  std::shared_ptr<Provider> provider;
  int started = 0;  // sessions of the process, including this one
};

Judged judge_start(Process& process, const MPI_M_msid* msid) {
  const std::lock_guard guard(process.mutex);
  Judged judged{static_cast<int>(process.protocol.judge_start()), next_number(process), process.provider,
                process.started + 1};
  if (judged.code == MPI_SUCCESS && msid == nullptr) judged.code = MPI_M_INVALID_ARGUMENT;
  if (judged.code == MPI_SUCCESS && judged.number == MPI_M_MSID_NULL) {
    std::fprintf(stderr, "strata: MPI_M_start: no number is left for another session\n");
    judged.code = MPI_M_INTERNAL;
  }
  if (judged.code == MPI_SUCCESS) ++process.started;  // a number is used once, even if another process fails
  return judged;
}

int start(MPI_Comm comm, MPI_M_msid* msid) {
  Process& process = own_state();
  const Judged judged = judge_start(process, msid);
  auto session = std::make_shared<Session>();
  session->phase = "monitoring session " + std::to_string(judged.started);
  {
    const Quiet quiet(judged.provider);
    session->comm = returning_errors(private_copy(comm));
    const int code = agree(session->comm.get(), {.code = judged.code}).code;
    if (code != MPI_SUCCESS) return code;
    session->rank = rank_in(session->comm.get());
    session->size = size_of(session->comm.get());
    session->members = members_of(session->comm.get());
  }
  {
    const std::lock_guard guard(process.mutex);
    process.sessions.emplace(judged.number, session);
    process.protocol.start(judged.number);
    process.watch(session);
    *msid = judged.number;
  }
  tell_phases(SessionCall::kContinue, {session->phase});
  return MPI_SUCCESS;
}

// Removes a session. The caller must release the result when it does not hold the lock.
std::shared_ptr<Session> forget(Process& process, MPI_M_msid msid) {
  const std::lock_guard guard(process.mutex);
  std::shared_ptr<Session> session = process.sessions.at(msid);
  apply(process, SessionCall::kFree, msid);
  process.sessions.erase(msid);
  return session;
}

int free_one(Process& process, MPI_M_msid msid) {
  Found found = find_session(process, SessionCall::kFree, msid);
  if (found.session == nullptr) return found.code;
  const Quiet quiet(found.provider);
  const int code = agree(found.session->comm.get(), {.code = found.code}).code;
  found.session.reset();
  if (code == MPI_SUCCESS) forget(process, msid);
  return code;
}

// Treats sessions in the order in which they were started, which is the same on all processes. Those that are suspended
// on all processes are freed; those that are active on all stay. If the processes disagree, the session stays, and that
// is an error.
int free_all(Process& process) {
  std::vector<MPI_M_msid> all;
  {
    const std::lock_guard guard(process.mutex);
    if (process.provider == nullptr) return MPI_M_MISSING_INIT;
    all = process.protocol.sessions();
  }
  int first = MPI_SUCCESS;
  for (const MPI_M_msid msid : all) {
    const Found found = find_session(process, SessionCall::kFree, msid);
    if (found.session == nullptr) continue;  // another thread was faster
    const Quiet quiet(found.provider);
    const Agreement agreed = agree(found.session->comm.get(), {.fits = found.code == MPI_SUCCESS});
    if (agreed.fits_all) {
      forget(process, msid);
    } else if (agreed.fits_somebody && first == MPI_SUCCESS) {
      first = found.code != MPI_SUCCESS ? found.code : MPI_M_OTHER_PROCESS;
    }
  }
  return first;
}

}  // namespace

Found find_session(Process& process, SessionCall what, MPI_M_msid msid) {
  const std::lock_guard guard(process.mutex);
  const Verdict verdict = process.protocol.judge(what, msid);
  Found found{static_cast<int>(verdict), nullptr, process.provider};
  if (verdict != Verdict::kMissingInit && verdict != Verdict::kInvalidMsid) found.session = process.sessions.at(msid);
  return found;
}

}  // namespace strata::mpix::monitoring

extern "C" {

int MPI_M_init(void) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return call_of_monitoring([&] {
    Process& process = own_state();
    const std::lock_guard guard(process.mutex);
    const strata::mpix::Verdict verdict = process.protocol.judge_init();
    if (verdict != strata::mpix::Verdict::kFine) return static_cast<int>(verdict);
    std::string why_not;
    process.provider = find_provider(why_not);
    if (process.provider == nullptr) {
      std::fprintf(stderr, "strata: MPI_M_init: %s\n", why_not.c_str());
      return MPI_M_NO_PROVIDER;
    }
    process.protocol.init();
    return static_cast<int>(MPI_SUCCESS);
  });
}

int MPI_M_finalize(void) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return call_of_monitoring([&] {
    Process& process = own_state();
    const std::lock_guard guard(process.mutex);
    const strata::mpix::Verdict verdict = process.protocol.judge_finalize();
    if (verdict != strata::mpix::Verdict::kFine) return static_cast<int>(verdict);
    process.protocol.finalize();
    process.provider.reset();
    return static_cast<int>(MPI_SUCCESS);
  });
}

int MPI_M_start(MPI_Comm comm, MPI_M_msid* msid) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return call_of_monitoring([&] {
    if (strata::mpix::check_intracomm(comm) == MPI_SUCCESS) return start(comm, msid);
    Process& process = own_state();
    const std::lock_guard guard(process.mutex);
    return process.provider == nullptr ? MPI_M_MISSING_INIT : MPI_M_INVALID_COMM;
  });
}

int MPI_M_suspend(MPI_M_msid msid) {
  return strata::mpix::monitoring::local(strata::mpix::SessionCall::kSuspend, msid);
}

int MPI_M_continue(MPI_M_msid msid) {
  return strata::mpix::monitoring::local(strata::mpix::SessionCall::kContinue, msid);
}

int MPI_M_reset(MPI_M_msid msid) { return strata::mpix::monitoring::local(strata::mpix::SessionCall::kReset, msid); }

int MPI_M_free(MPI_M_msid msid) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return call_of_monitoring([&] {
    Process& process = own_state();
    return msid == MPI_M_ALL_MSID ? free_all(process) : free_one(process, msid);
  });
}

int MPI_M_get_info(MPI_M_msid msid, int* provided, int* array_size) {
  using namespace strata::mpix::monitoring;  // NOLINT: the library itself
  return call_of_monitoring([&] {
    const Found found = find_session(own_state(), strata::mpix::SessionCall::kGetInfo, msid);
    if (found.session == nullptr) return found.code;
    if (provided != MPI_M_INT_IGNORE) *provided = found.provider->sees();
    if (array_size != MPI_M_INT_IGNORE) *array_size = found.session->size;
    return static_cast<int>(MPI_SUCCESS);
  });
}

const char* MPI_M_error_string(int error) {
  switch (error) {
    case MPI_SUCCESS:
      return "no error";
    case MPI_M_MISSING_INIT:
      return "MPI_M_init has not been called, or MPI_M_finalize has";
    case MPI_M_MULTIPLE_INIT:
      return "MPI_M_init has been called already";
    case MPI_M_INVALID_MSID:
      return "not a monitoring session of this process, or one that was freed";
    case MPI_M_SESSION_ACTIVE:
      return "the monitoring session is active; suspend it first";
    case MPI_M_SESSION_SUSPENDED:
      return "the monitoring session is suspended already";
    case MPI_M_SESSIONS_LEFT:
      return "monitoring sessions are left; free them first";
    case MPI_M_INVALID_COMM:
      return "not an intracommunicator";
    case MPI_M_INVALID_ARGUMENT:
      return "an argument is wrong: a null pointer, a root that is not a rank, or roots that differ among processes";
    case MPI_M_INVALID_FLAGS:
      return "the flags are wrong: no kind of communication, an unknown one, or flags that differ among processes";
    case MPI_M_NO_PROVIDER:
      return "no provider sees messages here, or not the one that MPI_M_PROVIDER names";
    case MPI_M_NOT_SEEN:
      return "the provider does not see any of the kinds of communication that the flags name";
    case MPI_M_OVERFLOW:
      return "a number is too large for an unsigned long; it is set to ULONG_MAX";
    case MPI_M_FILE:
      return "a file could not be written";
    case MPI_M_OTHER_PROCESS:
      return "another process has an error";
    case MPI_M_INTERNAL:
      return "MPI failed, or memory is exhausted";
    default:
      return "unknown error";
  }
}

}  // extern "C"
