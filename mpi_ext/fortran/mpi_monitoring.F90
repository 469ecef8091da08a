! Monitoring sessions from Fortran: all of MPI_Monitoring.h, which documents the functions, with its names and its
! arguments in their order. For gfortran.
!
!   use mpi             ! or mpi_f08, where the MPI has it (SMPI does not)
!   use mpi_monitoring
!
! What differs from C:
! - A session is an integer, a communicator an integer (module mpi) or type(MPI_Comm) (module mpi_f08).
! - `ierror` comes last and may be left out. Error codes are those of MPI_Monitoring.h.
! - Numbers are integers of kind int64. From 2^63 on, where C's unsigned long goes on, they are negative: what is -1
!   with the error MPI_M_OVERFLOW is C's ULONG_MAX.
! - A matrix may have two dimensions: element (j + 1, i + 1) is what rank i has sent to rank j.
! - MPI_M_DATA_IGNORE stands for numbers that are not wanted. What is not wanted of MPI_M_get_info may be left out, and
!   what follows is given by name.
! - Blanks at the end of a file's name are no part of it. MPI_M_error_string assigns to a variable.
module mpi_monitoring
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_int, c_int64_t, c_null_char, c_null_ptr, c_ptr
#ifndef MPIX_SMPI
  use mpi_f08, only: MPI_Comm
#endif
  implicit none
  private

  integer, parameter, public :: MPI_M_MSID_NULL = 0
  integer, parameter, public :: MPI_M_ALL_MSID = -1

  integer, parameter, public :: MPI_M_P2P_ONLY = 1
  integer, parameter, public :: MPI_M_COLL_ONLY = 2
  integer, parameter, public :: MPI_M_OSC_ONLY = 4
  integer, parameter, public :: MPI_M_ALL_COMM = 7
  integer, parameter, public :: MPI_M_SEES_DECOMPOSED = 8
  integer, parameter, public :: MPI_M_SEES_MPIX = 16
  integer, parameter, public :: MPI_M_SEES_EXTERNAL = 32
  integer, parameter, public :: MPI_M_SEES_RESULTS = 64

  integer, parameter, public :: MPI_M_MISSING_INIT = 9001
  integer, parameter, public :: MPI_M_MULTIPLE_INIT = 9002
  integer, parameter, public :: MPI_M_INVALID_MSID = 9003
  integer, parameter, public :: MPI_M_SESSION_ACTIVE = 9004
  integer, parameter, public :: MPI_M_SESSION_SUSPENDED = 9005
  integer, parameter, public :: MPI_M_SESSIONS_LEFT = 9006
  integer, parameter, public :: MPI_M_INVALID_COMM = 9007
  integer, parameter, public :: MPI_M_INVALID_ARGUMENT = 9008
  integer, parameter, public :: MPI_M_INVALID_FLAGS = 9009
  integer, parameter, public :: MPI_M_NO_PROVIDER = 9010
  integer, parameter, public :: MPI_M_NOT_SEEN = 9011
  integer, parameter, public :: MPI_M_OVERFLOW = 9012
  integer, parameter, public :: MPI_M_FILE = 9013
  integer, parameter, public :: MPI_M_OTHER_PROCESS = 9014
  integer, parameter, public :: MPI_M_INTERNAL = 9015

  ! Its address says that it is meant.
  integer(c_int64_t), save, target, public :: MPI_M_DATA_IGNORE(1) = 0

  public :: MPI_M_init, MPI_M_finalize, MPI_M_start, MPI_M_suspend, MPI_M_continue, MPI_M_reset, MPI_M_free
  public :: MPI_M_get_info, MPI_M_get_data, MPI_M_allgather_data, MPI_M_rootgather_data, MPI_M_flush, MPI_M_rootflush
  public :: MPI_M_error_string

  interface MPI_M_start
    module procedure MPI_M_start_mpi
#ifndef MPIX_SMPI
    module procedure MPI_M_start_f08
#endif
  end interface MPI_M_start

  interface
    type(c_ptr) function mpix_fortran_address(buffer) bind(C)
      import :: c_ptr
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      type(*), dimension(*) :: buffer
    end function mpix_fortran_address
    integer(c_int) function mpix_fortran_m_start(comm, msid) bind(C)
      import :: c_int
      integer(c_int), value :: comm
      integer(c_int), intent(inout) :: msid
    end function mpix_fortran_m_start
    integer(c_int) function c_get_data(msid, counts, sizes, flags) bind(C, name="MPI_M_get_data")
      import :: c_int, c_ptr
      integer(c_int), value :: msid, flags
      type(c_ptr), value :: counts, sizes
    end function c_get_data
    integer(c_int) function c_allgather_data(msid, counts, sizes, flags) bind(C, name="MPI_M_allgather_data")
      import :: c_int, c_ptr
      integer(c_int), value :: msid, flags
      type(c_ptr), value :: counts, sizes
    end function c_allgather_data
    integer(c_int) function c_rootgather_data(msid, root, counts, sizes, flags) bind(C, name="MPI_M_rootgather_data")
      import :: c_int, c_ptr
      integer(c_int), value :: msid, root, flags
      type(c_ptr), value :: counts, sizes
    end function c_rootgather_data
    subroutine mpix_fortran_m_error_string(error, text, length) bind(C)
      import :: c_char, c_int
      integer(c_int), value :: error, length
      character(kind=c_char), intent(out) :: text(*)
    end subroutine mpix_fortran_m_error_string
    integer(c_int) function c_init() bind(C, name="MPI_M_init")
      import :: c_int
    end function c_init
    integer(c_int) function c_finalize() bind(C, name="MPI_M_finalize")
      import :: c_int
    end function c_finalize
    integer(c_int) function c_suspend(msid) bind(C, name="MPI_M_suspend")
      import :: c_int
      integer(c_int), value :: msid
    end function c_suspend
    integer(c_int) function c_continue(msid) bind(C, name="MPI_M_continue")
      import :: c_int
      integer(c_int), value :: msid
    end function c_continue
    integer(c_int) function c_reset(msid) bind(C, name="MPI_M_reset")
      import :: c_int
      integer(c_int), value :: msid
    end function c_reset
    integer(c_int) function c_free(msid) bind(C, name="MPI_M_free")
      import :: c_int
      integer(c_int), value :: msid
    end function c_free
    integer(c_int) function c_get_info(msid, provided, array_size) bind(C, name="MPI_M_get_info")
      import :: c_int
      integer(c_int), value :: msid
      integer(c_int), intent(inout) :: provided, array_size
    end function c_get_info
    integer(c_int) function c_flush(msid, filename, flags) bind(C, name="MPI_M_flush")
      import :: c_char, c_int
      integer(c_int), value :: msid, flags
      character(kind=c_char), intent(in) :: filename(*)
    end function c_flush
    integer(c_int) function c_rootflush(msid, root, filename, flags) bind(C, name="MPI_M_rootflush")
      import :: c_char, c_int
      integer(c_int), value :: msid, root, flags
      character(kind=c_char), intent(in) :: filename(*)
    end function c_rootflush
  end interface

