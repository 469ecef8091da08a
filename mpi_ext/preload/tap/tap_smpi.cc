// SPDX-License-Identifier: LGPL-2.1-only
// The tap under SMPI. Every message that the simulation sends is a request that is started, even inside SMPI's own
// collectives and one-sided operations. libsimgrid calls Request::start through its procedure linkage table (PLT), so a
// library preloaded into the simulator can wrap it.
//
// The sender of a get is its target, because the message flows from there, but the origin's actor reports it. The tap
// does not change the costs of operations for processes and network.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <simgrid/s4u/Actor.hpp>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/preload/tap/acknowledge_smpi.h"
#include "mpi_ext/preload/tap/buffers_smpi.h"
#include "mpi_ext/preload/tap/listeners.h"
#include "mpi_ext/preload/tap/outermost_call.h"
#include "mpi_ext/preload/tap/peers.h"
#include "mpi_ext/preload/tap/receive_smpi.h"
#include "sim/simgrid/datatype.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

// Whether the request has the declared layout. Another build of the same version may have a different one. While there
// are listeners, every request is checked: this is cheap compared with simulating a message.
bool plausible(const Request& request) {
  const unsigned way = request.flags() & (Request::kSend | Request::kReceive);
  if (request.flags() >= 2 * Request::kLast || way != Request::kSend) return false;
  if (simgrid::s4u::Actor::by_pid(request.sender()) == nullptr) return false;
  if (simgrid::s4u::Actor::by_pid(request.receiver()) == nullptr) return false;
  // Not MPI_Type_size, which leaves out the padding that is sent with types like MPI_LONG_DOUBLE_INT.
  const std::size_t element = request.type()->size();
  return element == 0 ? request.size() == 0 : request.size() % element == 0;
}

// The depth of nested reported calls, by actor.
class Depths {
 public:
  // Returns whether it is the outermost call.
  bool enter() {
    const std::lock_guard lock(mutex_);
    return depth_[calling_process()]++ == 0;
  }
  void leave() {
    const std::lock_guard lock(mutex_);
    const auto it = depth_.find(calling_process());
    if (--it->second == 0) depth_.erase(it);
  }
  bool within() {
    const std::lock_guard lock(mutex_);
    return depth_.find(calling_process()) != depth_.end();
  }

 private:
  std::mutex mutex_;
  std::map<ProcessId, int> depth_;
};

Depths& depths() {
  static Depths all;
  return all;
}

// SMPI's own tags are negative, except in some collectives that receive any tag.
MessageKind kind_of(const Request& request) {
  if ((request.flags() & Request::kOneSided) != 0) return MessageKind::kOneSided;
  return request.tag() < 0 || depths().within() ? MessageKind::kInternal : MessageKind::kExternal;
}

void started(const Request& request) {
  if ((request.flags() & Request::kReceive) != 0) return;
  if (request.receiver() < 0) return;  // no receiver: a child in a tree over one rank
  if (!plausible(request)) {
    std::fprintf(stderr,
                 "libmpix_monitoring_smpi: SMPI's requests are not those of SimGrid %d.%d: run with the one that the "
                 "library was built for\n",
                 SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR);
    std::abort();
  }
  tell(kind_of(request), request.sender(), request.receiver(), request.size());
}

}  // namespace

Call::Call() : outermost_(depths().enter()) {}
Call::~Call() { depths().leave(); }

ProcessId calling_process() { return simgrid::s4u::this_actor::get_pid(); }

ProcessId peer(MPI_Comm comm, int rank) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  const aid_t actor = group->actor(rank);
  PMPI_Group_free(&group);
  return actor < 0 ? kNobody : actor;
}

int tap_sees() {
  return MPI_M_ALL_COMM | MPI_M_SEES_DECOMPOSED | MPI_M_SEES_MPIX | MPI_M_SEES_EXTERNAL | MPI_M_SEES_RESULTS;
}

}  // namespace strata::mpix

namespace simgrid::smpi {

void Request::start() {
  // A member function is called like a function whose first argument is the object.
  static const auto behind = reinterpret_cast<void (*)(Request*)>(::dlsym(RTLD_NEXT, kRequestStart));
  if (strata::mpix::anybody_listens()) strata::mpix::started(*this);
  strata::mpix::note_end(*this);
  strata::mpix::note_buffer(*this);
  behind(this);
  strata::mpix::note_start(*this);
}

}  // namespace simgrid::smpi
