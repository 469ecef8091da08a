// The C side of the Fortran module: each function turns Fortran's integer handles into C's, calls the function of
// mpix.h or MPI_Monitoring.h that it is named after, and turns the results back. Buffers come as addresses that mean
// what C means by them (mpix_topology_c.F90 has replaced Fortran's MPI_IN_PLACE and MPI_BOTTOM). Errors are mpix.h's.
#include <mpi.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "mpi_ext/mpix.h"

namespace {

// As Fortran assigns to a character variable: cut or padded with blanks. Nothing where there is no variable.
void assign(char* to, int length, const char* from) {
  if (to == nullptr) return;
  const int used = std::min(length, static_cast<int>(std::strlen(from)));
  std::memcpy(to, from, static_cast<size_t>(used));
  std::memset(to + used, ' ', static_cast<size_t>(length - used));
}

}  // namespace

extern "C" {

const void* mpix_fortran_address(const void* buffer) { return buffer; }

const void* mpix_fortran_c_in_place() { return MPI_IN_PLACE; }

const void* mpix_fortran_c_bottom() { return MPI_BOTTOM; }

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

int mpix_fortran_bcast(void* buffer, int count, MPI_Fint datatype, int root, MPI_Fint comm, int algorithm,
                       int segment_bytes) {
  return MPIX_Bcast(buffer, count, MPI_Type_f2c(datatype), root, MPI_Comm_f2c(comm), algorithm, segment_bytes);
}

int mpix_fortran_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint op, int root,
                        MPI_Fint comm, int algorithm, int segment_bytes) {
  return MPIX_Reduce(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), root, MPI_Comm_f2c(comm),
                     algorithm, segment_bytes);
}

int mpix_fortran_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint op, MPI_Fint comm,
                           int algorithm, int segment_bytes) {
  return MPIX_Allreduce(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), MPI_Comm_f2c(comm), algorithm,
                        segment_bytes);
}

int mpix_fortran_gather(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                        MPI_Fint recvtype, int root, MPI_Fint comm, int algorithm) {
  return MPIX_Gather(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype), root,
                     MPI_Comm_f2c(comm), algorithm);
}

int mpix_fortran_scatter(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                         MPI_Fint recvtype, int root, MPI_Fint comm, int algorithm) {
  return MPIX_Scatter(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype), root,
                      MPI_Comm_f2c(comm), algorithm);
}

int mpix_fortran_allgather(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                           MPI_Fint recvtype, MPI_Fint comm, int algorithm) {
  return MPIX_Allgather(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype),
                        MPI_Comm_f2c(comm), algorithm);
}

int mpix_fortran_barrier(MPI_Fint comm, int algorithm) { return MPIX_Barrier(MPI_Comm_f2c(comm), algorithm); }

// ---- The hierarchy as a whole ----

int mpix_fortran_hierarchy_create(MPI_Fint comm, MPI_Fint info, MPIX_Hierarchy* hierarchy) {
  *hierarchy = MPIX_HIERARCHY_NULL;
  return MPIX_Hierarchy_create(MPI_Comm_f2c(comm), MPI_Info_f2c(info), hierarchy);
}

int mpix_fortran_hierarchy_create_groups(MPI_Fint comm, int levels, const int* groups, MPIX_Hierarchy* hierarchy) {
  *hierarchy = MPIX_HIERARCHY_NULL;
  return MPIX_Hierarchy_create_groups(MPI_Comm_f2c(comm), levels, groups, hierarchy);
}

int mpix_fortran_hierarchy_free(MPIX_Hierarchy* hierarchy) { return MPIX_Hierarchy_free(hierarchy); }

int mpix_fortran_hierarchy_depth(MPIX_Hierarchy hierarchy, int* depth) {
  return MPIX_Hierarchy_depth(hierarchy, depth);
}

int mpix_fortran_hierarchy_level(MPIX_Hierarchy hierarchy, int level, MPI_Fint* comm, MPI_Fint* rootscomm) {
  MPI_Comm c = MPI_COMM_NULL, roots = MPI_COMM_NULL;
  const int error = MPIX_Hierarchy_level(hierarchy, level, &c, &roots);
  *comm = MPI_Comm_c2f(c);
  *rootscomm = MPI_Comm_c2f(roots);
  return error;
}

