! SPDX-License-Identifier: LGPL-2.1-only
! Blocking collectives, each with all its algorithms: on the communicator `world`, or over a hierarchy.
#include "handles.inc"

module collectives_api
  use checks
  implicit none
  integer, parameter :: ALGORITHMS_BCAST(6) = [MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN, MPIX_ALGORITHM_PIPELINE, &
    MPIX_ALGORITHM_SPLIT_BINARY, MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL]
  integer, parameter :: ALGORITHMS_REDUCE(6) = [MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN, MPIX_ALGORITHM_PIPELINE, &
    MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_IN_ORDER_BINARY]
  integer, parameter :: ALGORITHMS_ALLREDUCE(6) = [MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_CHAIN, MPIX_ALGORITHM_PIPELINE, &
    MPIX_ALGORITHM_BINARY, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RECURSIVE_DOUBLING]
  integer, parameter :: ALGORITHMS_ALLGATHER(3) = [MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, MPIX_ALGORITHM_RING]
  integer, parameter :: ALGORITHMS_BARRIER(3) = [MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL, &
    MPIX_ALGORITHM_RECURSIVE_DOUBLING]
  integer, parameter :: ALGORITHMS_GATHER(2) = [MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL]

contains

  ! `over` is the hierarchy where it is not null; else the functions of the communicator `world` are called.
  subroutine collectives(over, segment)
    type(MPIX_Hierarchy), intent(in) :: over
    integer, intent(in) :: segment
    integer, parameter :: n = 5
    integer :: root, a, i, error
    integer :: matrix(3, n), pairs(2, n), result(2, n), all(2, 0:size_of_world - 1), mine(2)
    double precision :: values(n), sums(n)
    DATATYPE :: pair, absolute
    OPERATION :: composition
    integer(kind=MPI_ADDRESS_KIND) :: address(1)
    integer :: lengths(1)

    call MPI_Type_contiguous(2, MPI_INTEGER, pair, error)
    call MPI_Type_commit(pair, error)
    call MPI_Op_create(compose, .false., composition, error)
    lengths = n
    call MPI_Get_address(values, address(1), error)
    call MPI_Type_create_hindexed(1, lengths, address, MPI_DOUBLE_PRECISION, absolute, error)
    call MPI_Type_commit(absolute, error)

    do root = 0, size_of_world - 1, 2
      do a = 1, 6
        associate (algorithm => ALGORITHMS_BCAST(a))
          ! A row of a matrix is not contiguous; the rows beside it must stay.
          matrix = -1
          if (rank == root) matrix(2, :) = [(100 * root + i, i = 1, n)]
          call bcast(matrix(2, :), n, MPI_INTEGER)
          call check(all_equal(matrix(2, :), [(100 * root + i, i = 1, n)]), 'bcast of a row')
          call check(all_equal(matrix(1, :), [(-1, i = 1, n)]), 'bcast of a row: the row beside it')
#ifndef SMPI
          values = merge(root + 0.5d0, 0d0, rank == root)
          call bcast_bottom_mpi()
          call check(maxval(abs(values - root - 0.5d0)) == 0, 'bcast from MPI_BOTTOM')
