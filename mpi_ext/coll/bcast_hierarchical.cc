// The hierarchy of a communicator kept as a whole, and the broadcast over it (RR-9077, Section 7.2): a loop over the
// levels that calls one algorithm on each communicator of roots.
//
// When the loop comes to a communicator its rank 0 has the message. It goes to the roots of the new communicators
// below, and each of these is in the same position one level down. Where bindings are uneven some members have no
// communicator below: they are no roots, yet must get the message, so there the algorithm runs on a *bridge*, the roots
// and these members together. Rank 0 of the communicator is always in it. At the bottom the algorithm runs on the
// communicator itself.
//
// Any other broadcast root first sends the message to rank 0: one message more, whatever the hierarchy.
// Cost by Hockney, linear: the sum over the levels of (p_i - 1)(alpha_i + m beta_i), Section 6.
#include <memory>
#include <vector>

#include "mpi_ext/coll/bcast.h"
#include "mpi_ext/coll/context.h"
#include "mpi_ext/error.h"
#include "mpi_ext/hierarchy/hsplit.h"
#include "mpi_ext/mpix.h"

struct MPIX_Hierarchy_s {
  std::vector<MPI_Comm> comms;  // a dup of the user's communicator, then the caller's communicator on each level
  std::vector<MPI_Comm> roots;  // roots[i]: of the children of comms[i]; null where the caller is no root
  std::vector<MPI_Comm>
      bridge;  // bridge[i]: where the algorithm runs below comms[i]; null where the caller is not in it
  std::vector<MPI_Comm> own_bridges;  // those of them that are neither in `roots` nor in `comms`
};

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

// Messages run on communicators that inherited the user's error handler: MPI reports their errors itself.
void bcast_over(const MPIX_Hierarchy_s& h, void* buffer, int count, MPI_Datatype datatype, int root, int algorithm) {
  const MPI_Comm whole = h.comms.front();
  int rank = 0;
  call(MPI_Comm_rank(whole, &rank));
  if (root != 0 && rank == root) call(send(buffer, count, datatype, 0, kTag, whole));
  if (root != 0 && rank == 0) call(MPI_Recv(buffer, count, datatype, root, kTag, whole, MPI_STATUS_IGNORE));
  for (const MPI_Comm bridge : h.bridge) {
    if (bridge != MPI_COMM_NULL) call(bcast(buffer, count, datatype, 0, bridge, algorithm));
  }
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

int MPIX_Hierarchy_bcast(void* buffer, int count, MPI_Datatype datatype, int root, MPIX_Hierarchy hierarchy,
                         int algorithm) {
  if (hierarchy == MPIX_HIERARCHY_NULL) return strata::mpix::raise(MPI_COMM_NULL, MPI_ERR_ARG);
  const MPI_Comm whole = hierarchy->comms.front();
  return strata::mpix::guarded(whole, [&] {
    int size = 0;
    strata::mpix::call(MPI_Comm_size(whole, &size));
    if (const int error = strata::mpix::check_bcast(buffer, count, datatype, root, size, algorithm)) return error;
    if (!strata::mpix::is_empty(count, datatype)) {
      strata::mpix::bcast_over(*hierarchy, buffer, count, datatype, root, algorithm);
    }
    return static_cast<int>(MPI_SUCCESS);
  });
}

}  // extern "C"
