// SPDX-License-Identifier: LGPL-2.1-only
// The shim for SMPI: a program that calls MPI_Cart_create with `reorder` gets the node-aware mesh of mpix.h
// (EuroMPI'18, Section 2.2), without changes or a new build. The mesh is not one of SMPI's Cartesian communicators, so
// the MPI functions on Cartesian communicators are defined here for both kinds: calls with a communicator that is not
// ours go to SMPI, and so do calls without `reorder`. MPI_Cart_map, MPI_Topo_test and neighborhood collectives, which
// SMPI lacks, exist only for ours.
//
// The library is preloaded into the simulator. It defines the functions of MPI's profiling interface instead of those
// that programs call. The reason: if SMPI gives each rank its own globals, it opens the program with RTLD_DEEPBIND, and
// the program then finds SMPI's MPI_Cart_create before a preloaded one. That of SMPI, and of its Fortran interface,
// calls PMPI_Cart_create, which is looked up in all libraries, the preloaded one first. So linking the library with a
// program has no effect, because the program comes after the simulator. SMPI's MPI_* report the result of PMPI_* to the
// error handler, so it is not reported here, except for functions that SMPI does not implement, whose MPI_* report
// nothing.
//
// MPI_Dims_create remains SMPI's, for the reason in cart_shim_real.cc.
#include <dlfcn.h>

#include "mpi_ext/mpix.h"
#include "mpi_ext/report_error.h"

namespace {

// While in scope, errors on a communicator are returned without calling an error handler. A handler belongs to a rank,
// even on MPI_COMM_WORLD, which is one object for all ranks.
class Quiet {
 public:
  explicit Quiet(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm, &handler_);
    // In SMPI 3.32, setting a handler on MPI_COMM_WORLD removes the default of the other ranks. So there, only a
    // handler of the program is replaced, and a fatal error stays fatal.
    const bool own =
        handler_ != MPI_ERRHANDLER_NULL && handler_ != MPI_ERRORS_ARE_FATAL && handler_ != MPI_ERRORS_RETURN;
    replaced_ = own || (comm != MPI_COMM_WORLD && handler_ == MPI_ERRORS_ARE_FATAL);
    if (replaced_) PMPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  }
  Quiet(const Quiet&) = delete;
  Quiet& operator=(const Quiet&) = delete;
  ~Quiet() {
    if (!replaced_) return;
    PMPI_Comm_set_errhandler(comm_, handler_);
    PMPI_Errhandler_free(&handler_);  // the reference from PMPI_Comm_get_errhandler
  }

  /// Sets the program's handler on a communicator that was made in the meantime.
  void hand_on(MPI_Comm made) const {
    if (replaced_ && made != MPI_COMM_NULL) PMPI_Comm_set_errhandler(made, handler_);
  }

 private:
  MPI_Comm comm_;
  MPI_Errhandler handler_ = MPI_ERRHANDLER_NULL;
  bool replaced_ = false;
};

bool is_ours(MPI_Comm comm) {
  if (comm == MPI_COMM_NULL || comm == MPI_COMM_WORLD) return false;
  const Quiet quiet(comm);
  int ndims = 0;
  return MPIX_Nodecart_dim_get(comm, &ndims) == MPI_SUCCESS;
}

// SMPI's function of this name, which comes after this library.
template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Calls our function or SMPI's function of that name, depending on the communicator. SMPI reports the error.
template <class... Parameters, class... Arguments>
int on_either(MPI_Comm comm, int (*ours)(Parameters...), const char* smpis, Arguments... arguments) {
  if (!is_ours(comm)) return behind<int(Parameters...)>(smpis)(arguments...);
  const Quiet quiet(comm);
  return ours(arguments...);
}

// The same for a function that SMPI does not implement. For communicators that are not ours, SMPI says so.
template <class... Parameters, class... Arguments>
int on_ours(MPI_Comm comm, int (*ours)(Parameters...), const char* smpis, Arguments... arguments) {
  return is_ours(comm) ? ours(arguments...) : behind<int(Parameters...)>(smpis)(arguments...);
}

// Calls `make`, which makes a communicator from `comm`.
template <class Make>
int making(MPI_Comm comm, const MPI_Comm* made, const Make& make) {
  const Quiet quiet(comm);
  const int code = make();
  if (code == MPI_SUCCESS) quiet.hand_on(*made);
  return code;
}

}  // namespace

