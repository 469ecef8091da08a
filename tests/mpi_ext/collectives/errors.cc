// SPDX-License-Identifier: LGPL-2.1-only
// Wrong arguments of each collective, found before it sends a message, and errors while it runs.
#include <mpi.h>

#include <array>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/collectives/over.h"
#include "tests/mpi_ext/collectives/sent.h"
#include "tests/mpi_ext/collectives/tests.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"

namespace strata::mpix::testing {
namespace {

// Arguments of the calls.
struct Wrong {
  MPI_Datatype uncommitted = MPI_DATATYPE_NULL, empty = MPI_DATATYPE_NULL;
  Operation sum{add, add_all, true};
  std::array<int, 128> many{}, more{};

  Wrong() {
    MPI_Type_contiguous(2, MPI_INT, &uncommitted);
    MPI_Type_contiguous(0, MPI_INT, &empty);
    MPI_Type_commit(&empty);
  }
  Wrong(const Wrong&) = delete;
  Wrong& operator=(const Wrong&) = delete;
  ~Wrong() {
    MPI_Type_free(&uncommitted);
    MPI_Type_free(&empty);
  }
};

void bcast_errors(Checks& t, CountedErrors& errors, Wrong& w, const Over& o) {
  constexpr int kLinear = MPIX_ALGORITHM_LINEAR;
  const int size = o.size();
  int* a = w.many.data();
  for (const int bad : {-1, 7, 9, 1000}) CHECK_ERROR(MPI_ERR_ARG, o.bcast(a, 1, MPI_INT, 0, bad, 0));
  CHECK_ERROR(MPI_ERR_ARG, o.bcast(a, 1, MPI_INT, 0, MPIX_ALGORITHM_IN_ORDER_BINARY, 0));
  CHECK_ERROR(MPI_ERR_ARG, o.bcast(a, 1, MPI_INT, 0, kLinear, -1));
  CHECK_ERROR(MPI_ERR_COUNT, o.bcast(a, -1, MPI_INT, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_TYPE, o.bcast(a, 1, MPI_DATATYPE_NULL, 0, kLinear, 0));
  for (const int bad : {-1, size}) CHECK_ERROR(MPI_ERR_ROOT, o.bcast(a, 1, MPI_INT, bad, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.bcast(nullptr, 1, MPI_INT, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.bcast(MPI_IN_PLACE, 1, MPI_INT, 0, kLinear, 0));
  CHECK_EQ(MPI_SUCCESS, o.bcast(nullptr, 0, MPI_INT, 0, kLinear, 0));
  CHECK_EQ(MPI_SUCCESS, o.bcast(nullptr, 5, w.empty, 0, MPIX_ALGORITHM_SPLIT_BINARY, 1));
}

void reduce_errors(Checks& t, CountedErrors& errors, Wrong& w, const Over& o) {
  constexpr int kLinear = MPIX_ALGORITHM_LINEAR;
  const int rank = o.rank(), size = o.size();
  int *a = w.many.data(), *b = w.more.data();
  for (const int bad : {-1, 7, 8, 1000}) CHECK_ERROR(MPI_ERR_ARG, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, bad, 0));
  CHECK_ERROR(MPI_ERR_ARG, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, MPIX_ALGORITHM_SPLIT_BINARY, 0));
  CHECK_ERROR(MPI_ERR_ARG, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, kLinear, -1));
  CHECK_ERROR(MPI_ERR_COUNT, o.reduce(a, b, -1, MPI_INT, MPI_SUM, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_TYPE, o.reduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_OP, o.reduce(a, b, 1, MPI_INT, MPI_OP_NULL, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_OP, o.reduce(a, b, 1, MPI_DOUBLE, MPI_BAND, 0, kLinear, 0));
  for (const int bad : {-1, size}) {
    CHECK_ERROR(MPI_ERR_ROOT, o.reduce(a, b, 1, MPI_INT, MPI_SUM, bad, kLinear, 0));
  }
  CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(nullptr, b, 1, MPI_INT, MPI_SUM, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(a, nullptr, 1, MPI_INT, MPI_SUM, rank, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(a, a, 1, MPI_INT, MPI_SUM, rank, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, rank, kLinear, 0));
  if (size > 1) {
    CHECK_ERROR(MPI_ERR_BUFFER, o.reduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, (rank + 1) % size, kLinear, 0));
  }
  CHECK_EQ(MPI_SUCCESS, o.reduce(nullptr, nullptr, 0, MPI_INT, MPI_SUM, 0, MPIX_ALGORITHM_CHAIN, 0));
  CHECK_EQ(MPI_SUCCESS, o.reduce(nullptr, nullptr, 3, w.empty, w.sum.op, 0, MPIX_ALGORITHM_CHAIN, 0));
}

void allreduce_errors(Checks& t, CountedErrors& errors, Wrong& w, const Over& o) {
  constexpr int kLinear = MPIX_ALGORITHM_LINEAR;
  int *a = w.many.data(), *b = w.more.data();
  for (const int bad : {-1, 6, 7, 1000}) CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, bad, 0));
  CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, MPIX_ALGORITHM_SPLIT_BINARY, 0));
  if (o.hierarchical()) {
    CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, MPIX_ALGORITHM_RECURSIVE_DOUBLING, 0));
  }
  CHECK_ERROR(MPI_ERR_ARG, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, kLinear, -1));
  CHECK_ERROR(MPI_ERR_COUNT, o.allreduce(a, b, -1, MPI_INT, MPI_SUM, kLinear, 0));
  CHECK_ERROR(MPI_ERR_TYPE, o.allreduce(a, b, 1, MPI_DATATYPE_NULL, MPI_SUM, kLinear, 0));
  CHECK_ERROR(MPI_ERR_OP, o.allreduce(a, b, 1, MPI_INT, MPI_OP_NULL, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(nullptr, b, 1, MPI_INT, MPI_SUM, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(a, nullptr, 1, MPI_INT, MPI_SUM, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(a, a, 1, MPI_INT, MPI_SUM, kLinear, 0));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allreduce(a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM, kLinear, 0));
}

void gather_and_scatter_errors(Checks& t, CountedErrors& errors, Wrong& w, const Over& o) {
  constexpr int kLinear = MPIX_ALGORITHM_LINEAR;
  const int rank = o.rank(), size = o.size();
  int *a = w.many.data(), *b = w.more.data();
  for (const int bad : {-1, 1, 7, 8}) {
    CHECK_ERROR(MPI_ERR_ARG, o.gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, bad));
    CHECK_ERROR(MPI_ERR_ARG, o.scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, bad));
  }
  for (const int bad : {-1, size}) {
    CHECK_ERROR(MPI_ERR_ROOT, o.gather(a, 1, MPI_INT, b, 1, MPI_INT, bad, kLinear));
    CHECK_ERROR(MPI_ERR_ROOT, o.scatter(a, 1, MPI_INT, b, 1, MPI_INT, bad, kLinear));
  }
  CHECK_ERROR(MPI_ERR_COUNT, o.gather(a, -1, MPI_INT, b, 1, MPI_INT, 0, kLinear));
  CHECK_ERROR(MPI_ERR_TYPE, o.gather(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, 0, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.gather(nullptr, 1, MPI_INT, b, 1, MPI_INT, 0, kLinear));
  CHECK_ERROR(MPI_ERR_COUNT, o.gather(a, 1, MPI_INT, b, -1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_TYPE, o.gather(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, rank, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.gather(a, 1, MPI_INT, nullptr, 1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.gather(a, 1, MPI_INT, a, 1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.gather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_COUNT, o.scatter(a, 1, MPI_INT, b, -1, MPI_INT, 0, kLinear));
  CHECK_ERROR(MPI_ERR_TYPE, o.scatter(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, 0, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(a, 1, MPI_INT, nullptr, 1, MPI_INT, 0, kLinear));
  CHECK_ERROR(MPI_ERR_COUNT, o.scatter(a, -1, MPI_INT, b, 1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_TYPE, o.scatter(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(nullptr, 1, MPI_INT, b, 1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(a, 1, MPI_INT, a, 1, MPI_INT, rank, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.scatter(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, rank, kLinear));
}

void allgather_errors(Checks& t, CountedErrors& errors, Wrong& w, const Over& o) {
  constexpr int kLinear = MPIX_ALGORITHM_LINEAR;
  int *a = w.many.data(), *b = w.more.data();
  for (const int bad : {-1, 1, 8}) CHECK_ERROR(MPI_ERR_ARG, o.allgather(a, 1, MPI_INT, b, 1, MPI_INT, bad));
  if (o.hierarchical()) CHECK_ERROR(MPI_ERR_ARG, o.allgather(a, 1, MPI_INT, b, 1, MPI_INT, MPIX_ALGORITHM_RING));
  CHECK_ERROR(MPI_ERR_COUNT, o.allgather(a, -1, MPI_INT, b, 1, MPI_INT, kLinear));
  CHECK_ERROR(MPI_ERR_TYPE, o.allgather(a, 1, MPI_DATATYPE_NULL, b, 1, MPI_INT, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(nullptr, 1, MPI_INT, b, 1, MPI_INT, kLinear));
  CHECK_ERROR(MPI_ERR_COUNT, o.allgather(a, 1, MPI_INT, b, -1, MPI_INT, kLinear));
  CHECK_ERROR(MPI_ERR_TYPE, o.allgather(a, 1, MPI_INT, b, 1, MPI_DATATYPE_NULL, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(a, 1, MPI_INT, nullptr, 1, MPI_INT, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(a, 1, MPI_INT, a, 1, MPI_INT, kLinear));
  CHECK_ERROR(MPI_ERR_BUFFER, o.allgather(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, kLinear));
}

void barrier_errors(Checks& t, CountedErrors& errors, Wrong& w, const Over& o) {
  for (const int bad : {-1, 1, 7}) CHECK_ERROR(MPI_ERR_ARG, o.barrier(bad));
  if (o.hierarchical()) CHECK_ERROR(MPI_ERR_ARG, o.barrier(MPIX_ALGORITHM_RECURSIVE_DOUBLING));
}

// SMPI has neither uncommitted datatypes nor operations that a datatype does not allow.
void datatype_errors(Checks& t, CountedErrors& errors, Wrong& w, const Over& o) {
  constexpr int kLinear = MPIX_ALGORITHM_LINEAR;
  int *a = w.many.data(), *b = w.more.data();
  CHECK_ERROR(MPI_ERR_TYPE, o.bcast(a, 1, w.uncommitted, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_OP, o.reduce(a, b, 1, w.empty, MPI_SUM, 0, kLinear, 0));
  CHECK_ERROR(MPI_ERR_OP, o.allreduce(a, b, 1, w.empty, MPI_SUM, kLinear, 0));
}

// An error during the collective: the others send more than fits into the root's buffer. The root gets the error
// once, and no rank waits. (MPICH reports errors of MPI_Wait, in which other algorithms receive, to
// MPI_COMM_WORLD's handler.)
void truncated_message(Checks& t, CountedErrors& errors, Wrong& w, MPI_Comm comm) {
  int *a = w.many.data(), *b = w.more.data();
  const int rank = rank_in(comm);
  MPI_Comm one_use;
  MPI_Comm_dup(comm, &one_use);
  if (rank == 0) {
    CHECK_ERROR(MPI_ERR_TRUNCATE, MPIX_Reduce(a, b, 2, MPI_INT, MPI_SUM, 0, one_use, MPIX_ALGORITHM_LINEAR, 0));
  } else {
    CHECK_EQ(MPI_SUCCESS, MPIX_Reduce(a, b, 4, MPI_INT, MPI_SUM, 0, one_use, MPIX_ALGORITHM_LINEAR, 0));
  }
  MPI_Barrier(comm);
#if !defined(MPICH_NUMVERSION) || MPICH_NUMVERSION < 40200000  // 4.2 aborts while it has messages of other ranks
  MPI_Comm_free(&one_use);
#endif
}

void intercommunicator_errors(Checks& t, CountedErrors& errors, Wrong& w, MPI_Comm comm) {
  int *a = w.many.data(), *b = w.more.data();
  const int rank = rank_in(comm);
  MPI_Comm half, inter;
  MPI_Comm_split(comm, rank % 2, rank, &half);
  MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 5, &inter);
  errors.handle(inter);
  const Over o{inter, MPIX_HIERARCHY_NULL, true, true};
  CHECK_ERROR(MPI_ERR_COMM, o.bcast(a, 1, MPI_INT, 0, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, o.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, o.allreduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, o.gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, o.scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, o.allgather(a, 1, MPI_INT, b, 1, MPI_INT, 0));
  CHECK_ERROR(MPI_ERR_COMM, o.barrier(0));
  MPI_Comm_free(&inter);
  MPI_Comm_free(&half);
}

// Null handles call MPI_COMM_WORLD's handler.
void null_handle_errors(Checks& t, CountedErrors& errors, Wrong& w) {
  int *a = w.many.data(), *b = w.more.data();
  errors.handle(MPI_COMM_WORLD);
  const Over null{MPI_COMM_NULL, MPIX_HIERARCHY_NULL, true, true};
  CHECK_ERROR(MPI_ERR_COMM, null.bcast(a, 1, MPI_INT, 0, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.reduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.allreduce(a, b, 1, MPI_INT, MPI_SUM, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.allgather(a, 1, MPI_INT, b, 1, MPI_INT, 0));
  CHECK_ERROR(MPI_ERR_COMM, null.barrier(0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_bcast(a, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, 0, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_reduce(a, b, 1, MPI_INT, MPI_SUM, 0, MPIX_HIERARCHY_NULL, 0, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_allreduce(a, b, 1, MPI_INT, MPI_SUM, MPIX_HIERARCHY_NULL, 0, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_gather(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_scatter(a, 1, MPI_INT, b, 1, MPI_INT, 0, MPIX_HIERARCHY_NULL, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_allgather(a, 1, MPI_INT, b, 1, MPI_INT, MPIX_HIERARCHY_NULL, 0));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Hierarchy_barrier(MPIX_HIERARCHY_NULL, 0));
}

}  // namespace

void test_errors(Checks& t, MPI_Comm world, bool real) {
  MPI_Comm comm;
  MPI_Comm_dup(world, &comm);
  CountedErrors errors(t);
  errors.handle(comm);
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(comm, MPI_INFO_NULL, &h));
  Wrong wrong;
  const std::vector<std::pair<const char*, void (*)(Checks&, CountedErrors&, Wrong&, const Over&)>> all = {
      {"bcast", bcast_errors},         {"reduce", reduce_errors},
      {"allreduce", allreduce_errors}, {"gather and scatter", gather_and_scatter_errors},
      {"allgather", allgather_errors}, {"barrier", barrier_errors}};
  for (const Over& o : {Over{comm, MPIX_HIERARCHY_NULL, true, real}, Over{comm, h, true, real}}) {
    for (const auto& [name, test] : all) {
      t.run(std::string("errors of ") + name + ", " + o.name(), [&, test = test] { test(t, errors, wrong, o); });
    }
    if (real) t.run("errors of datatypes, " + o.name(), [&] { datatype_errors(t, errors, wrong, o); });
  }
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  if (real && size_of(comm) > 1) {
    t.run("truncated message", [&] { truncated_message(t, errors, wrong, comm); });
    t.run("errors of intercommunicators", [&] { intercommunicator_errors(t, errors, wrong, comm); });
  }
  MPI_Comm_free(&comm);
  t.run("errors of null handles", [&] { null_handle_errors(t, errors, wrong); });
}

}  // namespace strata::mpix::testing
