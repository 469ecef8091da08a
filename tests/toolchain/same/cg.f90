! SPDX-License-Identifier: LGPL-2.1-only
! Conjugate gradients for -u'' = f on 240 points, divided among the ranks. Dot products are gathered and added in the
! order of the ranks, so that no reduction's order matters. Rank 0 prints the residual of every tenth step.
program conjugate_gradients
  use mpi
  implicit none
  integer, parameter :: points = 240, steps = 60
  integer :: ierr, rank, ranks, left, right, n, i, step
  integer :: state(MPI_STATUS_SIZE)
  double precision, allocatable :: x(:), r(:), p(:), q(:)
  double precision :: alpha, beta, rho, last
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  n = points / ranks
  left = merge(MPI_PROC_NULL, rank - 1, rank == 0)
  right = merge(MPI_PROC_NULL, rank + 1, rank == ranks - 1)
  allocate (x(n), r(n), p(0:n + 1), q(n))
  x = 0
  r = [(dble(mod((rank * n + i) * 37, 101)), i = 1, n)]
  p = 0
  p(1:n) = r
  rho = dot(r, r)
  do step = 1, steps
    call MPI_Sendrecv(p(1), 1, MPI_DOUBLE_PRECISION, left, 1, p(n + 1), 1, MPI_DOUBLE_PRECISION, right, 1, &
      MPI_COMM_WORLD, state, ierr)
    call MPI_Sendrecv(p(n), 1, MPI_DOUBLE_PRECISION, right, 2, p(0), 1, MPI_DOUBLE_PRECISION, left, 2, &
      MPI_COMM_WORLD, state, ierr)
    q = 2 * p(1:n) - p(0:n - 1) - p(2:n + 1)
    alpha = rho / dot(p(1:n), q)
    x = x + alpha * p(1:n)
    r = r - alpha * q
    last = rho
    rho = dot(r, r)
    beta = rho / last
    p(1:n) = r + beta * p(1:n)
    if (rank == 0 .and. mod(step, 10) == 0) print '(a,i0,a,es24.16)', 'step ', step, ': ', sqrt(rho)
  end do
  call MPI_Finalize(ierr)

contains

  double precision function dot(a, b)
    double precision, intent(in) :: a(:), b(:)
    double precision :: parts(ranks)
    call MPI_Allgather(sum(a * b), 1, MPI_DOUBLE_PRECISION, parts, 1, MPI_DOUBLE_PRECISION, MPI_COMM_WORLD, ierr)
    dot = sum(parts)
  end function dot
end program conjugate_gradients