int mpix_fortran_hierarchy_bcast(void* buffer, int count, MPI_Fint datatype, int root, MPIX_Hierarchy hierarchy,
                                 int algorithm, int segment_bytes) {
  return MPIX_Hierarchy_bcast(buffer, count, MPI_Type_f2c(datatype), root, hierarchy, algorithm, segment_bytes);
}

int mpix_fortran_hierarchy_reduce(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint op,
                                  int root, MPIX_Hierarchy hierarchy, int algorithm, int segment_bytes) {
  return MPIX_Hierarchy_reduce(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), root, hierarchy,
                               algorithm, segment_bytes);
}

int mpix_fortran_hierarchy_allreduce(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint op,
                                     MPIX_Hierarchy hierarchy, int algorithm, int segment_bytes) {
  return MPIX_Hierarchy_allreduce(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), hierarchy, algorithm,
                                  segment_bytes);
}

int mpix_fortran_hierarchy_gather(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                                  MPI_Fint recvtype, int root, MPIX_Hierarchy hierarchy, int algorithm) {
  return MPIX_Hierarchy_gather(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype),
                               root, hierarchy, algorithm);
}

int mpix_fortran_hierarchy_scatter(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                                   MPI_Fint recvtype, int root, MPIX_Hierarchy hierarchy, int algorithm) {
  return MPIX_Hierarchy_scatter(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype),
                                root, hierarchy, algorithm);
}

int mpix_fortran_hierarchy_allgather(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf,
                                     int recvcount, MPI_Fint recvtype, MPIX_Hierarchy hierarchy, int algorithm) {
  return MPIX_Hierarchy_allgather(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount,
                                  MPI_Type_f2c(recvtype), hierarchy, algorithm);
}

int mpix_fortran_hierarchy_barrier(MPIX_Hierarchy hierarchy, int algorithm) {
  return MPIX_Hierarchy_barrier(hierarchy, algorithm);
}

// ---- Nonblocking collectives ----

int mpix_fortran_progress_start(MPI_Fint comm, MPI_Fint info, MPI_Fint* application) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPIX_Progress_start(MPI_Comm_f2c(comm), MPI_Info_f2c(info), &made);
  *application = MPI_Comm_c2f(made);
  return error;
}

int mpix_fortran_progress_stop(MPI_Fint* application) {
  MPI_Comm stopped = MPI_Comm_f2c(*application);
  const int error = MPIX_Progress_stop(&stopped);
  *application = MPI_Comm_c2f(stopped);
  return error;
}

int mpix_fortran_progress_get(int* communication_cores, int* cores, char* cpuset, int length) {
  const char* list = "";
  const int error = MPIX_Progress_get(communication_cores, cores, &list);
  assign(cpuset, length, list);
  return error;
}

int mpix_fortran_comm_set_progress(MPI_Fint comm, MPI_Fint info) {
  return MPIX_Comm_set_progress(MPI_Comm_f2c(comm), MPI_Info_f2c(info));
}

int mpix_fortran_ibcast(void* buffer, int count, MPI_Fint datatype, int root, MPI_Fint comm, MPIX_Request* request) {
  return MPIX_Ibcast(buffer, count, MPI_Type_f2c(datatype), root, MPI_Comm_f2c(comm), request);
}

int mpix_fortran_ireduce(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint op, int root,
                         MPI_Fint comm, MPIX_Request* request) {
  return MPIX_Ireduce(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), root, MPI_Comm_f2c(comm),
                      request);
}

int mpix_fortran_iallreduce(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint op,
                            MPI_Fint comm, MPIX_Request* request) {
  return MPIX_Iallreduce(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), MPI_Comm_f2c(comm), request);
}

int mpix_fortran_iscatter(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                          MPI_Fint recvtype, int root, MPI_Fint comm, MPIX_Request* request) {
  return MPIX_Iscatter(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype), root,
                       MPI_Comm_f2c(comm), request);
}

int mpix_fortran_igather(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                         MPI_Fint recvtype, int root, MPI_Fint comm, MPIX_Request* request) {
  return MPIX_Igather(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype), root,
                      MPI_Comm_f2c(comm), request);
}

int mpix_fortran_iscan(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint op, MPI_Fint comm,
                       MPIX_Request* request) {
  return MPIX_Iscan(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Op_f2c(op), MPI_Comm_f2c(comm), request);
}

