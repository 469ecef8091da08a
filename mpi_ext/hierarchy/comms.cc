// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/hierarchy/comms.h"

#include <algorithm>

#include "mpi_ext/context/context.h"
#include "mpi_ext/hierarchy/hlevel_info.h"
#include "mpi_ext/ranks.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

constexpr int kMembersTag = 1, kRootsTag = 2;

}  // namespace

void free_comm(MPI_Comm& comm) {
  if (comm != MPI_COMM_NULL) MPI_Comm_free(&comm);
}

MPI_Comm make_comm(MPI_Comm comm, MPI_Group group, int tag) {
  MPI_Comm made = MPI_COMM_NULL;
  call(MPI_Comm_create_group(comm, group, tag, &made));
  try {
    inherit_errhandler(comm, made);
  } catch (...) {
    free_comm(made);
    throw;
  }
  return made;
}

std::vector<LevelComms> make_comms(MPI_Comm comm, const Plan& plan, int max_levels, bool with_roots) {
  const Hierarchy& h = plan.hierarchy();
  const int rank = rank_in(comm);
  const std::vector<int>& levels = h.levels[rank];
  const size_t depth = std::min<size_t>(levels.size(), max_levels);
  std::vector<LevelComms> made(depth);
  try {
    for (size_t i = 0; i < depth; ++i) {
      const Communicator& c = h.comms[levels[i]];
      made[i].newcomm = make_comm(comm, plan.comm_group(levels[i]), kMembersTag);
      // A process that fails here still takes part in the calls below, so that no other process waits for it forever.
      const std::string name = plan.name(c);
      const int attached =
          name.empty() ? MPI_SUCCESS : attach_hlevel_info(made[i].newcomm, {name, h.num_comms(c), c.index});
      if (with_roots && c.members.front() == rank) {
        made[i].rootscomm = make_comm(comm, plan.roots_group(c.family), kRootsTag);
      }
      call(attached);
    }
  } catch (...) {
    for (LevelComms& l : made) {
      free_comm(l.newcomm);
      free_comm(l.rootscomm);
    }
    throw;
  }
  return made;
}

}  // namespace strata::mpix
