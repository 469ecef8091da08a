! The functions of mpix.h with handles that are derived types, as the module mpi_f08 has them: the handle's integer is
! its component MPI_VAL. Programs use the module mpix_topology.
module mpix_topology_f08
  use, intrinsic :: iso_c_binding, only: c_int64_t, c_intptr_t, c_long
  use mpi_f08, only: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op
  use mpix_topology_mpi
  implicit none
  public
  private :: MPI_Comm, MPI_Datatype, MPI_Info, MPI_Op, c_int64_t, c_intptr_t, c_long

  interface MPIX_Comm_split_type
    module procedure MPIX_Comm_split_type_f08
  end interface MPIX_Comm_split_type
  interface MPIX_Comm_hsplit_with_roots
    module procedure MPIX_Comm_hsplit_with_roots_f08
  end interface MPIX_Comm_hsplit_with_roots
  interface MPIX_Comm_hsplit_all
    module procedure MPIX_Comm_hsplit_all_f08
  end interface MPIX_Comm_hsplit_all
  interface MPIX_Comm_get_hlevel_info
    module procedure MPIX_Comm_get_hlevel_info_f08
  end interface MPIX_Comm_get_hlevel_info
  interface MPIX_Comm_get_min_hlevel
    module procedure MPIX_Comm_get_min_hlevel_f08
  end interface MPIX_Comm_get_min_hlevel
  interface MPIX_Get_hw_resource_info
    module procedure MPIX_Get_hw_resource_info_f08
  end interface MPIX_Get_hw_resource_info
  interface MPIX_Bcast
    module procedure MPIX_Bcast_f08
  end interface MPIX_Bcast
  interface MPIX_Reduce
    module procedure MPIX_Reduce_f08
  end interface MPIX_Reduce
  interface MPIX_Allreduce
    module procedure MPIX_Allreduce_f08
  end interface MPIX_Allreduce
  interface MPIX_Gather
    module procedure MPIX_Gather_f08
  end interface MPIX_Gather
  interface MPIX_Scatter
    module procedure MPIX_Scatter_f08
  end interface MPIX_Scatter
  interface MPIX_Allgather
    module procedure MPIX_Allgather_f08
  end interface MPIX_Allgather
  interface MPIX_Barrier
    module procedure MPIX_Barrier_f08
  end interface MPIX_Barrier
  interface MPIX_Hierarchy_create
    module procedure MPIX_Hierarchy_create_f08
  end interface MPIX_Hierarchy_create
  interface MPIX_Hierarchy_create_groups
    module procedure MPIX_Hierarchy_create_groups_f08
  end interface MPIX_Hierarchy_create_groups
  interface MPIX_Hierarchy_level
    module procedure MPIX_Hierarchy_level_f08
  end interface MPIX_Hierarchy_level
  interface MPIX_Hierarchy_bcast
    module procedure MPIX_Hierarchy_bcast_f08
  end interface MPIX_Hierarchy_bcast
  interface MPIX_Hierarchy_reduce
    module procedure MPIX_Hierarchy_reduce_f08
  end interface MPIX_Hierarchy_reduce
  interface MPIX_Hierarchy_allreduce
    module procedure MPIX_Hierarchy_allreduce_f08
  end interface MPIX_Hierarchy_allreduce
  interface MPIX_Hierarchy_gather
    module procedure MPIX_Hierarchy_gather_f08
  end interface MPIX_Hierarchy_gather
  interface MPIX_Hierarchy_scatter
    module procedure MPIX_Hierarchy_scatter_f08
  end interface MPIX_Hierarchy_scatter
  interface MPIX_Hierarchy_allgather
    module procedure MPIX_Hierarchy_allgather_f08
  end interface MPIX_Hierarchy_allgather
  interface MPIX_Progress_start
    module procedure MPIX_Progress_start_f08
  end interface MPIX_Progress_start
  interface MPIX_Progress_stop
    module procedure MPIX_Progress_stop_f08
  end interface MPIX_Progress_stop
  interface MPIX_Comm_set_progress
    module procedure MPIX_Comm_set_progress_f08
  end interface MPIX_Comm_set_progress
  interface MPIX_Ibcast
    module procedure MPIX_Ibcast_f08
  end interface MPIX_Ibcast
  interface MPIX_Ireduce
    module procedure MPIX_Ireduce_f08
  end interface MPIX_Ireduce
  interface MPIX_Iallreduce
    module procedure MPIX_Iallreduce_f08
  end interface MPIX_Iallreduce
  interface MPIX_Iscatter
    module procedure MPIX_Iscatter_f08
  end interface MPIX_Iscatter
  interface MPIX_Igather
    module procedure MPIX_Igather_f08
  end interface MPIX_Igather
  interface MPIX_Iscan
    module procedure MPIX_Iscan_f08
  end interface MPIX_Iscan
  interface MPIX_Ibarrier
    module procedure MPIX_Ibarrier_f08
  end interface MPIX_Ibarrier
  interface MPIX_Comm_set_nodecart
    module procedure MPIX_Comm_set_nodecart_f08
  end interface MPIX_Comm_set_nodecart
  interface MPIX_Nodecart_create
    module procedure MPIX_Nodecart_create_f08
  end interface MPIX_Nodecart_create
  interface MPIX_Nodecart_map
    module procedure MPIX_Nodecart_map_f08
  end interface MPIX_Nodecart_map
  interface MPIX_Nodecart_sub
    module procedure MPIX_Nodecart_sub_f08
  end interface MPIX_Nodecart_sub
  interface MPIX_Nodecart_dim_get
    module procedure MPIX_Nodecart_dim_get_f08
  end interface MPIX_Nodecart_dim_get
  interface MPIX_Nodecart_get
    module procedure MPIX_Nodecart_get_f08
  end interface MPIX_Nodecart_get
  interface MPIX_Nodecart_rank
    module procedure MPIX_Nodecart_rank_f08
  end interface MPIX_Nodecart_rank
  interface MPIX_Nodecart_coords
    module procedure MPIX_Nodecart_coords_f08
  end interface MPIX_Nodecart_coords
  interface MPIX_Nodecart_shift
    module procedure MPIX_Nodecart_shift_f08
  end interface MPIX_Nodecart_shift
  interface MPIX_Nodecart_dims_create
    module procedure MPIX_Nodecart_dims_create_f08
  end interface MPIX_Nodecart_dims_create
  interface MPIX_Nodecart_get_mapping
    module procedure MPIX_Nodecart_get_mapping_f08
  end interface MPIX_Nodecart_get_mapping
  interface MPIX_Neighbor_allgather
    module procedure MPIX_Neighbor_allgather_f08
  end interface MPIX_Neighbor_allgather
  interface MPIX_Neighbor_allgatherv
    module procedure MPIX_Neighbor_allgatherv_f08
  end interface MPIX_Neighbor_allgatherv
  interface MPIX_Neighbor_alltoall
    module procedure MPIX_Neighbor_alltoall_f08
  end interface MPIX_Neighbor_alltoall
  interface MPIX_Neighbor_alltoallv
    module procedure MPIX_Neighbor_alltoallv_f08
  end interface MPIX_Neighbor_alltoallv
  interface MPIX_Neighbor_alltoallw
    module procedure MPIX_Neighbor_alltoallw_f08
  end interface MPIX_Neighbor_alltoallw
  interface MPIX_Comm_reorder
    module procedure MPIX_Comm_reorder_f08
  end interface MPIX_Comm_reorder
  interface MPIX_Comm_reorder_rows
    module procedure MPIX_Comm_reorder_rows_f08
  end interface MPIX_Comm_reorder_rows
  interface MPIX_Comm_get_reordering
    module procedure MPIX_Comm_get_reordering_f08
  end interface MPIX_Comm_get_reordering
  interface MPIX_Comm_redistribute
    module procedure MPIX_Comm_redistribute_f08
  end interface MPIX_Comm_redistribute

