// SPDX-License-Identifier: LGPL-2.1-only
// The Fortran names of functions that SMPI's Fortran interface lacks, as in mpif.h and the module mpi: integers,
// handles and LOGICALs are INTEGERs of four bytes, MPI_ADDRESS_KIND is eight. The C functions report errors.
#include <mpi.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

#include "mpi_ext/preload/supply/own_constants.h"
#include "sim/simgrid/version.h"

extern "C" {
#ifdef STRATA_SIMGRID_3_32
extern int mpi_bottom_;  // SMPI's
#else
extern const int mpi_bottom_;
#endif
// SMPI's mpif.h does not declare these names; a program must say `external MPI_UNWEIGHTED, MPI_WEIGHTS_EMPTY`.
int mpi_unweighted_ = 0;
int mpi_weights_empty_ = 0;

using Int = MPI_Fint;
}

namespace {

const void* sent(const void* buffer) { return buffer == &mpi_bottom_ ? MPI_BOTTOM : buffer; }
void* received(void* buffer) { return static_cast<const void*>(buffer) == &mpi_bottom_ ? MPI_BOTTOM : buffer; }

template <class Number>
Number* weights_of(Number* weights) {
  if (weights == &mpi_unweighted_) return strata::mpix::unweighted();
  return weights == &mpi_weights_empty_ ? MPI_WEIGHTS_EMPTY : weights;
}

MPI_Datatype type_of(const Int* handle) { return MPI_Type_f2c(*handle); }
MPI_Comm comm_of(const Int* handle) { return MPI_Comm_f2c(*handle); }

// The number of incoming and outgoing edges of a Cartesian or graph communicator.
struct Degrees {
  int in = 0, out = 0;

  explicit Degrees(MPI_Comm comm) {
    int kind = MPI_UNDEFINED, weighted = 0;
    MPI_Topo_test(comm, &kind);
    if (kind == MPI_CART) {
      MPI_Cartdim_get(comm, &in);
      in = out = 2 * in;
    } else if (kind == MPI_GRAPH) {
      int rank = 0;
      MPI_Comm_rank(comm, &rank);
      MPI_Graph_neighbors_count(comm, rank, &in);
      out = in;
    } else if (kind == MPI_DIST_GRAPH) {
      MPI_Dist_graph_neighbors_count(comm, &in, &out, &weighted);
    }
  }
};

std::vector<MPI_Datatype> types_of(const Int* handles, int number) {
  std::vector<MPI_Datatype> types;
  for (int i = 0; i < number; ++i) types.push_back(type_of(&handles[i]));
  return types;
}

// A name as Fortran's, which ends with blanks.
template <class Get>
void give_name(const Get& get, char* name, Int* length, Int* ierror, std::size_t most) {
  std::array<char, MPI_MAX_OBJECT_NAME + 1> found{};
  *ierror = get(found.data(), length);
  if (*ierror != MPI_SUCCESS) return;
  const std::size_t copied = std::min(static_cast<std::size_t>(*length), most);
  std::fill(std::copy_n(found.data(), copied, name), name + most, ' ');
}

// Returns the handle of an object that C has made. `made` is a reference, because another argument is the call that
// makes it.
void give(int code, const MPI_Comm& made, Int* handle, Int* ierror) {
  if (code == MPI_SUCCESS) *handle = MPI_Comm_c2f(made);
  *ierror = code;
}
void give(int code, const MPI_Request& made, Int* handle, Int* ierror) {
  if (code == MPI_SUCCESS) *handle = MPI_Request_c2f(made);
  *ierror = code;
}

}  // namespace

