// SPDX-License-Identifier: LGPL-2.1-only
// Makes communicators of many ranks under SMPI, and communicators of the ranks on one simulated node.
//
// SMPI gives each rank a copy of its group, with an entry for every actor. It gathers the colours of MPI_Comm_split
// linearly, and broadcasts the communicator's id with the algorithm selected for the program's broadcasts, some of
// which send O(P^2) messages. Here, the ranks of a new communicator share one group and learn its id without a message,
// because all run in one process. The messages of a real machine are still sent, and take their simulated time:
//   - MPI_Comm_split, MPI_Comm_split_type: an MPI_Allgather of colour and key, 8 bytes from each rank.
//   - MPI_Comm_idup: a nonblocking broadcast of 4 bytes over the old communicator.
//   - Every other new communicator: a broadcast of 4 bytes along a binomial tree over its ranks.
#include <dlfcn.h>
#include <mpi.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/group_actors.h"
#include "mpi_ext/preload/supply/intercomm.h"
#include "mpi_ext/preload/supply/meeting.h"
#include "mpi_ext/preload/supply/split_groups.h"
#include "records/exchange/exchanged_words.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::F2C;
using simgrid::smpi::Group;

// The group and the id of a new communicator, shared by its ranks.
struct Made {
  Group* group = nullptr;
  int id = 0;

  Made() = default;
  Made(const Made&) = delete;
  Made& operator=(const Made&) = delete;
  ~Made() {
    if (group != nullptr) Group::unref(group);
  }
};

// The arguments and results of a split, shared by the ranks of the old communicator.
struct Split {
  std::vector<ColorKey> by_rank;
  std::vector<ColorKey> received;              // receive buffer; the contents are known
  std::map<int, std::shared_ptr<Made>> parts;  // by colour
};

// Not destroyed when the process ends, because SMPI's own objects are then gone.
Meetings<Made>& makings() {
  static auto& all = *new Meetings<Made>;
  return all;
}
Meetings<Split>& splits() {
  static auto& all = *new Meetings<Split>;
  return all;
}

// The id of a communicator whose messages have already been sent, or MPI_UNDEFINED. Between setting it and the
// constructor, no other rank runs.
int g_given_id = MPI_UNDEFINED;

// Returns the object that the ranks of `group` share. The first rank provides the group that all use; for the other
// ranks, it replaces `group`.
std::shared_ptr<Made> join(Group*& group, const std::vector<long>& members, int rank) {
  std::shared_ptr<Made> made = makings().join(members, static_cast<std::size_t>(rank));
  if (made->group == nullptr) {
    made->group = group;
    made->id = next_comm_id();
  } else {
    Group::unref(group);
    group = made->group;
  }
  group->ref();
  return made;
}

using Constructor = void(void* comm, Group* group, void* topology, bool smp, int id);

void construct(void* comm, Group* group, void* topology, bool smp, int id) {
  static auto* const smpis = behind<Constructor>(STRATA_COMM_CONSTRUCTOR);
  forget_intercomm(static_cast<MPI_Comm>(comm));  // an old one at this address, freed by Fortran
  const auto make = [&](int with_id) {
    smpis(comm, group, topology, smp, with_id);
    static_cast<F2C*>(comm)->add_f();  // F2C is Comm's first base class
    static_cast<F2C*>(static_cast<void*>(group))->c2f();
  };
  if (const int given = std::exchange(g_given_id, MPI_UNDEFINED); given != MPI_UNDEFINED) return make(given);
  const int rank = smp || id != MPI_UNDEFINED ? MPI_UNDEFINED : group->rank(simgrid::s4u::this_actor::get_pid());
  if (rank == MPI_UNDEFINED) return smpis(comm, group, topology, smp, id);
  const std::vector<long> members = members_of(group);
  const std::shared_ptr<Made> made = join(group, members, rank);
  make(made->id);
  int sent = made->id;
  if (members.size() > 1) simgrid::smpi::bcast__binomial_tree(&sent, 1, MPI_INT, 0, static_cast<MPI_Comm>(comm));
}

// The name of the node that a host is on.
std::string node_of(const simgrid::s4u::Host& host) {
  // get_name()'s string type differs in SimGrid with its checker.
  const char* number = host.get_property(words::kNodeProperty);
  return number != nullptr ? std::string("node") + number : std::string(host.get_cname());
}

// A number for each node, the same for all ranks.
int number_of(const std::string& node) {
  static auto& numbers = *new std::map<std::string, int>;
  return numbers.try_emplace(node, static_cast<int>(numbers.size())).first->second;
}

// Makes the groups described by `shared`, from ranks of `group`.
void make_parts(Split& shared, MPI_Group group) {
  for (const auto& [color, ranks] : split_groups(shared.by_rank, MPI_UNDEFINED)) {
    auto part = std::make_shared<Made>();
    STRATA_BEHIND(Group_incl)(group, static_cast<int>(ranks.size()), ranks.data(), &part->group);
    part->id = next_comm_id();
    shared.parts.emplace(color, std::move(part));
  }
}

int split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  *newcomm = MPI_COMM_NULL;
  int rank = 0;
  if (const int error = STRATA_BEHIND(Comm_rank)(comm, &rank)) return error;
  const std::vector<long> members = members_of(comm);
  const std::shared_ptr<Split> shared = splits().join(members, static_cast<std::size_t>(rank));
  shared->by_rank.resize(members.size());
  shared->received.resize(members.size());
  const ColorKey mine = {.color = color, .key = key};
  shared->by_rank[rank] = mine;
  // When this returns, all ranks have arrived.
  const int error = STRATA_BEHIND(Allgather)(&mine, 2, MPI_INT, shared->received.data(), 2, MPI_INT, comm);
  if (error != MPI_SUCCESS || color == MPI_UNDEFINED) return error;
  if (shared->parts.empty()) {
    MPI_Group group = MPI_GROUP_NULL;
    STRATA_BEHIND(Comm_group)(comm, &group);
    make_parts(*shared, group);
    STRATA_BEHIND(Group_free)(&group);
  }
  const Made& part = *shared->parts.at(color);
  return make_with_id(part.group, part.id, newcomm);
}

}  // namespace

