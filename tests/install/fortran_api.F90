! SPDX-License-Identifier: LGPL-2.1-only
! Calls every routine of the module mpix_topology, with numbers that tell whether each argument arrived and came back.
!
! Run on 6 ranks, of which 0 and 1 are on cores 0 and 1, 2 on core 6 and 3 on core 12 of a first node, 4 and 5 on cores 0
! and 23 of a second one; nodes are `pack:2 numa:2 core:6`. Handles are integers, or with -DF08 those of mpi_f08. With -DSMPI
! MPI_IN_PLACE and MPI_BOTTOM, which SMPI's module declares as procedures, are only tested as MPIX_IN_PLACE and MPIX_BOTTOM.
! Rank 0 prints how many checks were made on all ranks and how many failed.
#ifdef F08
#define COMM type(MPI_Comm)
#define DATATYPE type(MPI_Datatype)
#define INFO type(MPI_Info)
#define OPERATION type(MPI_Op)
#else
#define COMM integer
#define DATATYPE integer
#define INFO integer
#define OPERATION integer
#endif

! SMPI is started without progress threads here.
#ifdef SMPI
#define PLACEMENT 'none'
#else
#define PLACEMENT 'bind'
#endif

module checks
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  use mpix_topology
  use, intrinsic :: iso_c_binding, only: c_long
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

  subroutine splits()
    COMM :: newcomm, rootscomm, newcomms(5), rootscomms(5)
    INFO :: info, resources
    character(len=40) :: name, text
    character(len=3) :: short
    integer :: error, siblings, index, depth, level, i, keys
    integer :: expected_sizes(5), expected_depth
    logical :: found

    ! Two nodes; on the first two packages, of which the first has two NUMA nodes, of which the first has two ranks.
    expected_sizes = 0
    select case (rank)
    case (0, 1)
      expected_sizes = [4, 3, 2, 1, 0]
    case (2)
      expected_sizes(1:3) = [4, 3, 1]
    case (3)
      expected_sizes(1:2) = [4, 1]
    case (4, 5)
      expected_sizes(1:2) = [2, 1]
    end select
    expected_depth = count(expected_sizes > 0)

    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, -rank, MPI_INFO_NULL, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(1), 'split along the topology')
    call MPI_Comm_rank(newcomm, i, error)
    call check(i == merge(3 - rank, 5 - rank, rank < 4), 'split: ordered by key')
    call MPIX_Comm_get_hlevel_info(newcomm, siblings, index, name, error)
    call check(error == MPI_SUCCESS .and. siblings == 2 .and. index == merge(0, 1, rank < 4), 'siblings and index')
    call check(name == 'Machine' .and. name(8:) == '', 'name of a level, padded')
    call MPIX_Comm_get_hlevel_info(newcomm, type=short)
    call check(short == 'Mac', 'name of a level, cut')
    call MPIX_Comm_get_hlevel_info(world, siblings, index, name, error)
    call check(is_class(error, MPI_ERR_ARG), 'hlevel_info of a communicator that is not of the hierarchy')
    call free_comm(newcomm)

    call MPIX_Comm_split_type(world, merge(MPI_UNDEFINED, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, rank == 0), rank, &
                              MPI_INFO_NULL, newcomm)
    call check(size_of(newcomm) == merge(0, merge(3, 2, rank < 4), rank == 0), 'split: MPI_UNDEFINED on rank 0')
    call free_comm(newcomm)
    call MPIX_Comm_split_type(world, MPI_COMM_TYPE_SHARED, rank, MPI_INFO_NULL, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == merge(4, 2, rank < 4), 'split: MPI_COMM_TYPE_SHARED')
    call free_comm(newcomm)

    call MPI_Info_create(info, error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_HW_UNGUIDED, rank, info, newcomm, error)
    call MPI_Info_get(info, 'mpi_hw_resource_type', len(text), text, found, i)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(1), 'split: unguided')
    call check(found .and. text == 'Machine', 'split: unguided says its resource')
    call free_comm(newcomm)
    call MPI_Info_set(info, 'mpi_hw_resource_type', 'Package', error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_HW_GUIDED, rank, info, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == merge(3, 1, rank < 3), 'split: guided')
    call free_comm(newcomm)
    call MPI_Info_set(info, 'mpi_hw_resource_type', 'hwloc://NUMANode', error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_RESOURCE_GUIDED, rank, info, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == merge(2, 1, rank < 2), 'split: by a URI')
    call free_comm(newcomm)
    call MPI_Info_free(info, error)
    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'mpix_hlevel', '2', error)
    call MPIX_Comm_split_type(world, MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY, rank, info, newcomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(2), 'split: straight to a level')
    call free_comm(newcomm)
    call MPI_Info_free(info, error)

    call MPIX_Comm_hsplit_with_roots(world, MPI_INFO_NULL, newcomm, rootscomm, error)
    call check(error == MPI_SUCCESS .and. size_of(newcomm) == expected_sizes(1), 'hsplit_with_roots')
    call check(size_of(rootscomm) == merge(2, 0, rank == 0 .or. rank == 4), 'hsplit_with_roots: the roots')
    call free_comm(newcomm)
    call free_comm(rootscomm)
    call MPIX_Comm_hsplit_with_roots(MPI_COMM_NULL, MPI_INFO_NULL, newcomm, rootscomm, error)
    call check(is_class(error, MPI_ERR_COMM) .and. newcomm == MPI_COMM_NULL, 'hsplit_with_roots of no communicator')

    newcomms = world
    rootscomms = world
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, 5, newcomms, rootscomms, depth, error)
    call check(error == MPI_SUCCESS .and. depth == expected_depth, 'hsplit_all: depth')
    do level = 1, 5
      call check(size_of(newcomms(level)) == expected_sizes(level), 'hsplit_all: a level')
      call free_comm(newcomms(level))
    end do
    call check(size_of(rootscomms(1)) == merge(2, 0, rank == 0 .or. rank == 4), 'hsplit_all: the roots of the first level')
    call check(size_of(rootscomms(4)) == merge(2, 0, rank < 2), 'hsplit_all: the roots of the fourth level')
    do level = 1, 5
      call free_comm(rootscomms(level))
    end do
    newcomms = world
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, 2, newcomms, depth=depth, ierror=error)
    call check(error == MPI_SUCCESS .and. depth == expected_depth, 'hsplit_all: the depth where fewer levels are made')
    call check(size_of(newcomms(2)) == expected_sizes(2), 'hsplit_all without roots')
    call check(newcomms(3) == world .and. newcomms(5) == world, 'hsplit_all: elements that are not the call''s')
    call free_comm(newcomms(1))
    call free_comm(newcomms(2))
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, 0, newcomms, depth=depth)
    call check(depth == expected_depth, 'hsplit_all: only the depth')
    call MPIX_Comm_hsplit_all(world, MPI_INFO_NULL, -1, newcomms, rootscomms, depth, error)
    call check(is_class(error, MPI_ERR_ARG), 'hsplit_all: a negative number of levels')

    call MPIX_Comm_get_min_hlevel(world, 3, [2, 0, 1], name, error)
    call check(error == MPI_SUCCESS .and. name == merge('Package', 'Unknown', rank < 3), 'min_hlevel: listed ranks')
    call MPIX_Comm_get_min_hlevel(world, 2, [rank, mod(rank + 3, 6)], name)
    call check(name == merge('Machine         ', 'System - Cluster', mod(rank, 3) == 0), 'min_hlevel: a list each')
    call MPIX_Comm_get_min_hlevel(world, 1, [merge(6, rank, rank == 5)], name, error)
    call check(merge(is_class(error, MPI_ERR_RANK), error == MPI_SUCCESS, rank == 5), 'min_hlevel: rank 5 lists no rank')

    call MPIX_Get_hw_resource_info(resources, error)
    call check(error == MPI_SUCCESS, 'hw_resource_info')
    call MPI_Info_get(resources, 'hwloc://Core', len(text), text, found, error)
    call check(found .and. text == 'true', 'hw_resource_info: a process is within a core')
    call MPI_Info_get_nkeys(resources, keys, error)
    call check(keys >= 4, 'hw_resource_info: Machine, Package, NUMANode, Core')
    call MPI_Info_free(resources, error)
  end subroutine splits

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

  subroutine hierarchies()
    type(MPIX_Hierarchy) :: hierarchy, groups
    COMM :: comm, roots
    character(len=MPIX_MAX_HLEVEL_TYPE) :: name
    integer :: error, depth

    call check(hierarchy == MPIX_HIERARCHY_NULL, 'a hierarchy is null at first')
    call MPIX_Hierarchy_create(world, MPI_INFO_NULL, hierarchy, error)
    call check(error == MPI_SUCCESS .and. hierarchy /= MPIX_HIERARCHY_NULL, 'hierarchy_create')
    call MPIX_Hierarchy_depth(hierarchy, depth, error)
    call check(error == MPI_SUCCESS .and. depth == merge(4, merge(3, 2, rank == 2), rank < 2), 'hierarchy_depth')
    call MPIX_Hierarchy_level(hierarchy, 0, comm, roots, error)
    call check(error == MPI_SUCCESS .and. size_of(comm) == merge(4, 2, rank < 4), 'hierarchy_level')
    call check(size_of(roots) == merge(2, 0, rank == 0 .or. rank == 4), 'hierarchy_level: the roots')
    call MPIX_Hierarchy_level(hierarchy, 1, comm)
    call MPIX_Comm_get_hlevel_info(comm, type=name)
    call check(name == merge('Package', 'Core   ', rank < 3), 'hierarchy_level: a package')
    call MPIX_Hierarchy_level(hierarchy, depth, comm, roots, error)
    call check(is_class(error, MPI_ERR_ARG), 'hierarchy_level: no such level')

    call collectives(MPIX_HIERARCHY_NULL, 0)
    call collectives(MPIX_HIERARCHY_NULL, 16)
    call collectives(hierarchy, 0)
    call collectives(hierarchy, 16)

    call MPIX_Hierarchy_create_groups(world, 2, [2, 3], groups, error)
    call check(error == MPI_SUCCESS .and. groups /= hierarchy, 'hierarchy_create_groups')
    call MPIX_Hierarchy_depth(groups, depth)
    call check(depth == 2, 'hierarchy_create_groups: depth')
    call MPIX_Hierarchy_level(groups, 0, comm, roots)
    call check(size_of(comm) == 3 .and. size_of(roots) == merge(2, 0, mod(rank, 3) == 0), 'groups: two blocks of three')
    call collectives(groups, 0)
    call MPIX_Hierarchy_free(groups, error)
    call check(error == MPI_SUCCESS .and. groups == MPIX_HIERARCHY_NULL, 'hierarchy_free')
    call MPIX_Hierarchy_free(hierarchy)
    call check(hierarchy == MPIX_HIERARCHY_NULL, 'hierarchy_free without ierror')
    call MPIX_Hierarchy_create_groups(world, 2, [2, 2], groups, error)
    call check(is_class(error, MPI_ERR_ARG) .and. groups == MPIX_HIERARCHY_NULL, 'groups that do not make the size')
  end subroutine hierarchies

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

  ! Six ranks on a mesh of 3 x 2, the second dimension periodic; 0 to 3 are on one node, 4 and 5 on the other.
  subroutine cartesian()
    COMM :: cart, row
    INFO :: info
    integer :: error, n, r, source, dest, dims(2), coords(2), position, other, counts(4), places(4)
    integer :: out(4), in(4), expected(4)
    logical :: periods(2)
    integer(MPI_ADDRESS_KIND) :: at(4)
    DATATYPE :: types(4)
    integer(selected_int_kind(18)) :: on_node, off_node, sent, received
    character(len=12) :: method

    call MPI_Info_create(info, error)
    call MPI_Info_set(info, 'mpix_cart_method', 'no method', error)
    call MPIX_Comm_set_nodecart(world, info, error)
