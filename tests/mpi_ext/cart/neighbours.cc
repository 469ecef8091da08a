// SPDX-License-Identifier: LGPL-2.1-only
// Neighbourhood collectives on meshes: block k goes to neighbour k, which receives it from its other side.
#include <mpi.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/cart/meshes.h"
#include "tests/mpi_ext/cart/tests.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/users_message.h"

namespace strata::mpix::testing {
namespace {

// The neighbours, found by shifts: for each dimension the source, then the destination.
std::vector<int> neighbours(MPI_Comm cart, const Mesh& mesh) {
  std::vector<int> all(2 * mesh.dims.size());
  for (int i = 0; i < mesh.num_dims(); ++i) MPIX_Nodecart_shift(cart, i, 1, &all[2 * i], &all[2 * i + 1]);
  return all;
}

// True if this MPI's own neighbourhood collectives exchange messages of a process to itself: MPICH 4.0.2 receives all
// blocks in reverse order, so that with two periodic dimensions of 1 the messages of one dimension arrive in the other.
bool is_mixed_up_by_mpi([[maybe_unused]] const Mesh& mesh) {
#ifdef MPICH_VERSION
  int alone = 0;
  for (int i = 0; i < mesh.num_dims(); ++i) alone += mesh.dims[i] == 1 && mesh.periods[i] ? 1 : 0;
  return alone > 1;
#else
  return false;
#endif
}

}  // namespace

// Block k goes to neighbour k, which receives it from its other side. Its value is 1000 x rank + k.
void test_neighbours(Test& test, const Mesh& mesh) {
  Checks& t = test.t;
  const MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1);
  if (cart == MPI_COMM_NULL) return;
  const std::vector<int> from = neighbours(cart, mesh);
  const int number = static_cast<int>(from.size()), me = rank_in(cart);
  std::vector<int> out(number), in(number, -1), want(number), native(number, -1);
  for (int k = 0; k < number; ++k) out[k] = 1000 * me + k;
#ifndef SMPI_H
  // Before the user's message is sent: in MPICH 4.0.2 a receive from any source gets a process's message to itself.
  if (test.real) MPI_Neighbor_alltoall(out.data(), 1, MPI_INT, native.data(), 1, MPI_INT, cart);
#endif
  UsersMessage message(cart, me % 2 == 0 ? UsersMessage::First::kReceive : UsersMessage::First::kSend);
  const auto expected = [&](int k, int sent) { return from[k] == MPI_PROC_NULL ? -1 : 1000 * from[k] + sent; };

  for (int k = 0; k < number; ++k) want[k] = expected(k, k ^ 1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoall(out.data(), 1, MPI_INT, in.data(), 1, MPI_INT, cart));
  CHECK_EQ(want, in);
  if (test.real && !is_mixed_up_by_mpi(mesh)) CHECK_EQ(native, in);

