! SPDX-License-Identifier: LGPL-2.1-only
! Nonblocking collectives, and the progress threads that carry them on.
#include "handles.inc"

module nonblocking_api
  use checks
  implicit none

contains

  ! What a rank has at the end of each of the collectives, all under way at once, by waits of every kind.
  subroutine nonblocking()
    integer, parameter :: n = 5
    COMM :: application
    INFO :: info
    DATATYPE :: pair
    OPERATION :: composition
    character(len=40) :: cpuset
    integer, asynchronous :: numbers(n), all(2, 0:size_of_world - 1), part(2), mine(2)
    integer, asynchronous :: pairs(2, n), composed_here(2, n), prefix(2, n)
    integer, asynchronous :: sums(n)
    integer :: requests(7), root, i, r, error, communication_cores, cores, steps
    logical :: flag, right

    call MPI_Type_contiguous(2, MPI_INTEGER, pair, error)
    call MPI_Type_commit(pair, error)
    call MPI_Op_create(compose, .false., composition, error)
    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'mpix_placement', PLACEMENT, error)
    call MPIX_Progress_start(MPI_COMM_WORLD, info, application, error)
    call check(error == MPI_SUCCESS .and. size_of(application) == size_of_world, 'progress_start')
    call MPI_Comm_set_errhandler(application, MPI_ERRORS_RETURN, error)
    communication_cores = -1
    cores = -1
    call MPIX_Progress_get(communication_cores, cores, cpuset, error)
    call check(error == MPI_SUCCESS .and. communication_cores == 0 .and. cores >= 0, 'progress_get')
    call check((cpuset == '') .eqv. (PLACEMENT == 'none'), 'progress_get: PUs')
    call MPIX_Progress_get(cores=cores)
    call MPI_Info_set(info, 'mpix_steps', '1', error)
    call MPI_Info_set(info, 'mpix_arity', '3', error)
    call MPIX_Comm_set_progress(application, info, error)
    call check(error == MPI_SUCCESS, 'set_progress')

    do root = 0, size_of_world - 1
      numbers = merge(100 * root + [(i, i = 1, n)], -1, rank == root)
      mine = [rank, 10 * rank]
      do i = 1, n
        pairs(:, i) = map(rank, i)
      end do
      do r = 0, size_of_world - 1
        all(:, r) = merge([r, 10 * r], -1, rank == mod(root + 1, size_of_world))
      end do
      sums = rank + [(i, i = 1, n)]
      composed_here = 0
      prefix = 0
      part = -1
      call MPIX_Ibcast(numbers, n, MPI_INTEGER, root, application, requests(1), error)
      call check(error == MPI_SUCCESS .and. requests(1) /= MPIX_REQUEST_NULL, 'ibcast')
      steps = -1
      call MPIX_Request_get_steps(requests(1), steps, error)
      call check(error == MPI_SUCCESS .and. steps == 1, 'request_get_steps')
      call MPIX_Ireduce(pairs, composed_here, n, pair, composition, root, application, requests(2), error)
      call check(error == MPI_SUCCESS, 'ireduce')
      call MPIX_Iallreduce(MPIX_IN_PLACE, sums, n, MPI_INTEGER, MPI_SUM, application, requests(3), error)
      call check(error == MPI_SUCCESS, 'iallreduce in place')
      call MPIX_Iscatter(all, 1, pair, part, 2, MPI_INTEGER, mod(root + 1, size_of_world), application, requests(4), error)
      call check(error == MPI_SUCCESS, 'iscatter')
      call MPIX_Iscan(pairs, prefix, n, pair, composition, application, requests(5), error)
      call check(error == MPI_SUCCESS, 'iscan')
      call MPIX_Ibarrier(application, requests(6), error)
      call check(error == MPI_SUCCESS, 'ibarrier')
      call MPIX_Wait(requests(4), error)
      call check(error == MPI_SUCCESS .and. requests(4) == MPIX_REQUEST_NULL, 'wait')
      call check(all_equal(part, mine), 'iscatter: the block of this rank')
      all = -1
      call MPIX_Igather(mine, 2, MPI_INTEGER, all, 1, pair, root, application, requests(4), error)
      call check(error == MPI_SUCCESS, 'igather')
      flag = .false.
      do while (.not. flag)
        call MPIX_Test(requests(6), flag, error)
        if (error /= MPI_SUCCESS) exit
      end do
      call check(flag .and. requests(6) == MPIX_REQUEST_NULL, 'test')
      call MPIX_Waitall(5, requests, error)
      call check(error == MPI_SUCCESS .and. maxval(abs(requests(1:5) - MPIX_REQUEST_NULL)) == 0, 'waitall')
      call check(all_equal(numbers, [(100 * root + i, i = 1, n)]), 'ibcast: the message')
      call check(all_equal(sums, [(size_of_world * i + size_of_world * (size_of_world - 1) / 2, i = 1, n)]), 'iallreduce: sums')
      if (rank == root) call check(maxval(abs(composed_here - all_composed(n))) == 0, 'ireduce in the order of the ranks')
      if (rank == size_of_world - 1) call check(maxval(abs(prefix - all_composed(n))) == 0, 'iscan: the last has it all')
      if (rank == 0) call check(maxval(abs(prefix - pairs)) == 0, 'iscan: the first has its own')
      right = .true.
      do r = 0, size_of_world - 1
        right = right .and. all_equal(all(:, r), merge([r, 10 * r], -1, rank == root))
      end do
      call check(right, 'igather: all blocks')
    end do

    call MPIX_Ibcast(numbers, n, MPI_INTEGER, -1, application, requests(1), error)
    call check(is_class(error, MPI_ERR_ROOT), 'ibcast: no such root')
    requests(1) = MPIX_REQUEST_NULL
    call MPIX_Wait(requests(1), error)
    call check(is_class(error, MPI_ERR_REQUEST), 'wait for nothing')
    call MPIX_Comm_set_progress(MPI_COMM_NULL, info, error)
    call check(is_class(error, MPI_ERR_COMM), 'set_progress on no communicator')
    call MPI_Info_free(info, error)
    call MPI_Op_free(composition, error)
    call MPI_Type_free(pair, error)
    call MPIX_Progress_stop(application, error)
    call check(error == MPI_SUCCESS .and. application == MPI_COMM_NULL, 'progress_stop')
  end subroutine nonblocking

end module nonblocking_api
