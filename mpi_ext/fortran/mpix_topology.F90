! SPDX-License-Identifier: LGPL-2.1-only
! Strata's topology-aware MPI extensions from Fortran: all of mpix.h, with the same names and order of arguments. The
! functions are documented there. For gfortran.
!
!   use mpi             ! or mpi_f08, if the MPI has it (SMPI does not)
!   use mpix_topology
!
! Handles are integers (module mpi) or derived types (module mpi_f08); all handles of a call must be of the same kind.
! With both modules, a hierarchy is a type(MPIX_Hierarchy). It is initially MPIX_HIERARCHY_NULL, and can be compared
! with == and /=. Differences from C:
! - `ierror` is the last argument and optional. Errors go through the communicator's error handler, as in C.
! - `flag` of MPIX_Test is a logical. MPIX_Progress_get returns its list of PUs in the form of a level's name (see
!   below).
! - Arguments for which C accepts a null pointer can be omitted; pass those after them by name. They are num_comms,
!   index and type of MPIX_Comm_get_hlevel_info, rootscomms of MPIX_Comm_hsplit_all, rootscomm of MPIX_Hierarchy_level,
!   and all of MPIX_Progress_get.
! - Names of levels are character(len=*). They are padded with blanks, and cut if the variable is shorter than the name;
!   MPIX_MAX_HLEVEL_TYPE characters are always sufficient.
! - Ranks, roots, levels and `index` count from 0.
! - Flags of a Cartesian communicator (periods, reorder, remain_dims) are logical, as in MPI. remain_dims has as many
!   elements as there are dimensions and, with mpi_f08, the datatypes of MPIX_Neighbor_alltoallw as many as there are
!   neighbours. Directions count from 0. MPIX_Nodecart_get_mapping returns a name as above and integers of kind
!   c_int64_t; each can be omitted. So can the two numbers of MPIX_Get_network_bytes.
! - Bytes passed to MPIX_Comm_reorder and MPIX_Comm_reorder_rows are integers of kind c_int64_t. A matrix is an array of
!   rows as in C: matrix(i * n + j + 1) is what rank i sends to rank j.
! - Requests of nonblocking collectives are integers with both modules. Their buffers must be contiguous, must not be
!   changed before the wait, and must be declared ASYNCHRONOUS if the compiler could keep them in registers until then.
! - Buffers have any type, kind and rank; a section that is not contiguous is copied in and out. MPI_IN_PLACE and
!   MPI_BOTTOM have the same meaning as in MPI. SMPI declares them as procedures, which the compiler rejects as
!   arguments here, so use MPIX_IN_PLACE and MPIX_BOTTOM instead. These work with every MPI.
! - Operations may be user-defined, made by MPI_Op_create from Fortran.
module mpix_topology
  use mpix_topology_mpi
#ifndef MPIX_SMPI
  use mpix_topology_f08
#endif
  implicit none
  private
  public :: MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, MPIX_COMM_TYPE_HW_UNGUIDED, MPIX_COMM_TYPE_HW_GUIDED
  public :: MPIX_COMM_TYPE_RESOURCE_GUIDED, MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN, MPIX_ALGORITHM_PIPELINE
  public :: MPIX_ALGORITHM_SPLIT_BINARY, MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL
  public :: MPIX_ALGORITHM_IN_ORDER_BINARY, MPIX_ALGORITHM_RING, MPIX_ALGORITHM_RECURSIVE_DOUBLING, MPIX_CHAIN_FANOUT
  public :: MPIX_MAX_HLEVEL_TYPE, MPIX_IN_PLACE, MPIX_BOTTOM, MPIX_HIERARCHY_NULL, MPIX_REQUEST_NULL
  public :: MPIX_Hierarchy, operator(==), operator(/=)
  include 'mpix_topology.inc'
end module mpix_topology
