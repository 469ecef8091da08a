! SPDX-License-Identifier: LGPL-2.1-only
! Errors of collectives whose arguments are wrong.
#include "handles.inc"

module bad_arguments_api
  use checks
  implicit none

contains

  subroutine bad_arguments()
    integer :: buffer(2), error

    buffer = 0
    call MPIX_Bcast(buffer, 2, MPI_INTEGER, size_of_world, world, MPIX_ALGORITHM_LINEAR, 0, error)
    call check(is_class(error, MPI_ERR_ROOT), 'bcast: no such root')
    call MPIX_Bcast(buffer, -1, MPI_INTEGER, 0, world, MPIX_ALGORITHM_LINEAR, 0, error)
    call check(is_class(error, MPI_ERR_COUNT), 'bcast: a negative count')
    call MPIX_Bcast(buffer, 2, MPI_INTEGER, 0, world, 99, 0, error)
    call check(is_class(error, MPI_ERR_ARG), 'bcast: no such algorithm')
    call MPIX_Bcast(buffer, 2, MPI_INTEGER, 0, world, MPIX_ALGORITHM_LINEAR, -8, error)
    call check(is_class(error, MPI_ERR_ARG), 'bcast: a negative segment')
    call MPIX_Barrier(MPI_COMM_NULL, MPIX_ALGORITHM_LINEAR, error)
    call check(is_class(error, MPI_ERR_COMM), 'barrier on no communicator')
  end subroutine bad_arguments

end module bad_arguments_api
