// SPDX-License-Identifier: LGPL-2.1-only
// A rank uses its buffer when it starts a send or a receive. The message begins to flow when the second of both is
// posted, or with an eager send. SimGrid does not say then which requests the message is of. So this file follows each
// message from its first post to its start:
//
//   rank 0 starts a receive       its span, for the request
//   CommImpl::irecv               for the message, which waits for its sender
//   rank 1 starts the send        its span, for the request
//   CommImpl::isend, start        both for the plugin, which starts the flow now
//
// An eager message whose receive is not posted flows without the receiver's span. One-sided operations have none,
// because their target does nothing. A buffer of a derived type counts as the bytes of its data from its address on.
//
// libsimgrid calls these functions through its procedure linkage table (PLT) or a table of virtual functions, so a
// preloaded library can wrap them.
#include "mpi_ext/preload/tap/buffers_smpi.h"

#include <deque>
#include <unordered_map>
#include <utility>

#include "mpi_ext/preload/tap/smpi_actors.h"
#include "records/exchange/address.h"
#include "records/exchange/buffer_reuse.h"
#include "records/exchange/message_spans.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/communication.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

// Null unless the machine's caches go by buffers.
MessageSpans* message_spans() {
  static auto* const found = address_in<MessageSpans>(
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property(kMessageSpansProperty));
  return found;
}

BufferReuse& reuse_of(aid_t actor) {
  static std::deque<BufferReuse> all;
  const auto number = static_cast<std::size_t>(actor);
  if (all.size() <= number) all.resize(number + 1);
  return all[number];
}

struct Ends {
  double source = 0, destination = 0;  // B
};

// Those that are known. Most programs have few.
std::unordered_map<const void*, double>& spans_of_requests() {
  static std::unordered_map<const void*, double> spans;  // of requests that are started and not posted
  return spans;
}
std::unordered_map<const void*, Ends>& spans_of_messages() {
  static std::unordered_map<const void*, Ends> spans;  // of messages that are posted once and do not flow
  return spans;
}

bool sends(const Request& request) { return (request.flags() & Request::kReceive) == 0; }

double span_of(const Request& request) {
  if (message_spans() == nullptr || (request.flags() & Request::kOneSided) != 0) return 0;
  const aid_t owner = sends(request) ? request.sender() : request.receiver();
  return owner <= 0 ? 0 : reuse_of(owner).span(request.users_buffer(), request.size());
}

// The request that the calling rank is about to start, if a library that records has asked for its span already.
struct Asked {
  const Request* request = nullptr;
  double span = 0;
};
Asked asked;

// The post that the simulator is in.
Ends* posting = nullptr;

template <class Post>
auto post(const void* request, double Ends::*side, Post&& next) {
  Ends ends;
  auto& spans = spans_of_requests();
  if (const auto at = spans.find(request); at != spans.end()) {
    ends.*side = at->second;
    spans.erase(at);
  }
  posting = &ends;
  auto message = next();
  posting = nullptr;
  return message;
}

}  // namespace

void note_buffer(const Request& request) {
  if (message_spans() == nullptr) return;
  const Asked known = std::exchange(asked, {});
  const double span = known.request == &request ? known.span : span_of(request);
  if (span > 0) {
    spans_of_requests()[&request] = span;
  } else {
    spans_of_requests().erase(&request);
  }
}

double span_of_work(const void* from, const void* to, std::size_t bytes) {
  if (message_spans() == nullptr) return 0;
  return reuse_of(simgrid::s4u::this_actor::get_pid()).span(from, to, bytes);
}

}  // namespace strata::mpix

double strata_monitoring_buffer_span(const void* request) {
  using strata::mpix::asked;
  asked.request = static_cast<const simgrid::smpi::Request*>(request);
  return asked.span = strata::mpix::span_of(*asked.request);
}

namespace simgrid::kernel::activity {

using strata::mpix::Ends;

ActivityImplPtr CommImpl::isend(actor::CommIsendSimcall* posted) {
  static const auto behind = strata::mpix::behind<ActivityImplPtr(actor::CommIsendSimcall*)>(kPostSend);
  if (strata::mpix::message_spans() == nullptr) return behind(posted);
  return strata::mpix::post(posted->request(), &Ends::source, [posted] { return behind(posted); });
}

ActivityImplPtr CommImpl::irecv(actor::CommIrecvSimcall* posted) {
  static const auto behind = strata::mpix::behind<ActivityImplPtr(actor::CommIrecvSimcall*)>(kPostReceive);
  if (strata::mpix::message_spans() == nullptr) return behind(posted);
  return strata::mpix::post(posted->request(), &Ends::destination, [posted] { return behind(posted); });
}

CommImpl* CommImpl::start() {
  static const auto behind = strata::mpix::behind<CommImpl*(CommImpl*)>(kStart);
  const auto* const message = reinterpret_cast<const ActivityImpl*>(this);
  strata::MessageSpans* const spans = strata::mpix::message_spans();
  constexpr double kNotYet = -1;
  if (spans == nullptr || strata::mpix::posting == nullptr || message->start_time() != kNotYet) return behind(this);
  auto& known = strata::mpix::spans_of_messages();
  Ends ends = *strata::mpix::posting;
  if (const auto at = known.find(this); at != known.end()) {
    ends.source += at->second.source;
    ends.destination += at->second.destination;
    known.erase(at);
  }
  spans->next_message(ends.source, ends.destination);
  CommImpl* const started = behind(this);
  spans->next_message(0, 0);
  if (message->start_time() == kNotYet && (ends.source > 0 || ends.destination > 0)) known[this] = ends;
  return started;
}

void CommImpl::cancel() {
  static const auto behind = strata::mpix::behind<void(CommImpl*)>(kCancel);
  strata::mpix::spans_of_messages().erase(this);
  behind(this);
}

}  // namespace simgrid::kernel::activity