int mpix_fortran_ibarrier(MPI_Fint comm, MPIX_Request* request) { return MPIX_Ibarrier(MPI_Comm_f2c(comm), request); }

int mpix_fortran_wait(MPIX_Request* request) { return MPIX_Wait(request); }

int mpix_fortran_waitall(int count, MPIX_Request* requests) { return MPIX_Waitall(count, requests); }

int mpix_fortran_test(MPIX_Request* request, int* flag) {
  *flag = 0;
  return MPIX_Test(request, flag);
}

int mpix_fortran_request_get_steps(MPIX_Request request, int* steps) {
  *steps = 0;
  return MPIX_Request_get_steps(request, steps);
}

// ---- Node-aware Cartesian communicators ----

int mpix_fortran_comm_set_nodecart(MPI_Fint comm, MPI_Fint info) {
  return MPIX_Comm_set_nodecart(MPI_Comm_f2c(comm), MPI_Info_f2c(info));
}

int mpix_fortran_nodecart_create(MPI_Fint comm, int ndims, const int* dims, const int* periods, int reorder,
                                 MPI_Fint* newcomm) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPIX_Nodecart_create(MPI_Comm_f2c(comm), ndims, dims, periods, reorder, &made);
  *newcomm = MPI_Comm_c2f(made);
  return error;
}

int mpix_fortran_nodecart_map(MPI_Fint comm, int ndims, const int* dims, const int* periods, int* newrank) {
  return MPIX_Nodecart_map(MPI_Comm_f2c(comm), ndims, dims, periods, newrank);
}

int mpix_fortran_nodecart_sub(MPI_Fint comm, const int* remain_dims, MPI_Fint* newcomm) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPIX_Nodecart_sub(MPI_Comm_f2c(comm), remain_dims, &made);
  *newcomm = MPI_Comm_c2f(made);
  return error;
}

int mpix_fortran_nodecart_dim_get(MPI_Fint comm, int* ndims) {
  return MPIX_Nodecart_dim_get(MPI_Comm_f2c(comm), ndims);
}

int mpix_fortran_nodecart_get(MPI_Fint comm, int maxdims, int* dims, int* periods, int* coords) {
  return MPIX_Nodecart_get(MPI_Comm_f2c(comm), maxdims, dims, periods, coords);
}

int mpix_fortran_nodecart_rank(MPI_Fint comm, const int* coords, int* rank) {
  return MPIX_Nodecart_rank(MPI_Comm_f2c(comm), coords, rank);
}

int mpix_fortran_nodecart_coords(MPI_Fint comm, int rank, int maxdims, int* coords) {
  return MPIX_Nodecart_coords(MPI_Comm_f2c(comm), rank, maxdims, coords);
}

int mpix_fortran_nodecart_shift(MPI_Fint comm, int direction, int displ, int* source, int* dest) {
  return MPIX_Nodecart_shift(MPI_Comm_f2c(comm), direction, displ, source, dest);
}

int mpix_fortran_nodecart_dims_create(MPI_Fint comm, int nnodes, int ndims, int* dims) {
  return MPIX_Nodecart_dims_create(MPI_Comm_f2c(comm), nnodes, ndims, dims);
}

int mpix_fortran_nodecart_get_mapping(MPI_Fint comm, char* method, int length, std::int64_t* on_node,
                                      std::int64_t* off_node) {
  char* name = nullptr;
  long on = 0, off = 0;
  const int error = MPIX_Nodecart_get_mapping(MPI_Comm_f2c(comm), &name, &on, &off);
  assign(method, length, name == nullptr ? "" : name);
  if (on_node != nullptr) *on_node = on;
  if (off_node != nullptr) *off_node = off;
  return error;
}

int mpix_fortran_neighbor_allgather(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                                    MPI_Fint recvtype, MPI_Fint comm) {
  return MPIX_Neighbor_allgather(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype),
                                 MPI_Comm_f2c(comm));
}

int mpix_fortran_neighbor_allgatherv(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf,
                                     const int* recvcounts, const int* displs, MPI_Fint recvtype, MPI_Fint comm) {
  return MPIX_Neighbor_allgatherv(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcounts, displs,
                                  MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm));
}

