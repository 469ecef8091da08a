! What the Fortran module is made of: the constants of mpix.h, the handle of a kept hierarchy, the C functions of
! bindings.cc, and the translation of buffers. Programs use the module mpix_topology.
!
! MPI_IN_PLACE and MPI_BOTTOM are variables in Fortran whose addresses mean something, other addresses than in C, and
! the modules mpi and mpi_f08 may have a pair each. `choice` compares a buffer's address with all of them. In SMPI's
! module mpi they are external procedures, which cannot be arguments where an interface is explicit: there, and in
! programs for several MPIs, MPIX_IN_PLACE and MPIX_BOTTOM stand for them.
module mpix_topology_c
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_int, c_int64_t, c_intptr_t, c_long, &
    c_null_ptr, c_ptr
  implicit none
  public
  private :: c_associated, c_char, c_int, c_int64_t, c_intptr_t, c_long, c_null_ptr, c_ptr

  ! Values for split_type.
  integer, parameter :: MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY = 9077
  integer, parameter :: MPIX_COMM_TYPE_HW_UNGUIDED = 9078
  integer, parameter :: MPIX_COMM_TYPE_HW_GUIDED = 9079
  integer, parameter :: MPIX_COMM_TYPE_RESOURCE_GUIDED = 9080

  ! Algorithms.
  integer, parameter :: MPIX_ALGORITHM_LINEAR = 0
  integer, parameter :: MPIX_ALGORITHM_CHAIN = 1
  integer, parameter :: MPIX_ALGORITHM_PIPELINE = 2
  integer, parameter :: MPIX_ALGORITHM_SPLIT_BINARY = 3
  integer, parameter :: MPIX_ALGORITHM_BINARY = 4
  integer, parameter :: MPIX_ALGORITHM_BINOMIAL = 5
  integer, parameter :: MPIX_ALGORITHM_IN_ORDER_BINARY = 6
  integer, parameter :: MPIX_ALGORITHM_RING = 7
  integer, parameter :: MPIX_ALGORITHM_RECURSIVE_DOUBLING = 8
  integer, parameter :: MPIX_CHAIN_FANOUT = 4

  ! A request of a nonblocking collective that is none.
  integer, parameter :: MPIX_REQUEST_NULL = 0

  ! Names of levels are shorter: a communicator carries its own in an info value, and this is MPICH's MPI_MAX_INFO_VAL,
  ! the largest of the MPIs'. A longer name of a network level is cut.
  integer, parameter :: MPIX_MAX_HLEVEL_TYPE = 1024

  ! To be given in the place of a buffer, as MPI_IN_PLACE and MPI_BOTTOM are.
  integer, save, target :: MPIX_IN_PLACE = 0
  integer, save, target :: MPIX_BOTTOM = 0

  type, bind(C) :: MPIX_Hierarchy
    type(c_ptr) :: MPIX_VAL = c_null_ptr
  end type MPIX_Hierarchy
  type(MPIX_Hierarchy), parameter :: MPIX_HIERARCHY_NULL = MPIX_Hierarchy(c_null_ptr)

  interface operator(==)
    module procedure hierarchies_equal
  end interface operator(==)
  interface operator(/=)
    module procedure hierarchies_differ
  end interface operator(/=)

  interface
    type(c_ptr) function mpix_fortran_address(buffer) bind(C)
      import :: c_ptr
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      type(*), dimension(*) :: buffer
    end function mpix_fortran_address

    type(c_ptr) function mpix_fortran_c_in_place() bind(C)
      import :: c_ptr
    end function mpix_fortran_c_in_place

    type(c_ptr) function mpix_fortran_c_bottom() bind(C)
      import :: c_ptr
    end function mpix_fortran_c_bottom

    integer(c_int) function mpix_fortran_comm_split_type(comm, split_type, key, info, newcomm) bind(C)
      import :: c_int
      integer(c_int), value :: comm, split_type, key, info
      integer(c_int), intent(out) :: newcomm
    end function mpix_fortran_comm_split_type

    integer(c_int) function mpix_fortran_comm_hsplit_with_roots(comm, info, newcomm, rootscomm) bind(C)
      import :: c_int
      integer(c_int), value :: comm, info
      integer(c_int), intent(out) :: newcomm, rootscomm
    end function mpix_fortran_comm_hsplit_with_roots

    integer(c_int) function mpix_fortran_comm_hsplit_all(comm, info, max_depth, newcomms, rootscomms, depth) bind(C)
      import :: c_int
      integer(c_int), value :: comm, info, max_depth
      integer(c_int), intent(out) :: newcomms(*), depth
      integer(c_int), intent(out), optional :: rootscomms(*)
    end function mpix_fortran_comm_hsplit_all

    integer(c_int) function mpix_fortran_comm_get_hlevel_info(comm, num_comms, index, type, length) bind(C)
      import :: c_char, c_int
      integer(c_int), value :: comm, length
      integer(c_int), intent(out) :: num_comms, index
      character(kind=c_char), intent(out) :: type(*)
    end function mpix_fortran_comm_get_hlevel_info

    integer(c_int) function mpix_fortran_comm_get_min_hlevel(comm, nranks, ranks, type, length) bind(C)
      import :: c_char, c_int
      integer(c_int), value :: comm, nranks, length
      integer(c_int), intent(in) :: ranks(*)
      character(kind=c_char), intent(out) :: type(*)
    end function mpix_fortran_comm_get_min_hlevel

    integer(c_int) function mpix_fortran_get_hw_resource_info(hw_info) bind(C)
      import :: c_int
      integer(c_int), intent(out) :: hw_info
    end function mpix_fortran_get_hw_resource_info

    integer(c_int) function mpix_fortran_bcast(buffer, count, datatype, root, comm, algorithm, segment_bytes) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer
      integer(c_int), value :: count, datatype, root, comm, algorithm, segment_bytes
    end function mpix_fortran_bcast

    integer(c_int) function mpix_fortran_reduce(sendbuf, recvbuf, count, datatype, op, root, comm, algorithm, &
                                                segment_bytes) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: count, datatype, op, root, comm, algorithm, segment_bytes
    end function mpix_fortran_reduce

    integer(c_int) function mpix_fortran_allreduce(sendbuf, recvbuf, count, datatype, op, comm, algorithm, &
                                                   segment_bytes) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: count, datatype, op, comm, algorithm, segment_bytes
    end function mpix_fortran_allreduce

    integer(c_int) function mpix_fortran_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
                                                comm, algorithm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, root, comm, algorithm
    end function mpix_fortran_gather

    integer(c_int) function mpix_fortran_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
                                                 comm, algorithm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, root, comm, algorithm
    end function mpix_fortran_scatter

    integer(c_int) function mpix_fortran_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, &
                                                   algorithm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, comm, algorithm
    end function mpix_fortran_allgather

    integer(c_int) function mpix_fortran_barrier(comm, algorithm) bind(C)
      import :: c_int
      integer(c_int), value :: comm, algorithm
    end function mpix_fortran_barrier

    integer(c_int) function mpix_fortran_hierarchy_create(comm, info, hierarchy) bind(C)
      import :: c_int, c_ptr
      integer(c_int), value :: comm, info
      type(c_ptr), intent(out) :: hierarchy
    end function mpix_fortran_hierarchy_create

    integer(c_int) function mpix_fortran_hierarchy_create_groups(comm, levels, groups, hierarchy) bind(C)
      import :: c_int, c_ptr
      integer(c_int), value :: comm, levels
      integer(c_int), intent(in) :: groups(*)
      type(c_ptr), intent(out) :: hierarchy
    end function mpix_fortran_hierarchy_create_groups

    integer(c_int) function mpix_fortran_hierarchy_free(hierarchy) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), intent(inout) :: hierarchy
    end function mpix_fortran_hierarchy_free

    integer(c_int) function mpix_fortran_hierarchy_depth(hierarchy, depth) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: hierarchy
      integer(c_int), intent(out) :: depth
    end function mpix_fortran_hierarchy_depth

    integer(c_int) function mpix_fortran_hierarchy_level(hierarchy, level, comm, rootscomm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: hierarchy
      integer(c_int), value :: level
      integer(c_int), intent(out) :: comm, rootscomm
    end function mpix_fortran_hierarchy_level

    integer(c_int) function mpix_fortran_hierarchy_bcast(buffer, count, datatype, root, hierarchy, algorithm, &
                                                         segment_bytes) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer, hierarchy
      integer(c_int), value :: count, datatype, root, algorithm, segment_bytes
    end function mpix_fortran_hierarchy_bcast

    integer(c_int) function mpix_fortran_hierarchy_reduce(sendbuf, recvbuf, count, datatype, op, root, hierarchy, &
                                                          algorithm, segment_bytes) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf, hierarchy
      integer(c_int), value :: count, datatype, op, root, algorithm, segment_bytes
    end function mpix_fortran_hierarchy_reduce

    integer(c_int) function mpix_fortran_hierarchy_allreduce(sendbuf, recvbuf, count, datatype, op, hierarchy, &
                                                             algorithm, segment_bytes) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf, hierarchy
      integer(c_int), value :: count, datatype, op, algorithm, segment_bytes
    end function mpix_fortran_hierarchy_allreduce

    integer(c_int) function mpix_fortran_hierarchy_gather(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
                                                          recvtype, root, hierarchy, algorithm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf, hierarchy
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, root, algorithm
    end function mpix_fortran_hierarchy_gather

    integer(c_int) function mpix_fortran_hierarchy_scatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
                                                           recvtype, root, hierarchy, algorithm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf, hierarchy
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, root, algorithm
    end function mpix_fortran_hierarchy_scatter

    integer(c_int) function mpix_fortran_hierarchy_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
                                                             recvtype, hierarchy, algorithm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf, hierarchy
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, algorithm
    end function mpix_fortran_hierarchy_allgather

    integer(c_int) function mpix_fortran_hierarchy_barrier(hierarchy, algorithm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: hierarchy
      integer(c_int), value :: algorithm
    end function mpix_fortran_hierarchy_barrier

    integer(c_int) function mpix_fortran_progress_start(comm, info, application) bind(C)
      import :: c_int
      integer(c_int), value :: comm, info
      integer(c_int), intent(out) :: application
    end function mpix_fortran_progress_start

    integer(c_int) function mpix_fortran_progress_stop(application) bind(C)
      import :: c_int
      integer(c_int), intent(inout) :: application
    end function mpix_fortran_progress_stop

    integer(c_int) function mpix_fortran_progress_get(communication_cores, cores, cpuset, length) bind(C)
      import :: c_char, c_int
      integer(c_int), intent(out), optional :: communication_cores, cores
      character(kind=c_char), intent(out), optional :: cpuset(*)
      integer(c_int), value :: length
    end function mpix_fortran_progress_get

    integer(c_int) function mpix_fortran_comm_set_progress(comm, info) bind(C)
      import :: c_int
      integer(c_int), value :: comm, info
    end function mpix_fortran_comm_set_progress

    integer(c_int) function mpix_fortran_ibcast(buffer, count, datatype, root, comm, request) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: buffer
      integer(c_int), value :: count, datatype, root, comm
      integer(c_int), intent(out) :: request
    end function mpix_fortran_ibcast

    integer(c_int) function mpix_fortran_ireduce(sendbuf, recvbuf, count, datatype, op, root, comm, request) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: count, datatype, op, root, comm
      integer(c_int), intent(out) :: request
    end function mpix_fortran_ireduce

    integer(c_int) function mpix_fortran_iallreduce(sendbuf, recvbuf, count, datatype, op, comm, request) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: count, datatype, op, comm
      integer(c_int), intent(out) :: request
    end function mpix_fortran_iallreduce

    integer(c_int) function mpix_fortran_iscatter(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
                                                  comm, request) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(out) :: request
    end function mpix_fortran_iscatter

    integer(c_int) function mpix_fortran_igather(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, &
                                                 comm, request) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, root, comm
      integer(c_int), intent(out) :: request
    end function mpix_fortran_igather

    integer(c_int) function mpix_fortran_iscan(sendbuf, recvbuf, count, datatype, op, comm, request) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: count, datatype, op, comm
      integer(c_int), intent(out) :: request
    end function mpix_fortran_iscan

    integer(c_int) function mpix_fortran_ibarrier(comm, request) bind(C)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int), intent(out) :: request
    end function mpix_fortran_ibarrier

    integer(c_int) function mpix_fortran_wait(request) bind(C)
      import :: c_int
      integer(c_int), intent(inout) :: request
    end function mpix_fortran_wait

    integer(c_int) function mpix_fortran_waitall(count, requests) bind(C)
      import :: c_int
      integer(c_int), value :: count
      integer(c_int), intent(inout) :: requests(*)
    end function mpix_fortran_waitall

    integer(c_int) function mpix_fortran_test(request, flag) bind(C)
      import :: c_int
      integer(c_int), intent(inout) :: request
      integer(c_int), intent(out) :: flag
    end function mpix_fortran_test

    integer(c_int) function mpix_fortran_request_get_steps(request, steps) bind(C)
      import :: c_int
      integer(c_int), value :: request
      integer(c_int), intent(out) :: steps
    end function mpix_fortran_request_get_steps

    integer(c_int) function mpix_fortran_comm_set_nodecart(comm, info) bind(C)
      import :: c_int
      integer(c_int), value :: comm, info
    end function mpix_fortran_comm_set_nodecart

    integer(c_int) function mpix_fortran_nodecart_create(comm, ndims, dims, periods, reorder, newcomm) bind(C)
      import :: c_int
      integer(c_int), value :: comm, ndims, reorder
      integer(c_int), intent(in) :: dims(*), periods(*)
      integer(c_int), intent(out) :: newcomm
    end function mpix_fortran_nodecart_create

    integer(c_int) function mpix_fortran_nodecart_map(comm, ndims, dims, periods, newrank) bind(C)
      import :: c_int
      integer(c_int), value :: comm, ndims
      integer(c_int), intent(in) :: dims(*), periods(*)
      integer(c_int), intent(inout) :: newrank
    end function mpix_fortran_nodecart_map

    integer(c_int) function mpix_fortran_nodecart_sub(comm, remain_dims, newcomm) bind(C)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int), intent(in) :: remain_dims(*)
      integer(c_int), intent(out) :: newcomm
    end function mpix_fortran_nodecart_sub

    integer(c_int) function mpix_fortran_nodecart_dim_get(comm, ndims) bind(C)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int), intent(inout) :: ndims
    end function mpix_fortran_nodecart_dim_get

    integer(c_int) function mpix_fortran_nodecart_get(comm, maxdims, dims, periods, coords) bind(C)
      import :: c_int
      integer(c_int), value :: comm, maxdims
      integer(c_int), intent(inout) :: dims(*), periods(*), coords(*)
    end function mpix_fortran_nodecart_get

    integer(c_int) function mpix_fortran_nodecart_rank(comm, coords, rank) bind(C)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int), intent(in) :: coords(*)
      integer(c_int), intent(inout) :: rank
    end function mpix_fortran_nodecart_rank

    integer(c_int) function mpix_fortran_nodecart_coords(comm, rank, maxdims, coords) bind(C)
      import :: c_int
      integer(c_int), value :: comm, rank, maxdims
      integer(c_int), intent(inout) :: coords(*)
    end function mpix_fortran_nodecart_coords

    integer(c_int) function mpix_fortran_nodecart_shift(comm, direction, displ, source, dest) bind(C)
      import :: c_int
      integer(c_int), value :: comm, direction, displ
      integer(c_int), intent(inout) :: source, dest
    end function mpix_fortran_nodecart_shift

    integer(c_int) function mpix_fortran_nodecart_dims_create(comm, nnodes, ndims, dims) bind(C)
      import :: c_int
      integer(c_int), value :: comm, nnodes, ndims
      integer(c_int), intent(inout) :: dims(*)
    end function mpix_fortran_nodecart_dims_create

    integer(c_int) function mpix_fortran_neighbor_allgather(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
                                                            recvtype, comm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, comm
    end function mpix_fortran_neighbor_allgather

    integer(c_int) function mpix_fortran_neighbor_allgatherv(sendbuf, sendcount, sendtype, recvbuf, recvcounts, &
                                                             displs, recvtype, comm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvtype, comm
      integer(c_int), intent(in) :: recvcounts(*), displs(*)
    end function mpix_fortran_neighbor_allgatherv

    integer(c_int) function mpix_fortran_neighbor_alltoall(sendbuf, sendcount, sendtype, recvbuf, recvcount, &
                                                           recvtype, comm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: sendcount, sendtype, recvcount, recvtype, comm
    end function mpix_fortran_neighbor_alltoall

    integer(c_int) function mpix_fortran_neighbor_alltoallv(sendbuf, sendcounts, sdispls, sendtype, recvbuf, &
                                                            recvcounts, rdispls, recvtype, comm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcounts(*), sdispls(*), recvcounts(*), rdispls(*)
      integer(c_int), value :: sendtype, recvtype, comm
    end function mpix_fortran_neighbor_alltoallv

    integer(c_int) function mpix_fortran_neighbor_alltoallw(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, &
                                                            recvcounts, rdispls, recvtypes, comm) bind(C)
      import :: c_int, c_intptr_t, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), intent(in) :: sendcounts(*), sendtypes(*), recvcounts(*), recvtypes(*)
      integer(c_intptr_t), intent(in) :: sdispls(*), rdispls(*)
      integer(c_int), value :: comm
    end function mpix_fortran_neighbor_alltoallw

    integer(c_int) function mpix_fortran_nodecart_get_mapping(comm, method, length, on_node, off_node) bind(C)
      import :: c_char, c_int, c_int64_t
      integer(c_int), value :: comm, length
      character(kind=c_char), intent(out), optional :: method(*)
      integer(c_int64_t), intent(out), optional :: on_node, off_node
    end function mpix_fortran_nodecart_get_mapping

    integer(c_int) function mpix_fortran_comm_reorder(comm, matrix, newcomm) bind(C)
      import :: c_int, c_long
      integer(c_int), value :: comm
      integer(c_long), intent(in) :: matrix(*)
      integer(c_int), intent(out) :: newcomm
    end function mpix_fortran_comm_reorder

    integer(c_int) function mpix_fortran_comm_reorder_rows(comm, npeers, peers, bytes, info, newcomm) bind(C)
      import :: c_int, c_long
      integer(c_int), value :: comm, npeers, info
      integer(c_int), intent(in) :: peers(*)
      integer(c_long), intent(in) :: bytes(*)
      integer(c_int), intent(out) :: newcomm
    end function mpix_fortran_comm_reorder_rows

    integer(c_int) function mpix_fortran_comm_get_reordering(newcomm, new_rank) bind(C)
      import :: c_int
      integer(c_int), value :: newcomm
      integer(c_int), intent(inout) :: new_rank(*)
    end function mpix_fortran_comm_get_reordering

    integer(c_int) function mpix_fortran_comm_redistribute(sendbuf, recvbuf, count, datatype, newcomm) bind(C)
      import :: c_int, c_ptr
      type(c_ptr), value :: sendbuf, recvbuf
      integer(c_int), value :: count, datatype, newcomm
    end function mpix_fortran_comm_redistribute

    integer(c_int) function mpix_fortran_get_network_bytes(sent, received) bind(C)
      import :: c_int, c_int64_t
      integer(c_int64_t), intent(out), optional :: sent, received
    end function mpix_fortran_get_network_bytes
  end interface

contains

  ! The address that means to C what `buffer` means in Fortran.
  type(c_ptr) function choice(buffer)
#ifndef MPIX_SMPI
    use mpi, only: MPI_BOTTOM, MPI_IN_PLACE
    use mpi_f08, only: BOTTOM_F08 => MPI_BOTTOM, IN_PLACE_F08 => MPI_IN_PLACE
#endif
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*) :: buffer

    choice = mpix_fortran_address(buffer)
    if (any([c_associated(choice, mpix_fortran_address(MPIX_IN_PLACE)) &
#ifndef MPIX_SMPI
             , c_associated(choice, mpix_fortran_address(MPI_IN_PLACE)) &
             , c_associated(choice, mpix_fortran_address(IN_PLACE_F08)) &
#endif
             ])) choice = mpix_fortran_c_in_place()
    if (any([c_associated(choice, mpix_fortran_address(MPIX_BOTTOM)) &
#ifndef MPIX_SMPI
             , c_associated(choice, mpix_fortran_address(MPI_BOTTOM)) &
             , c_associated(choice, mpix_fortran_address(BOTTOM_F08)) &
#endif
             ])) choice = mpix_fortran_c_bottom()
  end function choice

  elemental logical function hierarchies_equal(a, b)
    type(MPIX_Hierarchy), intent(in) :: a, b

    hierarchies_equal = .not. (a /= b)
  end function hierarchies_equal

  elemental logical function hierarchies_differ(a, b)
    type(MPIX_Hierarchy), intent(in) :: a, b

    hierarchies_differ = c_associated(a%MPIX_VAL) .neqv. c_associated(b%MPIX_VAL)
    if (c_associated(a%MPIX_VAL)) hierarchies_differ = .not. c_associated(a%MPIX_VAL, b%MPIX_VAL)
  end function hierarchies_differ

end module mpix_topology_c
