// SPDX-License-Identifier: LGPL-2.1-only
// The path of a message: its request is started, it is posted on both sides, and it ends or is cancelled.
#include <mpi.h>

#include <algorithm>

#include "sim/profile/calling_rank.h"
#include "sim/profile/functions.h"
#include "sim/profile/profiled_run.h"
#include "sim/profile/request_message.h"
#include "sim/profile/tracing.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/communication.h"
#include "sim/simgrid/request.h"

namespace strata::sim {
namespace {

using simgrid::smpi::Request;

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
  const aid_t ranks = static_cast<aid_t>(session()->ledger().size());
  if (std::max(request.sender(), request.receiver()) > ranks) return;
  r.messages.sent(posted.message(), static_cast<int>(request.sender()) - 1, static_cast<int>(request.receiver()) - 1,
                  request.tag(), static_cast<std::int64_t>(request.size()), posted.detached(), now());
}

}  // namespace
}  // namespace strata::sim

namespace simgrid {
namespace smpi {

using strata::sim::behind;

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

}  // namespace smpi

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
