! SPDX-License-Identifier: LGPL-2.1-only
! Cartesian communicators, and collectives of neighbours.
#include "handles.inc"

module cartesian_api
  use checks
  implicit none

contains

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

end module cartesian_api
