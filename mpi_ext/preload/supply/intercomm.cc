// SPDX-License-Identifier: LGPL-2.1-only
// Intercommunicators (MPI 4.0, Section 7.6): functions that make, query, free, duplicate and merge them, and messages
// between the groups.
//
// SMPI has no such objects. But for a message, it only needs two tables of a communicator's group: from the receiver's
// rank to its actor, and from the sender's actor to its rank. So an intercommunicator is one of SMPI's communicators
// whose group maps ranks to the remote actors, and the actors of both sides to their ranks. The functions that return
// sizes and groups are here. Collectives between the groups are not implemented, and report that.
//
// Messages: the leaders exchange their groups, 8 bytes per rank, with the program's tag, and broadcast what they
// received. A merge exchanges and broadcasts 4 bytes and makes a communicator.
#include "mpi_ext/preload/supply/intercomm.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <memory>
#include <simgrid/s4u.hpp>
#include <utility>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/group_actors.h"
#include "mpi_ext/preload/supply/meeting.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

std::map<MPI_Comm, Intercomm>& intercomms() {
  static auto& all = *new std::map<MPI_Comm, Intercomm>;
  return all;
}

// Shared by both sides: the id, and the group of each side by the side's first actor.
struct Made {
  int id = -1;
  std::map<long, MPI_Group> groups;

  ~Made() {
    for (auto& [first, group] : groups) STRATA_BEHIND(Group_free)(&group);
  }
};

MPI_Group group_of(const std::vector<long>& actors) {
  MPI_Group world = MPI_GROUP_NULL, group = MPI_GROUP_NULL;
  check(STRATA_BEHIND(Comm_group)(MPI_COMM_WORLD, &world));
  std::vector<int> ranks;
  for (long actor : actors) ranks.push_back(world->rank(actor));
  const int error = STRATA_BEHIND(Group_incl)(world, static_cast<int>(ranks.size()), ranks.data(), &group);
  STRATA_BEHIND(Group_free)(&world);
  check(error);
  return group;
}

// The group that maps ranks to `remote`.
MPI_Group crossed(const std::vector<long>& local, const std::vector<long>& remote) {
  const MPI_Group group = group_of(local.size() > remote.size() ? local : remote);
  for (const auto* side : {&local, &remote}) {  // ranks map to the side that is added last
    for (std::size_t r = 0; r < side->size(); ++r) group->set_mapping((*side)[r], static_cast<int>(r));
  }
  return group;
}

// Collective over both groups. `local_comm` is a communicator of the local group.
MPI_Comm make_intercomm(std::vector<long> local, std::vector<long> remote, OwnComm local_comm) {
  static auto& meetings = *new Meetings<Made>;
  std::vector<long> all = local;
  all.insert(all.end(), remote.begin(), remote.end());
  std::sort(all.begin(), all.end());
  const long me = simgrid::s4u::this_actor::get_pid();
  const auto member = static_cast<std::size_t>(std::lower_bound(all.begin(), all.end(), me) - all.begin());
  const std::shared_ptr<Made> shared = meetings.join(all, member);
  if (shared->id < 0) shared->id = next_comm_id();
  MPI_Group& group = shared->groups[local.front()];
  if (group == MPI_GROUP_NULL) group = crossed(local, remote);
  MPI_Comm made = MPI_COMM_NULL;
  check(make_with_id(group, shared->id, &made));
  intercomms().insert_or_assign(made, Intercomm{std::move(local), std::move(remote), std::move(local_comm)});
  return made;
}

// Gives the local group the data of the other group's leader. On the local leader, calls `exchange` to get them.
template <class Exchange>
std::vector<long> from_other_leader(MPI_Comm local_comm, int leader, const Exchange& exchange) {
  std::vector<long> got;
  if (rank_in(local_comm) == leader) got = exchange();
  auto number = static_cast<int>(got.size());
  check(STRATA_BEHIND(Bcast)(&number, 1, MPI_INT, leader, local_comm));
  got.resize(number);
  check(STRATA_BEHIND(Bcast)(got.data(), number, MPI_LONG, leader, local_comm));
  return got;
}

