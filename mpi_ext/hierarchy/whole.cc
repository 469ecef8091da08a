#include "mpi_ext/hierarchy/whole.h"

#include <memory>

#include "mpi_ext/coll/context.h"
#include "mpi_ext/error.h"
#include "mpi_ext/hierarchy/hsplit.h"
#include "mpi_ext/mpix.h"

namespace strata::mpix {
namespace {

// Splits down to the bottom. Returns an error that nobody has reported; throws ReportedByMpi. What was made until then
// is in `h`.
int build(MPIX_Hierarchy_s& h) {
  for (bool deeper = true; deeper;) {
    const MPI_Comm parent = h.comms.back();
    SplitComms below;
    if (const int error = hsplit_with_roots(parent, below)) return error;
    h.roots.push_back(below.rootscomm);
    deeper = below.newcomm != MPI_COMM_NULL;
    if (deeper) h.comms.push_back(below.newcomm);
    MPI_Comm bridge = below.num_comms == 0 ? parent : below.rootscomm;
    if (below.stragglers) {
      int rank = 0;
      call(MPI_Comm_rank(parent, &rank));
      const bool in = below.rootscomm != MPI_COMM_NULL || !deeper;
      call(MPI_Comm_split(parent, in ? 0 : MPI_UNDEFINED, rank, &bridge));
      if (in) h.own_bridges.push_back(bridge);
    }
    h.bridge.push_back(bridge);
  }
  return MPI_SUCCESS;
}

void destroy(MPIX_Hierarchy_s* h) {
  for (std::vector<MPI_Comm>* comms : {&h->own_bridges, &h->roots, &h->comms}) {
    for (MPI_Comm& c : *comms) {
      if (c != MPI_COMM_NULL) MPI_Comm_free(&c);
    }
  }
  delete h;
}

}  // namespace
}  // namespace strata::mpix

extern "C" {

int MPIX_Hierarchy_create(MPI_Comm comm, MPI_Info, MPIX_Hierarchy* hierarchy) {
  return strata::mpix::guarded(comm, [&] {
    if (const int error = strata::mpix::check_intracomm(comm)) return error;
    if (hierarchy == nullptr) return static_cast<int>(MPI_ERR_ARG);
    *hierarchy = MPIX_HIERARCHY_NULL;
    std::unique_ptr<MPIX_Hierarchy_s, void (*)(MPIX_Hierarchy_s*)> h(new MPIX_Hierarchy_s, strata::mpix::destroy);
    h->comms.push_back(strata::mpix::private_copy(comm));
    strata::mpix::inherit_errhandler(comm, h->comms.front());
    if (const int error = strata::mpix::build(*h)) return error;
    *hierarchy = h.release();
    return static_cast<int>(MPI_SUCCESS);
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

}  // extern "C"
