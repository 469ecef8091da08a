! SPDX-License-Identifier: LGPL-2.1-only
! Every function of the module mpi_monitoring, on three ranks around a ring: what rank i sends, rank i + 1 gets.
program monitoring_api
  use, intrinsic :: iso_fortran_env, only: int64
#ifdef F08
  use mpi_f08
#else
  use mpi
#endif
  use mpi_monitoring
  implicit none
  integer(int64) :: counts(3), sizes(3), mat_counts(3, 3), mat_sizes(9)
  integer :: rank, next, before, session, another, provided, size, out(5), in(5), i, error, checks = 0, failed = 0
  character(len=200) :: text

  call MPI_Init(error)
  call MPI_Comm_rank(MPI_COMM_WORLD, rank, error)
  next = mod(rank + 1, 3)
  before = mod(rank + 2, 3)
  out = rank

  call MPI_M_finalize(error)
  call expect(error == MPI_M_MISSING_INIT)
  call MPI_M_error_string(error, text)
  call expect(text == 'MPI_M_init has not been called, or MPI_M_finalize has')
  call MPI_M_init(error)
  call expect(error == MPI_SUCCESS)
  call MPI_M_init(error)
  call expect(error == MPI_M_MULTIPLE_INIT)

  session = MPI_M_MSID_NULL
  call MPI_M_start(MPI_COMM_NULL, session, error)
  call expect(error == MPI_M_INVALID_COMM)
  call MPI_M_start(MPI_COMM_WORLD, session, error)
  call expect(error == MPI_SUCCESS)
  call expect(session /= MPI_M_MSID_NULL)
  call ring(2)
  call MPI_M_get_info(session, provided, size, error)
  call expect(error == MPI_SUCCESS .and. size == 3)
  call expect(iand(provided, MPI_M_P2P_ONLY) /= 0)
  size = 0
  call MPI_M_get_info(session, array_size=size)
  call expect(size == 3)
  call MPI_M_reset(session, error)
  call expect(error == MPI_M_SESSION_ACTIVE)
  call MPI_M_suspend(session, error)
  call expect(error == MPI_SUCCESS)
  call MPI_M_suspend(session, error)
  call expect(error == MPI_M_SESSION_SUSPENDED)

  call MPI_M_get_data(session, counts, sizes, MPI_M_P2P_ONLY, error)
  call expect(error == MPI_SUCCESS)
  call expect(all(counts == merge(1, 0, [(i == next, i=0, 2)])))
  call expect(all(sizes == merge(8, 0, [(i == next, i=0, 2)])))
  counts = -7
  call MPI_M_get_data(session, counts, MPI_M_DATA_IGNORE, MPI_M_OSC_ONLY, error)
  call expect(error == MPI_SUCCESS .and. all(counts == 0))
  call MPI_M_get_data(session, counts, sizes, 0, error)
  call expect(error == MPI_M_INVALID_FLAGS)
  mat_counts = -7
  mat_sizes = -7
  call MPI_M_allgather_data(session, mat_counts, mat_sizes, MPI_M_P2P_ONLY, error)
  call expect(error == MPI_SUCCESS .and. sum(mat_counts) == 3 .and. sum(mat_sizes) == 24)
  do i = 0, 2  ! what i has sent
    call expect(mat_counts(mod(i + 1, 3) + 1, i + 1) == 1)
    call expect(mat_sizes(3 * i + mod(i + 1, 3) + 1) == 8)
  end do
  mat_counts = -7
  call MPI_M_rootgather_data(session, 1, mat_counts, MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY, error)
  call expect(error == MPI_SUCCESS)
  call expect(sum(mat_counts) == merge(3, -63, rank == 1))
  call MPI_M_rootgather_data(session, 3, mat_counts, MPI_M_DATA_IGNORE, MPI_M_P2P_ONLY, error)
  call expect(error == MPI_M_INVALID_ARGUMENT)

  call MPI_M_flush(session, 'fortran ring   ', MPI_M_P2P_ONLY, error)
  call expect(error == MPI_SUCCESS)
  call MPI_M_rootflush(session, 2, 'fortran ring', MPI_M_P2P_ONLY, error)
  call expect(error == MPI_SUCCESS)

  call MPI_M_start(MPI_COMM_WORLD, another)
  call MPI_M_continue(session, error)
  call expect(error == MPI_SUCCESS)
  call ring(5)
  call MPI_M_suspend(MPI_M_ALL_MSID, error)
  call expect(error == MPI_SUCCESS)
  call MPI_M_get_data(session, MPI_M_DATA_IGNORE, sizes, MPI_M_P2P_ONLY)
  call expect(sizes(next + 1) == 28)
  call MPI_M_get_data(another, MPI_M_DATA_IGNORE, sizes, MPI_M_P2P_ONLY)
  call expect(sizes(next + 1) == 20)
  call MPI_M_reset(another)
  call MPI_M_get_data(another, counts, sizes, MPI_M_P2P_ONLY)
  call expect(sum(counts) == 0 .and. sum(sizes) == 0)

  call MPI_M_free(session, error)
  call expect(error == MPI_SUCCESS)
  call MPI_M_free(session, error)
  call expect(error == MPI_M_INVALID_MSID)
  call MPI_M_finalize(error)
  call expect(error == MPI_M_SESSIONS_LEFT)
  call MPI_M_free(MPI_M_ALL_MSID, error)
  call expect(error == MPI_SUCCESS)
  call MPI_M_finalize(error)
  call expect(error == MPI_SUCCESS)
  print '(i0, a, i0, a)', checks, ' checks, ', failed, ' failed'
  call MPI_Finalize(error)

contains

  subroutine expect(holds)
    logical, intent(in) :: holds

    checks = checks + 1
    if (holds) return
    failed = failed + 1
    print '(2(a, i0), a)', 'rank ', rank, ': check ', checks, ' fails'
  end subroutine expect

  subroutine ring(integers)
    integer, intent(in) :: integers
#ifdef F08
    type(MPI_Request) :: request
#else
    integer :: request
#endif

    call MPI_Irecv(in, 5, MPI_INTEGER, before, 1, MPI_COMM_WORLD, request, error)
    call MPI_Send(out, integers, MPI_INTEGER, next, 1, MPI_COMM_WORLD, error)
    call MPI_Wait(request, MPI_STATUS_IGNORE, error)
  end subroutine ring
end program monitoring_api
