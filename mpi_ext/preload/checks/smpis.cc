// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/smpis.h"

#include <map>
#include <memory>
#include <simgrid/s4u/Actor.hpp>
#include <string>
#include <unordered_map>
#include <utility>

#include "mpi_ext/preload/checks/current.h"
#include "sim/simgrid/comm.h"
#include "sim/simgrid/version.h"

namespace strata::mpix {
namespace {

#ifdef STRATA_SIMGRID_4_0
constexpr const char* kSimgrid = "libsimgrid.so.4.0";
#else
constexpr const char* kSimgrid = "libsimgrid.so.3.32";
#endif

using Key = std::pair<int, MPI_Comm>;
std::map<Key, CommInfo>& infos() {
  static auto& all = *new std::map<Key, CommInfo>;
  return all;
}

CommInfo make_info(MPI_Comm comm) {
  CommInfo info{.id = comm->id()};
  STRATA_SMPIS(Comm_rank)(comm, &info.rank);
  STRATA_SMPIS(Comm_size)(comm, &info.size);
  int inter = 0;
  STRATA_SMPIS(Comm_test_inter)(comm, &inter);
  info.inter = inter != 0;
  if (info.inter) STRATA_SMPIS(Comm_remote_size)(comm, &info.remote_size);
  MPI_Group group = MPI_GROUP_NULL;
  STRATA_SMPIS(Comm_group)(comm, &group);
  // Many ranks share MPI_COMM_WORLD, so its members are kept once.
  static std::shared_ptr<const std::vector<long>> world;
  info.members = comm == MPI_COMM_WORLD ? world : nullptr;
  if (info.members == nullptr) {
    std::vector<long> members(info.size);
    for (int r = 0; r < info.size; ++r) members[r] = group->actor(r) - 1;
    info.members = std::make_shared<const std::vector<long>>(std::move(members));
    if (comm == MPI_COMM_WORLD) world = info.members;
  }
  STRATA_SMPIS(Group_free)(&group);
  return info;
}

}  // namespace

bool is_rank_itself() {
  const simgrid::s4u::Actor* const self = simgrid::s4u::Actor::self();
  // SMPI names ranks by their number; a thread has its own name, and a larger id.
  return self != nullptr && std::to_string(self->get_pid() - 1) == self->get_cname();
}

int current_rank() {
  const simgrid::s4u::Actor* const self = simgrid::s4u::Actor::self();
  if (self == nullptr) return -1;
  static auto& known = *new std::unordered_map<long, int>;
  const auto it = known.find(self->get_pid());
  if (it != known.end()) return it->second;
  int rank = static_cast<int>(self->get_pid()) - 1;
  if (!is_rank_itself() && STRATA_SMPIS(Comm_rank)(MPI_COMM_WORLD, &rank) != MPI_SUCCESS) return -1;
  known.emplace(self->get_pid(), rank);
  return rank;
}

void* find_in_smpi(const char* name) {
  // dlsym also looks in the libraries that the supply library needs: SMPI's.
  static void* const supply = ::dlopen("libmpix_supply_smpi.so", RTLD_NOW | RTLD_NOLOAD);
  static void* const simgrid = ::dlopen(kSimgrid, RTLD_NOW | RTLD_NOLOAD);
  void* found = supply == nullptr ? nullptr : ::dlsym(supply, name);
  return found != nullptr ? found : ::dlsym(simgrid, name);
}

const CommInfo& comm_info(MPI_Comm comm) {
  const Key key{current_rank(), comm};
  const auto known = infos().find(key);
  return known != infos().end() ? known->second : infos().emplace(key, make_info(comm)).first->second;
}

void forget_comm(MPI_Comm comm) { infos().erase({current_rank(), comm}); }

}  // namespace strata::mpix
