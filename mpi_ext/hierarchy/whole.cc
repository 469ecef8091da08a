// SPDX-License-Identifier: LGPL-2.1-only
// The hierarchy as one object. Messages of its creation on p processes, if all read the same placement file: those of
// the library's copy of the communicator (MPI_Comm_create), one MPI_Allreduce for any number of levels, and one
// MPI_Comm_create_group for each communicator that the process gets, including roots and bridges. Otherwise, there is
// also an MPI_Allgather of places before this and, over several nodes, an MPI_Allreduce of one integer after it.
#include "mpi_ext/hierarchy/whole.h"

#include <climits>
#include <memory>
#include <string>

#include "mpi_ext/context/context.h"
#include "mpi_ext/hierarchy/comms.h"
#include "mpi_ext/hierarchy/hsplit.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

constexpr int kBridgeTag = 3;

// Makes the communicators of a plan. `h` contains all that have been made, even if this throws ReportedByMpi.
void build(MPIX_Hierarchy_s& h, const Plan& plan) {
  const Hierarchy& all = plan.hierarchy();
  const MPI_Comm whole = h.comms.front();
  const int rank = rank_in(whole);
  const std::vector<int>& levels = all.levels[rank];
  for (const LevelComms& made : make_comms(whole, plan, INT_MAX, true)) {
    h.comms.push_back(made.newcomm);
    h.roots.push_back(made.rootscomm);
  }
  h.roots.push_back(MPI_COMM_NULL);
  for (size_t i = 0; i < h.comms.size(); ++i) {
    const int below = all.family_below(i == 0 ? -1 : levels[i - 1]);
    MPI_Comm bridge = below < 0 ? h.comms[i] : h.roots[i];
    const bool straggles = i == levels.size();  // not in any communicator of the family
    if (below >= 0 && !all.families[below].stragglers.empty() && (straggles || h.roots[i] != MPI_COMM_NULL)) {
      h.own_bridges.push_back(make_comm(whole, plan.bridge_group(below), kBridgeTag));
      bridge = h.own_bridges.back();
    }
    h.bridge.push_back(bridge);
  }
  int consecutive = plan.consecutive() ? 1 : 0;
  if (!plan.whole()) {
    const int mine = consecutive;
    call(MPI_Allreduce(&mine, &consecutive, 1, MPI_INT, MPI_MIN, whole));
  }
  h.consecutive = consecutive != 0;
}

void destroy(MPIX_Hierarchy_s* h) {
  for (std::vector<MPI_Comm>* comms : {&h->own_bridges, &h->roots, &h->comms}) {
    for (MPI_Comm& c : *comms) free_comm(c);
  }
  delete h;
}

// Gets a plan from `planned`, which returns an error if it has not been reported, and makes the plan's communicators.
template <class Planned>
int create(MPI_Comm comm, MPIX_Hierarchy* hierarchy, Planned planned) {
  std::shared_ptr<const Plan> plan;
  if (const int error = planned(plan)) return error;
  std::unique_ptr<MPIX_Hierarchy_s, void (*)(MPIX_Hierarchy_s*)> h(new MPIX_Hierarchy_s, destroy);
  h->comms.push_back(private_copy(comm));
  inherit_errhandler(comm, h->comms.front());
  build(*h, *plan);
  *hierarchy = h.release();
  return MPI_SUCCESS;
}

int create_by_topology(MPI_Comm comm, MPI_Info info, MPIX_Hierarchy* hierarchy) {
  return create(comm, hierarchy, [&](std::shared_ptr<const Plan>& plan) {
    PlacedAgreement agreement;
    if (hierarchy == nullptr) agreement.fail(MPI_ERR_ARG);
    const Request request = topology_request(info, INT_MAX, agreement);
    const size_t text = agreement.add(digest(request.text));
    agreement.reach(comm);
    return plan_split(comm, agreement, text, request, plan);
  });
}

// Whether `size` processes can be divided into these numbers of groups, down to groups of one process.
bool are_groups(int size, int levels, const int* groups) {
  if (levels < 0 || (levels > 0 && groups == nullptr)) return false;
  long product = 1;
  for (int i = 0; i < levels; ++i) {
    if (groups[i] < 1) return false;
    product *= groups[i];
    if (product > size) return false;
  }
  return product == size;
}

int create_by_groups(MPI_Comm comm, int levels, const int* groups, MPIX_Hierarchy* hierarchy) {
  return create(comm, hierarchy, [&](std::shared_ptr<const Plan>& plan) -> int {
    const int size = size_of(comm);
    Agreement agreement;
    std::string text = std::to_string(levels);
    if (hierarchy == nullptr || !are_groups(size, levels, groups)) {
      agreement.fail(MPI_ERR_ARG);
    } else {
      for (int i = 0; i < levels; ++i) text += " " + std::to_string(groups[i]);
    }
    const size_t asked = agreement.add(digest(text));
    agreement.reach(comm);
    if (agreement.error() != MPI_SUCCESS) return agreement.error();
    if (!agreement.same(asked)) return MPI_ERR_ARG;
    plan = plan_blocks(comm, std::vector<int>(groups, groups + levels));
    return MPI_SUCCESS;
  });
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Hierarchy_create(MPI_Comm comm, MPI_Info info, MPIX_Hierarchy* hierarchy) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (hierarchy != nullptr) *hierarchy = MPIX_HIERARCHY_NULL;
    return strata::mpix::create_by_topology(comm, info, hierarchy);
  });
}

int MPIX_Hierarchy_create_groups(MPI_Comm comm, int levels, const int groups[], MPIX_Hierarchy* hierarchy) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (hierarchy != nullptr) *hierarchy = MPIX_HIERARCHY_NULL;
    return strata::mpix::create_by_groups(comm, levels, groups, hierarchy);
  });
}

int MPIX_Hierarchy_free(MPIX_Hierarchy* hierarchy) {
  if (hierarchy == nullptr || *hierarchy == MPIX_HIERARCHY_NULL) return strata::mpix::raise(MPI_COMM_NULL, MPI_ERR_ARG);
  strata::mpix::destroy(*hierarchy);
  *hierarchy = MPIX_HIERARCHY_NULL;
  return MPI_SUCCESS;
}

int MPIX_Hierarchy_depth(MPIX_Hierarchy hierarchy, int* depth) {
  if (hierarchy == MPIX_HIERARCHY_NULL || depth == nullptr) return strata::mpix::raise(MPI_COMM_NULL, MPI_ERR_ARG);
  *depth = static_cast<int>(hierarchy->comms.size()) - 1;
  return MPI_SUCCESS;
}

int MPIX_Hierarchy_level(MPIX_Hierarchy hierarchy, int level, MPI_Comm* comm, MPI_Comm* rootscomm) {
  if (hierarchy == MPIX_HIERARCHY_NULL) return strata::mpix::raise(MPI_COMM_NULL, MPI_ERR_ARG);
  const int depth = static_cast<int>(hierarchy->comms.size()) - 1;
  if (level < 0 || level >= depth) return strata::mpix::raise(hierarchy->comms.front(), MPI_ERR_ARG);
  if (comm != nullptr) *comm = hierarchy->comms[level + 1];
  if (rootscomm != nullptr) *rootscomm = hierarchy->roots[level];
  return MPI_SUCCESS;
}

}  // extern "C"