int mpix_fortran_neighbor_alltoall(const void* sendbuf, int sendcount, MPI_Fint sendtype, void* recvbuf, int recvcount,
                                   MPI_Fint recvtype, MPI_Fint comm) {
  return MPIX_Neighbor_alltoall(sendbuf, sendcount, MPI_Type_f2c(sendtype), recvbuf, recvcount, MPI_Type_f2c(recvtype),
                                MPI_Comm_f2c(comm));
}

int mpix_fortran_neighbor_alltoallv(const void* sendbuf, const int* sendcounts, const int* sdispls, MPI_Fint sendtype,
                                    void* recvbuf, const int* recvcounts, const int* rdispls, MPI_Fint recvtype,
                                    MPI_Fint comm) {
  return MPIX_Neighbor_alltoallv(sendbuf, sendcounts, sdispls, MPI_Type_f2c(sendtype), recvbuf, recvcounts, rdispls,
                                 MPI_Type_f2c(recvtype), MPI_Comm_f2c(comm));
}

int mpix_fortran_neighbor_alltoallw(const void* sendbuf, const int* sendcounts, const MPI_Aint* sdispls,
                                    const MPI_Fint* sendtypes, void* recvbuf, const int* recvcounts,
                                    const MPI_Aint* rdispls, const MPI_Fint* recvtypes, MPI_Fint comm) {
  // As many handles as there are neighbours.
  int ndims = 0;
  if (const int error = MPIX_Nodecart_dim_get(MPI_Comm_f2c(comm), &ndims)) return error;
  std::vector<MPI_Datatype> out(2 * ndims), in(2 * ndims);
  std::transform(sendtypes, sendtypes + out.size(), out.begin(), [](MPI_Fint type) { return MPI_Type_f2c(type); });
  std::transform(recvtypes, recvtypes + in.size(), in.begin(), [](MPI_Fint type) { return MPI_Type_f2c(type); });
  return MPIX_Neighbor_alltoallw(sendbuf, sendcounts, sdispls, out.data(), recvbuf, recvcounts, rdispls, in.data(),
                                 MPI_Comm_f2c(comm));
}

// ---- Reordering ranks ----

// Fortran has no unsigned integers: bytes come as signed ones of the same size, which are not negative.
int mpix_fortran_comm_reorder(MPI_Fint comm, const long* matrix, MPI_Fint* newcomm) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPIX_Comm_reorder(MPI_Comm_f2c(comm), reinterpret_cast<const unsigned long*>(matrix), &made);
  *newcomm = MPI_Comm_c2f(made);
  return error;
}

int mpix_fortran_comm_reorder_rows(MPI_Fint comm, int npeers, const int* peers, const long* bytes, MPI_Fint info,
                                   MPI_Fint* newcomm) {
  MPI_Comm made = MPI_COMM_NULL;
  const int error = MPIX_Comm_reorder_rows(MPI_Comm_f2c(comm), npeers, peers,
                                           reinterpret_cast<const unsigned long*>(bytes), MPI_Info_f2c(info), &made);
  *newcomm = MPI_Comm_c2f(made);
  return error;
}

int mpix_fortran_comm_get_reordering(MPI_Fint newcomm, int* new_rank) {
  return MPIX_Comm_get_reordering(MPI_Comm_f2c(newcomm), new_rank);
}

int mpix_fortran_comm_redistribute(const void* sendbuf, void* recvbuf, int count, MPI_Fint datatype, MPI_Fint newcomm) {
  return MPIX_Comm_redistribute(sendbuf, recvbuf, count, MPI_Type_f2c(datatype), MPI_Comm_f2c(newcomm));
}

// ---- Network cards ----

int mpix_fortran_get_network_bytes(std::int64_t* sent, std::int64_t* received) {
  unsigned long out = 0, in = 0;
  const int error = MPIX_Get_network_bytes(&out, &in);
  if (sent != nullptr) *sent = static_cast<std::int64_t>(out);
  if (received != nullptr) *received = static_cast<std::int64_t>(in);
  return error;
}

// ---- Monitoring sessions ----

int mpix_fortran_m_start(MPI_Fint comm, MPI_M_msid* msid) { return MPI_M_start(MPI_Comm_f2c(comm), msid); }

void mpix_fortran_m_error_string(int error, char* text, int length) { assign(text, length, MPI_M_error_string(error)); }

}  // extern "C"
