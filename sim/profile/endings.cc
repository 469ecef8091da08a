// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/profile/endings.h"

#include <fmt/format.h>
#include <mpi.h>
#include <xbt/log.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <simgrid/Exception.hpp>
#include <string>
#include <vector>

#include "records/exchange/exchanged_words.h"
#include "records/ledger.h"
#include "records/profile.h"
#include "sim/plugin/launcher_lines.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/functions.h"
#include "sim/profile/profiled_run.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/context_layout.h"
#include "sim/simgrid/request.h"

namespace strata::sim {
namespace {

using simgrid::smpi::Request;

// Records a rank's exit code: SMPI prints all of them but returns only one, and ignores MPI_Abort's code. Returns
// whether the message can be suppressed, because the reader of the profile gives a better one.
bool noted(const xbt_log_event_s& event, const char* format, va_list arguments) {
  if (session() == nullptr || !session()->profiled()) return false;
  if (std::strcmp(format, "SMPI process did not return 0. Return value : %d") == 0) {
    const bool exit = event.functionName != nullptr && std::strcmp(event.functionName, "smpi_exit") == 0;
    session()->ledger().tell(
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
  const std::vector<const Request*> all = awaited_requests(session()->ledger());
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

}  // namespace

void note_deadlock() {
  if (session() == nullptr) return;
  Ledger& ledger = session()->ledger();
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
  if (!session()->open()) return;
  if (current_rank() >= 0) {
    ::on_exit(leave_by_exit, nullptr);  // for the next rank
    try {
      smpi_exit(code);
    } catch (const simgrid::ForcefulKillException&) {
      // The actor has ended.
    }
    simgrid::kernel::context::Context::self()->suspend();
  }
  session()->write(now());
}

}  // namespace strata::sim

extern "C" {

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
