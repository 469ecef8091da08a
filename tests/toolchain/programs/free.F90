! SPDX-License-Identifier: LGPL-2.1-only
! Free form with the preprocessor, the module mpi, gfortran's clocks, and STOP in one rank.
#define SECONDS 1.0d0
program free_form
  use mpi
  implicit none
  integer :: ierr, rank, n, code
  integer(4) :: count4, rate4
  integer(8) :: count8, rate8
  real(8) :: processor, wall
  double precision :: sums(2), values(2)
  character(len=20) :: word
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, n, ierr)
  call sleep(1)
  call system_clock(count4, rate4)
  call system_clock(count8, rate8)
  call cpu_time(processor)
  wall = MPI_Wtime()
  values = [1.0d0, dble(rank)]
  call MPI_Allreduce(values, sums, 2, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD, ierr)
  call MPI_Allreduce(rank, code, 1, MPI_INTEGER, MPI_MAX, MPI_COMM_WORLD, ierr)
  if (command_argument_count() > 0) then
    call get_command_argument(1, word)
  else
    word = 'none'
  end if
  print '(a,i0,a,f4.1,f4.1,f4.1,f4.1,a,f4.1,f4.1,i2,1x,a)', 'rank ', rank, ':', dble(count4) / rate4, dble(count8) / rate8, &
    processor / SECONDS, wall, ' sums', sums, code, trim(word)
  call MPI_Finalize(ierr)
  if (rank == 1) stop 5
end program
