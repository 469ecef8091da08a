! SPDX-License-Identifier: LGPL-2.1-only
! Communicators whose ranks are reordered by the messages that they exchange.
#include "handles.inc"

module reordering_api
  use checks
  use, intrinsic :: iso_c_binding, only: c_long
  implicit none

contains

  ! Ranks are given anew, so that who talks much is near: 0 and 5, which are on different nodes, 1 and 4. All have a new
  ! rank, and the data of the old rank of that number.
  subroutine reordering()
    COMM :: newcomm
    INFO :: info
    integer :: error, n, i, new_rank(6), had(2), has(2), classes(6)
    integer(c_long) :: matrix(36), bytes(1)

    matrix = 0
    matrix(0 * 6 + 5 + 1) = 1000
    matrix(4 * 6 + 1 + 1) = 1000
    call MPIX_Comm_reorder(world, matrix, newcomm, error)
    call check(error == MPI_SUCCESS .and. newcomm /= MPI_COMM_NULL, 'reorder')
    call MPIX_Comm_get_reordering(newcomm, new_rank, error)
    call check(error == MPI_SUCCESS, 'get_reordering')
    classes = 0
    do i = 1, 6
      classes(new_rank(i) + 1) = merge(1, 2, i <= 4)  ! the node, by new rank
    end do
    call check(classes(1) == classes(6) .and. classes(2) == classes(5), 'reorder: who talks much is on one node')
    call MPI_Comm_rank(newcomm, n, error)
    call check(n == new_rank(rank + 1), 'get_reordering: the own new rank')
    had = [rank, 100 + rank]
    has = -1
    call MPIX_Comm_redistribute(had, has, 2, MPI_INTEGER, newcomm, error)
    call check(error == MPI_SUCCESS .and. all_equal(has, [n, 100 + n]), 'redistribute')
    call MPI_Comm_free(newcomm, error)

    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'mpix_reorder_algorithm', 'identity', error)
    bytes = 10
    call MPIX_Comm_reorder_rows(world, 1, [mod(rank + 1, 6)], bytes, info, newcomm, error)
    call check(error == MPI_SUCCESS, 'reorder_rows')
    call MPIX_Comm_get_reordering(newcomm, new_rank, error)
    call check(all_equal(new_rank, [0, 1, 2, 3, 4, 5]), 'reorder_rows: identity')
    call MPI_Comm_free(newcomm, error)
    call MPIX_Comm_reorder_rows(world, 1, [6], bytes, info, newcomm, error)
    call check(is_class(error, MPI_ERR_RANK), 'reorder_rows: no such rank')
    call MPI_Info_free(info, error)
    call MPIX_Comm_get_reordering(world, new_rank, error)
    call check(is_class(error, MPI_ERR_ARG), 'get_reordering of another communicator')
  end subroutine reordering

end module reordering_api