#endif
          values = merge(root + 0.25d0, 0d0, rank == root)
          call bcast_bottom()
          call check(maxval(abs(values - root - 0.25d0)) == 0, 'bcast from MPIX_BOTTOM')
        end associate
        associate (algorithm => ALGORITHMS_REDUCE(a))
          values = rank + [(dble(i), i = 1, n)]
          sums = -1
          call reduce(values, sums, n, MPI_DOUBLE_PRECISION, MPI_SUM)
          call check(all_sums(merge(sums, -[(1d0, i = 1, n)], rank == root), rank == root), 'reduce')
          call reduce_in_place(values)
          if (rank == root) call check(all_sums(values, .true.), 'reduce in place')
          do i = 1, n
            pairs(:, i) = map(rank, i)
          end do
          result = 0
          if (over == MPIX_HIERARCHY_NULL) then
            call MPIX_Reduce(pairs, result, n, pair, composition, root, world, algorithm, segment, error)
          else
            call MPIX_Hierarchy_reduce(pairs, result, n, pair, composition, root, over, algorithm, segment, error)
          end if
          call check(error == MPI_SUCCESS, 'reduce by an operation that does not commute')
          if (rank == root) call check(maxval(abs(result - all_composed(n))) == 0, 'reduce in the order of the ranks')
        end associate
      end do
      do a = 1, 2
        associate (algorithm => ALGORITHMS_GATHER(a))
          mine = [rank, 10 * rank]
          all = -1
          if (over == MPIX_HIERARCHY_NULL) then
            call MPIX_Gather(mine, 2, MPI_INTEGER, all, 1, pair, root, world, algorithm, error)
          else
            call MPIX_Hierarchy_gather(mine, 2, MPI_INTEGER, all, 1, pair, root, over, algorithm, error)
          end if
          call check(error == MPI_SUCCESS .and. (gathered(all) .eqv. rank == root), 'gather')
          all = -1
          all(:, rank) = mine
          if (over == MPIX_HIERARCHY_NULL) then
            if (rank == root) then
              call MPIX_Gather(MPIX_IN_PLACE, 0, MPI_INTEGER, all, 2, MPI_INTEGER, root, world, algorithm)
            else
              call MPIX_Gather(mine, 2, MPI_INTEGER, all, 2, MPI_INTEGER, root, world, algorithm)
            end if
          else
            if (rank == root) then
              call MPIX_Hierarchy_gather(MPIX_IN_PLACE, 0, MPI_INTEGER, all, 2, MPI_INTEGER, root, over, algorithm)
            else
              call MPIX_Hierarchy_gather(mine, 2, MPI_INTEGER, all, 2, MPI_INTEGER, root, over, algorithm)
            end if
          end if
          if (rank == root) call check(gathered(all), 'gather in place')

          all = reshape([(i / 2 * merge(1, 10, mod(i, 2) == 0), i = 0, 2 * size_of_world - 1)], [2, size_of_world])
          if (rank /= root) all = -1
          mine = -1
          if (over == MPIX_HIERARCHY_NULL) then
            call MPIX_Scatter(all, 1, pair, mine, 2, MPI_INTEGER, root, world, algorithm, error)
          else
            call MPIX_Hierarchy_scatter(all, 1, pair, mine, 2, MPI_INTEGER, root, over, algorithm, error)
          end if
          call check(error == MPI_SUCCESS .and. all_equal(mine, [rank, 10 * rank]), 'scatter')
          mine = -1
          if (over == MPIX_HIERARCHY_NULL) then
            if (rank == root) then
              call MPIX_Scatter(all, 2, MPI_INTEGER, MPIX_IN_PLACE, 2, MPI_INTEGER, root, world, algorithm)
            else
              call MPIX_Scatter(all, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, root, world, algorithm)
            end if
          else
            if (rank == root) then
              call MPIX_Hierarchy_scatter(all, 2, MPI_INTEGER, MPIX_IN_PLACE, 2, MPI_INTEGER, root, over, algorithm)
            else
              call MPIX_Hierarchy_scatter(all, 2, MPI_INTEGER, mine, 2, MPI_INTEGER, root, over, algorithm)
            end if
          end if
          call check(all_equal(mine, merge([-1, -1], [rank, 10 * rank], rank == root)), 'scatter in place')
        end associate
      end do
    end do

    ! Ring and recursive doubling, the last of each list, have no hierarchical form.
    do a = 1, merge(6, 5, over == MPIX_HIERARCHY_NULL)
      associate (algorithm => ALGORITHMS_ALLREDUCE(a))
        values = rank + [(dble(i), i = 1, n)]
        sums = -1
        if (over == MPIX_HIERARCHY_NULL) then
          call MPIX_Allreduce(values, sums, n, MPI_DOUBLE_PRECISION, MPI_SUM, world, algorithm, segment, error)
          call MPIX_Allreduce(MPIX_IN_PLACE, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, world, algorithm, segment)
        else
          call MPIX_Hierarchy_allreduce(values, sums, n, MPI_DOUBLE_PRECISION, MPI_SUM, over, algorithm, segment, error)
          call MPIX_Hierarchy_allreduce(MPIX_IN_PLACE, values, n, MPI_DOUBLE_PRECISION, MPI_SUM, over, algorithm, segment)
        end if
        call check(error == MPI_SUCCESS .and. all_sums(sums, .true.), 'allreduce')
        call check(all_sums(values, .true.), 'allreduce in place')
      end associate
    end do
    do a = 1, merge(3, 2, over == MPIX_HIERARCHY_NULL)
      associate (algorithm => ALGORITHMS_ALLGATHER(a))
        mine = [rank, 10 * rank]
        all = -1
        if (over == MPIX_HIERARCHY_NULL) then
          call MPIX_Allgather(mine, 2, MPI_INTEGER, all, 1, pair, world, algorithm, error)
        else
          call MPIX_Hierarchy_allgather(mine, 2, MPI_INTEGER, all, 1, pair, over, algorithm, error)
        end if
        call check(error == MPI_SUCCESS .and. gathered(all), 'allgather')
        all = -1
        all(:, rank) = mine
        if (over == MPIX_HIERARCHY_NULL) then
          call MPIX_Allgather(MPIX_IN_PLACE, 0, MPI_INTEGER, all, 1, pair, world, algorithm)
        else
          call MPIX_Hierarchy_allgather(MPIX_IN_PLACE, 0, MPI_INTEGER, all, 1, pair, over, algorithm)
        end if
        call check(gathered(all), 'allgather in place')
      end associate
    end do
    do a = 1, merge(3, 2, over == MPIX_HIERARCHY_NULL)
      associate (algorithm => ALGORITHMS_BARRIER(a))
        if (over == MPIX_HIERARCHY_NULL) then
          call MPIX_Barrier(world, algorithm, error)
        else
          call MPIX_Hierarchy_barrier(over, algorithm, error)
        end if
        call check(error == MPI_SUCCESS, 'barrier')
      end associate
    end do
    call MPI_Type_free(pair, error)
    call MPI_Type_free(absolute, error)
    call MPI_Op_free(composition, error)

  contains

    ! Whether `x` holds the sums over the ranks of rank + i; where `expected` is false, whether it is -1.
    logical function all_sums(x, expected)
      double precision, intent(in) :: x(n)
      logical, intent(in) :: expected
      integer :: k

      all_sums = .true.
      do k = 1, n
        if (expected) then
          all_sums = all_sums .and. x(k) == size_of_world * k + size_of_world * (size_of_world - 1) / 2
        else
          all_sums = all_sums .and. x(k) == -1
        end if
      end do
    end function all_sums

    logical function gathered(x)
      integer, intent(in) :: x(2, 0:size_of_world - 1)
      integer :: r

      gathered = .true.
      do r = 0, size_of_world - 1
        gathered = gathered .and. all_equal(x(:, r), [r, 10 * r])
      end do
    end function gathered

    subroutine bcast(buffer, count, datatype)
      integer, intent(inout) :: buffer(:)
      integer, intent(in) :: count
      DATATYPE, intent(in) :: datatype

      if (over == MPIX_HIERARCHY_NULL) then
        call MPIX_Bcast(buffer, count, datatype, root, world, ALGORITHMS_BCAST(a), segment, error)
      else
        call MPIX_Hierarchy_bcast(buffer, count, datatype, root, over, ALGORITHMS_BCAST(a), segment, error)
      end if
      call check(error == MPI_SUCCESS, 'bcast')
    end subroutine bcast