extern "C" {

void mpi_dist_graph_create_(const Int* comm, const Int* n, const Int* sources, const Int* degrees,
                            const Int* destinations, const Int* weights, const Int* info, const Int* reorder,
                            Int* newcomm, Int* ierror) {
  MPI_Comm made = MPI_COMM_NULL;
  give(MPI_Dist_graph_create(comm_of(comm), *n, sources, degrees, destinations, weights_of(weights),
                             MPI_Info_f2c(*info), *reorder, &made),
       made, newcomm, ierror);
}

void mpi_dist_graph_create_adjacent_(const Int* comm, const Int* indegree, const Int* sources, const Int* sourceweights,
                                     const Int* outdegree, const Int* destinations, const Int* destweights,
                                     const Int* info, const Int* reorder, Int* newcomm, Int* ierror) {
  MPI_Comm made = MPI_COMM_NULL;
  give(MPI_Dist_graph_create_adjacent(comm_of(comm), *indegree, sources, weights_of(sourceweights), *outdegree,
                                      destinations, weights_of(destweights), MPI_Info_f2c(*info), *reorder, &made),
       made, newcomm, ierror);
}

void mpi_dist_graph_neighbors_count_(const Int* comm, Int* indegree, Int* outdegree, Int* weighted, Int* ierror) {
  *ierror = MPI_Dist_graph_neighbors_count(comm_of(comm), indegree, outdegree, weighted);
}

void mpi_dist_graph_neighbors_(const Int* comm, const Int* maxindegree, Int* sources, Int* sourceweights,
                               const Int* maxoutdegree, Int* destinations, Int* destweights, Int* ierror) {
  *ierror = MPI_Dist_graph_neighbors(comm_of(comm), *maxindegree, sources, weights_of(sourceweights), *maxoutdegree,
                                     destinations, weights_of(destweights));
}

void mpi_neighbor_allgather_(const void* sendbuf, const Int* sendcount, const Int* sendtype, void* recvbuf,
                             const Int* recvcount, const Int* recvtype, const Int* comm, Int* ierror) {
  *ierror = MPI_Neighbor_allgather(sent(sendbuf), *sendcount, type_of(sendtype), received(recvbuf), *recvcount,
                                   type_of(recvtype), comm_of(comm));
}

void mpi_ineighbor_allgather_(const void* sendbuf, const Int* sendcount, const Int* sendtype, void* recvbuf,
                              const Int* recvcount, const Int* recvtype, const Int* comm, Int* request, Int* ierror) {
  MPI_Request made = MPI_REQUEST_NULL;
  give(MPI_Ineighbor_allgather(sent(sendbuf), *sendcount, type_of(sendtype), received(recvbuf), *recvcount,
                               type_of(recvtype), comm_of(comm), &made),
       made, request, ierror);
}

void mpi_neighbor_allgatherv_(const void* sendbuf, const Int* sendcount, const Int* sendtype, void* recvbuf,
                              const Int* recvcounts, const Int* displs, const Int* recvtype, const Int* comm,
                              Int* ierror) {
  *ierror = MPI_Neighbor_allgatherv(sent(sendbuf), *sendcount, type_of(sendtype), received(recvbuf), recvcounts, displs,
                                    type_of(recvtype), comm_of(comm));
}

void mpi_ineighbor_allgatherv_(const void* sendbuf, const Int* sendcount, const Int* sendtype, void* recvbuf,
                               const Int* recvcounts, const Int* displs, const Int* recvtype, const Int* comm,
                               Int* request, Int* ierror) {
  MPI_Request made = MPI_REQUEST_NULL;
  give(MPI_Ineighbor_allgatherv(sent(sendbuf), *sendcount, type_of(sendtype), received(recvbuf), recvcounts, displs,
                                type_of(recvtype), comm_of(comm), &made),
       made, request, ierror);
}

void mpi_neighbor_alltoall_(const void* sendbuf, const Int* sendcount, const Int* sendtype, void* recvbuf,
                            const Int* recvcount, const Int* recvtype, const Int* comm, Int* ierror) {
  *ierror = MPI_Neighbor_alltoall(sent(sendbuf), *sendcount, type_of(sendtype), received(recvbuf), *recvcount,
                                  type_of(recvtype), comm_of(comm));
}

void mpi_ineighbor_alltoall_(const void* sendbuf, const Int* sendcount, const Int* sendtype, void* recvbuf,
                             const Int* recvcount, const Int* recvtype, const Int* comm, Int* request, Int* ierror) {
  MPI_Request made = MPI_REQUEST_NULL;
  give(MPI_Ineighbor_alltoall(sent(sendbuf), *sendcount, type_of(sendtype), received(recvbuf), *recvcount,
                              type_of(recvtype), comm_of(comm), &made),
       made, request, ierror);
}

void mpi_neighbor_alltoallv_(const void* sendbuf, const Int* sendcounts, const Int* sdispls, const Int* sendtype,
                             void* recvbuf, const Int* recvcounts, const Int* rdispls, const Int* recvtype,
                             const Int* comm, Int* ierror) {
  *ierror = MPI_Neighbor_alltoallv(sent(sendbuf), sendcounts, sdispls, type_of(sendtype), received(recvbuf), recvcounts,
                                   rdispls, type_of(recvtype), comm_of(comm));
}

void mpi_ineighbor_alltoallv_(const void* sendbuf, const Int* sendcounts, const Int* sdispls, const Int* sendtype,
                              void* recvbuf, const Int* recvcounts, const Int* rdispls, const Int* recvtype,
                              const Int* comm, Int* request, Int* ierror) {
  MPI_Request made = MPI_REQUEST_NULL;
  give(MPI_Ineighbor_alltoallv(sent(sendbuf), sendcounts, sdispls, type_of(sendtype), received(recvbuf), recvcounts,
                               rdispls, type_of(recvtype), comm_of(comm), &made),
       made, request, ierror);
}

void mpi_neighbor_alltoallw_(const void* sendbuf, const Int* sendcounts, const MPI_Aint* sdispls, const Int* sendtypes,
                             void* recvbuf, const Int* recvcounts, const MPI_Aint* rdispls, const Int* recvtypes,
                             const Int* comm, Int* ierror) {
  const Degrees degrees(comm_of(comm));
  *ierror = MPI_Neighbor_alltoallw(sent(sendbuf), sendcounts, sdispls, types_of(sendtypes, degrees.out).data(),
                                   received(recvbuf), recvcounts, rdispls, types_of(recvtypes, degrees.in).data(),
                                   comm_of(comm));
}

// SMPI keeps the datatypes of messages in flight.
void mpi_ineighbor_alltoallw_(const void* sendbuf, const Int* sendcounts, const MPI_Aint* sdispls, const Int* sendtypes,
                              void* recvbuf, const Int* recvcounts, const MPI_Aint* rdispls, const Int* recvtypes,
                              const Int* comm, Int* request, Int* ierror) {
  const Degrees degrees(comm_of(comm));
  MPI_Request made = MPI_REQUEST_NULL;
  give(MPI_Ineighbor_alltoallw(sent(sendbuf), sendcounts, sdispls, types_of(sendtypes, degrees.out).data(),
                               received(recvbuf), recvcounts, rdispls, types_of(recvtypes, degrees.in).data(),
                               comm_of(comm), &made),
       made, request, ierror);
}

void mpi_comm_idup_(const Int* comm, Int* newcomm, Int* request, Int* ierror) {
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Request done = MPI_REQUEST_NULL;
  const int code = MPI_Comm_idup(comm_of(comm), &made, &done);
  give(code, made, newcomm, ierror);
  give(code, done, request, ierror);
}

void mpi_win_allocate_shared_(const MPI_Aint* size, const Int* disp_unit, const Int* info, const Int* comm,
                              MPI_Aint* baseptr, Int* win, Int* ierror) {
  MPI_Win made = MPI_WIN_NULL;
  *ierror = MPI_Win_allocate_shared(*size, *disp_unit, MPI_Info_f2c(*info), comm_of(comm), baseptr, &made);
  if (*ierror == MPI_SUCCESS) *win = MPI_Win_c2f(made);
}

void mpi_win_shared_query_(const Int* win, const Int* rank, MPI_Aint* size, Int* disp_unit, MPI_Aint* baseptr,
                           Int* ierror) {
  *ierror = MPI_Win_shared_query(MPI_Win_f2c(*win), *rank, size, disp_unit, baseptr);
}

// The constants of mpif.h, which are smaller by one than those of C.
void mpi_topo_test_(const Int* comm, Int* kind, Int* ierror) {
  *ierror = MPI_Topo_test(comm_of(comm), kind);
  if (*ierror == MPI_SUCCESS && *kind != MPI_UNDEFINED) --*kind;
}

// SMPI keeps attributes of communicators and datatypes in an int and sets only one half of the result, an integer of
// MPI_ADDRESS_KIND.
void mpi_comm_get_attr_(const Int* comm, const Int* keyval, MPI_Aint* value, Int* flag, Int* ierror) {
  const int* kept = nullptr;
  *ierror = MPI_Comm_get_attr(comm_of(comm), *keyval, &kept, flag);
  if (*ierror == MPI_SUCCESS && *flag != 0) *value = *kept;
}
void mpi_type_get_attr_(const Int* type, const Int* keyval, MPI_Aint* value, Int* flag, Int* ierror) {
  const int* kept = nullptr;
  *ierror = MPI_Type_get_attr(type_of(type), *keyval, &kept, flag);
  if (*ierror == MPI_SUCCESS && *flag != 0) *value = *kept;
}

// SMPI forgets the handle, also if a communicator or a file still has the handler and the program another handle of it.
void mpi_errhandler_free_(Int* handler, Int* ierror) {
  MPI_Errhandler freed = MPI_Errhandler_f2c(*handler);
  *ierror = MPI_Errhandler_free(&freed);
  if (*ierror == MPI_SUCCESS) *handler = -1;  // MPI_ERRHANDLER_NULL
}

// SMPI writes C's handles, which are twice as long.
void mpi_type_get_contents_(const Int* type, const Int* most_integers, const Int* most_addresses, const Int* most_types,
                            Int* integers, MPI_Aint* addresses, Int* types, Int* ierror) {
  Int number_of_integers = 0, number_of_addresses = 0, number = 0, combiner = 0;
  *ierror = MPI_Type_get_envelope(type_of(type), &number_of_integers, &number_of_addresses, &number, &combiner);
  if (*ierror != MPI_SUCCESS) return;
  std::vector<MPI_Datatype> made(static_cast<std::size_t>(std::max({*most_types, number, 1})));
  *ierror = MPI_Type_get_contents(type_of(type), *most_integers, *most_addresses, *most_types, integers, addresses,
                                  made.data());
  for (Int i = 0; *ierror == MPI_SUCCESS && i < number; ++i) types[i] = MPI_Type_c2f(made[i]);
}

// SMPI writes one blank after the end of the longest variable that MPI requires. The last argument is its length.
void mpi_type_get_name_(const Int* type, char* name, Int* length, Int* ierror, std::size_t most) {
  give_name([&](char* to, int* n) { return MPI_Type_get_name(type_of(type), to, n); }, name, length, ierror, most);
}
void mpi_comm_get_name_(const Int* comm, char* name, Int* length, Int* ierror, std::size_t most) {
  give_name([&](char* to, int* n) { return MPI_Comm_get_name(comm_of(comm), to, n); }, name, length, ierror, most);
}
void mpi_win_get_name_(const Int* win, char* name, Int* length, Int* ierror, std::size_t most) {
  give_name([&](char* to, int* n) { return MPI_Win_get_name(MPI_Win_f2c(*win), to, n); }, name, length, ierror, most);
}

void mpi_win_sync_(const Int* win, Int* ierror) { *ierror = MPI_Win_sync(MPI_Win_f2c(*win)); }
}
