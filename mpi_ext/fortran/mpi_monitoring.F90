! SPDX-License-Identifier: LGPL-2.1-only
! Monitoring sessions from Fortran: all of MPI_Monitoring.h, with the same names and order of arguments. The functions
! are documented there. For gfortran.
!
!   use mpi             ! or mpi_f08, if the MPI has it (SMPI does not)
!   use mpi_monitoring
!
! Differences from C:
! - A session is an integer. A communicator is an integer (module mpi) or type(MPI_Comm) (module mpi_f08).
! - `ierror` is the last argument and optional. Error codes are those of MPI_Monitoring.h.
! - Numbers are integers of kind int64. Values of C's unsigned long from 2^63 on are negative here. For example,
!   ULONG_MAX with the error MPI_M_OVERFLOW is -1.
! - A matrix may have two dimensions: element (j + 1, i + 1) counts what rank i has sent to rank j.
! - MPI_M_DATA_IGNORE stands for numbers that are not needed. Arguments of MPI_M_get_info that are not needed can be
!   omitted; pass those after them by name.
! - Blanks at the end of a file name are ignored. MPI_M_error_string assigns to a variable.
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

  ! Recognized by its address.
  integer(c_int64_t), save, target, public :: MPI_M_DATA_IGNORE(1) = 0

  public :: MPI_M_error_string
#include "mpi_monitoring_generic.inc"

  interface
    type(c_ptr) function mpix_fortran_address(buffer) bind(C)
      import :: c_ptr
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      type(*), dimension(*) :: buffer
    end function mpix_fortran_address

    subroutine mpix_fortran_m_error_string(error, text, length) bind(C)
      import :: c_char, c_int
      integer(c_int), value :: error, length
      character(kind=c_char), intent(out) :: text(*)
    end subroutine mpix_fortran_m_error_string

    include 'mpi_monitoring_c.inc'
  end interface

contains

  ! The address that C needs for a buffer of numbers: null for MPI_M_DATA_IGNORE.
  type(c_ptr) function wanted(numbers)
    integer(c_int64_t), target :: numbers(*)

    wanted = mpix_fortran_address(numbers)
    if (c_associated(wanted, mpix_fortran_address(MPI_M_DATA_IGNORE))) wanted = c_null_ptr
  end function wanted

  subroutine MPI_M_error_string(error, string, ierror)
    integer, intent(in) :: error
    character(len=*), intent(out) :: string
    integer, intent(out), optional :: ierror

    call mpix_fortran_m_error_string(error, string, len(string))
    if (present(ierror)) ierror = 0
  end subroutine MPI_M_error_string

#include "mpi_monitoring.inc"
end module mpi_monitoring
