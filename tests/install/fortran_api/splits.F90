! SPDX-License-Identifier: LGPL-2.1-only
! Splits along the topology of the machine: members, order, names of levels.
#include "handles.inc"

module splits_api
  use checks
  implicit none

contains

  subroutine splits()
    COMM :: newcomm, rootscomm, newcomms(5), rootscomms(5)
    INFO :: info, resources
    character(len=40) :: name, text
    character(len=3) :: short
    integer :: error, siblings, index, depth, level, i, keys
    integer :: expected_sizes(5), expected_depth
    logical :: found

    ! Two nodes; on the first two packages, of which the first has two NUMA nodes, of which the first has two ranks.
    expected_sizes = 0
    select case (rank)
    case (0, 1)
      expected_sizes = [4, 3, 2, 1, 0]
    case (2)
      expected_sizes(1:3) = [4, 3, 1]
    case (3)
      expected_sizes(1:2) = [4, 1]
    case (4, 5)
      expected_sizes(1:2) = [2, 1]
    end select
    expected_depth = count(expected_sizes > 0)

    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, -rank, MPI_INFO_NULL, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(1), 'split along the topology')
    call MPI_Comm_rank(newcomm, i, error)
    call check(i == merge(3 - rank, 5 - rank, rank < 4), 'split: ordered by key')
    call MPIX_Comm_get_hlevel_info(newcomm, siblings, index, name, error)
    call check(error == MPI_SUCCESS .and. siblings == 2 .and. index == merge(0, 1, rank < 4), 'siblings and index')
    call check(name == 'Machine' .and. name(8:) == '', 'name of a level, padded')
    call MPIX_Comm_get_hlevel_info(newcomm, type=short)
    call check(short == 'Mac', 'name of a level, cut')
    call MPIX_Comm_get_hlevel_info(world, siblings, index, name, error)
    call check(is_class(error, MPI_ERR_ARG), 'hlevel_info of a communicator that is not of the hierarchy')
    call free_comm(newcomm)

    call MPIX_Comm_split_type(world, merge(MPI_UNDEFINED, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, rank == 0), rank, &
                              MPI_INFO_NULL, newcomm)
    call check(size_of(newcomm) == merge(0, merge(3, 2, rank < 4), rank == 0), 'split: MPI_UNDEFINED on rank 0')
    call free_comm(newcomm)
    call MPIX_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == merge(4, 2, rank < 4), 'split: MPI_COMM_TYPE_SHARED')
    call free_comm(newcomm)

    call MPI_Info_create(info, error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_HW_UNGUIDED, rank, info, newcomm, error)
    call MPI_Info_get(info, 'mpi_hw_resource_type', len(text), text, found, i)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(1), 'split: unguided')
    call check(found .and. text == 'Machine', 'split: unguided says its resource')
    call free_comm(newcomm)
    call MPI_Info_set(info, 'mpi_hw_resource_type', 'Package', error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_HW_GUIDED, rank, info, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == merge(3, 1, rank < 3), 'split: guided')
    call free_comm(newcomm)
    call MPI_Info_set(info, 'mpi_hw_resource_type', 'hwloc://NUMANode', error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_RESOURCE_GUIDED, rank, info, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == merge(2, 1, rank < 2), 'split: by a URI')
    call free_comm(newcomm)
    call MPI_Info_free(info, error)
    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'mpix_hlevel', '2', error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, rank, info, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(2), 'split: straight to a level')
    call free_comm(newcomm)
    call MPI_Info_free(info, error)

    call MPIX_Comm_hsplit_with_roots(world, MPI_INFO_NULL, newcomm, rootscomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(1), 'hsplit_with_roots')
    call check(size_of(rootscomm) == merge(2, 0, rank == 0 .or. rank == 4), 'hsplit_with_roots: the roots')
    call free_comm(newcomm)
    call free_comm(rootscomm)
    call MPIX_Comm_hsplit_with_roots(MPI_COMM_NULL, MPI_INFO_NULL, newcomm, rootscomm, error)
    call check(is_class(error, MPI_ERR_COMM) .and. newcomm == MPI_COMM_NULL, 'hsplit_with_roots of no communicator')

    newcomms = world
    rootscomms = world
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, 5, newcomms, rootscomms, depth, error)
    call check(error == MPI_SUCCESS .and. depth == expected_depth, 'hsplit_all: depth')
    do level = 1, 5
      call check(size_of(newcomms(level)) == expected_sizes(level), 'hsplit_all: a level')
      call free_comm(newcomms(level))
    end do
    call check(size_of(rootscomms(1)) == merge(2, 0, rank == 0 .or. rank == 4), 'hsplit_all: the roots of the first level')
    call check(size_of(rootscomms(4)) == merge(2, 0, rank < 2), 'hsplit_all: the roots of the fourth level')
    do level = 1, 5
      call free_comm(rootscomms(level))
    end do
    newcomms = world
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, 2, newcomms, depth=depth, ierror=error)
    call check(error == MPI_SUCCESS .and. depth == expected_depth, 'hsplit_all: the depth where fewer levels are made')
    call check(size_of(newcomms(2)) == expected_sizes(2), 'hsplit_all without roots')
    call check(newcomms(3) == world .and. newcomms(5) == world, 'hsplit_all: elements that are not the call''s')
    call free_comm(newcomms(1))
    call free_comm(newcomms(2))
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, 0, newcomms, depth=depth)
    call check(depth == expected_depth, 'hsplit_all: only the depth')
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, -1, newcomms, rootscomms, depth, error)
    call check(is_class(error, MPI_ERR_ARG), 'hsplit_all: a negative number of levels')

    call MPIX_Comm_get_min_hlevel(world, 3, [2, 0, 1], name, error)
    call check(error == MPI_SUCCESS .and. name == merge('Package', 'Unknown', rank < 3), 'min_hlevel: listed ranks')
    call MPIX_Comm_get_min_hlevel(world, 2, [rank, mod(rank + 3, 6)], name)
    call check(name == merge('Machine         ', 'System - Cluster', mod(rank, 3) == 0), 'min_hlevel: a list each')
    call MPIX_Comm_get_min_hlevel(world, 1, [merge(6, rank, rank == 5)], name, error)
    call check(merge(is_class(error, MPI_ERR_RANK), error == MPI_SUCCESS, rank == 5), 'min_hlevel: rank 5 lists no rank')

    call MPIX_Get_hw_resource_info(resources, error)
    call check(error == MPI_SUCCESS, 'hw_resource_info')
    call MPI_Info_get(resources, 'hwloc://Core', len(text), text, found, error)
    call check(found .and. text == 'true', 'hw_resource_info: a process is within a core')
    call MPI_Info_get_nkeys(resources, keys, error)
    call check(keys >= 4, 'hw_resource_info: Machine, Package, NUMANode, Core')
    call MPI_Info_free(resources, error)
  end subroutine splits

end module splits_api