  std::fill(in.begin(), in.end(), -1);
  const int mine = 1000 * me;
  for (int k = 0; k < number; ++k) want[k] = expected(k, 0);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_allgather(&mine, 1, MPI_INT, in.data(), 1, MPI_INT, cart));
  CHECK_EQ(want, in);

  // Blocks of k / 2 + 1 elements, from the last neighbour to the first, with a gap before each block.
  std::vector<int> counts(number), places(number);
  int total = 0;
  for (int k = number - 1; k >= 0; --k) {
    counts[k] = k / 2 + 1;
    places[k] = total + 1;
    total += counts[k] + 1;
  }
  const auto blocks = [&](const std::function<int(int)>& value) {
    std::vector<int> all(total + 1, -1);
    for (int k = 0; k < number; ++k) std::fill_n(all.begin() + places[k], counts[k], value(k));
    return all;
  };
  std::vector<int> sent = blocks([&](int k) { return 1000 * me + k; }), got(total + 1, -1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoallv(sent.data(), counts.data(), places.data(), MPI_INT, got.data(),
                                                counts.data(), places.data(), MPI_INT, cart));
  CHECK_EQ(blocks([&](int k) { return expected(k, k ^ 1); }), got);

  // Allgatherv with one element from each neighbour: all neighbours send equally many, so the count is that of the
  // shortest block.
  std::vector<int> ones(number, 1);
  std::fill(got.begin(), got.end(), -1);
  CHECK_EQ(MPI_SUCCESS,
           MPIX_Neighbor_allgatherv(&mine, 1, MPI_INT, got.data(), ones.data(), places.data(), MPI_INT, cart));
  std::vector<int> gathered(total + 1, -1);
  for (int k = 0; k < number; ++k) gathered[places[k]] = expected(k, 0);
  CHECK_EQ(gathered, got);

  // Each dimension has its own datatype: every second element, as many as in its blocks.
  std::vector<MPI_Datatype> types(number);
  std::vector<MPI_Aint> at(number);
  for (int k = 0; k < number; ++k) {
    if (k % 2 == 0) {
      MPI_Type_vector(k / 2 + 1, 1, 2, MPI_INT, &types[k]);
      MPI_Type_commit(&types[k]);
    } else {
      types[k] = types[k - 1];
    }
    at[k] = static_cast<MPI_Aint>(sizeof(int)) * 8 * k;
  }
  const auto strided = [&](const std::function<int(int, int)>& value) {
    std::vector<int> all(8 * number, -1);
    for (int k = 0; k < number; ++k) {
      for (int e = 0; e <= k / 2; ++e) all[8 * k + 2 * e] = value(k, e);
    }
    return all;
  };
  sent = strided([&](int k, int e) { return 1000 * me + k + 100 * e; });
  got.assign(8 * number, -1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoallw(sent.data(), ones.data(), at.data(), types.data(), got.data(),
                                                ones.data(), at.data(), types.data(), cart));
  const std::vector<int> arrived =
      strided([&](int k, int e) { return from[k] == MPI_PROC_NULL ? -1 : expected(k, (k ^ 1) + 100 * e); });
  CHECK_EQ(arrived, got);

  // The same with absolute addresses.
  const auto absolute = [&](std::vector<int>& buffer) {
    MPI_Aint address = 0;
    MPI_Get_address(buffer.data(), &address);
    std::vector<MPI_Aint> all = at;
    for (MPI_Aint& place : all) place += address;
    return all;
  };
  got.assign(8 * number, -1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Neighbor_alltoallw(MPI_BOTTOM, ones.data(), absolute(sent).data(), types.data(),
                                                MPI_BOTTOM, ones.data(), absolute(got).data(), types.data(), cart));
  CHECK_EQ(arrived, got);
  for (int k = 0; k < number; k += 2) MPI_Type_free(&types[k]);
  message.arrives(t);
  release(cart);
}

void test_neighbour_errors(Test& test) {
  Checks& t = test.t;
  CountedErrors errors(t);
  const Mesh mesh{{size_of(MPI_COMM_WORLD)}, {true}};
  MPI_Comm cart = create(t, MPI_COMM_WORLD, mesh, 1), plain = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &plain);
  errors.handle(cart);
  errors.handle(plain);
  int out[2] = {0, 0}, in[2];
  CHECK_ERROR(MPI_ERR_TOPOLOGY, MPIX_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, plain));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Neighbor_alltoall(out, -1, MPI_INT, in, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Neighbor_allgather(out, 1, MPI_INT, in, -1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Neighbor_allgather(out, 1, MPI_DATATYPE_NULL, in, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Neighbor_alltoall(MPI_IN_PLACE, 1, MPI_INT, in, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Neighbor_alltoall(out, 1, MPI_INT, nullptr, 1, MPI_INT, cart));
  CHECK_ERROR(MPI_ERR_ARG,
              MPIX_Neighbor_alltoallv(out, nullptr, nullptr, MPI_INT, in, nullptr, nullptr, MPI_INT, cart));
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, MPI_COMM_NULL));
  release(plain);
  release(cart);
}

}  // namespace strata::mpix::testing
