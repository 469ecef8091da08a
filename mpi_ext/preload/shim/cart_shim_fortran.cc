// SPDX-License-Identifier: LGPL-2.1-only
// The shim for Fortran, for interfaces that do not call the C functions of this name: all interfaces of Open MPI call
// PMPI_*, and so does mpi_f08 of MPICH. mpif.h and the module mpi use one name for a function, mpi_f08 another. The
// arguments of both are addresses of integers, and of handles that contain an integer.
#include <mpi.h>

#include <vector>

namespace {

// A mesh in Fortran's form. C's `periods` are 0 or nonzero, Fortran's are LOGICAL.
struct Mesh {
  MPI_Comm comm;
  int ndims;
  std::vector<int> periods;

  Mesh(const MPI_Fint* comm_handle, const MPI_Fint* dimensions, const MPI_Fint* logicals)
      : comm(MPI_Comm_f2c(*comm_handle)), ndims(*dimensions) {
    for (int d = 0; d < ndims; ++d) periods.push_back(logicals[d] != 0 ? 1 : 0);
  }
};

// `ierror` is optional in mpi_f08.
void tell(int code, MPI_Fint* ierror) {
  if (ierror != nullptr) *ierror = code;
}

void create(const MPI_Fint* comm, const MPI_Fint* ndims, const MPI_Fint dims[], const MPI_Fint periods[],
            const MPI_Fint* reorder, MPI_Fint* newcomm, MPI_Fint* ierror) {
  const Mesh mesh(comm, ndims, periods);
  MPI_Comm made = MPI_COMM_NULL;
  const int code = MPI_Cart_create(mesh.comm, mesh.ndims, dims, mesh.periods.data(), *reorder != 0 ? 1 : 0, &made);
  if (code == MPI_SUCCESS) *newcomm = MPI_Comm_c2f(made);
  tell(code, ierror);
}

}  // namespace

extern "C" {

void mpi_cart_create_(const MPI_Fint* comm, const MPI_Fint* ndims, const MPI_Fint dims[], const MPI_Fint periods[],
                      const MPI_Fint* reorder, MPI_Fint* newcomm, MPI_Fint* ierror) {
  create(comm, ndims, dims, periods, reorder, newcomm, ierror);
}

void mpi_cart_create_f08_(const MPI_Fint* comm, const MPI_Fint* ndims, const MPI_Fint dims[], const MPI_Fint periods[],
                          const MPI_Fint* reorder, MPI_Fint* newcomm, MPI_Fint* ierror) {
  create(comm, ndims, dims, periods, reorder, newcomm, ierror);
}
}