extern "C" {

int PMPI_Cart_create(MPI_Comm comm, int ndims, const int* dims, const int* periods, int reorder, MPI_Comm* newcomm) {
  if (comm == MPI_COMM_NULL || reorder == 0) {
    return behind<decltype(PMPI_Cart_create)>("PMPI_Cart_create")(comm, ndims, dims, periods, reorder, newcomm);
  }
  return making(comm, newcomm, [&] { return MPIX_Nodecart_create(comm, ndims, dims, periods, reorder, newcomm); });
}

int PMPI_Cart_sub(MPI_Comm comm, const int* remain_dims, MPI_Comm* newcomm) {
  if (!is_ours(comm)) return behind<decltype(PMPI_Cart_sub)>("PMPI_Cart_sub")(comm, remain_dims, newcomm);
  return making(comm, newcomm, [&] { return MPIX_Nodecart_sub(comm, remain_dims, newcomm); });
}

int PMPI_Cartdim_get(MPI_Comm comm, int* ndims) {
  return on_either(comm, MPIX_Nodecart_dim_get, "PMPI_Cartdim_get", comm, ndims);
}

int PMPI_Cart_get(MPI_Comm comm, int maxdims, int* dims, int* periods, int* coords) {
  return on_either(comm, MPIX_Nodecart_get, "PMPI_Cart_get", comm, maxdims, dims, periods, coords);
}

int PMPI_Cart_rank(MPI_Comm comm, const int* coords, int* rank) {
  return on_either(comm, MPIX_Nodecart_rank, "PMPI_Cart_rank", comm, coords, rank);
}

int PMPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int* coords) {
  return on_either(comm, MPIX_Nodecart_coords, "PMPI_Cart_coords", comm, rank, maxdims, coords);
}

int PMPI_Cart_shift(MPI_Comm comm, int direction, int displ, int* source, int* dest) {
  return on_either(comm, MPIX_Nodecart_shift, "PMPI_Cart_shift", comm, direction, displ, source, dest);
}

// SMPI knows only Cartesian topologies.
int PMPI_Topo_test(MPI_Comm comm, int* status) {
  if (comm == MPI_COMM_NULL) return strata::mpix::raise(comm, MPI_ERR_COMM);
  if (status == nullptr) return strata::mpix::raise(comm, MPI_ERR_ARG);
  if (comm == MPI_COMM_WORLD) {  // for a communicator without topology, SMPI would print a warning
    *status = MPI_UNDEFINED;
    return MPI_SUCCESS;
  }
  int ndims = 0;
  *status = PMPI_Cartdim_get(comm, &ndims) == MPI_SUCCESS ? MPI_CART : MPI_UNDEFINED;
  return MPI_SUCCESS;
}

int PMPI_Neighbor_allgather(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                            MPI_Datatype recvtype, MPI_Comm comm) {
  return on_ours(comm, MPIX_Neighbor_allgather, "PMPI_Neighbor_allgather", sendbuf, sendcount, sendtype, recvbuf,
                 recvcount, recvtype, comm);
}

int PMPI_Neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf,
                             const int* recvcounts, const int* displs, MPI_Datatype recvtype, MPI_Comm comm) {
  return on_ours(comm, MPIX_Neighbor_allgatherv, "PMPI_Neighbor_allgatherv", sendbuf, sendcount, sendtype, recvbuf,
                 recvcounts, displs, recvtype, comm);
}

int PMPI_Neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Datatype sendtype, void* recvbuf, int recvcount,
                           MPI_Datatype recvtype, MPI_Comm comm) {
  return on_ours(comm, MPIX_Neighbor_alltoall, "PMPI_Neighbor_alltoall", sendbuf, sendcount, sendtype, recvbuf,
                 recvcount, recvtype, comm);
}

int PMPI_Neighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Datatype sendtype,
                            void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Datatype recvtype,
                            MPI_Comm comm) {
  return on_ours(comm, MPIX_Neighbor_alltoallv, "PMPI_Neighbor_alltoallv", sendbuf, sendcounts, sdispls, sendtype,
                 recvbuf, recvcounts, rdispls, recvtype, comm);
}

int PMPI_Neighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                            const MPI_Datatype* sendtypes, void* recvbuf, const int* recvcounts,
                            const MPI_Aint* rdispls, const MPI_Datatype* recvtypes, MPI_Comm comm) {
  return on_ours(comm, MPIX_Neighbor_alltoallw, "PMPI_Neighbor_alltoallw", sendbuf, sendcounts, sdispls, sendtypes,
                 recvbuf, recvcounts, rdispls, recvtypes, comm);
}
}
