// SPDX-License-Identifier: LGPL-2.1-only
// SMPI has a callback for the cost of a receive (SmpiOperation::RECV), but calls it for eager messages only, and also
// for the target's part of one-sided operations, which costs a target nothing. So the cost is charged here.
#include "mpi_ext/preload/tap/receive_smpi.h"

#include <unordered_map>

#include "mpi_ext/preload/tap/smpi_actors.h"
#include "records/exchange/address.h"
#include "records/exchange/receive_overhead.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

// Null if the machine states no receive overheads.
ReceiveOverheads* receive_overheads() {
  static auto* const found = address_in<ReceiveOverheads>(
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property(kReceiveOverheadProperty));
  return found;
}

// Where senders are, or were: a message may be taken after its sender has ended.
std::unordered_map<aid_t, int>& senders() {
  static std::unordered_map<aid_t, int> cores;
  return cores;
}

bool is_received_message(const Request& request) {
  constexpr unsigned kNone =
      Request::kPrepared | Request::kFinished | Request::kOneSided | Request::kGeneralized | Request::kCancelled;
  return (request.flags() & Request::kReceive) != 0 && (request.flags() & kNone) == 0;
}

}  // namespace

void note_sender(const Request& request) {
  if ((request.flags() & Request::kSend) == 0 || receive_overheads() == nullptr) return;
  if (const auto [at, first] = senders().try_emplace(request.sender(), -1); first) at->second = core_of(at->first);
}

void take_received(const Request& request) {
  if (receive_overheads() == nullptr || !is_received_message(request)) return;
  const aid_t sender = request.sender() > 0 ? request.sender() : request.real_sender();
  const auto source = senders().find(sender);
  const int destination = core_of(request.receiver());
  if (source == senders().end() || source->second < 0 || destination < 0) return;  // MPI_PROC_NULL
  const double overhead_s =
      receive_overheads()->receive_overhead(source->second, destination, static_cast<double>(request.real_size()));
  if (overhead_s > 0) sleep_for(overhead_s);
}

}  // namespace strata::mpix
