! SPDX-License-Identifier: LGPL-2.1-only
! A Fortran program that knows MPI and nothing else: shows which processes are beside each in a periodic mesh, as ranks of
! MPI_COMM_WORLD, in the lines of plain_halo.c. With -DF08 by the module mpi_f08, with -DMPIF by mpif.h, else by the module mpi.
program partners
#if defined F08
  use mpi_f08
#elif !defined MPIF
  use mpi
#endif
  implicit none
#ifdef MPIF
  include 'mpif.h'
#endif
#ifdef F08
  type(MPI_Comm) :: mesh
  type(MPI_Status) :: status
#define IERROR
#else
  integer :: mesh, status(MPI_STATUS_SIZE), ierror
#define IERROR , ierror
#endif
  integer :: me, ranks, d, source, dest, mapped, place, p, dims(2), mine(4)
  integer, allocatable :: all(:)
  logical :: periods(2), reorder
#ifdef F08
  call MPI_Init()
#else
  call MPI_Init(ierror)
#endif
  call MPI_Comm_rank(MPI_COMM_WORLD, me IERROR)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks IERROR)
  dims = 0
  periods = .true.
  reorder = .true.
  call MPI_Dims_create(ranks, 2, dims IERROR)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, reorder, mesh IERROR)
  do d = 0, 1
    call MPI_Cart_shift(mesh, d, 1, source, dest IERROR)
    call MPI_Sendrecv(me, 1, MPI_INTEGER, dest, 0, mine(2 * d + 1), 1, MPI_INTEGER, source, 0, mesh, status IERROR)
    call MPI_Sendrecv(me, 1, MPI_INTEGER, source, 1, mine(2 * d + 2), 1, MPI_INTEGER, dest, 1, mesh, status IERROR)
  end do
  allocate (all(4 * ranks))
  call MPI_Gather(mine, 4, MPI_INTEGER, all, 4, MPI_INTEGER, 0, MPI_COMM_WORLD IERROR)
  if (me == 0) then
    do p = 0, ranks - 1
      print '(a, i0, a, 4(1x, i0))', 'process ', p, ': partners', all(4 * p + 1:4 * p + 4)
    end do
  end if
  call MPI_Comm_free(mesh IERROR)
#ifdef F08
  call MPI_Finalize()
#else
  call MPI_Finalize(ierror)
#endif
end program