#ifndef SMPI
    subroutine bcast_bottom_mpi()
      call MPI_F_sync_reg_of(values)
      if (over == MPIX_HIERARCHY_NULL) then
        call MPIX_Bcast(MPI_BOTTOM, 1, absolute, root, world, ALGORITHMS_BCAST(a), segment)
      else
        call MPIX_Hierarchy_bcast(MPI_BOTTOM, 1, absolute, root, over, ALGORITHMS_BCAST(a), segment)
      end if
      call MPI_F_sync_reg_of(values)
    end subroutine bcast_bottom_mpi
#endif

    subroutine bcast_bottom()
      call MPI_F_sync_reg_of(values)
      if (over == MPIX_HIERARCHY_NULL) then
        call MPIX_Bcast(MPIX_BOTTOM, 1, absolute, root, world, ALGORITHMS_BCAST(a), segment)
      else
        call MPIX_Hierarchy_bcast(MPIX_BOTTOM, 1, absolute, root, over, ALGORITHMS_BCAST(a), segment)
      end if
      call MPI_F_sync_reg_of(values)
    end subroutine bcast_bottom

    subroutine reduce(from, to, count, datatype, op)
      double precision, intent(in) :: from(:)
      double precision, intent(inout) :: to(:)
      integer, intent(in) :: count
      DATATYPE, intent(in) :: datatype
      OPERATION, intent(in) :: op

      if (over == MPIX_HIERARCHY_NULL) then
        call MPIX_Reduce(from, to, count, datatype, op, root, world, ALGORITHMS_REDUCE(a), segment, error)
      else
        call MPIX_Hierarchy_reduce(from, to, count, datatype, op, root, over, ALGORITHMS_REDUCE(a), segment, error)
      end if
      call check(error == MPI_SUCCESS, 'reduce')
    end subroutine reduce

    ! At the root by MPI's own MPI_IN_PLACE where that can be an argument.
    subroutine reduce_in_place(buffer)
      double precision, intent(inout) :: buffer(:)
#ifdef SMPI
#define IN_PLACE MPIX_IN_PLACE
#else
#define IN_PLACE MPI_IN_PLACE
#endif
      if (over == MPIX_HIERARCHY_NULL) then
        if (rank == root) then
          call MPIX_Reduce(IN_PLACE, buffer, n, MPI_DOUBLE_PRECISION, MPI_SUM, root, world, ALGORITHMS_REDUCE(a), segment)
        else
          call MPIX_Reduce(buffer, 0, n, MPI_DOUBLE_PRECISION, MPI_SUM, root, world, ALGORITHMS_REDUCE(a), segment)
        end if
      else
        if (rank == root) then
          call MPIX_Hierarchy_reduce(IN_PLACE, buffer, n, MPI_DOUBLE_PRECISION, MPI_SUM, root, over, ALGORITHMS_REDUCE(a), &
                                     segment)
        else
          call MPIX_Hierarchy_reduce(buffer, 0, n, MPI_DOUBLE_PRECISION, MPI_SUM, root, over, ALGORITHMS_REDUCE(a), segment)
        end if
      end if
    end subroutine reduce_in_place

  end subroutine collectives

  ! Something that the compiler must believe to read and write `x`, which MPI reaches by its address alone.
  subroutine MPI_F_sync_reg_of(x)
    double precision, intent(inout), volatile :: x(:)

    x(1) = x(1)
  end subroutine MPI_F_sync_reg_of

end module collectives_api