std::vector<long> exchange_with(int peer, MPI_Comm comm, int tag, const std::vector<long>& mine) {
  auto number = static_cast<int>(mine.size());
  int coming = 0;
  check(
      STRATA_BEHIND(Sendrecv)(&number, 1, MPI_INT, peer, tag, &coming, 1, MPI_INT, peer, tag, comm, MPI_STATUS_IGNORE));
  std::vector<long> theirs(coming);
  check(STRATA_BEHIND(Sendrecv)(mine.data(), number, MPI_LONG, peer, tag, theirs.data(), coming, MPI_LONG, peer, tag,
                                comm, MPI_STATUS_IGNORE));
  return theirs;
}

OwnComm copy_of(MPI_Comm comm) { return returning_errors(private_copy(comm)); }

// Calls `body` with the intercommunicator. Fails with MPI_ERR_COMM for any other communicator.
template <class Body>
int on_intercomm(MPI_Comm comm, const Body& body) {
  return guarded(comm, [&] {
    const Intercomm* inter = intercomm_of(comm);
    if (inter == nullptr) check(MPI_ERR_COMM);
    body(*inter);
    return static_cast<int>(MPI_SUCCESS);
  });
}

constexpr int kHigh = 0;  // tag of a merge, on the intercommunicator

}  // namespace

const Intercomm* intercomm_of(MPI_Comm comm) {
  const auto& all = intercomms();
  if (all.empty()) return nullptr;
  const auto at = all.find(comm);
  return at == all.end() ? nullptr : &at->second;
}

void need_intracomm(MPI_Comm comm, const char* function) {
  if (intercomm_of(comm) == nullptr) return;
  std::fprintf(stderr, "Not yet implemented: %s on an intercommunicator\n", function);
  std::abort();
}

