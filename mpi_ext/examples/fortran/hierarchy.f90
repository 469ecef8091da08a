! SPDX-License-Identifier: LGPL-2.1-only
! The levels of the machine on which this program runs, and a broadcast and a reduction along them. Rank 0 prints.
program hierarchy_example
  use mpi
  use mpix_topology
  implicit none
  type(MPIX_Hierarchy) :: hierarchy
  character(len=64) :: name
  double precision :: values(4), sums(4)
  integer :: rank, size, depth, level, comm, roots, members, siblings, index, root_rank, error

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_Comm_size(MPI_COMM_WORLD, size, error)

  ! The object that contains ranks 0 and 1. Every process passes its own list.
  call MPIX_Comm_get_min_hlevel(MPI_COMM_WORLD, min(size, 2), [0, 1], name)
  if (rank == 0) print '(i0, 2a)', size, ' ranks, ranks 0 and 1 meet in: ', trim(name)

  ! For each level: this process's communicator, and the communicator of the roots on this level.
  call MPIX_Hierarchy_create(MPI_COMM_WORLD, MPI_INFO_NULL, hierarchy)
  call MPIX_Hierarchy_depth(hierarchy, depth)
  do level = 0, depth - 1
    call MPIX_Hierarchy_level(hierarchy, level, comm, roots)
    call MPI_Comm_size(comm, members, error)
    call MPIX_Comm_get_hlevel_info(comm, siblings, index, name)
    root_rank = -1
    if (roots /= MPI_COMM_NULL) call MPI_Comm_rank(roots, root_rank, error)
    if (rank == 0) then
      print '(a, i0, 3a, 3(i0, a), i0)', 'level ', level, ': ', trim(name), ' ', index, ' of ', siblings, ', ', &
        members, ' ranks, root ', root_rank
    end if
  end do

  ! Over the hierarchy, a message crosses each level once per part instead of once per process.
  values = 0
  if (rank == 0) values = [1, 2, 3, 4]
  call MPIX_Hierarchy_bcast(values, 4, MPI_DOUBLE_PRECISION, 0, hierarchy, MPIX_ALGORITHM_BINOMIAL, 0)
  values = values + rank
  call MPIX_Hierarchy_reduce(values, sums, 4, MPI_DOUBLE_PRECISION, MPI_SUM, 0, hierarchy, MPIX_ALGORITHM_BINOMIAL, 0)
  if (rank == 0) print '(a, 4(1x, i0))', 'sums:', nint(sums)

  call MPIX_Hierarchy_free(hierarchy)
  call MPI_Finalize(error)
end program hierarchy_example