int next_comm_id() {
  static int next = 0;
  return next++;
}

int make_with_id(MPI_Group group, int id, MPI_Comm* made) {
  g_given_id = id;
  return STRATA_BEHIND(Comm_create)(MPI_COMM_WORLD, group, made);
}

}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int strata_comm_id(const void* comm) asm("_ZNK7simgrid4smpi4Comm2idEv");

// SMPI makes every communicator with this constructor.
void strata_construct_comm(void* comm, simgrid::smpi::Group* group, void* topology, bool smp,
                           int id) asm(STRATA_COMM_CONSTRUCTOR);
void strata_construct_comm(void* comm, simgrid::smpi::Group* group, void* topology, bool smp, int id) {
  construct(comm, group, topology, smp, id);
}

// SMPI's Fortran interface asks a null communicator for its handle if MPI_Comm_split returns none: -1 in SMPI's mpif.h.
int strata_fortran_handle(simgrid::smpi::F2C* object) asm("_ZN7simgrid4smpi3F2C3c2fEv");
int strata_fortran_handle(simgrid::smpi::F2C* object) {
  static auto* const smpis = behind<int(simgrid::smpi::F2C*)>(simgrid::smpi::kFortranHandle);
  return object == nullptr ? -1 : smpis(object);
}

// SMPI does not notice a process that is not in the old communicator.
int PMPI_Comm_create(MPI_Comm comm, MPI_Group group, MPI_Comm* newcomm) {
  if (comm != MPI_COMM_NULL && group != MPI_GROUP_NULL && newcomm != nullptr) {
    need_intracomm(comm, "MPI_Comm_create");
    MPI_Group all = MPI_GROUP_NULL;
    STRATA_BEHIND(Comm_group)(comm, &all);
    const std::vector<long> members = members_of(group);
    const bool within =
        std::all_of(members.begin(), members.end(), [all](long member) { return all->rank(member) != MPI_UNDEFINED; });
    STRATA_BEHIND(Group_free)(&all);
    if (!within) return MPI_ERR_GROUP;
  }
  return STRATA_BEHIND(Comm_create)(comm, group, newcomm);
}

int PMPI_Comm_split(MPI_Comm comm, int color, int key, MPI_Comm* newcomm) {
  if (newcomm == nullptr) return MPI_ERR_ARG;
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  need_intracomm(comm, "MPI_Comm_split");
  if (color < 0 && color != MPI_UNDEFINED) return MPI_ERR_ARG;
  return split(comm, color, key, newcomm);
}

int PMPI_Comm_split_type(MPI_Comm comm, int split_type, int key, MPI_Info, MPI_Comm* newcomm) {
  if (newcomm == nullptr) return MPI_ERR_ARG;
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  need_intracomm(comm, "MPI_Comm_split_type");
  *newcomm = MPI_COMM_NULL;
  if (split_type != MPI_COMM_TYPE_SHARED && split_type != MPI_UNDEFINED) return MPI_ERR_ARG;
  const int node = number_of(node_of(*simgrid::s4u::this_actor::get_host()));
  return split(comm, split_type == MPI_UNDEFINED ? MPI_UNDEFINED : node, key, newcomm);
}

// The node, not the core, because programs count nodes by this name.
int PMPI_Get_processor_name(char* name, int* resultlen) {
  if (name == nullptr || resultlen == nullptr) return MPI_ERR_ARG;
  const std::string node = node_of(*simgrid::s4u::this_actor::get_host()).substr(0, MPI_MAX_PROCESSOR_NAME - 1);
  std::memcpy(name, node.c_str(), node.size() + 1);
  *resultlen = static_cast<int>(node.size());
  return MPI_SUCCESS;
}

// The communicator exists when this returns, and the request is the broadcast of its id, so no rank waits for another
// here.
int PMPI_Comm_idup(MPI_Comm comm, MPI_Comm* newcomm, MPI_Request* request) {
  if (request == nullptr || newcomm == nullptr) return MPI_ERR_ARG;
  if (comm == MPI_COMM_NULL) return MPI_ERR_COMM;
  if (intercomm_of(comm) != nullptr) {
    if (const int error = PMPI_Comm_dup(comm, newcomm)) return error;
    return STRATA_BEHIND(Ibarrier)(MPI_COMM_SELF, request);  // complete immediately
  }
  int rank = 0;
  if (const int error = STRATA_BEHIND(Comm_rank)(comm, &rank)) return error;
  static auto& duplicates = *new Meetings<int>;
  std::vector<long> members = members_of(comm);
  members.push_back(strata_comm_id(comm));  // ranks may duplicate two communicators of one group in any order
  members.push_back(0);
  const std::shared_ptr<int> id = duplicates.join(members, static_cast<std::size_t>(rank));
  if (*id == 0) *id = next_comm_id() + 1;
  g_given_id = *id - 1;
  if (const int error = STRATA_BEHIND(Comm_dup)(comm, newcomm)) return error;
  static int sent = 0;
  return STRATA_BEHIND(Ibcast)(&sent, 1, MPI_INT, 0, comm, request);
}
}
