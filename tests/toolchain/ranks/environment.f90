! SPDX-License-Identifier: LGPL-2.1-only
! The same in Fortran, whose library asks the C library.
program environment
  use mpi
  implicit none
  integer :: rank, length, there, missing, error
  character(len=6) :: text, host
  call mpi_init(error)
  call mpi_comm_rank(MPI_COMM_WORLD, rank, error)
  call get_environment_variable("PMI_RANK  ", text, length, there)
  call get_environment_variable("NOT_THERE_AT_ALL", status=missing)
  call hostnm(host)
  print '(i0, 5a, i0, a, i0, a, i0)', rank, ": [", text, "] ", host, " ", length, " ", there, " ", missing
  call execute_command_line("echo shell $SLURM_PROCID")
  call system("echo shell $SLURM_PROCID")
  call mpi_finalize(error)
end program environment
