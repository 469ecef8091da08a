// The C side of the Fortran module: each function turns Fortran's integer handles into C's, calls the function of
// mpix.h that it is named after, and turns the results back. Buffers come as addresses that mean what C means by them
// (mpix_topology_c.F90 has replaced Fortran's MPI_IN_PLACE and MPI_BOTTOM). Errors are mpix.h's.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "mpi_ext/mpix.h"

namespace {

void* pointer(std::intptr_t address) { return reinterpret_cast<void*>(address); }

MPIX_Hierarchy hierarchy_of(std::intptr_t handle) { return reinterpret_cast<MPIX_Hierarchy>(handle); }

// As Fortran assigns to a character variable: cut or padded with blanks. Nothing where there is no variable.
void assign(char* to, int length, const char* from) {
  if (to == nullptr) return;
  const int used = std::min(length, static_cast<int>(std::strlen(from)));
  std::memcpy(to, from, static_cast<size_t>(used));
  std::memset(to + used, ' ', static_cast<size_t>(length - used));
}

}  // namespace

extern "C" {

std::intptr_t mpix_fortran_address(const void* buffer) { return reinterpret_cast<std::intptr_t>(buffer); }

std::intptr_t mpix_fortran_c_in_place() { return reinterpret_cast<std::intptr_t>(MPI_IN_PLACE); }

std::intptr_t mpix_fortran_c_bottom() { return reinterpret_cast<std::intptr_t>(MPI_BOTTOM); }

// ---- Splitting along the topology ----

int mpix_fortran_comm_split_type(MPI_Fint comm, int split_type, int key, MPI_Fint info, MPI_Fint* newcomm) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPIX_Comm_split_type(MPI_Comm_f2c(comm), split_type, key, MPI_Info_f2c(info), &made);
  *newcomm = MPI_Comm_c2f(made);
  return error;
}

int mpix_fortran_comm_hsplit_with_roots(MPI_Fint comm, MPI_Fint info, MPI_Fint* newcomm, MPI_Fint* rootscomm) {
  MPI_Comm made = MPI_COMM_NULL, roots = MPI_COMM_NULL;
  const int error = MPIX_Comm_hsplit_with_roots(MPI_Comm_f2c(comm), MPI_Info_f2c(info), &made, &roots);
  *newcomm = MPI_Comm_c2f(made);
  *rootscomm = MPI_Comm_c2f(roots);
  return error;
}

int mpix_fortran_comm_hsplit_all(MPI_Fint comm, MPI_Fint info, int max_depth, MPI_Fint* newcomms, MPI_Fint* rootscomms,
                                 int* depth) {
  const size_t elements = static_cast<size_t>(std::max(max_depth, 0));
  std::vector<MPI_Comm> made(elements, MPI_COMM_NULL), roots(elements, MPI_COMM_NULL);
  *depth = 0;
  const int error = MPIX_Comm_hsplit_all(MPI_Comm_f2c(comm), MPI_Info_f2c(info), max_depth, made.data(),
                                         rootscomms == nullptr ? nullptr : roots.data(), depth);
  for (size_t i = 0; i < elements; ++i) {
    newcomms[i] = MPI_Comm_c2f(made[i]);
    if (rootscomms != nullptr) rootscomms[i] = MPI_Comm_c2f(roots[i]);
  }
  return error;
}

int mpix_fortran_comm_get_hlevel_info(MPI_Fint comm, int* num_comms, int* index, char* type, int length) {
  char* name = nullptr;
  *num_comms = *index = 0;
  const int error = MPIX_Comm_get_hlevel_info(MPI_Comm_f2c(comm), num_comms, index, &name);
  assign(type, length, name == nullptr ? "" : name);
  return error;
}

int mpix_fortran_comm_get_min_hlevel(MPI_Fint comm, int nranks, const int* ranks, char* type, int length) {
  char* name = nullptr;
  const int error = MPIX_Comm_get_min_hlevel(MPI_Comm_f2c(comm), nranks, ranks, &name);
  assign(type, length, name == nullptr ? "" : name);
  return error;
}

