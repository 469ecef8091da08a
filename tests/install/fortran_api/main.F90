! SPDX-License-Identifier: LGPL-2.1-only
! Calls every routine of the module mpix_topology, with numbers that tell whether each argument arrived and came back. Each
! file beside this one has the routines of a topic.
!
! Run on 6 ranks, of which 0 and 1 are on cores 0 and 1, 2 on core 6 and 3 on core 12 of a first node, 4 and 5 on cores 0
! and 23 of a second one; nodes are `pack:2 numa:2 core:6`. Handles are integers, or with -DF08 those of mpi_f08. With -DSMPI
! MPI_IN_PLACE and MPI_BOTTOM, which SMPI's module declares as procedures, are only tested as MPIX_IN_PLACE and MPIX_BOTTOM.
! Rank 0 prints how many checks were made on all ranks and how many failed.

program fortran_api
  use checks
  use bad_arguments_api, only: bad_arguments
  use cartesian_api, only: cartesian
  use hierarchies_api, only: hierarchies
  use nonblocking_api, only: nonblocking
  use reordering_api, only: reordering
  use splits_api, only: splits
  implicit none
  integer :: error, mine(2), all(2), provided

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, world, error)
  call MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN, error)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  call MPI_Comm_rank(world, rank, error)
  call MPI_Comm_size(world, size_of_world, error)
  call splits()
  call hierarchies()
  call nonblocking()
  call cartesian()
  call reordering()
  call bad_arguments()
  mine = [made, failed]
  call MPI_Reduce(mine, all, 2, MPI_INTEGER, MPI_SUM, 0, world, error)
  if (rank == 0) print '(2(i0, a))', all(1), ' checks, ', all(2), ' failed'
  call MPI_Comm_free(world, error)
  call MPI_Finalize(error)
end program fortran_api