void forget_intercomm(MPI_Comm comm) {
  const auto forgotten = intercomms().extract(comm);  // freeing it frees its own communicators, which also come here
}

}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Intercomm_create(MPI_Comm local_comm, int local_leader, MPI_Comm peer_comm, int remote_leader, int tag,
                          MPI_Comm* newintercomm) {
  return guarded(local_comm, [&] {
    check(check_intracomm(local_comm));
    if (newintercomm == nullptr) check(MPI_ERR_ARG);
    *newintercomm = MPI_COMM_NULL;
    if (local_leader < 0 || local_leader >= size_of(local_comm)) check(MPI_ERR_RANK);
    std::vector<long> local = members_of(local_comm);
    OwnComm copy = copy_of(local_comm);
    std::vector<long> remote = from_other_leader(copy.get(), local_leader,
                                                 [&] { return exchange_with(remote_leader, peer_comm, tag, local); });
    *newintercomm = make_intercomm(std::move(local), std::move(remote), std::move(copy));
    inherit_errhandler(local_comm, *newintercomm);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Intercomm_merge(MPI_Comm comm, int high, MPI_Comm* newintracomm) {
  return on_intercomm(comm, [&](const Intercomm& inter) {
    if (newintracomm == nullptr) check(MPI_ERR_ARG);
    *newintracomm = MPI_COMM_NULL;
    const long mine = high != 0 ? 1 : 0;
    const long theirs =
        from_other_leader(inter.local_comm.get(), 0, [&] { return exchange_with(0, comm, kHigh, {mine}); }).front();
    // If both sides pass the same value, the group with the lowest actor comes first.
    const bool lowest = *std::min_element(inter.local.begin(), inter.local.end()) <
                        *std::min_element(inter.remote.begin(), inter.remote.end());
    const bool first = mine != theirs ? mine < theirs : lowest;
    std::vector<long> all = first ? inter.local : inter.remote;
    const std::vector<long>& others = first ? inter.remote : inter.local;
    all.insert(all.end(), others.begin(), others.end());
    MPI_Group group = group_of(all);
    const int error = STRATA_BEHIND(Comm_create)(MPI_COMM_WORLD, group, newintracomm);
    STRATA_BEHIND(Group_free)(&group);
    check(error);
    inherit_errhandler(comm, *newintracomm);
  });
}

int PMPI_Comm_test_inter(MPI_Comm comm, int* flag) {
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  if (flag == nullptr) return MPI_ERR_ARG;
  *flag = intercomm_of(comm) != nullptr ? 1 : 0;
  return MPI_SUCCESS;
}

int PMPI_Comm_size(MPI_Comm comm, int* size) {
  const Intercomm* inter = intercomm_of(comm);
  if (inter == nullptr || size == nullptr) return STRATA_BEHIND(Comm_size)(comm, size);
  *size = static_cast<int>(inter->local.size());
  return MPI_SUCCESS;
}

int PMPI_Comm_group(MPI_Comm comm, MPI_Group* group) {
  const Intercomm* inter = intercomm_of(comm);
  if (inter == nullptr || group == nullptr) return STRATA_BEHIND(Comm_group)(comm, group);
  return guarded(comm, [&] {
    *group = group_of(inter->local);
    return static_cast<int>(MPI_SUCCESS);
  });
}

int PMPI_Comm_remote_size(MPI_Comm comm, int* size) {
  return on_intercomm(comm, [&](const Intercomm& inter) {
    if (size == nullptr) check(MPI_ERR_ARG);
    *size = static_cast<int>(inter.remote.size());
  });
}

int PMPI_Comm_remote_group(MPI_Comm comm, MPI_Group* group) {
  return on_intercomm(comm, [&](const Intercomm& inter) {
    if (group == nullptr) check(MPI_ERR_ARG);
    *group = group_of(inter.remote);
  });
}

int PMPI_Comm_dup(MPI_Comm comm, MPI_Comm* newcomm) {
  if (intercomm_of(comm) == nullptr || newcomm == nullptr) return STRATA_BEHIND(Comm_dup)(comm, newcomm);
  return on_intercomm(comm, [&](const Intercomm& inter) {
    *newcomm = make_intercomm(inter.local, inter.remote, copy_of(inter.local_comm.get()));
    inherit_errhandler(comm, *newcomm);
  });
}

int PMPI_Comm_free(MPI_Comm* comm) {
  if (comm != nullptr) forget_intercomm(*comm);
  return STRATA_BEHIND(Comm_free)(comm);
}

int PMPI_Comm_disconnect(MPI_Comm* comm) {
  if (comm != nullptr) forget_intercomm(*comm);
  return STRATA_BEHIND(Comm_disconnect)(comm);
}

// Programs are never spawned by another.
int PMPI_Comm_get_parent(MPI_Comm* parent) {
  if (parent == nullptr) return MPI_ERR_ARG;
  *parent = MPI_COMM_NULL;
  return MPI_SUCCESS;
}
}

// SMPI would treat an intercommunicator as a communicator of the remote group. Its blocking collectives call these too.
// The others are in collectives.cc and reductions.cc.
#define STRATA_INTRACOMM_ONLY(name, parameters, arguments) \
  extern "C" int PMPI_##name parameters {                  \
    need_intracomm(comm, "MPI_" #name);                    \
    return STRATA_BEHIND(name) arguments;                  \
  }
STRATA_INTRACOMM_ONLY(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
STRATA_INTRACOMM_ONLY(Ibcast,
                      (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request* request),
                      (buffer, count, type, root, comm, request))
STRATA_INTRACOMM_ONLY(Igather,
                      (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request),
                      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request))
STRATA_INTRACOMM_ONLY(Igatherv,
                      (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                       const int* displs, MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request),
                      (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, root, comm, request))
STRATA_INTRACOMM_ONLY(Iscatter,
                      (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, int root, MPI_Comm comm, MPI_Request* request),
                      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request))
STRATA_INTRACOMM_ONLY(Iscatterv,
                      (const void* sendbuf, const int* sendcounts, const int* displs, MPI_Datatype sendtype,
                       void* recvbuf, int recvcount, MPI_Datatype recvtype, int root, MPI_Comm comm,
                       MPI_Request* request),
                      (sendbuf, sendcounts, displs, sendtype, recvbuf, recvcount, recvtype, root, comm, request))
STRATA_INTRACOMM_ONLY(Iallgather,
                      (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                       MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
                      (sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, request))
STRATA_INTRACOMM_ONLY(Iallgatherv,
                      (const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, const int* recvcounts,
                       const int* displs, MPI_Datatype recvtype, MPI_Comm comm, MPI_Request* request),
                      (sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, request))
#undef STRATA_INTRACOMM_ONLY
