// SPDX-License-Identifier: LGPL-2.1-only
// Tells SMPI's two-level algorithms which ranks share a host, without a message.
//
// The first of these algorithms on a communicator calls Comm::init_smp. SMPI's version exchanges the hosts' leaders and
// sizes by ordinary messages, O(P^2) of them, and each rank then compares all pairs of leaders. The program waits for
// this in simulated time, in its first collective: 3.3 ms on 512 ranks, where the next one takes 30 us. (Open MPI's
// k-nomial broadcast, as SMPI has it, is one of these algorithms, and reductions end in it.) A real MPI library knows
// the hosts of its ranks since MPI_Init. Here, the first rank that asks computes the result from the placement, and all
// ranks share it. The communicator of a host is made when a rank uses it.
//
// Results are those of SMPI's version, so each call takes the time that the second call took with it. Under Strata, a
// host of SimGrid is a core.
#include <mpi.h>

#include <cstddef>
#include <map>
#include <memory>
#include <simgrid/s4u.hpp>
#include <unordered_map>
#include <utility>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/nodes.h"
#include "sim/simgrid/comm.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Comm;
using simgrid::smpi::Group;

// The group of the communicator that is being made. Between setting it and the constructor, no other rank runs.
Group* g_group = nullptr;

// A communicator of these ranks of `comm`, of the kind that draws no id. The caller need not be one of them.
Comm* make(Comm* comm, const std::vector<int>& ranks) {
  STRATA_BEHIND(Group_incl)(comm->group(), static_cast<int>(ranks.size()), ranks.data(), &g_group);
  int leader = 0;
  return comm->find_intra_comm(&leader);  // the constructor below replaces the group
}

// The hosts of a communicator, shared by its ranks.
struct TwoLevel {
  Nodes nodes;
  Comm* leaders = nullptr;

  explicit TwoLevel(Comm* comm) {
    Group* group = comm->group();
    int size = 0;
    STRATA_BEHIND(Group_size)(group, &size);
    std::vector<long> actors(size);
    std::vector<int> hosts(actors.size());
    std::unordered_map<const simgrid::s4u::Host*, int> numbers;
    for (std::size_t r = 0; r < actors.size(); ++r) {
      actors[r] = group->actor(static_cast<int>(r));
      const simgrid::s4u::ActorPtr actor = simgrid::s4u::Actor::by_pid(actors[r]);
      const simgrid::s4u::Host* host = actor ? actor->get_host() : nullptr;
      hosts[r] = numbers.try_emplace(host, static_cast<int>(numbers.size())).first->second;
    }
    nodes = nodes_of(actors, hosts);
    std::vector<int> first;
    for (const std::vector<int>& ranks : nodes.ranks) first.push_back(ranks.front());
    leaders = make(comm, first);
  }
  TwoLevel(const TwoLevel&) = delete;
  TwoLevel& operator=(const TwoLevel&) = delete;
  ~TwoLevel() { Comm::unref(leaders); }
};

// The hosts of one object of SMPI. MPI_COMM_WORLD is one object for all ranks; of other communicators, each rank has
// one.
struct Known {
  std::shared_ptr<TwoLevel> shared;
  std::unordered_map<int, Comm*> intra;  // by host

  explicit Known(std::shared_ptr<TwoLevel> levels) : shared(std::move(levels)) {}
  Known(const Known&) = delete;
  Known& operator=(const Known&) = delete;
  ~Known() {
    for (const auto& [host, comm] : intra) Comm::unref(comm);
  }
};

// Not destroyed when the process ends, because SMPI's own objects are then gone.
std::unordered_map<const Comm*, Known>& all_known() {
  static auto& all = *new std::unordered_map<const Comm*, Known>;
  return all;
}

Known* known(const Comm* comm) {
  const auto found = all_known().find(comm);
  return found == all_known().end() ? nullptr : &found->second;
}

// Objects of one communicator have the same id, and the same first actor unless they are the two sides of an
// intercommunicator. Communicators that have drawn no id have only one object.
std::shared_ptr<TwoLevel> shared_by_ranks(Comm* comm) {
  if (comm->id() == MPI_UNDEFINED) return std::make_shared<TwoLevel>(comm);
  static auto& all = *new std::map<std::pair<int, long>, std::weak_ptr<TwoLevel>>;
  std::weak_ptr<TwoLevel>& levels = all[{comm->id(), comm->group()->actor(0)}];
  if (std::shared_ptr<TwoLevel> made = levels.lock()) return made;
  std::erase_if(all, [&](const auto& entry) { return &entry.second != &levels && entry.second.expired(); });
  auto made = std::make_shared<TwoLevel>(comm);
  levels = made;
  return made;
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

namespace simgrid::smpi {

void Comm::init_smp() {
  if (known(this) == nullptr) all_known().try_emplace(this, shared_by_ranks(this));
}

void Comm::cleanup_smp() {
  const auto forgotten = all_known().extract(this);  // communicators in it come back to this function
}

Comm* Comm::get_leaders_comm() const {
  const Known* here = known(this);
  return here == nullptr ? nullptr : here->shared->leaders;
}

Comm* Comm::get_intra_comm() const {
  Known* here = known(this);
  if (here == nullptr) return nullptr;
  auto* comm = const_cast<Comm*>(this);
  const Nodes& nodes = here->shared->nodes;
  const int host = nodes.index.at(static_cast<std::size_t>(comm->group()->rank(s4u::this_actor::get_pid())));
  Comm*& intra = here->intra[host];
  if (intra == nullptr) intra = make(comm, nodes.ranks[host]);
  return intra;
}

int* Comm::get_leaders_map() const {
  Known* here = known(this);
  return here == nullptr ? nullptr : here->shared->nodes.leaders.data();
}

int* Comm::get_non_uniform_map() const {
  Known* here = known(this);
  return here == nullptr || here->shared->nodes.uniform ? nullptr : here->shared->nodes.sizes.data();
}

bool Comm::is_uniform() const {
  const Known* here = known(this);
  return here == nullptr || here->shared->nodes.uniform;
}

bool Comm::is_blocked() const {
  const Known* here = known(this);
  return here != nullptr && here->shared->nodes.blocked;
}

}  // namespace simgrid::smpi

extern "C" {

using ConstructComm = void(void* comm, Group* group, void* topology, bool smp, int id);

ConstructComm strata_construct_smp_comm asm(STRATA_COMM_CONSTRUCTOR);
void strata_construct_smp_comm(void* comm, Group* group, void* topology, bool smp, int id) {
  static auto* const next = behind<ConstructComm>(STRATA_COMM_CONSTRUCTOR);
  if (g_group != nullptr && smp) {
    Group::unref(group);
    group = std::exchange(g_group, nullptr);
  }
  next(comm, group, topology, smp, id);
}
}
