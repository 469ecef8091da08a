// SPDX-License-Identifier: LGPL-2.1-only
// Broadcasts of contiguous, strided and absolute data, beside messages of the user.
#include "tests/mpi_ext/hierarchy/broadcasts.h"

#include <fcntl.h>
#include <mpi.h>

#include <algorithm>
#include <array>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/tests.h"

namespace strata::mpix::testing {
namespace {

// Buffers are filled with kUntouched, and have kGuard more ints at both ends, which a broadcast must not write.
constexpr int kGuard = 8, kUntouched = -77;

int payload(int root, int count, int i) { return root * 1'000'003 + count * 101 + i; }

}  // namespace

void check_contiguous(Checks& t, const Broadcast& broadcast, int count, int root) {
  const bool is_root = rank_in(broadcast.comm) == root;
  std::vector<int> buffer(count + 2 * kGuard, kUntouched);
  if (is_root) {
    for (int i = 0; i < count; ++i) buffer[kGuard + i] = payload(root, count, i);
  }
  CHECK_EQ(MPI_SUCCESS, broadcast(buffer.data() + kGuard, count, MPI_INT, root));
  int wrong = 0, touched = 0;
  for (int i = 0; i < count; ++i) wrong += buffer[kGuard + i] != payload(root, count, i);
  for (int i = 0; i < kGuard; ++i) touched += (buffer[i] != kUntouched) + (buffer[kGuard + count + i] != kUntouched);
  CHECK_EQ(0, wrong);
  CHECK_EQ(0, touched);
}

namespace {

// Pairs of ints with a gap after each: MPI_Type_vector(count, 2, 3). The root's layout may differ from the others'.
void check_vector(Checks& t, const Broadcast& broadcast, int count, int root, bool root_contiguous) {
  const bool is_root = rank_in(broadcast.comm) == root;
  MPI_Datatype vector;
  MPI_Type_vector(count, 2, 3, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  std::vector<int> buffer(3 * count + kGuard, kUntouched);
  const bool contiguous = is_root && root_contiguous;
  const auto at = [&](int i) -> int& { return contiguous ? buffer[i] : buffer[i / 2 * 3 + i % 2]; };
  if (is_root) {
    for (int i = 0; i < 2 * count; ++i) at(i) = payload(root, count, i);
  }
  CHECK_EQ(MPI_SUCCESS,
           contiguous ? broadcast(buffer.data(), 2 * count, MPI_INT, root) : broadcast(buffer.data(), 1, vector, root));
  int wrong = 0;
  for (int i = 0; i < 2 * count; ++i) wrong += at(i) != payload(root, count, i);
  CHECK_EQ(0, wrong);
  CHECK_EQ(static_cast<long>(buffer.size()) - 2 * count, std::count(buffer.begin(), buffer.end(), kUntouched));
  MPI_Type_free(&vector);
}

// A datatype of absolute addresses, used with MPI_BOTTOM.
void check_absolute(Checks& t, const Broadcast& broadcast, int root) {
  std::array<int, 3> first{}, second{};
  if (rank_in(broadcast.comm) == root) {
    for (int i = 0; i < 3; ++i) {
      first[i] = payload(root, 6, i);
      second[i] = payload(root, 6, 3 + i);
    }
  }
  int lengths[2] = {3, 3};
  MPI_Aint displacements[2];
  MPI_Get_address(first.data(), &displacements[0]);
  MPI_Get_address(second.data(), &displacements[1]);
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(2, lengths, displacements, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  CHECK_EQ(MPI_SUCCESS, broadcast(MPI_BOTTOM, 1, absolute, root));
  for (int i = 0; i < 3; ++i) {
    CHECK_EQ(payload(root, 6, i), first[i]);
    CHECK_EQ(payload(root, 6, 3 + i), second[i]);
  }
  MPI_Type_free(&absolute);
}

void check_broadcasts(Checks& t, const Broadcast& broadcast, bool real) {
  const int size = size_of(broadcast.comm);
  for (int root = 0; root < size; ++root) {
    for (int count : {0, 1, 7, 5000}) {  // 20 kB: rendezvous on the test's machines and in Open MPI
      check_contiguous(t, broadcast, count, root);
    }
    check_vector(t, broadcast, 7, root, false);
    check_vector(t, broadcast, 2500, root, true);
    if (real) check_absolute(t, broadcast, root);  // SMPI's point-to-point messages lack MPI_BOTTOM
  }
  if (real) check_contiguous(t, broadcast, 1'000'000, size - 1);  // rendezvous in MPICH too
  // An empty message, described in two ways that match: the root's count is 0, the others' datatype is empty.
  MPI_Datatype empty;
  MPI_Type_contiguous(0, MPI_INT, &empty);
  MPI_Type_commit(&empty);
  const bool is_root = rank_in(broadcast.comm) == 0;
  int untouched = kUntouched;
  CHECK_EQ(MPI_SUCCESS, is_root ? broadcast(&untouched, 0, MPI_INT, 0) : broadcast(&untouched, 3, empty, 0));
  CHECK_EQ(kUntouched, untouched);
  MPI_Type_free(&empty);
}

}  // namespace

void test_broadcast(Checks& t, MPI_Comm comm, bool real) {
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
  for (int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
    check_broadcasts(t, {comm, MPIX_HIERARCHY_NULL, algorithm}, real);
    check_broadcasts(t, {comm, h, algorithm}, real);
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
}

void test_user_messages(Checks& t, MPI_Comm comm) {
  constexpr int kSameTag = 1;
  const int me = rank_in(comm), size = size_of(comm);
  const int right = (me + 1) % size, left = (me + size - 1) % size;
  for (bool hierarchical : {false, true}) {
    MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
    if (hierarchical) CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
    for (int algorithm : {MPIX_ALGORITHM_LINEAR, MPIX_ALGORITHM_BINOMIAL}) {
      const Broadcast broadcast{comm, h, algorithm};
      int early = 1000 + me, got_early = -1;
      MPI_Request sent;
      MPI_Isend(&early, 1, MPI_INT, right, kSameTag, comm, &sent);
      check_contiguous(t, broadcast, 1, size - 1);
      MPI_Status status;
      MPI_Recv(&got_early, 1, MPI_INT, left, kSameTag, comm, &status);
      MPI_Wait(&sent, MPI_STATUS_IGNORE);
      CHECK_EQ(1000 + left, got_early);

      std::array<int, 2> late{-1, -1};
      MPI_Request received;
      MPI_Irecv(late.data(), 2, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &received);
      check_contiguous(t, broadcast, 1, 0);
      check_contiguous(t, broadcast, 7, size - 1);
      const std::array<int, 2> words{2000 + me, 3000 + me};
      MPI_Send(words.data(), 2, MPI_INT, right, kSameTag, comm);
      MPI_Wait(&received, &status);
      CHECK_EQ(2000 + left, late[0]);
      CHECK_EQ(3000 + left, late[1]);
      CHECK_EQ(left, status.MPI_SOURCE);
      CHECK_EQ(kSameTag, status.MPI_TAG);
    }
    if (hierarchical) CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  }
}

}  // namespace strata::mpix::testing
