! SPDX-License-Identifier: LGPL-2.1-only
! Calls a function that the simulated MPI does not have.
program port
  implicit none
  include 'mpif.h'
  integer :: ierr
  character(len=MPI_MAX_PORT_NAME) :: name
  call MPI_Init(ierr)
  call MPI_Open_port(MPI_INFO_NULL, name, ierr)
  call MPI_Finalize(ierr)
end program
