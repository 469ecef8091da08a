// SPDX-License-Identifier: LGPL-2.1-only
// Many collectives under way at once: each rank waits for them in a different order.
#include <mpi.h>

#include <algorithm>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/mpix.h"
#include "mpi_ext/nbc/level_tree.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"
#include "tests/mpi_ext/nonblocking/started.h"
#include "tests/mpi_ext/nonblocking/study.h"
#include "tests/mpi_ext/nonblocking/tests.h"

namespace strata::mpix::testing {
namespace {

// Two of each collective, with different lengths, on all of the communicators.
std::vector<Running> start_many(Checks& t, const Operations& operations, const std::vector<MPI_Comm>& comms) {
  std::vector<Running> all;
  int salt = 0;
  for (const int count : {5, kLong}) {
    for (const MPI_Comm comm : comms) {
      const int root = ++salt % size_of(comm);
      const Exchange blocks = {{kPair, count}, {kPair, count}};
      const auto reduction = [&](Reduction kind, const Operation& operation, Place place) {
        return start_reduction(t, comm, kind, kPair, operation, count, root, place, salt);
      };
      all.push_back(start_bcast(t, comm, kGaps, count, root, salt));
      all.push_back(reduction(Reduction::kReduce, operations.affine, Place::kSeparate));
      all.push_back(start_scatter(t, comm, blocks, root, Place::kSeparate, salt));
      all.push_back(reduction(Reduction::kAllreduce, operations.sum, Place::kInPlace));
      all.push_back(start_gather(t, comm, blocks, root, Place::kInPlace, salt));
      all.push_back(reduction(Reduction::kScan, operations.affine, Place::kSeparate));
      all.push_back(start_barrier(t, comm));
    }
  }
  return all;
}

// Each rank waits in a different order, alternately with MPIX_Wait and MPIX_Test, and for half of them after a
// computation.
void test_in_flight(Checks& t, const Operations& operations, const std::vector<MPI_Comm>& comms, unsigned seed) {
  std::vector<Running> all = start_many(t, operations, comms);
  std::mt19937 random(seed + rank_in(comms.front()));  // defined by the standard; its distributions are not
  for (size_t i = all.size(); i > 1; --i) std::swap(all[i - 1], all[random() % i]);
  for (size_t i = 0; i < all.size(); ++i) {
    if (i == all.size() / 2) strata::mpix::charge_seconds(1e-4);
    if (i % 3 != 0) {
      finish(t, std::move(all[i]));
      continue;
    }
    int flag = 0;
    while (flag == 0) {
      const MPIX_Request before = all[i].request;
      if (MPIX_Test(&all[i].request, &flag) != MPI_SUCCESS) break;
      if (flag == 0 && all[i].request != before) break;
    }
    CHECK_EQ(1, flag);
    expect_complete(t, all[i]);
  }
  // All at once.
  all = start_many(t, operations, comms);
  std::vector<MPIX_Request> requests;
  for (const Running& running : all) requests.push_back(running.request);
  std::reverse(requests.begin(), requests.end());
  CHECK_EQ(MPI_SUCCESS, MPIX_Waitall(static_cast<int>(requests.size()), requests.data()));
  CHECK_EQ(std::vector<MPIX_Request>(requests.size(), MPIX_REQUEST_NULL), requests);
  for (const Running& running : all) running.check();
  CHECK_EQ(MPI_SUCCESS, MPIX_Waitall(0, nullptr));
}

}  // namespace

void test_communicators(Checks& t, const Operations& operations, MPI_Comm comm) {
  const int rank = rank_in(comm), size = size_of(comm);
  MPI_Comm reversed, half, copy;
  MPI_Comm_split(comm, 0, -rank, &reversed);
  MPI_Comm_split(comm, rank % 2, rank, &half);
  MPI_Comm_dup(comm, &copy);
  set_shape(t, reversed, {std::to_string(std::min(1, tree_height(size, 3))), 3});
  set_shape(t, half, {"0", 2, "nodes"});
  set_shape(t, copy, {std::to_string(tree_height(size, 2))});
  test_in_flight(t, operations, {comm, reversed, half, copy}, static_cast<unsigned>(size));
  for (MPI_Comm* c : {&reversed, &half, &copy}) MPI_Comm_free(c);
}

}  // namespace strata::mpix::testing
