// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/cancelled_sends.h"

#include <set>
#include <tuple>

#include "mpi_ext/preload/supply/behind.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

// The communicator's id, sender and receiver as its ranks, tag, and number of the message.
using Cancelled = std::tuple<int, int, int, int, unsigned>;

std::set<Cancelled>& all() {
  static std::set<Cancelled> sends;
  return sends;
}

}  // namespace

void note_cancelled_send(const SMPI_Request& send) {
  const MPI_Comm comm = send.communicator();
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  all().emplace(comm->id(), group->rank(send.sender()), group->rank(send.receiver()), send.tag(),
                send.message_number());
  PMPI_Group_free(&group);
}

}  // namespace strata::mpix

namespace simgrid::smpi {

// SMPI compares the number with that of a message that the receiver may get.
unsigned Comm::get_received_messages_count(int sender, int receiver, int tag) {
  static auto* const smpis = strata::mpix::behind<unsigned(Comm*, int, int, int)>(kReceivedMessages);
  unsigned next = smpis(this, sender, receiver, tag);
  while (!strata::mpix::all().empty() && strata::mpix::all().erase({id(), sender, receiver, tag, next}) > 0) {
    increment_received_messages_count(sender, receiver, tag);
    next = smpis(this, sender, receiver, tag);
  }
  return next;
}

}  // namespace simgrid::smpi
