! SPDX-License-Identifier: LGPL-2.1-only
! Hierarchies of the topology and of given groups, and the collectives over them.
#include "handles.inc"

module hierarchies_api
  use checks
  use collectives_api
  implicit none

contains

  subroutine hierarchies()
    type(MPIX_Hierarchy) :: hierarchy, groups
    COMM :: comm, roots
    character(len=MPIX_MAX_HLEVEL_TYPE) :: name
    integer :: error, depth

    call check(hierarchy == MPIX_HIERARCHY_NULL, 'a hierarchy is null at first')
    call MPIX_Hierarchy_create(world, MPI_INFO_NULL, hierarchy, error)
    call check(error == MPI_SUCCESS .and. hierarchy /= MPIX_HIERARCHY_NULL, 'hierarchy_create')
    call MPIX_Hierarchy_depth(hierarchy, depth, error)
    call check(error == MPI_SUCCESS .and. depth == merge(4, merge(3, 2, rank == 2), rank < 2), 'hierarchy_depth')
    call MPIX_Hierarchy_level(hierarchy, 0, comm, roots, error)
    call check(error == MPI_SUCCESS .and. size_of(comm) == merge(4, 2, rank < 4), 'hierarchy_level')
    call check(size_of(roots) == merge(2, 0, rank == 0 .or. rank == 4), 'hierarchy_level: the roots')
    call MPIX_Hierarchy_level(hierarchy, 1, comm)
    call MPIX_Comm_get_hlevel_info(comm, type=name)
    call check(name == merge('Package', 'Core   ', rank < 3), 'hierarchy_level: a package')
    call MPIX_Hierarchy_level(hierarchy, depth, comm, roots, error)
    call check(is_class(error, MPI_ERR_ARG), 'hierarchy_level: no such level')

    call collectives(MPIX_HIERARCHY_NULL, 0)
    call collectives(MPIX_HIERARCHY_NULL, 16)
    call collectives(hierarchy, 0)
    call collectives(hierarchy, 16)

    call MPIX_Hierarchy_create_groups(world, 2, [2, 3], groups, error)
    call check(error == MPI_SUCCESS .and. groups /= hierarchy, 'hierarchy_create_groups')
    call MPIX_Hierarchy_depth(groups, depth)
    call check(depth == 2, 'hierarchy_create_groups: depth')
    call MPIX_Hierarchy_level(groups, 0, comm, roots)
    call check(size_of(comm) == 3 .and. size_of(roots) == merge(2, 0, mod(rank, 3) == 0), 'groups: two blocks of three')
    call collectives(groups, 0)
    call MPIX_Hierarchy_free(groups, error)
    call check(error == MPI_SUCCESS .and. groups == MPIX_HIERARCHY_NULL, 'hierarchy_free')
    call MPIX_Hierarchy_free(hierarchy)
    call check(hierarchy == MPIX_HIERARCHY_NULL, 'hierarchy_free without ierror')
    call MPIX_Hierarchy_create_groups(world, 2, [2, 2], groups, error)
    call check(is_class(error, MPI_ERR_ARG) .and. groups == MPIX_HIERARCHY_NULL, 'groups that do not make the size')
  end subroutine hierarchies

end module hierarchies_api
