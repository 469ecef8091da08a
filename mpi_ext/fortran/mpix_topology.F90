! SPDX-License-Identifier: LGPL-2.1-only
! Strata's topology-aware MPI extensions from Fortran: all of mpix.h, which documents the functions, with its names and
! its arguments in their order. For gfortran.
!
!   use mpi             ! or mpi_f08, where the MPI has it (SMPI does not)
!   use mpix_topology
!
! Handles are integers (module mpi) or derived types (module mpi_f08), all of a call alike; a kept hierarchy is
! type(MPIX_Hierarchy) in both, compared with == and /=, and MPIX_HIERARCHY_NULL at first. What differs from C:
! - `ierror` comes last and may be left out. Errors go through the communicator's error handler as in C.
! - `flag` of MPIX_Test is a logical; MPIX_Progress_get gives its list of PUs as names of levels are given.
! - Where C takes a null pointer for what the caller does not want, the argument may be left out, and those after it are
!   given by name: num_comms, index and type of MPIX_Comm_get_hlevel_info, rootscomms of MPIX_Comm_hsplit_all, rootscomm
!   of MPIX_Hierarchy_level, all of MPIX_Progress_get.
! - Names of levels are character(len=*), padded with blanks and cut where the variable is shorter than the name;
!   MPIX_MAX_HLEVEL_TYPE characters are enough.
! - Ranks, roots and levels count from 0, `index` too.
! - What is true or false of a Cartesian communicator (periods, reorder, remain_dims) is logical, as in MPI; remain_dims
!   and, with mpi_f08, the datatypes of MPIX_Neighbor_alltoallw have as many elements as there are. Directions
!   count from 0. MPIX_Nodecart_get_mapping gives a name as above and integers of kind c_int64_t, and each may be left
!   out; so are the two of MPIX_Get_network_bytes.
! - Bytes that MPIX_Comm_reorder and MPIX_Comm_reorder_rows are told are integers of kind c_int64_t. A matrix is one
!   array, a row after the other as in C: matrix(i * n + j + 1) is what rank i sends to rank j.
! - Requests of nonblocking collectives are integers in both. Their buffers must be contiguous, are left alone until the
!   wait, and where the compiler could keep them in registers meanwhile they are declared ASYNCHRONOUS.
! - Buffers are of any type, kind and rank; a section that is not contiguous is copied in and out. MPI_IN_PLACE and
!   MPI_BOTTOM mean what they mean in MPI. SMPI declares them as procedures, which the compiler refuses as arguments
!   here: MPIX_IN_PLACE and MPIX_BOTTOM stand for them, under every MPI.
! - Operations may be the user's own, made by MPI_Op_create from Fortran.
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
