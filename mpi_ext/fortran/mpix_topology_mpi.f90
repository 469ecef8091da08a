! The functions of mpix.h with handles that are integers, as the module mpi has them. Programs use the module
! mpix_topology, and read there how the arguments differ from C's.
module mpix_topology_mpi
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_intptr_t, c_long
  use mpix_topology_c
  implicit none
  public
  private :: c_int64_t, c_intptr_t, c_long

  interface MPIX_Comm_split_type
    module procedure MPIX_Comm_split_type_mpi
  end interface MPIX_Comm_split_type
  interface MPIX_Comm_hsplit_with_roots
    module procedure MPIX_Comm_hsplit_with_roots_mpi
  end interface MPIX_Comm_hsplit_with_roots
  interface MPIX_Comm_hsplit_all
    module procedure MPIX_Comm_hsplit_all_mpi
  end interface MPIX_Comm_hsplit_all
  interface MPIX_Comm_get_hlevel_info
    module procedure MPIX_Comm_get_hlevel_info_mpi
  end interface MPIX_Comm_get_hlevel_info
  interface MPIX_Comm_get_min_hlevel
    module procedure MPIX_Comm_get_min_hlevel_mpi
  end interface MPIX_Comm_get_min_hlevel
  interface MPIX_Get_hw_resource_info
    module procedure MPIX_Get_hw_resource_info_mpi
  end interface MPIX_Get_hw_resource_info
  interface MPIX_Bcast
    module procedure MPIX_Bcast_mpi
  end interface MPIX_Bcast
  interface MPIX_Reduce
    module procedure MPIX_Reduce_mpi
  end interface MPIX_Reduce
  interface MPIX_Allreduce
    module procedure MPIX_Allreduce_mpi
  end interface MPIX_Allreduce
  interface MPIX_Gather
    module procedure MPIX_Gather_mpi
  end interface MPIX_Gather
  interface MPIX_Scatter
    module procedure MPIX_Scatter_mpi
  end interface MPIX_Scatter
  interface MPIX_Allgather
    module procedure MPIX_Allgather_mpi
  end interface MPIX_Allgather
  interface MPIX_Barrier
    module procedure MPIX_Barrier_mpi
  end interface MPIX_Barrier
  interface MPIX_Hierarchy_create
    module procedure MPIX_Hierarchy_create_mpi
  end interface MPIX_Hierarchy_create
  interface MPIX_Hierarchy_create_groups
    module procedure MPIX_Hierarchy_create_groups_mpi
  end interface MPIX_Hierarchy_create_groups
  interface MPIX_Hierarchy_free
    module procedure MPIX_Hierarchy_free_mpi
  end interface MPIX_Hierarchy_free
  interface MPIX_Hierarchy_depth
    module procedure MPIX_Hierarchy_depth_mpi
  end interface MPIX_Hierarchy_depth
  interface MPIX_Hierarchy_level
    module procedure MPIX_Hierarchy_level_mpi
  end interface MPIX_Hierarchy_level
  interface MPIX_Hierarchy_bcast
    module procedure MPIX_Hierarchy_bcast_mpi
  end interface MPIX_Hierarchy_bcast
  interface MPIX_Hierarchy_reduce
    module procedure MPIX_Hierarchy_reduce_mpi
  end interface MPIX_Hierarchy_reduce
  interface MPIX_Hierarchy_allreduce
    module procedure MPIX_Hierarchy_allreduce_mpi
  end interface MPIX_Hierarchy_allreduce
  interface MPIX_Hierarchy_gather
    module procedure MPIX_Hierarchy_gather_mpi
  end interface MPIX_Hierarchy_gather
  interface MPIX_Hierarchy_scatter
    module procedure MPIX_Hierarchy_scatter_mpi
  end interface MPIX_Hierarchy_scatter
  interface MPIX_Hierarchy_allgather
    module procedure MPIX_Hierarchy_allgather_mpi
  end interface MPIX_Hierarchy_allgather
  interface MPIX_Hierarchy_barrier
    module procedure MPIX_Hierarchy_barrier_mpi
  end interface MPIX_Hierarchy_barrier
  interface MPIX_Progress_start
    module procedure MPIX_Progress_start_mpi
  end interface MPIX_Progress_start
  interface MPIX_Progress_stop
    module procedure MPIX_Progress_stop_mpi
  end interface MPIX_Progress_stop
  interface MPIX_Progress_get
    module procedure MPIX_Progress_get_mpi
  end interface MPIX_Progress_get
  interface MPIX_Comm_set_progress
    module procedure MPIX_Comm_set_progress_mpi
  end interface MPIX_Comm_set_progress
  interface MPIX_Ibcast
    module procedure MPIX_Ibcast_mpi
  end interface MPIX_Ibcast
  interface MPIX_Ireduce
    module procedure MPIX_Ireduce_mpi
  end interface MPIX_Ireduce
  interface MPIX_Iallreduce
    module procedure MPIX_Iallreduce_mpi
  end interface MPIX_Iallreduce
  interface MPIX_Iscatter
    module procedure MPIX_Iscatter_mpi
  end interface MPIX_Iscatter
  interface MPIX_Igather
    module procedure MPIX_Igather_mpi
  end interface MPIX_Igather
  interface MPIX_Iscan
    module procedure MPIX_Iscan_mpi
  end interface MPIX_Iscan
  interface MPIX_Ibarrier
    module procedure MPIX_Ibarrier_mpi
  end interface MPIX_Ibarrier
  interface MPIX_Wait
    module procedure MPIX_Wait_mpi
  end interface MPIX_Wait
  interface MPIX_Waitall
    module procedure MPIX_Waitall_mpi
  end interface MPIX_Waitall
  interface MPIX_Test
    module procedure MPIX_Test_mpi
  end interface MPIX_Test

  interface MPIX_Request_get_steps
    module procedure MPIX_Request_get_steps_mpi
  end interface MPIX_Request_get_steps
  interface MPIX_Comm_set_nodecart
    module procedure MPIX_Comm_set_nodecart_mpi
  end interface MPIX_Comm_set_nodecart
  interface MPIX_Nodecart_create
    module procedure MPIX_Nodecart_create_mpi
  end interface MPIX_Nodecart_create
  interface MPIX_Nodecart_map
    module procedure MPIX_Nodecart_map_mpi
  end interface MPIX_Nodecart_map
  interface MPIX_Nodecart_sub
    module procedure MPIX_Nodecart_sub_mpi
  end interface MPIX_Nodecart_sub
  interface MPIX_Nodecart_dim_get
    module procedure MPIX_Nodecart_dim_get_mpi
  end interface MPIX_Nodecart_dim_get
  interface MPIX_Nodecart_get
    module procedure MPIX_Nodecart_get_mpi
  end interface MPIX_Nodecart_get
  interface MPIX_Nodecart_rank
    module procedure MPIX_Nodecart_rank_mpi
  end interface MPIX_Nodecart_rank
  interface MPIX_Nodecart_coords
    module procedure MPIX_Nodecart_coords_mpi
  end interface MPIX_Nodecart_coords
  interface MPIX_Nodecart_shift
    module procedure MPIX_Nodecart_shift_mpi
  end interface MPIX_Nodecart_shift
  interface MPIX_Nodecart_dims_create
    module procedure MPIX_Nodecart_dims_create_mpi
  end interface MPIX_Nodecart_dims_create
  interface MPIX_Nodecart_get_mapping
    module procedure MPIX_Nodecart_get_mapping_mpi
  end interface MPIX_Nodecart_get_mapping
  interface MPIX_Get_network_bytes
    module procedure MPIX_Get_network_bytes_mpi
  end interface MPIX_Get_network_bytes
  interface MPIX_Neighbor_allgather
    module procedure MPIX_Neighbor_allgather_mpi
  end interface MPIX_Neighbor_allgather
  interface MPIX_Neighbor_allgatherv
    module procedure MPIX_Neighbor_allgatherv_mpi
  end interface MPIX_Neighbor_allgatherv
  interface MPIX_Neighbor_alltoall
    module procedure MPIX_Neighbor_alltoall_mpi
  end interface MPIX_Neighbor_alltoall
  interface MPIX_Neighbor_alltoallv
    module procedure MPIX_Neighbor_alltoallv_mpi
  end interface MPIX_Neighbor_alltoallv
  interface MPIX_Neighbor_alltoallw
    module procedure MPIX_Neighbor_alltoallw_mpi
  end interface MPIX_Neighbor_alltoallw
  interface MPIX_Comm_reorder
    module procedure MPIX_Comm_reorder_mpi
  end interface MPIX_Comm_reorder
  interface MPIX_Comm_reorder_rows
    module procedure MPIX_Comm_reorder_rows_mpi
  end interface MPIX_Comm_reorder_rows
  interface MPIX_Comm_get_reordering
    module procedure MPIX_Comm_get_reordering_mpi
  end interface MPIX_Comm_get_reordering
  interface MPIX_Comm_redistribute
    module procedure MPIX_Comm_redistribute_mpi
  end interface MPIX_Comm_redistribute

