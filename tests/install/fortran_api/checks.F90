! SPDX-License-Identifier: LGPL-2.1-only
! Counts checks, and prints those that do not hold; with an operation that does not commute, and its result by definition.
#include "handles.inc"

module checks
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  use mpix_topology
  implicit none
  integer :: made = 0, failed = 0
  integer :: rank, size_of_world
  COMM :: world  ! a dup of MPI_COMM_WORLD that returns errors

contains

  subroutine check(holds, what)
    logical, intent(in) :: holds
    character(len=*), intent(in) :: what

    made = made + 1
    if (holds) return
    failed = failed + 1
    print '(a, i0, 2a)', 'rank ', rank, ' failed: ', what
  end subroutine check

  logical function is_class(code, class)
    integer, intent(in) :: code, class
    integer :: found, error

    call MPI_Error_class(code, found, error)
    is_class = code /= MPI_SUCCESS .and. found == class
  end function is_class

  integer function size_of(c)
    COMM, intent(in) :: c
    integer :: error

    size_of = 0
    if (c /= MPI_COMM_NULL) call MPI_Comm_size(c, size_of, error)
  end function size_of

  logical function all_equal(x, y)
    integer, intent(in) :: x(:), y(:)

    all_equal = maxval(abs(x - y)) == 0
  end function all_equal

  subroutine free_comm(c)
    COMM, intent(inout) :: c
    integer :: error

    if (c /= MPI_COMM_NULL) call MPI_Comm_free(c, error)
  end subroutine free_comm

  ! x -> a x + b, composed: what is applied first stands left. Does not commute.
#ifdef F08
  subroutine compose(first, then, length, datatype)
    use, intrinsic :: iso_c_binding, only: c_f_pointer, c_ptr
    type(c_ptr), value :: first, then
    integer :: length
    type(MPI_Datatype) :: datatype
    integer, pointer :: f(:, :), t(:, :)
    integer :: i

    call c_f_pointer(first, f, [2, length])
    call c_f_pointer(then, t, [2, length])
    do i = 1, length
      t(:, i) = composed(f(:, i), t(:, i))
    end do
  end subroutine compose
#else
  subroutine compose(first, then, length, datatype)
    integer :: length, datatype, i
    integer :: first(2, length), then(2, length)

    do i = 1, length
      then(:, i) = composed(first(:, i), then(:, i))
    end do
  end subroutine compose
#endif

  function composed(f, t)
    integer, intent(in) :: f(2), t(2)
    integer :: composed(2)

    composed = [t(1) * f(1), t(1) * f(2) + t(2)]
  end function composed

  ! What the composition over all ranks of map(rank, 1..n) is, by definition.
  function all_composed(n)
    integer, intent(in) :: n
    integer :: all_composed(2, n), i, r

    do i = 1, n
      all_composed(:, i) = map(0, i)
      do r = 1, size_of_world - 1
        all_composed(:, i) = composed(all_composed(:, i), map(r, i))
      end do
    end do
  end function all_composed

  function map(r, i)
    integer, intent(in) :: r, i
    integer :: map(2)

    map = [r + 2, 3 * r + i]
  end function map

end module checks
