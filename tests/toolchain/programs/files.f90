! SPDX-License-Identifier: LGPL-2.1-only
! Each rank writes ten integers of a file through a view, and reads what the last rank has written. Stops with a number if
! something is wrong.
program files
  implicit none
  include 'mpif.h'
  integer :: ierr, me, ranks, file, filetype, etype_now, filetype_now, request, code, again, i, mine(10), got(10), amode
  integer :: status(MPI_STATUS_SIZE)
  integer(kind=MPI_OFFSET_KIND) :: zero, size_of_file, displacement
  integer(kind=MPI_ADDRESS_KIND) :: extent
  character(len=20) :: name, representation
  logical :: atomic
  zero = 0
  call MPI_Init(ierr)
  call MPI_Comm_rank(MPI_COMM_WORLD, me, ierr)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, ierr)
  name = 'written.bin'  ! with blanks at the end
  call MPI_File_open(MPI_COMM_WORLD, name, MPI_MODE_CREATE + MPI_MODE_RDWR, MPI_INFO_NULL, file, ierr)
  if (ierr /= MPI_SUCCESS .or. file == MPI_FILE_NULL) stop 1
  call MPI_File_get_amode(file, amode, ierr)
  if (amode /= MPI_MODE_CREATE + MPI_MODE_RDWR) stop 2
  call MPI_Type_vector(10, 1, ranks, MPI_INTEGER, filetype, ierr)
  call MPI_Type_commit(filetype, ierr)
  call MPI_File_set_view(file, int(4 * me, MPI_OFFSET_KIND), MPI_INTEGER, filetype, 'native', MPI_INFO_NULL, ierr)
  if (ierr /= MPI_SUCCESS) stop 3
  call MPI_File_get_view(file, displacement, etype_now, filetype_now, representation, ierr)
  if (displacement /= 4 * me .or. etype_now /= MPI_INTEGER .or. representation /= 'native') stop 4
  do i = 1, 10
    mine(i) = 100 * me + i
  end do
  call MPI_File_write_all_begin(file, mine, 10, MPI_INTEGER, ierr)
  call MPI_File_write_all_end(file, mine, MPI_STATUS_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS) stop 5
  call MPI_File_sync(file, ierr)
  call MPI_File_set_view(file, int(4 * (ranks - 1), MPI_OFFSET_KIND), MPI_INTEGER, filetype, 'native', MPI_INFO_NULL, ierr)
  call MPI_File_iread_at(file, zero, got, 10, MPI_INTEGER, request, ierr)
  call MPI_Wait(request, status, ierr)
  call MPI_Get_count(status, MPI_INTEGER, i, ierr)
  if (i /= 10) stop 6
  do i = 1, 10
    if (got(i) /= 100 * (ranks - 1) + i) stop 7
  end do
  call MPI_File_get_size(file, size_of_file, ierr)
  if (size_of_file /= 40 * ranks) stop 8
  call MPI_File_seek(file, zero, MPI_SEEK_END, ierr)
  call MPI_File_read(file, got, 1, MPI_INTEGER, MPI_STATUS_IGNORE, ierr)
  if (ierr /= MPI_SUCCESS) stop 9
  call MPI_File_get_atomicity(file, atomic, ierr)
  call MPI_File_get_type_extent(file, MPI_INTEGER, extent, ierr)
  if (atomic .or. extent /= 4) stop 10
  call MPI_File_close(file, ierr)
  if (ierr /= MPI_SUCCESS .or. file /= MPI_FILE_NULL) stop 11
  call MPI_File_open(MPI_COMM_WORLD, 'missing', MPI_MODE_RDONLY, MPI_INFO_NULL, file, ierr)
  call MPI_Error_class(ierr, code, again)
  if (code /= MPI_ERR_NO_SUCH_FILE) stop 12
  call MPI_Barrier(MPI_COMM_WORLD, ierr)
  if (me == 0) then
    call MPI_File_delete(name, MPI_INFO_NULL, ierr)
    print '(a)', 'all is well'
  end if
  call MPI_Finalize(ierr)
end program
