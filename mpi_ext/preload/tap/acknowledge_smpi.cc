// SPDX-License-Identifier: LGPL-2.1-only
// The acknowledgement of synchronous sends under SMPI (records/exchange/acknowledgement.h). SMPI ends a short one when
// its message arrives. Here the sender, whichever of MPI's functions ends the send, first waits for the
// acknowledgement.
//
// libsimgrid calls these functions through its procedure linkage table (PLT) or a table of virtual functions, so a
// preloaded library can wrap them. The tap, which is one, calls note_start() when a request is started.
#include "mpi_ext/preload/tap/acknowledge_smpi.h"

#include <algorithm>
#include <unordered_map>

#include "mpi_ext/preload/tap/receive_smpi.h"
#include "mpi_ext/preload/tap/smpi_actors.h"
#include "records/exchange/acknowledgement.h"
#include "records/exchange/address.h"
#include "sim/simgrid/communication.h"

namespace strata::mpix {
namespace {

using simgrid::kernel::activity::ActivityImpl;
using simgrid::smpi::Request;

struct SynchronousSend {
  double sent_s;                // when it was posted
  double latency_s;             // of its acknowledgement
  const ActivityImpl* message;  // while it is under way
  double acknowledged_s = -1;   // -1: it has not arrived
};

// Those that are to be acknowledged and have not ended. Few programs have any.
std::unordered_map<const Request*, SynchronousSend>& sends() {
  static std::unordered_map<const Request*, SynchronousSend> all;
  return all;
}

Acknowledgements* acknowledgements() {
  static auto* const found = address_in<Acknowledgements>(
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property(kAcknowledgementProperty));
  return found;
}

double now() { return simgrid::s4u::Engine::get_clock(); }

}  // namespace

void note_start(const Request& request) {
  constexpr unsigned kBoth = Request::kSend | Request::kSynchronous;
  if ((request.flags() & kBoth) != kBoth || request.message() == nullptr || acknowledgements() == nullptr) return;
  const int source = core_of(request.sender()), destination = core_of(request.receiver());
  if (source < 0 || destination < 0) return;
  const double latency_s = acknowledgements()->latency(source, destination, static_cast<double>(request.size()));
  if (latency_s > 0) sends()[&request] = {now(), latency_s, request.message()};
}

}  // namespace strata::mpix

namespace simgrid::smpi {

void Request::finish_wait(Request** request, MPI_Status* status) {
  static const auto behind = strata::mpix::behind<void(Request**, MPI_Status*)>(kRequestFinishWait);
  auto& sends = strata::mpix::sends();
  if (!sends.empty()) {
    if (const auto send = sends.find(*request); send != sends.end()) {
      const double left_s = send->second.acknowledged_s - strata::mpix::now();
      sends.erase(send);
      if (left_s > 0) strata::mpix::sleep_for(left_s);
    }
  }
  strata::mpix::take_received(**request);
  behind(request, status);
}

}  // namespace simgrid::smpi

namespace simgrid::kernel::activity {

void CommImpl::finish() {
  static const auto behind = strata::mpix::behind<void(CommImpl*)>(kFinish);
  auto& sends = strata::mpix::sends();
  auto* const self = reinterpret_cast<ActivityImpl*>(this);
  const auto send = std::find_if(sends.begin(), sends.end(), [self](const auto& s) {
    return s.second.message == self && s.second.acknowledged_s < 0;
  });
  if (send == sends.end()) return behind(this);
  const ActivityImplPtr message(self);  // it may be released otherwise
  behind(this);
  if (!message->done()) return;  // cancelled
  const double waited_s = message->start_time() - send->second.sent_s;
  send->second.acknowledged_s =
      strata::mpix::now() + strata::acknowledgement_after_arrival(send->second.latency_s, waited_s);
}

}  // namespace simgrid::kernel::activity
