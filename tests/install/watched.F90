! SPDX-License-Identifier: LGPL-2.1-only
! Sends of several kinds from rank 0 to rank 1, watched: 9 messages of 1 to 9 integers.
program watched
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  implicit none
#ifdef F08
  type(MPI_Request) :: requests(3)
  type(MPI_Status) :: status
#else
  integer :: requests(3), status(MPI_STATUS_SIZE)
#endif
  integer :: rank, session, i, ierr, data(9), got(9)
  external :: watch, report

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  data = rank
  call watch(session)
  if (rank == 0) then
    call MPI_Send(data, 1, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    call MPI_Ssend(data, 2, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, ierr)
    call MPI_Isend(data, 3, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Issend(data, 4, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Waitall(2, requests, MPI_STATUSES_IGNORE, ierr)
    call MPI_Send_init(data, 5, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(1), ierr)
    call MPI_Send_init(data, 6, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(2), ierr)
    call MPI_Ssend_init(data, 7, MPI_INTEGER, 1, 0, MPI_COMM_WORLD, requests(3), ierr)
    call MPI_Start(requests(1), ierr)
    call MPI_Wait(requests(1), status, ierr)
    call MPI_Startall(2, requests(2:3), ierr)
    call MPI_Waitall(2, requests(2:3), MPI_STATUSES_IGNORE, ierr)
    do i = 1, 3
      call MPI_Request_free(requests(i), ierr)
    end do
    call MPI_Sendrecv(data, 8, MPI_INTEGER, 1, 0, got, 0, MPI_INTEGER, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierr)
    call MPI_Sendrecv_replace(data, 9, MPI_INTEGER, 1, 0, MPI_PROC_NULL, 0, MPI_COMM_WORLD, status, ierr)
  else if (rank == 1) then
    do i = 1, 9
      call MPI_Recv(got, 9, MPI_INTEGER, 0, 0, MPI_COMM_WORLD, status, ierr)
    end do
  end if
  call report(session)
  call MPI_Finalize(ierr)
end program watched
