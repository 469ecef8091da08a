// SPDX-License-Identifier: LGPL-2.1-only
// The shim of SMPI: a program that calls MPI_Cart_create with `reorder` gets the node-aware mesh of mpix.h (EuroMPI'18,
// Section 2.2), and need not be changed or built again. The mesh is not a Cartesian communicator of SMPI's, so MPI's
// functions on Cartesian communicators are defined here for both: those that are not ours go to SMPI, without `reorder`
// too. SMPI has neither MPI_Cart_map nor MPI_Topo_test nor neighborhood collectives; those are ours alone.
//
// The library is preloaded into the simulator. It defines the functions of MPI's profiling interface, not those that
// programs call: where SMPI gives each rank globals of its own it opens the program with RTLD_DEEPBIND, and the program
// then finds SMPI's MPI_Cart_create before a preloaded one. SMPI's, and its Fortran's, call PMPI_Cart_create, which is
// looked up among all libraries: the preloaded one first. So the library cannot be linked with a program, which
// comes after the simulator. SMPI's MPI_* report the result of PMPI_* to the error handler, so it is not reported
// here; except for the functions that SMPI does not implement, whose MPI_* report nothing.
//
// MPI_Dims_create stays SMPI's (cart_shim_real.cc says why).
#include <dlfcn.h>

#include "mpi_ext/error.h"
#include "mpi_ext/mpix.h"

namespace {

// While in scope errors on a communicator are returned and nobody is told of them. A handler belongs to a rank, also
// that of MPI_COMM_WORLD, which is one object for all.
class Quiet {
 public:
  explicit Quiet(MPI_Comm comm) : comm_(comm) {
    PMPI_Comm_get_errhandler(comm, &handler_);
    // Setting one on MPI_COMM_WORLD takes from the other ranks the default that they have (SMPI 3.32): there only one
    // of the program's own is replaced, and an error that ends the program does so.
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
    PMPI_Errhandler_free(&handler_);  // the reference that asking for it gave
  }

  /// A communicator that was made meanwhile gets the handler that the program knows.
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

// SMPI's function of that name, behind this library.
template <class Function>
Function* behind(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

// Calls, whose communicator it is, ours or SMPI's function of that name; SMPI reports the error.
template <class... Parameters, class... Arguments>
int on_either(MPI_Comm comm, int (*ours)(Parameters...), const char* smpis, Arguments... arguments) {
  if (!is_ours(comm)) return behind<int(Parameters...)>(smpis)(arguments...);
  const Quiet quiet(comm);
  return ours(arguments...);
}

// The same of a function that SMPI does not implement: it says so of communicators that are not ours.
template <class... Parameters, class... Arguments>
int on_ours(MPI_Comm comm, int (*ours)(Parameters...), const char* smpis, Arguments... arguments) {
  return is_ours(comm) ? ours(arguments...) : behind<int(Parameters...)>(smpis)(arguments...);
}

// What `make` returns, which makes a communicator of `comm`.
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

// SMPI knows no topologies but Cartesian ones.
int PMPI_Topo_test(MPI_Comm comm, int* status) {
  if (comm == MPI_COMM_NULL) return strata::mpix::raise(comm, MPI_ERR_COMM);
  if (status == nullptr) return strata::mpix::raise(comm, MPI_ERR_ARG);
  if (comm == MPI_COMM_WORLD) {  // of a communicator without topology SMPI would also print a warning
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
