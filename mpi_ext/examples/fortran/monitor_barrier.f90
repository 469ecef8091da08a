! SPDX-License-Identifier: LGPL-2.1-only
! The messages of a barrier: the program monitors its own messages during MPIX_Barrier, and rank 0 prints their number
! for each pair of ranks (Listing 1 of Jeannot and Sartori, PDSEC 2020, from Fortran).
program monitor_barrier
  use, intrinsic :: iso_fortran_env, only: int64
  use mpi
  use mpi_monitoring
  use mpix_topology
  implicit none
  integer(int64), allocatable :: messages(:, :)
  character(len=80) :: text
  integer :: rank, size, from, session, error

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  call MPI_M_init(error)
  if (error /= MPI_SUCCESS) then
    call MPI_M_error_string(error, text)
    print '(a)', trim(text)
    call MPI_Abort(MPI_COMM_WORLD, 1, error)
  end if
  ! The library's first call on a communicator makes an internal communicator. Do this before monitoring.
  call MPIX_Barrier(MPI_COMM_WORLD, MPIX_ALGORITHM_LINEAR)

  call MPI_M_start(MPI_COMM_WORLD, session)
  call MPIX_Barrier(MPI_COMM_WORLD, MPIX_ALGORITHM_RECURSIVE_DOUBLING)
  call MPI_M_suspend(session)

  ! Element (j + 1, i + 1): messages from rank i to rank j.
  call MPI_M_get_info(session, array_size=size)
  allocate(messages(size, size))
  call MPI_M_rootgather_data(session, 0, messages, MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY)
  if (rank == 0) then
    print '(a)', 'MPIX_Barrier by recursive doubling:'
    do from = 1, size
      print '(*(i0, :, 1x))', messages(:, from)
    end do
  end if

  call MPI_M_free(session)
  call MPI_M_finalize()
  call MPI_Finalize(error)
end program monitor_barrier