#ifdef SMPI
    ! SMPI's Fortran has no MPI_ERR_INFO.
    call check(error /= MPI_SUCCESS, 'set_nodecart: no such method')
#else
    call check(is_class(error, MPI_ERR_INFO), 'set_nodecart: no such method')
#endif
    call MPI_Info_set(info, 'mpix_cart_method', 'cart', error)
    call MPIX_Comm_set_nodecart(world, info, error)
    call check(error == MPI_SUCCESS, 'set_nodecart')
    call MPI_Info_free(info, error)

    dims = [0, 2]
    call MPIX_Nodecart_dims_create(world, size_of_world, 2, dims, error)
    call check(error == MPI_SUCCESS .and. dims(1) == 3 .and. dims(2) == 2, 'dims_create')
    call MPIX_Nodecart_map(world, 2, dims, [.false., .true.], n, error)
    call check(error == MPI_SUCCESS .and. n == rank, 'nodecart_map')
    call MPIX_Nodecart_create(world, 2, dims, [.false., .true.], .true., cart, error)
    call check(error == MPI_SUCCESS .and. cart /= MPI_COMM_NULL, 'nodecart_create')
    call MPIX_Nodecart_dim_get(cart, n, error)
    call check(error == MPI_SUCCESS .and. n == 2, 'nodecart_dim_get')
    dims = 0
    periods = [.true., .false.]
    call MPIX_Nodecart_get(cart, 2, dims, periods, coords, error)
    call check(error == MPI_SUCCESS .and. dims(1) == 3 .and. dims(2) == 2, 'nodecart_get: dims')
    call check((.not. periods(1)) .and. periods(2), 'nodecart_get: periods')
    call check(coords(1) == rank / 2 .and. coords(2) == mod(rank, 2), 'nodecart_get: coords')
    do r = 0, size_of_world - 1
      call MPIX_Nodecart_coords(cart, r, 2, coords, error)
      call check(coords(1) == r / 2 .and. coords(2) == mod(r, 2), 'nodecart_coords')
      call MPIX_Nodecart_rank(cart, [coords(1), coords(2) + 4], n, error)
      call check(error == MPI_SUCCESS .and. n == r, 'nodecart_rank')
    end do
    position = rank / 2
    call MPIX_Nodecart_shift(cart, 0, 1, source, dest, error)
    call check(error == MPI_SUCCESS, 'nodecart_shift')
    call check(source == merge(MPI_PROC_NULL, rank - 2, position == 0), 'nodecart_shift: source')
    call check(dest == merge(MPI_PROC_NULL, rank + 2, position == 2), 'nodecart_shift: destination')
    method = ''
    call MPIX_Nodecart_get_mapping(cart, method, on_node, off_node, error)
    call check(error == MPI_SUCCESS .and. method == 'cart', 'get_mapping: method')
    ! Along the periodic dimension 12 on the same node, along the other 4 between 0 to 3; 8 more lead off or to the other.
    call check(on_node == 16 .and. off_node == 8, 'get_mapping: partners')
    call MPIX_Nodecart_get_mapping(cart, off_node=off_node)
    call check(off_node == 8, 'get_mapping: by name')

    ! Not every machine has a card that counts.
    call MPI_Comm_set_errhandler(MPI_COMM_SELF, MPI_ERRORS_RETURN, error)
    sent = -1
    received = -1
    call MPIX_Get_network_bytes(sent, received, error)
    call check(sent >= 0 .and. received >= 0, 'get_network_bytes')
    call MPIX_Get_network_bytes(received=received)
    call check(received >= 0, 'get_network_bytes: by name')
    call MPIX_Nodecart_sub(cart, [.false., .true.], row, error)
    call check(error == MPI_SUCCESS, 'nodecart_sub')
    call MPI_Comm_size(row, n, error)
    call check(n == 2, 'nodecart_sub: size')
    call MPI_Comm_free(row, error)

    ! Neighbours: above and below, and twice the other one of the row, whose blocks come crosswise.
    other = ieor(rank, 1)
    out = 10 * rank + [1, 2, 3, 4]
    expected = [10 * (rank - 2) + 2, 10 * (rank + 2) + 1, 10 * other + 4, 10 * other + 3]
    if (source == MPI_PROC_NULL) expected(1) = -1
    if (dest == MPI_PROC_NULL) expected(2) = -1
    in = -1
    call MPIX_Neighbor_alltoall(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, cart, error)
    call check(error == MPI_SUCCESS .and. all_equal(in, expected), 'neighbor_alltoall')
    counts = 1
    places = [0, 1, 2, 3]
    in = -1
    call MPIX_Neighbor_alltoallv(out, counts, places, MPI_INTEGER, in, counts, places, MPI_INTEGER, cart, error)
    call check(error == MPI_SUCCESS .and. all_equal(in, expected), 'neighbor_alltoallv')
    at = [0, 4, 8, 12]
    types = MPI_INTEGER
    in = -1
    call MPIX_Neighbor_alltoallw(out, counts, at, types, in, counts, at, types, cart, error)
    call check(error == MPI_SUCCESS .and. all_equal(in, expected), 'neighbor_alltoallw')
    expected = merge(-1, 10 * [rank - 2, rank + 2, other, other] + 1, expected == -1)
    in = -1
    call MPIX_Neighbor_allgather(out, 1, MPI_INTEGER, in, 1, MPI_INTEGER, cart, error)
    call check(error == MPI_SUCCESS .and. all_equal(in, expected), 'neighbor_allgather')
    in = -1
    call MPIX_Neighbor_allgatherv(out, 1, MPI_INTEGER, in, counts, places, MPI_INTEGER, cart, error)
    call check(error == MPI_SUCCESS .and. all_equal(in, expected), 'neighbor_allgatherv')
    call MPIX_Nodecart_dim_get(world, n, error)
    call check(is_class(error, MPI_ERR_TOPOLOGY), 'dim_get on another communicator')
    call MPI_Comm_free(cart, error)
  end subroutine cartesian

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

end module checks

program fortran_api
  use checks
  implicit none
  integer :: error, mine(2), all(2), provided

  call MPI_Init_thread(MPI_THREAD_MULTIPLE, provided, error)
  call MPI_Comm_dup(MPI_COMM_WORLD, world, error)
  call MPI_Comm_set_errhandler(world, MPI_ERRORS_RETURN, error)
  call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN, error)
  call MPI_Comm_rank(world, rank, error)
  call MPI_Comm_size(world, size_of_world, error)
  call splits()
  call hierarchies()
  call nonblocking()
  call cartesian()
  call reordering()
  call bad_arguments()
  mine = [made, failed]
  call MPI_Reduce(mine, all, 2, MPI_INTEGER, MPI_SUM, 0, world, error)
  if (rank == 0) print '(2(i0, a))', all(1), ' checks, ', all(2), ' failed'
  call MPI_Comm_free(world, error)
  call MPI_Finalize(error)
end program fortran_api