contains

  subroutine MPIX_Comm_split_type_f08(comm, split_type, key, info, newcomm, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: split_type, key
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(out) :: newcomm
    integer, intent(out), optional :: ierror

    call MPIX_Comm_split_type_mpi(comm%MPI_VAL, split_type, key, info%MPI_VAL, newcomm%MPI_VAL, ierror)
  end subroutine MPIX_Comm_split_type_f08

  subroutine MPIX_Comm_hsplit_with_roots_f08(comm, info, newcomm, rootscomm, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(out) :: newcomm, rootscomm
    integer, intent(out), optional :: ierror

    call MPIX_Comm_hsplit_with_roots_mpi(comm%MPI_VAL, info%MPI_VAL, newcomm%MPI_VAL, rootscomm%MPI_VAL, ierror)
  end subroutine MPIX_Comm_hsplit_with_roots_f08

  subroutine MPIX_Comm_hsplit_all_f08(comm, info, max_depth, newcomms, rootscomms, depth, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Info), intent(in) :: info
    integer, intent(in) :: max_depth
    type(MPI_Comm), intent(out) :: newcomms(*)
    type(MPI_Comm), intent(out), optional :: rootscomms(*)
    integer, intent(out) :: depth
    integer, intent(out), optional :: ierror
    integer, allocatable :: made(:), roots(:)
    integer :: i

    allocate(made(max(max_depth, 0)), roots(max(max_depth, 0)))
    if (present(rootscomms)) then
      call MPIX_Comm_hsplit_all_mpi(comm%MPI_VAL, info%MPI_VAL, max_depth, made, roots, depth, ierror)
    else
      call MPIX_Comm_hsplit_all_mpi(comm%MPI_VAL, info%MPI_VAL, max_depth, made, depth=depth, ierror=ierror)
    end if
    do i = 1, size(made)
      newcomms(i)%MPI_VAL = made(i)
      if (present(rootscomms)) rootscomms(i)%MPI_VAL = roots(i)
    end do
  end subroutine MPIX_Comm_hsplit_all_f08

  subroutine MPIX_Comm_get_hlevel_info_f08(comm, num_comms, index, type, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: num_comms, index, ierror
    character(len=*), intent(out), optional :: type

    call MPIX_Comm_get_hlevel_info_mpi(comm%MPI_VAL, num_comms, index, type, ierror)
  end subroutine MPIX_Comm_get_hlevel_info_f08

  subroutine MPIX_Comm_get_min_hlevel_f08(comm, nranks, ranks, type, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: nranks, ranks(*)
    character(len=*), intent(out) :: type
    integer, intent(out), optional :: ierror

    call MPIX_Comm_get_min_hlevel_mpi(comm%MPI_VAL, nranks, ranks, type, ierror)
  end subroutine MPIX_Comm_get_min_hlevel_f08

  subroutine MPIX_Get_hw_resource_info_f08(hw_info, ierror)
    type(MPI_Info), intent(out) :: hw_info
    integer, intent(out), optional :: ierror

    call MPIX_Get_hw_resource_info_mpi(hw_info%MPI_VAL, ierror)
  end subroutine MPIX_Get_hw_resource_info_f08

  subroutine MPIX_Bcast_f08(buffer, count, datatype, root, comm, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*) :: buffer
    integer, intent(in) :: count, root, algorithm, segment_bytes
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Bcast_mpi(buffer, count, datatype%MPI_VAL, root, comm%MPI_VAL, algorithm, segment_bytes, ierror)
  end subroutine MPIX_Bcast_f08

  subroutine MPIX_Reduce_f08(sendbuf, recvbuf, count, datatype, op, root, comm, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, root, algorithm, segment_bytes
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Op), intent(in) :: op
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Reduce_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, op%MPI_VAL, root, comm%MPI_VAL, algorithm, &
                         segment_bytes, ierror)
  end subroutine MPIX_Reduce_f08

  subroutine MPIX_Allreduce_f08(sendbuf, recvbuf, count, datatype, op, comm, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, algorithm, segment_bytes
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Op), intent(in) :: op
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Allreduce_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, op%MPI_VAL, comm%MPI_VAL, algorithm, &
                            segment_bytes, ierror)
  end subroutine MPIX_Allreduce_f08

  subroutine MPIX_Gather_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, algorithm, &
                             ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, root, algorithm
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Gather_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, root, &
                         comm%MPI_VAL, algorithm, ierror)
  end subroutine MPIX_Gather_f08

  subroutine MPIX_Scatter_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, algorithm, &
                              ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, root, algorithm
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Scatter_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, root, &
                          comm%MPI_VAL, algorithm, ierror)
  end subroutine MPIX_Scatter_f08

  subroutine MPIX_Allgather_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, algorithm
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Allgather_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, &
                            comm%MPI_VAL, algorithm, ierror)
  end subroutine MPIX_Allgather_f08

  subroutine MPIX_Barrier_f08(comm, algorithm, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: algorithm
    integer, intent(out), optional :: ierror

    call MPIX_Barrier_mpi(comm%MPI_VAL, algorithm, ierror)
  end subroutine MPIX_Barrier_f08

  subroutine MPIX_Hierarchy_create_f08(comm, info, hierarchy, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Info), intent(in) :: info
    type(MPIX_Hierarchy), intent(out) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_create_mpi(comm%MPI_VAL, info%MPI_VAL, hierarchy, ierror)
  end subroutine MPIX_Hierarchy_create_f08

  subroutine MPIX_Hierarchy_create_groups_f08(comm, levels, groups, hierarchy, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: levels, groups(*)
    type(MPIX_Hierarchy), intent(out) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_create_groups_mpi(comm%MPI_VAL, levels, groups, hierarchy, ierror)
  end subroutine MPIX_Hierarchy_create_groups_f08

  subroutine MPIX_Hierarchy_level_f08(hierarchy, level, comm, rootscomm, ierror)
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(in) :: level
    type(MPI_Comm), intent(out) :: comm
    type(MPI_Comm), intent(out), optional :: rootscomm
    integer, intent(out), optional :: ierror
    integer :: rootscomm_found

    call MPIX_Hierarchy_level_mpi(hierarchy, level, comm%MPI_VAL, rootscomm_found, ierror)
    if (present(rootscomm)) rootscomm%MPI_VAL = rootscomm_found
  end subroutine MPIX_Hierarchy_level_f08

  subroutine MPIX_Hierarchy_bcast_f08(buffer, count, datatype, root, hierarchy, algorithm, segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*) :: buffer
    integer, intent(in) :: count, root, algorithm, segment_bytes
    type(MPI_Datatype), intent(in) :: datatype
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_bcast_mpi(buffer, count, datatype%MPI_VAL, root, hierarchy, algorithm, segment_bytes, ierror)
  end subroutine MPIX_Hierarchy_bcast_f08

  subroutine MPIX_Hierarchy_reduce_f08(sendbuf, recvbuf, count, datatype, op, root, hierarchy, algorithm, &
                                       segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, root, algorithm, segment_bytes
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Op), intent(in) :: op
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_reduce_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, op%MPI_VAL, root, hierarchy, &
                                   algorithm, segment_bytes, ierror)
  end subroutine MPIX_Hierarchy_reduce_f08

  subroutine MPIX_Hierarchy_allreduce_f08(sendbuf, recvbuf, count, datatype, op, hierarchy, algorithm, &
                                          segment_bytes, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count, algorithm, segment_bytes
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Op), intent(in) :: op
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_allreduce_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, op%MPI_VAL, hierarchy, algorithm, &
                                      segment_bytes, ierror)
  end subroutine MPIX_Hierarchy_allreduce_f08

  subroutine MPIX_Hierarchy_gather_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, hierarchy, &
                                       algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, root, algorithm
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_gather_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, root, &
                                   hierarchy, algorithm, ierror)
  end subroutine MPIX_Hierarchy_gather_f08

  subroutine MPIX_Hierarchy_scatter_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, hierarchy, &
                                        algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, root, algorithm
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_scatter_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, &
                                    root, hierarchy, algorithm, ierror)
  end subroutine MPIX_Hierarchy_scatter_f08

  subroutine MPIX_Hierarchy_allgather_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, hierarchy, &
                                          algorithm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, algorithm
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPIX_Hierarchy), intent(in) :: hierarchy
    integer, intent(out), optional :: ierror

    call MPIX_Hierarchy_allgather_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, &
                                      hierarchy, algorithm, ierror)
  end subroutine MPIX_Hierarchy_allgather_f08

  subroutine MPIX_Progress_start_f08(comm, info, application, ierror)
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Comm), intent(out) :: application
    integer, intent(out), optional :: ierror

    call MPIX_Progress_start_mpi(comm%MPI_VAL, info%MPI_VAL, application%MPI_VAL, ierror)
  end subroutine MPIX_Progress_start_f08

  subroutine MPIX_Progress_stop_f08(application, ierror)
    type(MPI_Comm), intent(inout) :: application
    integer, intent(out), optional :: ierror

    call MPIX_Progress_stop_mpi(application%MPI_VAL, ierror)
  end subroutine MPIX_Progress_stop_f08

  subroutine MPIX_Comm_set_progress_f08(comm, info, ierror)
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Comm_set_progress_mpi(comm%MPI_VAL, info%MPI_VAL, ierror)
  end subroutine MPIX_Comm_set_progress_f08

  subroutine MPIX_Ibcast_f08(buffer, count, datatype, root, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*), asynchronous :: buffer
    integer, intent(in) :: count, root
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror

    call MPIX_Ibcast_mpi(buffer, count, datatype%MPI_VAL, root, comm%MPI_VAL, request, ierror)
  end subroutine MPIX_Ibcast_f08

  subroutine MPIX_Ireduce_f08(sendbuf, recvbuf, count, datatype, op, root, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: count, root
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Op), intent(in) :: op
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror

    call MPIX_Ireduce_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, op%MPI_VAL, root, comm%MPI_VAL, request, &
                          ierror)
  end subroutine MPIX_Ireduce_f08

  subroutine MPIX_Iallreduce_f08(sendbuf, recvbuf, count, datatype, op, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Op), intent(in) :: op
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror

    call MPIX_Iallreduce_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, op%MPI_VAL, comm%MPI_VAL, request, ierror)
  end subroutine MPIX_Iallreduce_f08

  subroutine MPIX_Iscatter_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, &
                               ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, root
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror

    call MPIX_Iscatter_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, root, &
                           comm%MPI_VAL, request, ierror)
  end subroutine MPIX_Iscatter_f08

  subroutine MPIX_Igather_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, root, comm, request, &
                              ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount, root
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror

    call MPIX_Igather_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, root, &
                          comm%MPI_VAL, request, ierror)
  end subroutine MPIX_Igather_f08

  subroutine MPIX_Iscan_f08(sendbuf, recvbuf, count, datatype, op, comm, request, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*), asynchronous :: sendbuf, recvbuf
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Op), intent(in) :: op
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror

    call MPIX_Iscan_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, op%MPI_VAL, comm%MPI_VAL, request, ierror)
  end subroutine MPIX_Iscan_f08

  subroutine MPIX_Ibarrier_f08(comm, request, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out) :: request
    integer, intent(out), optional :: ierror

    call MPIX_Ibarrier_mpi(comm%MPI_VAL, request, ierror)
  end subroutine MPIX_Ibarrier_f08

  subroutine MPIX_Comm_set_nodecart_f08(comm, info, ierror)
    type(MPI_Comm), intent(in) :: comm
    type(MPI_Info), intent(in) :: info
    integer, intent(out), optional :: ierror

    call MPIX_Comm_set_nodecart_mpi(comm%MPI_VAL, info%MPI_VAL, ierror)
  end subroutine MPIX_Comm_set_nodecart_f08

  subroutine MPIX_Nodecart_create_f08(comm, ndims, dims, periods, reorder, newcomm, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: ndims, dims(*)
    logical, intent(in) :: periods(*), reorder
    type(MPI_Comm), intent(out) :: newcomm
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_create_mpi(comm%MPI_VAL, ndims, dims, periods, reorder, newcomm%MPI_VAL, ierror)
  end subroutine MPIX_Nodecart_create_f08

  subroutine MPIX_Nodecart_map_f08(comm, ndims, dims, periods, newrank, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: ndims, dims(*)
    logical, intent(in) :: periods(*)
    integer, intent(inout) :: newrank
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_map_mpi(comm%MPI_VAL, ndims, dims, periods, newrank, ierror)
  end subroutine MPIX_Nodecart_map_f08

  subroutine MPIX_Nodecart_sub_f08(comm, remain_dims, newcomm, ierror)
    type(MPI_Comm), intent(in) :: comm
    logical, intent(in) :: remain_dims(:)
    type(MPI_Comm), intent(out) :: newcomm
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_sub_mpi(comm%MPI_VAL, remain_dims, newcomm%MPI_VAL, ierror)
  end subroutine MPIX_Nodecart_sub_f08

  subroutine MPIX_Nodecart_dim_get_f08(comm, ndims, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(inout) :: ndims
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_dim_get_mpi(comm%MPI_VAL, ndims, ierror)
  end subroutine MPIX_Nodecart_dim_get_f08

  subroutine MPIX_Nodecart_get_f08(comm, maxdims, dims, periods, coords, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: maxdims
    integer, intent(inout) :: dims(*), coords(*)
    logical, intent(inout) :: periods(*)
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_get_mpi(comm%MPI_VAL, maxdims, dims, periods, coords, ierror)
  end subroutine MPIX_Nodecart_get_f08

  subroutine MPIX_Nodecart_rank_f08(comm, coords, rank, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: coords(*)
    integer, intent(inout) :: rank
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_rank_mpi(comm%MPI_VAL, coords, rank, ierror)
  end subroutine MPIX_Nodecart_rank_f08

  subroutine MPIX_Nodecart_coords_f08(comm, rank, maxdims, coords, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: rank, maxdims
    integer, intent(inout) :: coords(*)
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_coords_mpi(comm%MPI_VAL, rank, maxdims, coords, ierror)
  end subroutine MPIX_Nodecart_coords_f08

  subroutine MPIX_Nodecart_shift_f08(comm, direction, displ, source, dest, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: direction, displ
    integer, intent(inout) :: source, dest
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_shift_mpi(comm%MPI_VAL, direction, displ, source, dest, ierror)
  end subroutine MPIX_Nodecart_shift_f08

  subroutine MPIX_Nodecart_dims_create_f08(comm, nnodes, ndims, dims, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: nnodes, ndims
    integer, intent(inout) :: dims(*)
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_dims_create_mpi(comm%MPI_VAL, nnodes, ndims, dims, ierror)
  end subroutine MPIX_Nodecart_dims_create_f08

  subroutine MPIX_Neighbor_allgather_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Neighbor_allgather_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, &
                                     comm%MPI_VAL, ierror)
  end subroutine MPIX_Neighbor_allgather_f08

  subroutine MPIX_Neighbor_allgatherv_f08(sendbuf, sendcount, sendtype, recvbuf, recvcounts, displs, recvtype, comm, &
                                          ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcounts(*), displs(*)
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Neighbor_allgatherv_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcounts, displs, &
                                      recvtype%MPI_VAL, comm%MPI_VAL, ierror)
  end subroutine MPIX_Neighbor_allgatherv_f08

  subroutine MPIX_Neighbor_alltoall_f08(sendbuf, sendcount, sendtype, recvbuf, recvcount, recvtype, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcount, recvcount
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Neighbor_alltoall_mpi(sendbuf, sendcount, sendtype%MPI_VAL, recvbuf, recvcount, recvtype%MPI_VAL, &
                                    comm%MPI_VAL, ierror)
  end subroutine MPIX_Neighbor_alltoall_f08

  subroutine MPIX_Neighbor_alltoallv_f08(sendbuf, sendcounts, sdispls, sendtype, recvbuf, recvcounts, rdispls, &
                                         recvtype, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcounts(*), sdispls(*), recvcounts(*), rdispls(*)
    type(MPI_Datatype), intent(in) :: sendtype, recvtype
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Neighbor_alltoallv_mpi(sendbuf, sendcounts, sdispls, sendtype%MPI_VAL, recvbuf, recvcounts, rdispls, &
                                     recvtype%MPI_VAL, comm%MPI_VAL, ierror)
  end subroutine MPIX_Neighbor_alltoallv_f08

  subroutine MPIX_Neighbor_alltoallw_f08(sendbuf, sendcounts, sdispls, sendtypes, recvbuf, recvcounts, rdispls, &
                                         recvtypes, comm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: sendcounts(*), recvcounts(*)
    integer(c_intptr_t), intent(in) :: sdispls(*), rdispls(*)
    type(MPI_Datatype), intent(in) :: sendtypes(:), recvtypes(:)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(out), optional :: ierror

    call MPIX_Neighbor_alltoallw_mpi(sendbuf, sendcounts, sdispls, sendtypes%MPI_VAL, recvbuf, recvcounts, rdispls, &
                                     recvtypes%MPI_VAL, comm%MPI_VAL, ierror)
  end subroutine MPIX_Neighbor_alltoallw_f08

  subroutine MPIX_Nodecart_get_mapping_f08(comm, method, on_node, off_node, ierror)
    type(MPI_Comm), intent(in) :: comm
    character(len=*), intent(out), optional :: method
    integer(c_int64_t), intent(out), optional :: on_node, off_node
    integer, intent(out), optional :: ierror

    call MPIX_Nodecart_get_mapping_mpi(comm%MPI_VAL, method, on_node, off_node, ierror)
  end subroutine MPIX_Nodecart_get_mapping_f08

  subroutine MPIX_Comm_reorder_f08(comm, matrix, newcomm, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer(c_long), intent(in) :: matrix(*)
    type(MPI_Comm), intent(out) :: newcomm
    integer, intent(out), optional :: ierror

    call MPIX_Comm_reorder_mpi(comm%MPI_VAL, matrix, newcomm%MPI_VAL, ierror)
  end subroutine MPIX_Comm_reorder_f08

  subroutine MPIX_Comm_reorder_rows_f08(comm, npeers, peers, bytes, info, newcomm, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(in) :: npeers, peers(*)
    integer(c_long), intent(in) :: bytes(*)
    type(MPI_Info), intent(in) :: info
    type(MPI_Comm), intent(out) :: newcomm
    integer, intent(out), optional :: ierror

    call MPIX_Comm_reorder_rows_mpi(comm%MPI_VAL, npeers, peers, bytes, info%MPI_VAL, newcomm%MPI_VAL, ierror)
  end subroutine MPIX_Comm_reorder_rows_f08

  subroutine MPIX_Comm_get_reordering_f08(newcomm, new_rank, ierror)
    type(MPI_Comm), intent(in) :: newcomm
    integer, intent(inout) :: new_rank(*)
    integer, intent(out), optional :: ierror

    call MPIX_Comm_get_reordering_mpi(newcomm%MPI_VAL, new_rank, ierror)
  end subroutine MPIX_Comm_get_reordering_f08

  subroutine MPIX_Comm_redistribute_f08(sendbuf, recvbuf, count, datatype, newcomm, ierror)
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: sendbuf, recvbuf
    type(*), dimension(*) :: sendbuf, recvbuf
    integer, intent(in) :: count
    type(MPI_Datatype), intent(in) :: datatype
    type(MPI_Comm), intent(in) :: newcomm
    integer, intent(out), optional :: ierror

    call MPIX_Comm_redistribute_mpi(sendbuf, recvbuf, count, datatype%MPI_VAL, newcomm%MPI_VAL, ierror)
  end subroutine MPIX_Comm_redistribute_f08

end module mpix_topology_f08
