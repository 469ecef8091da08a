// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/mpi_ext/nonblocking/started.h"

#include <mpi.h>

#include <memory>
#include <utility>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {

void expect_started(Checks& t, const Running& running, int code) {
  CHECK_EQ(MPI_SUCCESS, code);
  CHECK_TRUE(running.request != MPIX_REQUEST_NULL);
}

void expect_complete(Checks& t, const Running& running) {
  CHECK_TRUE(running.request == MPIX_REQUEST_NULL);
  running.check();
}

void finish(Checks& t, Running running) {
  CHECK_EQ(MPI_SUCCESS, MPIX_Wait(&running.request));
  expect_complete(t, running);
}

// Frees datatypes while the collective is under way, which MPI allows.
Running start_bcast(Checks& t, MPI_Comm comm, const Layout& layout, int count, int root, int salt) {
  const Type type(layout);
  const auto buffer = std::make_shared<Buffer>(layout, count);
  const std::vector<int> message = contribution_of(root, count, salt);
  if (rank_in(comm) == root) buffer->set(message);
  Running running;
  expect_started(t, running, MPIX_Ibcast(buffer->data(), count, type, root, comm, &running.request));
  running.check = [=, &t] {
    CHECK_EQ(message, buffer->values());
    CHECK_EQ(0, buffer->touched());
  };
  return running;
}

Running start_reduction(Checks& t, MPI_Comm comm, Reduction kind, const Layout& layout, const Operation& operation,
                        int count, int root, Place place, int salt) {
  const Type type(layout);
  const int rank = rank_in(comm);
  const bool has_result = kind != Reduction::kReduce || rank == root;
  const bool in_place = has_result && place == Place::kInPlace;
  const int last = kind == Reduction::kScan ? rank : size_of(comm) - 1;
  const auto send = std::make_shared<Buffer>(layout, count);
  const auto result = std::make_shared<Buffer>(layout, has_result ? count : 0);
  (in_place ? result : send)->set(contribution_of(rank, count, salt));
  const std::vector<int> kept = send->values();
  const void* from = in_place ? MPI_IN_PLACE : send->data();
  void* to = has_result ? result->data() : nullptr;
  Running running;
  MPIX_Request* request = &running.request;
  expect_started(t, running,
                 kind == Reduction::kReduce ? MPIX_Ireduce(from, to, count, type, operation.op, root, comm, request)
                 : kind == Reduction::kScan ? MPIX_Iscan(from, to, count, type, operation.op, comm, request)
                                            : MPIX_Iallreduce(from, to, count, type, operation.op, comm, request));
  running.check = [=, &t, &operation] {
    if (has_result) CHECK_EQ(fold(operation, last + 1, count, salt), result->values());
    CHECK_EQ(0, result->touched());
    CHECK_EQ(kept, send->values());
    CHECK_EQ(0, send->touched());
  };
  return running;
}

// MPI uses the receive arguments only on the root, and ignores the send arguments there if the call is in place.
Running start_gather(Checks& t, MPI_Comm comm, const Exchange& e, int root, Place place, int salt) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = rank_in(comm), size = size_of(comm), count = e.sent.count;
  const bool is_root = rank == root, in_place = is_root && place == Place::kInPlace;
  const std::vector<int> mine = contribution_of(rank, count, salt);
  const auto send = std::make_shared<Buffer>(e.sent.layout, count);
  const auto all = std::make_shared<Buffer>(e.received.layout, is_root ? size * count : 0);
  send->set(mine);
  if (in_place) all->set(mine, root * count);
  Running running;
  expect_started(
      t, running,
      MPIX_Igather(in_place ? MPI_IN_PLACE : send->data(), in_place ? -1 : count, sendtype,
                   is_root ? all->data() : nullptr, is_root ? count : -1, recvtype, root, comm, &running.request));
  running.check = [=, &t] {
    if (is_root) CHECK_EQ(all_contributions(size, count, salt), all->values());
    CHECK_EQ(0, all->touched());
    CHECK_EQ(mine, send->values());
    CHECK_EQ(0, send->touched());
  };
  return running;
}

Running start_scatter(Checks& t, MPI_Comm comm, const Exchange& e, int root, Place place, int salt) {
  const Type sendtype(e.sent.layout), recvtype(e.received.layout);
  const int rank = rank_in(comm), size = size_of(comm), count = e.sent.count;
  const bool is_root = rank == root, in_place = is_root && place == Place::kInPlace;
  const auto all = std::make_shared<Buffer>(e.sent.layout, is_root ? size * count : 0);
  const auto got = std::make_shared<Buffer>(e.received.layout, count);
  const std::vector<int> blocks = is_root ? all_contributions(size, count, salt) : std::vector<int>();
  if (is_root) all->set(blocks);
  Running running;
  expect_started(t, running,
                 MPIX_Iscatter(is_root ? all->data() : nullptr, is_root ? count : -1, sendtype,
                               in_place ? MPI_IN_PLACE : got->data(), in_place ? -1 : count, recvtype, root, comm,
                               &running.request));
  running.check = [=, &t] {
    CHECK_EQ(in_place ? std::vector<int>(2 * count, kUntouched) : contribution_of(rank, count, salt), got->values());
    CHECK_EQ(0, got->touched());
    if (is_root) CHECK_EQ(blocks, all->values());
    CHECK_EQ(0, all->touched());
  };
  return running;
}

Running start_barrier(Checks& t, MPI_Comm comm) {
  Running running;
  expect_started(t, running, MPIX_Ibarrier(comm, &running.request));
  running.check = [] {};
  return running;
}

}  // namespace strata::mpix::testing
