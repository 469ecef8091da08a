! SPDX-License-Identifier: LGPL-2.1-only
! Functions that SMPI lacks in Fortran: a ring of processes as a graph, and a split that leaves one process out.
! Needs at least three ranks. Stops with a number if something is wrong.
program supply_fortran
  implicit none
  include 'mpif.h'
  external MPI_UNWEIGHTED
  integer :: ierr, me, ranks, graph, again, part, request, next(1), before(1), ones(1), zeros(1)
  integer :: got(1), mine, ins, outs, color, told(1), told_out(1), weights(1), window, unit
  integer(kind=MPI_ADDRESS_KIND) :: bytes, base, theirs
  logical :: weighted
  integer :: pair, numbers(8), types(2), length
  integer(kind=MPI_ADDRESS_KIND) :: places(2)
  character(len=MPI_MAX_OBJECT_NAME + 1) :: name

  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  next(1) = mod(me + 1, ranks)
  before(1) = mod(me + ranks - 1, ranks)
  ones(1) = 1
  zeros(1) = 0
  mine = 10 * me

  call MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, before, MPI_UNWEIGHTED, 1, next, MPI_UNWEIGHTED, &
                                      MPI_INFO_NULL, .false., graph, ierr)
  if (ierr /= MPI_SUCCESS) stop 1
  call MPI_Dist_graph_neighbors_count(graph, ins, outs, weighted, ierr)
  if (ins /= 1 .or. outs /= 1 .or. weighted) stop 2
  call MPI_Dist_graph_neighbors(graph, 1, told, weights, 1, told_out, weights, ierr)
  if (told(1) /= before(1) .or. told_out(1) /= next(1)) stop 3

  got(1) = -1
  call MPI_Neighbor_alltoall(mine, 1, MPI_INTEGER, got, 1, MPI_INTEGER, graph, ierr)
  if (got(1) /= 10 * before(1)) stop 4
  got(1) = -1
  call MPI_Ineighbor_allgatherv(mine, 1, MPI_INTEGER, got, ones, zeros, MPI_INTEGER, graph, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  if (got(1) /= 10 * before(1)) stop 5

  weights(1) = 7
  call MPI_Dist_graph_create(MPI_COMM_WORLD, 1, me, ones, next, weights, MPI_INFO_NULL, .false., again, ierr)
  weights(1) = -1
  call MPI_Dist_graph_neighbors(again, 1, told, weights, 1, told_out, weights, ierr)
  if (told(1) /= before(1) .or. weights(1) /= 7) stop 6

  color = me / 2
  if (me == 1) color = MPI_UNDEFINED
  call MPI_Comm_split(MPI_COMM_WORLD, color, 0, part, ierr)
  if ((me == 1) .neqv. (part == MPI_COMM_NULL)) stop 7

  call MPI_Comm_idup(MPI_COMM_WORLD, part, request, ierr)
  call MPI_Wait(request, MPI_STATUS_IGNORE, ierr)
  call MPI_Comm_size(part, outs, ierr)
  if (outs /= ranks) stop 8

  bytes = 8 * (me + 1)
  call MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, part, base, window, ierr)
  call MPI_Win_shared_query(window, before(1), bytes, unit, theirs, ierr)
  if (bytes /= 8 * (before(1) + 1) .or. theirs == base) stop 9
  call MPI_Win_free(window, ierr)

  if (me == 0) print '(a)', 'all is well'
  ! The handles are Fortran's, and nothing is written after the end of a name.
  call MPI_Type_vector(3, 1, 2, MPI_INTEGER, pair, ierr)
  types = -7
  call MPI_Type_get_contents(pair, 3, 0, 1, numbers, places, types, ierr)
  if (types(1) /= MPI_INTEGER .or. types(2) /= -7 .or. numbers(3) /= 2) stop 20
  name(MPI_MAX_OBJECT_NAME + 1:) = 'x'
  call MPI_Type_set_name(pair, 'vector', ierr)
  call MPI_Type_get_name(pair, name(:MPI_MAX_OBJECT_NAME), length, ierr)
  if (length /= 6 .or. name /= 'vector' // repeat(' ', MPI_MAX_OBJECT_NAME - 6) // 'x') stop 21
  call MPI_Comm_get_name(MPI_COMM_WORLD, name(:MPI_MAX_OBJECT_NAME), length, ierr)
  if (length /= 14 .or. name /= 'MPI_COMM_WORLD' // repeat(' ', MPI_MAX_OBJECT_NAME - 14) // 'x') stop 22
  call MPI_Type_free(pair, ierr)

  call MPI_Finalize(ierr)
end program