contains

  ! What C means by a buffer of numbers.
  type(c_ptr) function wanted(numbers)
    integer(c_int64_t), target :: numbers(*)

    wanted = mpix_fortran_address(numbers)
    if (c_associated(wanted, mpix_fortran_address(MPI_M_DATA_IGNORE))) wanted = c_null_ptr
  end function wanted

  subroutine MPI_M_init(ierror)
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_init()
    if (present(ierror)) ierror = error
  end subroutine MPI_M_init

  subroutine MPI_M_finalize(ierror)
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_finalize()
    if (present(ierror)) ierror = error
  end subroutine MPI_M_finalize

  subroutine MPI_M_start_mpi(comm, msid, ierror)
    integer, intent(in) :: comm
    integer, intent(inout) :: msid
    integer, intent(out), optional :: ierror
    integer :: error

    error = mpix_fortran_m_start(comm, msid)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_start_mpi

#ifndef MPIX_SMPI
  subroutine MPI_M_start_f08(comm, msid, ierror)
    type(MPI_Comm), intent(in) :: comm
    integer, intent(inout) :: msid
    integer, intent(out), optional :: ierror

    call MPI_M_start_mpi(comm%MPI_VAL, msid, ierror)
  end subroutine MPI_M_start_f08
#endif

  subroutine MPI_M_suspend(msid, ierror)
    integer, intent(in) :: msid
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_suspend(msid)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_suspend

  subroutine MPI_M_continue(msid, ierror)
    integer, intent(in) :: msid
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_continue(msid)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_continue

  subroutine MPI_M_reset(msid, ierror)
    integer, intent(in) :: msid
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_reset(msid)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_reset

  subroutine MPI_M_free(msid, ierror)
    integer, intent(in) :: msid
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_free(msid)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_free

  subroutine MPI_M_get_info(msid, provided, array_size, ierror)
    integer, intent(in) :: msid
    integer, intent(inout), optional :: provided, array_size
    integer, intent(out), optional :: ierror
    integer :: error, provided_there, size_there

    error = c_get_info(msid, provided_there, size_there)
    if (present(provided) .and. error == 0) provided = provided_there
    if (present(array_size) .and. error == 0) array_size = size_there
    if (present(ierror)) ierror = error
  end subroutine MPI_M_get_info

  subroutine MPI_M_get_data(msid, msg_counts, msg_sizes, flags, ierror)
    integer, intent(in) :: msid, flags
    integer(c_int64_t), intent(inout), target :: msg_counts(*), msg_sizes(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_get_data(msid, wanted(msg_counts), wanted(msg_sizes), flags)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_get_data

  subroutine MPI_M_allgather_data(msid, mat_counts, mat_sizes, flags, ierror)
    integer, intent(in) :: msid, flags
    integer(c_int64_t), intent(inout), target :: mat_counts(*), mat_sizes(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_allgather_data(msid, wanted(mat_counts), wanted(mat_sizes), flags)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_allgather_data

  subroutine MPI_M_rootgather_data(msid, root, mat_counts, mat_sizes, flags, ierror)
    integer, intent(in) :: msid, root, flags
    integer(c_int64_t), intent(inout), target :: mat_counts(*), mat_sizes(*)
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_rootgather_data(msid, root, wanted(mat_counts), wanted(mat_sizes), flags)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_rootgather_data

  subroutine MPI_M_flush(msid, filename, flags, ierror)
    integer, intent(in) :: msid, flags
    character(len=*), intent(in) :: filename
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_flush(msid, trim(filename) // c_null_char, flags)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_flush

  subroutine MPI_M_rootflush(msid, root, filename, flags, ierror)
    integer, intent(in) :: msid, root, flags
    character(len=*), intent(in) :: filename
    integer, intent(out), optional :: ierror
    integer :: error

    error = c_rootflush(msid, root, trim(filename) // c_null_char, flags)
    if (present(ierror)) ierror = error
  end subroutine MPI_M_rootflush

  subroutine MPI_M_error_string(error, string, ierror)
    integer, intent(in) :: error
    character(len=*), intent(out) :: string
    integer, intent(out), optional :: ierror

    call mpix_fortran_m_error_string(error, string, len(string))
    if (present(ierror)) ierror = 0
  end subroutine MPI_M_error_string
end module mpi_monitoring