int mpix_fortran_get_hw_resource_info(MPI_Fint* hw_info) {
  MPI_Info info = MPI_INFO_NULL;
  const int error = MPIX_Get_hw_resource_info(&info);
  *hw_info = MPI_Info_c2f(info);
  return error;
}

// ---- Collectives ----

int mpix_fortran_bcast(std::intptr_t buffer, int count, MPI_Fint datatype, int root, MPI_Fint comm, int algorithm,
                       int segment_bytes) {
  return MPIX_Bcast(pointer(buffer), count, MPI_Type_f2c(datatype), root, MPI_Comm_f2c(comm), algorithm, segment_bytes);
}

int mpix_fortran_reduce(std::intptr_t sendbuf, std::intptr_t recvbuf, int count, MPI_Fint datatype, MPI_Fint op,
                        int root, MPI_Fint comm, int algorithm, int segment_bytes) {
  return MPIX_Reduce(pointer(sendbuf), pointer(recvbuf), count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), root,
                     MPI_Comm_f2c(comm), algorithm, segment_bytes);
}

int mpix_fortran_allreduce(std::intptr_t sendbuf, std::intptr_t recvbuf, int count, MPI_Fint datatype, MPI_Fint op,
                           MPI_Fint comm, int algorithm, int segment_bytes) {
  return MPIX_Allreduce(pointer(sendbuf), pointer(recvbuf), count, MPI_Type_f2c(datatype), MPI_Op_f2c(op),
                        MPI_Comm_f2c(comm), algorithm, segment_bytes);
}

int mpix_fortran_gather(std::intptr_t sendbuf, int sendcount, MPI_Fint sendtype, std::intptr_t recvbuf, int recvcount,
                        MPI_Fint recvtype, int root, MPI_Fint comm, int algorithm) {
  return MPIX_Gather(pointer(sendbuf), sendcount, MPI_Type_f2c(sendtype), pointer(recvbuf), recvcount,
                     MPI_Type_f2c(recvtype), root, MPI_Comm_f2c(comm), algorithm);
}

int mpix_fortran_scatter(std::intptr_t sendbuf, int sendcount, MPI_Fint sendtype, std::intptr_t recvbuf, int recvcount,
                         MPI_Fint recvtype, int root, MPI_Fint comm, int algorithm) {
  return MPIX_Scatter(pointer(sendbuf), sendcount, MPI_Type_f2c(sendtype), pointer(recvbuf), recvcount,
                      MPI_Type_f2c(recvtype), root, MPI_Comm_f2c(comm), algorithm);
}

int mpix_fortran_allgather(std::intptr_t sendbuf, int sendcount, MPI_Fint sendtype, std::intptr_t recvbuf,
                           int recvcount, MPI_Fint recvtype, MPI_Fint comm, int algorithm) {
  return MPIX_Allgather(pointer(sendbuf), sendcount, MPI_Type_f2c(sendtype), pointer(recvbuf), recvcount,
                        MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm), algorithm);
}

int mpix_fortran_barrier(MPI_Fint comm, int algorithm) { return MPIX_Barrier(MPI_Comm_f2c(comm), algorithm); }

// ---- The hierarchy as a whole ----

int mpix_fortran_hierarchy_create(MPI_Fint comm, MPI_Fint info, std::intptr_t* hierarchy) {
  MPIX_Hierarchy made = MPIX_HIERARCHY_NULL;
  const int error = MPIX_Hierarchy_create(MPI_Comm_f2c(comm), MPI_Info_f2c(info), &made);
  *hierarchy = reinterpret_cast<std::intptr_t>(made);
  return error;
}

int mpix_fortran_hierarchy_create_groups(MPI_Fint comm, int levels, const int* groups, std::intptr_t* hierarchy) {
  MPIX_Hierarchy made = MPIX_HIERARCHY_NULL;
  const int error = MPIX_Hierarchy_create_groups(MPI_Comm_f2c(comm), levels, groups, &made);
  *hierarchy = reinterpret_cast<std::intptr_t>(made);
  return error;
}

