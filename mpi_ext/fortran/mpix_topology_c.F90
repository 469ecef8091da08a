! SPDX-License-Identifier: LGPL-2.1-only
! The internals of the Fortran module: the constants of mpix.h, the handle of a hierarchy, the C functions between
! Fortran and mpix.h (generated from functions.txt), and the translation of buffers. Programs use the module
! mpix_topology.
!
! In Fortran, MPI_IN_PLACE and MPI_BOTTOM are variables that are recognized by their addresses. These differ from C's,
! and the modules mpi and mpi_f08 may each have their own pair. `choice` compares a buffer's address with all of them.
! In SMPI's module mpi they are external procedures, which cannot be passed to a procedure with an explicit interface.
! There, and in programs for several MPIs, use MPIX_IN_PLACE and MPIX_BOTTOM.
module mpix_topology_c
  use, intrinsic :: iso_c_binding, only: c_associated, c_char, c_int, c_int64_t, c_intptr_t, c_null_ptr, &
    c_ptr
  implicit none
  public
  private :: c_associated, c_char, c_int, c_int64_t, c_intptr_t, c_null_ptr, c_ptr

  ! Values for split_type.
  integer, parameter :: MPIX_COMM_TYPE_PHYSICAL_TOPOLOGY = 9077
  integer, parameter :: MPIX_COMM_TYPE_HW_UNGUIDED = 9078
  integer, parameter :: MPIX_COMM_TYPE_HW_GUIDED = 9079
  integer, parameter :: MPIX_COMM_TYPE_RESOURCE_GUIDED = 9080

  ! Algorithms.
  integer, parameter :: MPIX_ALGORITHM_LINEAR = 0
  integer, parameter :: MPIX_ALGORITHM_CHAIN = 1
  integer, parameter :: MPIX_ALGORITHM_PIPELINE = 2
  integer, parameter :: MPIX_ALGORITHM_SPLIT_BINARY = 3
  integer, parameter :: MPIX_ALGORITHM_BINARY = 4
  integer, parameter :: MPIX_ALGORITHM_BINOMIAL = 5
  integer, parameter :: MPIX_ALGORITHM_IN_ORDER_BINARY = 6
  integer, parameter :: MPIX_ALGORITHM_RING = 7
  integer, parameter :: MPIX_ALGORITHM_RECURSIVE_DOUBLING = 8
  integer, parameter :: MPIX_CHAIN_FANOUT = 4

  ! The null request of nonblocking collectives.
  integer, parameter :: MPIX_REQUEST_NULL = 0

  ! More than the length of any level's name. A communicator stores the name in an info value, and this is MPICH's
  ! MPI_MAX_INFO_VAL, the largest of the MPIs. Longer names of network levels are cut.
  integer, parameter :: MPIX_MAX_HLEVEL_TYPE = 1024

  ! Passed instead of a buffer, like MPI_IN_PLACE and MPI_BOTTOM.
  integer, save, target :: MPIX_IN_PLACE = 0
  integer, save, target :: MPIX_BOTTOM = 0

  type, bind(C) :: MPIX_Hierarchy
    type(c_ptr) :: MPIX_VAL = c_null_ptr
  end type MPIX_Hierarchy
  type(MPIX_Hierarchy), parameter :: MPIX_HIERARCHY_NULL = MPIX_Hierarchy(c_null_ptr)

  interface operator(==)
    module procedure hierarchies_equal
  end interface operator(==)
  interface operator(/=)
    module procedure hierarchies_differ
  end interface operator(/=)

  interface
    type(c_ptr) function mpix_fortran_address(buffer) bind(C)
      import :: c_ptr
      !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
      type(*), dimension(*) :: buffer
    end function mpix_fortran_address

    type(c_ptr) function mpix_fortran_c_in_place() bind(C)
      import :: c_ptr
    end function mpix_fortran_c_in_place

    type(c_ptr) function mpix_fortran_c_bottom() bind(C)
      import :: c_ptr
    end function mpix_fortran_c_bottom

    include 'mpix_topology_c.inc'
  end interface

contains

  ! The address that has the same meaning in C as `buffer` in Fortran.
  type(c_ptr) function choice(buffer)
#ifndef MPIX_SMPI
    use mpi, only: MPI_BOTTOM, MPI_IN_PLACE
    use mpi_f08, only: BOTTOM_F08 => MPI_BOTTOM, IN_PLACE_F08 => MPI_IN_PLACE
#endif
    !GCC$ ATTRIBUTES NO_ARG_CHECK :: buffer
    type(*), dimension(*) :: buffer

    choice = mpix_fortran_address(buffer)
    if (any([c_associated(choice, mpix_fortran_address(MPIX_IN_PLACE)) &
#ifndef MPIX_SMPI
             , c_associated(choice, mpix_fortran_address(MPI_IN_PLACE)) &
             , c_associated(choice, mpix_fortran_address(IN_PLACE_F08)) &
#endif
             ])) choice = mpix_fortran_c_in_place()
    if (any([c_associated(choice, mpix_fortran_address(MPIX_BOTTOM)) &
#ifndef MPIX_SMPI
             , c_associated(choice, mpix_fortran_address(MPI_BOTTOM)) &
             , c_associated(choice, mpix_fortran_address(BOTTOM_F08)) &
#endif
             ])) choice = mpix_fortran_c_bottom()
  end function choice

  elemental logical function hierarchies_equal(a, b)
    type(MPIX_Hierarchy), intent(in) :: a, b

    hierarchies_equal = .not. (a /= b)
  end function hierarchies_equal

  elemental logical function hierarchies_differ(a, b)
    type(MPIX_Hierarchy), intent(in) :: a, b

    hierarchies_differ = c_associated(a%MPIX_VAL) .neqv. c_associated(b%MPIX_VAL)
    if (c_associated(a%MPIX_VAL)) hierarchies_differ = .not. c_associated(a%MPIX_VAL, b%MPIX_VAL)
  end function hierarchies_differ

end module mpix_topology_c
