// SPDX-License-Identifier: LGPL-2.1-only
// Communicators made from communicators.
#include "tests/mpi_ext/communicators.h"

#include <mpi.h>

#include <vector>

#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/supply/graphs.h"
#include "tests/mpi_ext/supply/tests.h"

namespace strata::mpix::testing {

void check_idup_waits_for_nobody(Checks& t, MPI_Comm comm) {
  const int me = rank_in(comm), size = size_of(comm);
  if (size < 2) return;
  MPI_Comm twin = MPI_COMM_NULL;
  MPI_Request request = MPI_REQUEST_NULL;
  int message = 5, compared = -1;
  if (me != 0) {
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_idup(comm, &twin, &request));
    if (me == 1) MPI_Send(&message, 1, MPI_INT, 0, 3, comm);
  } else {
    MPI_Recv(&message, 1, MPI_INT, 1, 3, comm, MPI_STATUS_IGNORE);
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_idup(comm, &twin, &request));
  }
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_EQ(MPI_SUCCESS, MPI_Comm_compare(comm, twin, &compared));
  CHECK_EQ(static_cast<int>(MPI_CONGRUENT), compared);
  int sum = 0;
  MPI_Allreduce(&message, &sum, 1, MPI_INT, MPI_SUM, twin);
  CHECK_EQ(5 * size, sum);
  MPI_Comm_free(&twin);
}

void check_splits(Checks& t, MPI_Comm comm) {
  const int me = rank_in(comm), size = size_of(comm);
  std::vector<MPI_Comm> made;
  for (int colors : {1, 2, 3, size}) {
    MPI_Comm part = MPI_COMM_NULL, dup = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_split(comm, me % colors, -(me / 2), &part));
    Ranks expected;
    for (int pair = size / 2; pair >= 0; --pair) {
      for (int r : {2 * pair, 2 * pair + 1}) {
        if (r < size && r % colors == me % colors) expected.push_back(r);
      }
    }
    CHECK_EQ(expected, members_of(part));
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_dup(part, &dup));
    CHECK_EQ(expected, members_of(dup));
    made.insert(made.end(), {part, dup});
  }
  // All ranks send around each ring before any rank receives, and receive in reverse order.
  std::vector<int> got(made.size(), -1);
  std::vector<int> sent(made.size());
  std::vector<MPI_Request> requests(made.size());
  for (size_t c = 0; c < made.size(); ++c) {
    sent[c] = static_cast<int>(c) * 100 + rank_in(made[c]);
    MPI_Isend(&sent[c], 1, MPI_INT, (rank_in(made[c]) + 1) % size_of(made[c]), 0, made[c], &requests[c]);
  }
  for (size_t c = made.size(); c-- > 0;) {
    MPI_Recv(&got[c], 1, MPI_INT, MPI_ANY_SOURCE, 0, made[c], MPI_STATUS_IGNORE);
    const int before = (rank_in(made[c]) + size_of(made[c]) - 1) % size_of(made[c]);
    CHECK_EQ(static_cast<int>(c) * 100 + before, got[c]);
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (MPI_Comm& c : made) MPI_Comm_free(&c);

  MPI_Comm odd = MPI_COMM_NULL, later = MPI_COMM_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Comm_split(comm, me % 2 == 0 ? MPI_UNDEFINED : 4, 0, &odd));
  CHECK_EQ(me % 2 == 0, odd == MPI_COMM_NULL);
  if (odd != MPI_COMM_NULL) MPI_Comm_free(&odd);
  MPI_Request request = MPI_REQUEST_NULL;
  CHECK_EQ(MPI_SUCCESS, MPI_Comm_idup(comm, &later, &request));
  CHECK_EQ(MPI_SUCCESS, MPI_Wait(&request, MPI_STATUS_IGNORE));
  CHECK_EQ(members_of(comm), members_of(later));
  MPI_Comm_free(&later);
}

void check_intercomm(Checks& t, MPI_Comm comm, int left) {
  const int me = rank_in(comm), size = size_of(comm);
  const bool is_left = me < left;
  const Ranks all = members_of(comm);
  const Ranks lefts(all.begin(), all.begin() + left), rights(all.begin() + left, all.end());
  MPI_Comm side = MPI_COMM_NULL, inter = MPI_COMM_NULL, again = MPI_COMM_NULL;
  MPI_Comm_split(comm, is_left ? 0 : 1, 0, &side);
  CHECK_EQ(MPI_SUCCESS, MPI_Intercomm_create(side, size_of(side) - 1, comm, is_left ? size - 1 : left - 1, 77, &inter));
  CHECK_EQ(MPI_SUCCESS, MPI_Comm_dup(inter, &again));
  const int remote = is_left ? size - left : left, mine = rank_in(side);
  for (MPI_Comm c : {inter, again}) {
    int flag = -1, number = -1;
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_test_inter(c, &flag));
    CHECK_EQ(1, flag);
    CHECK_EQ(mine, rank_in(c));
    CHECK_EQ(size_of(side), size_of(c));
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_remote_size(c, &number));
    CHECK_EQ(remote, number);
    CHECK_EQ(is_left ? lefts : rights, members_of(c));
    MPI_Group group = MPI_GROUP_NULL;
    CHECK_EQ(MPI_SUCCESS, MPI_Comm_remote_group(c, &group));
    MPI_Group_size(group, &number);
    CHECK_EQ(remote, number);
    MPI_Group_free(&group);
  }
  CHECK_EQ(1, [&] {
    int flag = -1;
    MPI_Comm_test_inter(side, &flag);
    return 1 - flag;
  }());
  // Each rank sends to all ranks of the other side, in both communicators; a message in one is not received in the
  // other.
  std::vector<int> told(2), heard(2 * static_cast<size_t>(remote), -1);
  std::vector<MPI_Request> requests;
  for (int c = 0; c < 2; ++c) {
    told[c] = 1000 * (c + 1) + me;
    for (int r = 0; r < remote; ++r) {
      MPI_Isend(&told[c], 1, MPI_INT, r, 3, c == 0 ? inter : again, &requests.emplace_back());
    }
  }
  for (int c = 1; c >= 0; --c) {
    for (int i = 0; i < remote; ++i) {
      MPI_Status status;
      int word = -1;
      MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 3, c == 0 ? inter : again, &status);
      heard[static_cast<size_t>(c * remote + status.MPI_SOURCE)] = word;
    }
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  for (int c = 0; c < 2; ++c) {
    for (int r = 0; r < remote; ++r) {
      CHECK_EQ(1000 * (c + 1) + (is_left ? left + r : r), heard[static_cast<size_t>(c * remote + r)]);
    }
  }
  for (bool left_high : {true, false}) {
    MPI_Comm merged = MPI_COMM_NULL;
    CHECK_EQ(MPI_SUCCESS, MPI_Intercomm_merge(inter, is_left == left_high ? 1 : 0, &merged));
    Ranks expected = left_high ? rights : lefts;
    const Ranks& then = left_high ? lefts : rights;
    expected.insert(expected.end(), then.begin(), then.end());
    CHECK_EQ(expected, members_of(merged));
    int sum = 0;
    MPI_Allreduce(&me, &sum, 1, MPI_INT, MPI_SUM, merged);
    CHECK_EQ(size * (size - 1) / 2, sum);
    MPI_Comm_free(&merged);
  }
  MPI_Comm_free(&again);
  MPI_Comm_free(&inter);
  CHECK_TRUE(inter == MPI_COMM_NULL);
  MPI_Comm_free(&side);
}

}  // namespace strata::mpix::testing
