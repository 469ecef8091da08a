// SPDX-License-Identifier: LGPL-2.1-only
// Whether a message fits its receive: it is not longer, and both have the same type signature. SMPI asks
// Request::match_recv whether a send and a receive meet, so both are known there:
//
//   rank 0: MPI_Send(x, 4, MPI_INT, 1, ...)    rank 1: MPI_Recv(y, 4, MPI_FLOAT, 0, ...)     MPI_INT is not MPI_FLOAT
//
// The two calls are noted when their requests start.
#include <dlfcn.h>

#include <optional>
#include <string>
#include <unordered_map>

#include "mpi_ext/preload/checks/buffers.h"
#include "mpi_ext/preload/checks/by_rank.h"
#include "mpi_ext/preload/checks/checks.h"
#include "mpi_ext/preload/checks/current.h"
#include "mpi_ext/preload/checks/requests.h"
#include "mpi_ext/preload/checks/signature.h"
#include "sim/simgrid/communication.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

// The calls that the ranks are in, if these are of messages.
ByRank<std::optional<PastCall>>& calls() {
  static auto& all = *new ByRank<std::optional<PastCall>>;
  return all;
}

// The program's messages that have not met.
std::unordered_map<const Request*, PastCall>& started() {
  static auto& all = *new std::unordered_map<const Request*, PastCall>;
  return all;
}

bool is_of_messages(Function function) {
  switch (function) {
    case kMPI_Send:
    case kMPI_Bsend:
    case kMPI_Ssend:
    case kMPI_Rsend:
    case kMPI_Isend:
    case kMPI_Ibsend:
    case kMPI_Issend:
    case kMPI_Irsend:
    case kMPI_Recv:
    case kMPI_Irecv:
    case kMPI_Sendrecv:
    case kMPI_Sendrecv_replace:
    case kMPI_Start:
    case kMPI_Startall:
    case kMPI_Mrecv:
    case kMPI_Imrecv:
      return true;
    default:
      return false;
  }
}

Data data_of_request(const Request& request, long bytes) {
  Data data = data_of(0, request.type());
  data.count = data.type->size > 0 ? bytes / data.type->size : 0;
  return data;
}

void compare(const Request& send, const Request& receive) {
  const auto sent = started().find(&send), received = started().find(&receive);
  if (sent == started().end() || received == started().end()) return;
  const PastCall sender = sent->second, receiver = received->second;
  started().erase(sent);
  started().erase(&receive);
  if (send.type() == nullptr || receive.type() == nullptr) return;
  if (send.type() == receive.type() && send.size() <= receive.size()) return;
  const Data from = data_of_request(send, static_cast<long>(send.size()));
  const Data to = data_of_request(receive, static_cast<long>(receive.size()));
  bool too_long = false;
  if (!disagreement(from, to, false, too_long)) return;
  report({.kind = "matching",
          .check = too_long ? "truncation" : "message-type",
          .call = receiver,
          .text = "it has room for " + text_of(to),
          .others = {{sender, "it sends " + text_of(from)}},
          .rule =
              too_long ? "a message is not longer than its receive" : "a message has the type signature of its receive",
          .source = too_long ? "MPI 4.1, Section 3.2.4" : "MPI 4.1, Section 3.3.1"});
}

constexpr unsigned kProbe = 0x10;  // of Request's flags (private.hpp)

void meet(const Request& send, const Request& receive) {
  if ((send.flags() & kProbe) != 0 || (receive.flags() & kProbe) != 0 || !checking()) return;
  compare(send, receive);
}

}  // namespace

void enter_messages(const Call& call) {
  if (is_of_messages(call.function())) calls()[call.rank()] = past(call);
}

void leave_messages(int rank) { calls()[rank].reset(); }

}  // namespace strata::mpix

namespace simgrid::smpi {

void Request::start() {
  static const auto next = reinterpret_cast<void (*)(Request*)>(::dlsym(RTLD_NEXT, kRequestStart));
  if (strata::mpix::checking()) {
    using namespace strata::mpix;
    const int caller = current_rank();
    const std::optional<PastCall> call = caller < 0 ? std::nullopt : calls()[caller];
    // SMPI's own tags are negative.
    const bool programs = tag_ >= 0 || ((flags_ & kReceive) != 0 && tag_ == MPI_ANY_TAG);
    if (call && programs && (flags_ & kOneSided) == 0) {
      // Where it meets its partner, the simulator itself runs, which cannot ask SMPI for the signature.
      if (type_ != nullptr) signature_of(type_);
      started().insert_or_assign(this, *call);
    } else {
      started().erase(this);
    }
  }
  next(this);
  if (strata::mpix::checking() && (flags_ & (kReceive | strata::mpix::kProbe)) == kReceive) {
    const int rank = strata::mpix::current_rank();
    if (rank >= 0) strata::mpix::note_started_receive(rank, *this);
  }
}

}  // namespace simgrid::smpi

extern "C" {

// A send meets a receive if this says so. SMPI also asks match_send, which knows less.
bool strata_match_receive(void* receive, void* send, simgrid::kernel::activity::CommImpl* message) asm(
    "_ZN7simgrid4smpi7Request10match_recvEPvS2_PNS_6kernel8activity8CommImplE");

bool strata_match_receive(void* receive, void* send, simgrid::kernel::activity::CommImpl* message) {
  static const auto next = reinterpret_cast<decltype(&strata_match_receive)>(
      ::dlsym(RTLD_NEXT, "_ZN7simgrid4smpi7Request10match_recvEPvS2_PNS_6kernel8activity8CommImplE"));
  if (!next(receive, send, message)) return false;
  using simgrid::smpi::Request;
  strata::mpix::meet(*static_cast<const Request*>(send), *static_cast<const Request*>(receive));
  return true;
}
}
