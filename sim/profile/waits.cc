// SPDX-License-Identifier: LGPL-2.1-only
// Where a rank may be blocked: in SMPI's functions that wait for requests or poll them, and in barriers and mutexes.
// README.md says which part of the time counts as waiting.
#include <mpi.h>

#include <algorithm>
#include <simgrid/s4u/Barrier.hpp>
#include <simgrid/s4u/Mutex.hpp>

#include "records/ledger.h"
#include "sim/profile/calling_rank.h"
#include "sim/profile/functions.h"
#include "sim/profile/profiled_run.h"
#include "sim/profile/request_message.h"
#include "sim/profile/tracing.h"
#include "sim/simgrid/request.h"

namespace strata::sim {
namespace {

using simgrid::smpi::Request;

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

}  // namespace
}  // namespace strata::sim

namespace simgrid {
namespace smpi {

using strata::sim::behind;
using strata::sim::Blocked;

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
}  // namespace simgrid