contains

  subroutine MPIX_Comm_split_type_mpi(comm, split_type, key, info, newcomm, ierror)
    integer, intent(in) :: comm, split_type, key, info
    integer, intent(out) :: newcomm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_split_type(comm, split_type, key, info, newcomm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_split_type_mpi

  subroutine MPIX_Comm_hsplit_with_roots_mpi(comm, info, newcomm, rootscomm, ierror)
    integer, intent(in) :: comm, info
    integer, intent(out) :: newcomm, rootscomm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_hsplit_with_roots(comm, info, newcomm, rootscomm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_hsplit_with_roots_mpi

  subroutine MPIX_Comm_hsplit_all_mpi(comm, info, max_depth, newcomms, rootscomms, depth, ierror)
    integer, intent(in) :: comm, info, max_depth
    integer, intent(out) :: newcomms(*), depth
    integer, intent(out), optional :: rootscomms(*), ierror
    integer :: error

    error = mpix_fortran_comm_hsplit_all(comm, info, max_depth, newcomms, rootscomms, depth)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_hsplit_all_mpi

  subroutine MPIX_Comm_get_hlevel_info_mpi(comm, num_comms, index, type, ierror)
    integer, intent(in) :: comm
    integer, intent(out), optional :: num_comms, index, ierror
    character(len=*), intent(out), optional :: type
    integer :: error, num_comms_found, index_found
    character(len=MPIX_MAX_HLEVEL_TYPE) :: name

    error = mpix_fortran_comm_get_hlevel_info(comm, num_comms_found, index_found, name, len(name))
    if (present(num_comms)) num_comms = num_comms_found
    if (present(index)) index = index_found
    if (present(type)) type = name
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_get_hlevel_info_mpi

  subroutine MPIX_Comm_get_min_hlevel_mpi(comm, nranks, ranks, type, ierror)
    integer, intent(in) :: comm, nranks, ranks(*)
    character(len=*), intent(out) :: type
    integer, intent(out), optional :: ierror
    integer :: error
    character(len=MPIX_MAX_HLEVEL_TYPE) :: name

    error = mpix_fortran_comm_get_min_hlevel(comm, nranks, ranks, name, len(name))
    type = name
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_get_min_hlevel_mpi

  subroutine MPIX_Get_hw_resource_info_mpi(hw_info, ierror)
    integer, intent(out) :: hw_info
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_get_hw_resource_info(hw_info)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Get_hw_resource_info_mpi

  subroutine MPIX_Bcast_mpi(buffer, count, datatype, root, comm, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*) :: buffer
    integer, intent(in) :: count, datatype, root, comm, algorithm, segment_bytes
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_bcast(choice(buffer), count, datatype, root, comm, algorithm, segment_bytes)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Bcast_mpi

  subroutine MPIX_Reduce_mpi(sendbuf, recvbuf, count, datatype, op, root, comm, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, op, root, comm, algorithm, segment_bytes
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_reduce(choice(sendbuf), choice(recvbuf), count, datatype, op, root, comm, algorithm, &
                                segment_bytes)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Reduce_mpi

  subroutine MPIX_Allreduce_mpi(sendbuf, recvbuf, count, datatype, op, comm, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, op, comm, algorithm, segment_bytes
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_allreduce(choice(sendbuf), choice(recvbuf), count, datatype, op, comm, algorithm, &
                                   segment_bytes)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Allreduce_mpi

  subroutine MPIX_Gather_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, algorithm, &
                             ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm, algorithm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_gather(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, recvtype, root, &
                                comm, algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Gather_mpi

  subroutine MPIX_Scatter_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, algorithm, &
                              ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm, algorithm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_scatter(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, recvtype, root, &
                                 comm, algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Scatter_mpi

  subroutine MPIX_Allgather_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, comm, algorithm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_allgather(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, recvtype, comm, &
                                   algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Allgather_mpi

  subroutine MPIX_Barrier_mpi(comm, algorithm, ierror)
    integer, intent(in) :: comm, algorithm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_barrier(comm, algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Barrier_mpi

  subroutine MPIX_Hierarchy_create_mpi(comm, info, hierarchy, ierror)
    integer, intent(in) :: comm, info
    type(MPIX_Hierarchy), intent(out) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_create(comm, info, hierarchy%MPIX_VAL)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_create_mpi

  subroutine MPIX_Hierarchy_create_groups_mpi(comm, levels, groups, hierarchy, ierror)
    integer, intent(in) :: comm, levels, groups(*)
    type(MPIX_Hierarchy), intent(out) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_create_groups(comm, levels, groups, hierarchy%MPIX_VAL)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_create_groups_mpi

  subroutine MPIX_Hierarchy_free_mpi(hierarchy, ierror)
    type(MPIX_Hierarchy), intent(inout) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_free(hierarchy%MPIX_VAL)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_free_mpi

  subroutine MPIX_Hierarchy_depth_mpi(hierarchy, depth, ierror)
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out) :: depth
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_depth(hierarchy%MPIX_VAL, depth)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_depth_mpi

  subroutine MPIX_Hierarchy_level_mpi(hierarchy, level, comm, rootscomm, ierror)
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(in) :: level
    integer, intent(out) :: comm
    integer, intent(out), optional :: rootscomm, ierror
    integer :: error, rootscomm_found

    error = mpix_fortran_hierarchy_level(hierarchy%MPIX_VAL, level, comm, rootscomm_found)
    if (present(rootscomm)) rootscomm = rootscomm_found
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_level_mpi

  subroutine MPIX_Hierarchy_bcast_mpi(buffer, count, datatype, root, hierarchy, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*) :: buffer
    integer, intent(in) :: count, datatype, root, algorithm, segment_bytes
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_bcast(choice(buffer), count, datatype, root, hierarchy%MPIX_VAL, algorithm, &
                                         segment_bytes)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_bcast_mpi

  subroutine MPIX_Hierarchy_reduce_mpi(sendbuf, recvbuf, count, datatype, op, root, hierarchy, algorithm, &
                                       segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, op, root, algorithm, segment_bytes
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_reduce(choice(sendbuf), choice(recvbuf), count, datatype, op, root, &
                                          hierarchy%MPIX_VAL, algorithm, segment_bytes)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_reduce_mpi

  subroutine MPIX_Hierarchy_allreduce_mpi(sendbuf, recvbuf, count, datatype, op, hierarchy, algorithm, &
                                          segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, op, algorithm, segment_bytes
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_allreduce(choice(sendbuf), choice(recvbuf), count, datatype, op, &
                                             hierarchy%MPIX_VAL, algorithm, segment_bytes)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_allreduce_mpi

  subroutine MPIX_Hierarchy_gather_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, hierarchy, &
                                       algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, root, algorithm
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_gather(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, &
                                          recvtype, root, hierarchy%MPIX_VAL, algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_gather_mpi

  subroutine MPIX_Hierarchy_scatter_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, hierarchy, &
                                        algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, root, algorithm
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_scatter(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, &
                                           recvtype, root, hierarchy%MPIX_VAL, algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_scatter_mpi

  subroutine MPIX_Hierarchy_allgather_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, hierarchy, &
                                          algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, algorithm
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_allgather(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, &
                                             recvtype, hierarchy%MPIX_VAL, algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_allgather_mpi

  subroutine MPIX_Hierarchy_barrier_mpi(hierarchy, algorithm, ierror)
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(in) :: algorithm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_hierarchy_barrier(hierarchy%MPIX_VAL, algorithm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Hierarchy_barrier_mpi

  subroutine MPIX_Progress_start_mpi(comm, info, application, ierror)
    integer, intent(in) :: comm, info
    integer, intent(out) :: application
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_progress_start(comm, info, application)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Progress_start_mpi

  subroutine MPIX_Progress_stop_mpi(application, ierror)
    integer, intent(inout) :: application
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_progress_stop(application)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Progress_stop_mpi

  subroutine MPIX_Progress_get_mpi(communication_cores, cores, cpuset, ierror)
    integer, intent(out), optional :: communication_cores, cores, ierror
    character(len=*), intent(out), optional :: cpuset
    integer :: error, length

    length = 0
    if (present(cpuset)) length = len(cpuset)
    error = mpix_fortran_progress_get(communication_cores, cores, cpuset, length)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Progress_get_mpi

  subroutine MPIX_Comm_set_progress_mpi(comm, info, ierror)
    integer, intent(in) :: comm, info
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_set_progress(comm, info)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_set_progress_mpi

  subroutine MPIX_Ibcast_mpi(buffer, count, datatype, root, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*), asynchronous :: buffer
    integer, intent(in) :: count, datatype, root, comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_ibcast(choice(buffer), count, datatype, root, comm, request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Ibcast_mpi

  subroutine MPIX_Ireduce_mpi(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, op, root, comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_ireduce(choice(sendbuf), choice(recvbuf), count, datatype, op, root, comm, request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Ireduce_mpi

  subroutine MPIX_Iallreduce_mpi(sendbuf, recvbuf, count, datatype, op, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, op, comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_iallreduce(choice(sendbuf), choice(recvbuf), count, datatype, op, comm, request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Iallreduce_mpi

  subroutine MPIX_Iscatter_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, &
                               ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_iscatter(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, recvtype, root, &
                                  comm, request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Iscatter_mpi

  subroutine MPIX_Igather_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, &
                              ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, root, comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_igather(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, recvtype, root, &
                                 comm, request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Igather_mpi

  subroutine MPIX_Iscan_mpi(sendbuf, recvbuf, count, datatype, op, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, op, comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_iscan(choice(sendbuf), choice(recvbuf), count, datatype, op, comm, request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Iscan_mpi

  subroutine MPIX_Ibarrier_mpi(comm, request, ierror)
    integer, intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_ibarrier(comm, request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Ibarrier_mpi

  subroutine MPIX_Wait_mpi(request, ierror)
    integer, intent(inout) :: request
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_wait(request)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Wait_mpi

  subroutine MPIX_Waitall_mpi(count, requests, ierror)
    integer, intent(in) :: count
    integer, intent(inout) :: requests(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_waitall(count, requests)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Waitall_mpi

  subroutine MPIX_Test_mpi(request, flag, ierror)
    integer, intent(inout) :: request
    logical, intent(out) :: flag
    integer, intent(out), optional :: ierror
    integer :: error, complete

    error = mpix_fortran_test(request, complete)
    flag = complete /= 0
    if (present(ierror)) ierror = error
  end subroutine MPIX_Test_mpi

  subroutine MPIX_Request_get_steps_mpi(request, steps, ierror)
    integer, intent(in) :: request
    integer, intent(out) :: steps
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_request_get_steps(request, steps)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Request_get_steps_mpi

  subroutine MPIX_Comm_set_nodecart_mpi(comm, info, ierror)
    integer, intent(in) :: comm, info
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_set_nodecart(comm, info)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_set_nodecart_mpi

  subroutine MPIX_Nodecart_create_mpi(comm, ndims, dims, periods, reorder, newcomm, ierror)
    integer, intent(in) :: comm, ndims, dims(*)
    logical, intent(in) :: periods(*), reorder
    integer, intent(out) :: newcomm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_create(comm, ndims, dims, merge(1, 0, periods(1:ndims)), merge(1, 0, reorder), &
                                         newcomm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_create_mpi

  subroutine MPIX_Nodecart_map_mpi(comm, ndims, dims, periods, newrank, ierror)
    integer, intent(in) :: comm, ndims, dims(*)
    logical, intent(in) :: periods(*)
    integer, intent(inout) :: newrank
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_map(comm, ndims, dims, merge(1, 0, periods(1:ndims)), newrank)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_map_mpi

  subroutine MPIX_Nodecart_sub_mpi(comm, remain_dims, newcomm, ierror)
    integer, intent(in) :: comm
    logical, intent(in) :: remain_dims(:)
    integer, intent(out) :: newcomm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_sub(comm, merge(1, 0, remain_dims), newcomm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_sub_mpi

  subroutine MPIX_Nodecart_dim_get_mpi(comm, ndims, ierror)
    integer, intent(in) :: comm
    integer, intent(inout) :: ndims
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_dim_get(comm, ndims)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_dim_get_mpi

  subroutine MPIX_Nodecart_get_mpi(comm, maxdims, dims, periods, coords, ierror)
    integer, intent(in) :: comm, maxdims
    integer, intent(inout) :: dims(*), coords(*)
    logical, intent(inout) :: periods(*)
    integer, intent(out), optional :: ierror
    integer :: error
    integer :: flags(max(0, maxdims))

    flags = -1
    error = mpix_fortran_nodecart_get(comm, maxdims, dims, flags, coords)
    where (flags >= 0) periods(1:maxdims) = flags /= 0
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_get_mpi

  subroutine MPIX_Nodecart_rank_mpi(comm, coords, rank, ierror)
    integer, intent(in) :: comm, coords(*)
    integer, intent(inout) :: rank
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_rank(comm, coords, rank)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_rank_mpi

  subroutine MPIX_Nodecart_coords_mpi(comm, rank, maxdims, coords, ierror)
    integer, intent(in) :: comm, rank, maxdims
    integer, intent(inout) :: coords(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_coords(comm, rank, maxdims, coords)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_coords_mpi

  subroutine MPIX_Nodecart_shift_mpi(comm, direction, displ, source, dest, ierror)
    integer, intent(in) :: comm, direction, displ
    integer, intent(inout) :: source, dest
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_shift(comm, direction, displ, source, dest)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_shift_mpi

  subroutine MPIX_Nodecart_dims_create_mpi(comm, nnodes, ndims, dims, ierror)
    integer, intent(in) :: comm, nnodes, ndims
    integer, intent(inout) :: dims(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_nodecart_dims_create(comm, nnodes, ndims, dims)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_dims_create_mpi

  subroutine MPIX_Neighbor_allgather_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_neighbor_allgather(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, &
                                            recvtype, comm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Neighbor_allgather_mpi

  subroutine MPIX_Neighbor_allgatherv_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, &
                                          ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcounts(*), displs(*), recvtype, comm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_neighbor_allgatherv(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcounts, &
                                             displs, recvtype, comm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Neighbor_allgatherv_mpi

  subroutine MPIX_Neighbor_alltoall_mpi(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, sendtype, recvcount, recvtype, comm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_neighbor_alltoall(choice(sendbuf), sendcount, sendtype, choice(recvbuf), recvcount, &
                                           recvtype, comm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Neighbor_alltoall_mpi

  subroutine MPIX_Neighbor_alltoallv_mpi(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
                                         recvtype, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcounts(*), sdispls(*), sendtype, recvcounts(*), rdispls(*), recvtype, comm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_neighbor_alltoallv(choice(sendbuf), sendcounts, sdispls, sendtype, choice(recvbuf), &
                                            recvcounts, rdispls, recvtype, comm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Neighbor_alltoallv_mpi

  subroutine MPIX_Neighbor_alltoallw_mpi(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, &
                                         recvtypes, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcounts(*), sendtypes(*), recvcounts(*), recvtypes(*), comm
    integer(c_intptr_t), intent(in) :: sdispls(*), rdispls(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_neighbor_alltoallw(choice(sendbuf), sendcounts, sdispls, sendtypes, choice(recvbuf), &
                                            recvcounts, rdispls, recvtypes, comm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Neighbor_alltoallw_mpi

  subroutine MPIX_Nodecart_get_mapping_mpi(comm, method, on_node, off_node, ierror)
    integer, intent(in) :: comm
    character(len=*), intent(out), optional :: method
    integer(c_int64_t), intent(out), optional :: on_node, off_node
    integer, intent(out), optional :: ierror
    integer :: error, length

    length = 0
    if (present(method)) length = len(method)
    error = mpix_fortran_nodecart_get_mapping(comm, method, length, on_node, off_node)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Nodecart_get_mapping_mpi

  subroutine MPIX_Comm_reorder_mpi(comm, matrix, newcomm, ierror)
    integer, intent(in) :: comm
    integer(c_long), intent(in) :: matrix(*)
    integer, intent(out) :: newcomm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_reorder(comm, matrix, newcomm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_reorder_mpi

  subroutine MPIX_Comm_reorder_rows_mpi(comm, npeers, peers, bytes, info, newcomm, ierror)
    integer, intent(in) :: comm, npeers, peers(*), info
    integer(c_long), intent(in) :: bytes(*)
    integer, intent(out) :: newcomm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_reorder_rows(comm, npeers, peers, bytes, info, newcomm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_reorder_rows_mpi

  subroutine MPIX_Comm_get_reordering_mpi(newcomm, new_rank, ierror)
    integer, intent(in) :: newcomm
    integer, intent(inout) :: new_rank(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_get_reordering(newcomm, new_rank)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_get_reordering_mpi

  subroutine MPIX_Comm_redistribute_mpi(sendbuf, recvbuf, count, datatype, newcomm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, datatype, newcomm
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_comm_redistribute(choice(sendbuf), choice(recvbuf), count, datatype, newcomm)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Comm_redistribute_mpi

  subroutine MPIX_Get_network_bytes_mpi(sent, received, ierror)
    integer(c_int64_t), intent(out), optional :: sent, received
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_get_network_bytes(sent, received)
    if (present(ierror)) ierror = error
  end subroutine MPIX_Get_network_bytes_mpi

end module mpix_topology_mpi
