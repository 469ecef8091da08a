// SPDX-License-Identifier: LGPL-2.1-only
// SMPI has a callback for the cost of a receive (SmpiOperation::RECV), but calls it for eager messages only, and also
// for the target's part of one-sided operations, which costs a target nothing. So the cost is charged here.
#include "mpi_ext/preload/tap/receive_smpi.h"

#include <unordered_map>

#include "mpi_ext/preload/tap/smpi_actors.h"
#include "records/exchange/address.h"
#include "records/exchange/receive_overhead.h"
#include "records/exchange/searched_list.h"
#include "sim/simgrid/comm.h"

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

// A message or a receive, and what is compared to find out whether they belong together.
struct End {
  int communicator;
  aid_t sender;
  int tag;
  const Request* receive = nullptr;  // of receives
  int passed = 0;                    // of messages: receives that it has passed
};

bool match(const End& message, const End& receive) {
  return message.communicator == receive.communicator &&
         (receive.sender == MPI_ANY_SOURCE || receive.sender == message.sender) &&
         (receive.tag == message.tag || (receive.tag == MPI_ANY_TAG && message.tag >= 0));
}

// As the library that is simulated keeps them. SMPI has lists of its own, which take no time.
struct Lists {
  SearchedList<End> messages, receives;
};

// By receiver.
Lists& lists_of(aid_t receiver) {
  static std::unordered_map<aid_t, Lists> all;
  return all[receiver];
}

// Receives that have started and not ended, by how many entries were passed to find their message.
std::unordered_map<const Request*, int>& all_passed() {
  static std::unordered_map<const Request*, int> all;
  return all;
}

void search(const Request& request) {
  if ((request.flags() & (Request::kOneSided | Request::kGeneralized)) != 0 || request.receiver() < 0) return;
  End end{request.communicator()->id(), request.sender(), request.tag()};
  Lists& lists = lists_of(request.receiver());
  if ((request.flags() & Request::kSend) != 0) {
    const auto [passed, receive] = lists.receives.take_first([&](const End& r) { return match(end, r); });
    end.passed = passed;
    if (!receive) return lists.messages.add(end);
    all_passed()[receive->receive] += passed;
  } else if ((request.flags() & Request::kReceive) != 0) {
    end.receive = &request;
    const auto [passed, message] = lists.messages.take_first([&](const End& m) { return match(m, end); });
    if (!message) lists.receives.add(end);
    all_passed()[&request] = passed + (message ? message->passed : 0);
  }
}

// The receive ends.
int take_passed(const Request& request) {
  const auto at = all_passed().find(&request);
  if (at == all_passed().end()) return 0;
  const int passed = at->second;
  all_passed().erase(at);
  if ((request.flags() & Request::kCancelled) != 0)
    lists_of(request.receiver()).receives.take_first([&](const End& r) { return r.receive == &request; });
  return passed;
}

}  // namespace

void note_end(const Request& request) {
  if (receive_overheads() == nullptr) return;
  if ((request.flags() & Request::kSend) != 0) {
    if (const auto [at, first] = senders().try_emplace(request.sender(), -1); first) at->second = core_of(at->first);
  }
  if (receive_overheads()->queue_search() > 0) search(request);
}

void take_received(const Request& request) {
  if (receive_overheads() == nullptr) return;
  const int passed = take_passed(request);
  if (!is_received_message(request)) return;
  const aid_t sender = request.sender() > 0 ? request.sender() : request.real_sender();
  const auto source = senders().find(sender);
  const int destination = core_of(request.receiver());
  if (source == senders().end() || source->second < 0 || destination < 0) return;  // MPI_PROC_NULL
  const double overhead_s =
      receive_overheads()->receive_overhead(source->second, destination, static_cast<double>(request.real_size())) +
      passed * receive_overheads()->queue_search();
  if (overhead_s > 0) sleep_for(overhead_s);
}

}  // namespace strata::mpix