int mpix_fortran_hierarchy_free(std::intptr_t* hierarchy) {
  MPIX_Hierarchy freed = hierarchy_of(*hierarchy);
  const int error = MPIX_Hierarchy_free(&freed);
  *hierarchy = reinterpret_cast<std::intptr_t>(freed);
  return error;
}

int mpix_fortran_hierarchy_depth(std::intptr_t hierarchy, int* depth) {
  return MPIX_Hierarchy_depth(hierarchy_of(hierarchy), depth);
}

int mpix_fortran_hierarchy_level(std::intptr_t hierarchy, int level, MPI_Fint* comm, MPI_Fint* rootscomm) {
  MPI_Comm c = MPI_COMM_NULL, roots = MPI_COMM_NULL;
  const int error = MPIX_Hierarchy_level(hierarchy_of(hierarchy), level, &c, &roots);
  *comm = MPI_Comm_c2f(c);
  *rootscomm = MPI_Comm_c2f(roots);
  return error;
}

int mpix_fortran_hierarchy_bcast(std::intptr_t buffer, int count, MPI_Fint datatype, int root, std::intptr_t hierarchy,
                                 int algorithm, int segment_bytes) {
  return MPIX_Hierarchy_bcast(pointer(buffer), count, MPI_Type_f2c(datatype), root, hierarchy_of(hierarchy), algorithm,
                              segment_bytes);
}

int mpix_fortran_hierarchy_reduce(std::intptr_t sendbuf, std::intptr_t recvbuf, int count, MPI_Fint datatype,
                                  MPI_Fint op, int root, std::intptr_t hierarchy, int algorithm, int segment_bytes) {
  return MPIX_Hierarchy_reduce(pointer(sendbuf), pointer(recvbuf), count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), root,
                               hierarchy_of(hierarchy), algorithm, segment_bytes);
}

int mpix_fortran_hierarchy_allreduce(std::intptr_t sendbuf, std::intptr_t recvbuf, int count, MPI_Fint datatype,
                                     MPI_Fint op, std::intptr_t hierarchy, int algorithm, int segment_bytes) {
  return MPIX_Hierarchy_allreduce(pointer(sendbuf), pointer(recvbuf), count, MPI_Type_f2c(datatype), MPI_Op_f2c(op),
                                  hierarchy_of(hierarchy), algorithm, segment_bytes);
}

int mpix_fortran_hierarchy_gather(std::intptr_t sendbuf, int sendcount, MPI_Fint sendtype, std::intptr_t recvbuf,
                                  int recvcount, MPI_Fint recvtype, int root, std::intptr_t hierarchy, int algorithm) {
  return MPIX_Hierarchy_gather(pointer(sendbuf), sendcount, MPI_Type_f2c(sendtype), pointer(recvbuf), recvcount,
                               MPI_Type_f2c(recvtype), root, hierarchy_of(hierarchy), algorithm);
}

int mpix_fortran_hierarchy_scatter(std::intptr_t sendbuf, int sendcount, MPI_Fint sendtype, std::intptr_t recvbuf,
                                   int recvcount, MPI_Fint recvtype, int root, std::intptr_t hierarchy, int algorithm) {
  return MPIX_Hierarchy_scatter(pointer(sendbuf), sendcount, MPI_Type_f2c(sendtype), pointer(recvbuf), recvcount,
                                MPI_Type_f2c(recvtype), root, hierarchy_of(hierarchy), algorithm);
}

int mpix_fortran_hierarchy_allgather(std::intptr_t sendbuf, int sendcount, MPI_Fint sendtype, std::intptr_t recvbuf,
                                     int recvcount, MPI_Fint recvtype, std::intptr_t hierarchy, int algorithm) {
  return MPIX_Hierarchy_allgather(pointer(sendbuf), sendcount, MPI_Type_f2c(sendtype), pointer(recvbuf), recvcount,
                                  MPI_Type_f2c(recvtype), hierarchy_of(hierarchy), algorithm);
}

int mpix_fortran_hierarchy_barrier(std::intptr_t hierarchy, int algorithm) {
  return MPIX_Hierarchy_barrier(hierarchy_of(hierarchy), algorithm);
}

}  // extern "C"
