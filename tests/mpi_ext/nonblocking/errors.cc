// SPDX-License-Identifier: LGPL-2.1-only
// Wrong arguments, requests that are waited for twice, collectives that do not match, and threads that cannot be
// started.
#include <mpi.h>

#include <array>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/guarded_buffers.h"
#include "tests/mpi_ext/nonblocking/started.h"
#include "tests/mpi_ext/nonblocking/study.h"
#include "tests/mpi_ext/nonblocking/tests.h"

namespace strata::mpix::testing {

void test_collectives_arguments(Checks& t, MPI_Comm application, const Study& study) {
  MPI_Comm comm;
  MPI_Comm_dup(application, &comm);
  const int rank = rank_in(comm), size = size_of(comm);
  CountedErrors errors(t);
  errors.handle(comm);
  std::array<int, 128> many{}, more{};
  int *a = many.data(), *b = more.data();
  const MPI_Datatype none = MPI_DATATYPE_NULL;
  MPIX_Request request = MPIX_REQUEST_NULL;
  MPIX_Request* r = &request;

  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Ibcast(a, -1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Ibcast(a, 1, none, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Ibcast(nullptr, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Ibcast(MPI_IN_PLACE, 1, MPI_INT, 0, comm, r));
  for (const int bad : {-1, size}) {
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Ibcast(a, 1, MPI_INT, bad, comm, r));
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Ireduce(a, b, 1, MPI_INT, MPI_SUM, bad, comm, r));
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Igather(a, 1, MPI_INT, b, 1, MPI_INT, bad, comm, r));
    CHECK_ERROR(MPI_ERR_ROOT, MPIX_Iscatter(a, 1, MPI_INT, b, 1, MPI_INT, bad, comm, r));
  }
  const auto reductions = [&](int error_class, const void* send, void* receive, int count, MPI_Datatype type,
                              MPI_Op op) {
    CHECK_ERROR(error_class, MPIX_Ireduce(send, receive, count, type, op, rank, comm, r));
    CHECK_ERROR(error_class, MPIX_Iallreduce(send, receive, count, type, op, comm, r));
    CHECK_ERROR(error_class, MPIX_Iscan(send, receive, count, type, op, comm, r));
  };
  reductions(MPI_ERR_COUNT, a, b, -1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_TYPE, a, b, 1, none, MPI_SUM);
  reductions(MPI_ERR_OP, a, b, 1, MPI_INT, MPI_OP_NULL);
  reductions(MPI_ERR_BUFFER, nullptr, b, 1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_BUFFER, a, nullptr, 1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_BUFFER, a, a, 1, MPI_INT, MPI_SUM);
  reductions(MPI_ERR_BUFFER, a, MPI_IN_PLACE, 1, MPI_INT, MPI_SUM);
  if (size > 1) {
    const int other = (rank + 1) % size;
    CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Ireduce(MPI_IN_PLACE, b, 1, MPI_INT, MPI_SUM, other, comm, r));
    CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Igather(MPI_IN_PLACE, 1, MPI_INT, b, 1, MPI_INT, other, comm, r));
    CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Iscatter(a, 1, MPI_INT, MPI_IN_PLACE, 1, MPI_INT, other, comm, r));
  }
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Igather(a, -1, MPI_INT, b, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Igather(a, 1, none, b, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Igather(nullptr, 1, MPI_INT, b, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Igather(a, 1, MPI_INT, b, -1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Igather(a, 1, MPI_INT, a, 1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Iscatter(a, 1, MPI_INT, b, -1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_TYPE, MPIX_Iscatter(a, 1, MPI_INT, b, 1, none, 0, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Iscatter(a, 1, MPI_INT, nullptr, 1, MPI_INT, 0, comm, r));
  CHECK_ERROR(MPI_ERR_COUNT, MPIX_Iscatter(a, -1, MPI_INT, b, 1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_BUFFER, MPIX_Iscatter(a, 1, MPI_INT, a, 1, MPI_INT, rank, comm, r));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Ibcast(a, 1, MPI_INT, 0, comm, nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Ibarrier(comm, nullptr));
  CHECK_TRUE(request == MPIX_REQUEST_NULL);

  // A null communicator, and one with processes that do not belong to the application.
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibcast(a, 1, MPI_INT, 0, MPI_COMM_NULL, r));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibarrier(MPI_COMM_NULL, r));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Comm_set_progress(MPI_COMM_NULL, MPI_INFO_NULL));
  if (size_of(MPI_COMM_WORLD) > size_of(application)) CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibarrier(MPI_COMM_WORLD, r));
  if (study.real && size > 1) {
    MPI_Comm half, inter;
    MPI_Comm_split(comm, rank % 2, rank, &half);
    MPI_Intercomm_create(half, 0, comm, 1 - rank % 2, 5, &inter);
    errors.handle(inter);
    CHECK_ERROR(MPI_ERR_COMM, MPIX_Ibarrier(inter, r));
    MPI_Comm_free(&inter);
    MPI_Comm_free(&half);
  }
  MPI_Comm_free(&comm);
}

void test_settings_arguments(Checks& t, MPI_Comm application) {
  MPI_Comm comm;
  MPI_Comm_dup(application, &comm);
  CountedErrors errors(t);
  errors.handle(comm);
  const auto set = [&](const char* key, const char* value) {
    return MPIX_Comm_set_progress(comm, Info().set(key, value));
  };
  for (const char* bad : {"-1", "some", "1x", "99"}) CHECK_ERROR(MPI_ERR_INFO, set("mpix_steps", bad));
  for (const char* bad : {"1", "0", "-2", "two"}) CHECK_ERROR(MPI_ERR_INFO, set("mpix_arity", bad));
  CHECK_ERROR(MPI_ERR_INFO, set("mpix_tree", "tall"));
  CHECK_ERROR(MPI_ERR_INFO, set("mpix_check", "maybe"));
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, MPI_INFO_NULL));
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_set_progress(comm, Info().set("unknown", "1")));
  MPI_Comm_free(&comm);
}

void test_requests_arguments(Checks& t, MPI_Comm application, const Study& study) {
  MPI_Comm comm;
  MPI_Comm_dup(application, &comm);
  CountedErrors errors(t);
  errors.handle(comm);
  errors.handle(MPI_COMM_WORLD);
  MPIX_Request request = MPIX_REQUEST_NULL;

  // A request can be waited for once, even if another collective is under way.
  int flag = 0;
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Wait(&request));
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Test(&request, &flag));
  Running first = start_barrier(t, comm);
  MPIX_Request stale = first.request;
  finish(t, std::move(first));
  Running second = start_barrier(t, comm);
  CHECK_TRUE(second.request != stale);
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Wait(&stale));
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Test(&stale, &flag));
  finish(t, std::move(second));
  MPIX_Request unknown = stale + 1'000'000;
  CHECK_ERROR(MPI_ERR_REQUEST, MPIX_Wait(&unknown));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Wait(nullptr));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Waitall(1, nullptr));

  // Threads are already running; and they keep running until every request has been waited for.
  MPI_Comm again = MPI_COMM_NULL;
  if (study.real) CHECK_ERROR(MPI_ERR_OTHER, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, &again));
  CHECK_ERROR(MPI_ERR_ARG, MPIX_Progress_start(MPI_COMM_WORLD, MPI_INFO_NULL, nullptr));
  CHECK_ERROR(MPI_ERR_COMM, MPIX_Progress_start(MPI_COMM_NULL, MPI_INFO_NULL, &again));
  MPI_Comm_free(&comm);
}

void test_pending(Checks& t, MPI_Comm* application) {
  CountedErrors errors(t);
  errors.handle(*application);
  errors.handle(MPI_COMM_WORLD);
  Running running = start_barrier(t, *application);
  CHECK_ERROR(MPI_ERR_PENDING, MPIX_Progress_stop(application));
  CHECK_TRUE(*application != MPI_COMM_NULL);
  finish(t, std::move(running));
  finish(t, start_barrier(t, *application));
}

void test_mismatch(Checks& t, const Operations& operations, MPI_Comm application) {
  MPI_Comm comm;
  MPI_Comm_dup(application, &comm);
  MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
  const bool odd_one = rank_in(comm) == 0;
  std::array<double, 4096> a{}, b{};
  using Start = std::function<int(MPIX_Request*)>;
  const auto bcast = [&](int count, MPI_Datatype type, int root) {
    return [&, count, type, root](MPIX_Request* r) { return MPIX_Ibcast(a.data(), count, type, root, comm, r); };
  };
  const auto allreduce = [&](int count, MPI_Datatype type, MPI_Op op) {
    return
        [&, count, type, op](MPIX_Request* r) { return MPIX_Iallreduce(a.data(), b.data(), count, type, op, comm, r); };
  };
  const auto scan = [&](MPIX_Request* r) { return MPIX_Iscan(a.data(), b.data(), 4, MPI_INT, MPI_SUM, comm, r); };
  const auto barrier = [&](MPIX_Request* r) { return MPIX_Ibarrier(comm, r); };
  const std::vector<std::pair<Start, Start>> pairs = {
      {bcast(4, MPI_INT, 0), barrier},
      {scan, allreduce(4, MPI_INT, MPI_SUM)},
      {bcast(4, MPI_INT, 0), bcast(4, MPI_INT, 1)},
      {bcast(4, MPI_INT, 0), bcast(5, MPI_INT, 0)},
      {bcast(4, MPI_INT, 0), bcast(4, MPI_DOUBLE, 0)},
      {bcast(4, MPI_INT, 0), bcast(4096, MPI_DOUBLE, 0)},
      {allreduce(4, MPI_INT, MPI_SUM), allreduce(4, MPI_INT, MPI_MAX)},
      {allreduce(0, MPI_INT, MPI_SUM), allreduce(1, MPI_INT, MPI_SUM)},
  };
  for (const auto& [of_rank_0, of_others] : pairs) {
    MPIX_Request request = MPIX_REQUEST_NULL;
    int code = (odd_one ? of_rank_0 : of_others)(&request);
    if (code == MPI_SUCCESS) code = MPIX_Wait(&request);
    CHECK_EQ(static_cast<int>(MPI_ERR_ARG), class_of(code));
    CHECK_TRUE(request == MPIX_REQUEST_NULL);
    finish(t, start_reduction(t, comm, Reduction::kAllreduce, kPair, operations.sum, 3, 0, Place::kSeparate, 5));
  }
  MPI_Comm_free(&comm);
}

void test_refused(Checks& t, MPI_Info info, const std::string& why) {
  MPI_Comm application = MPI_COMM_WORLD;
  CountedErrors errors(t);
  errors.handle(MPI_COMM_WORLD);
  CHECK_ERROR(why == "info" ? MPI_ERR_INFO : MPI_ERR_OTHER, MPIX_Progress_start(MPI_COMM_WORLD, info, &application));
  CHECK_TRUE(application == MPI_COMM_NULL);
  finish(t, start_barrier(t, MPI_COMM_WORLD));
  CHECK_EQ(MPI_SUCCESS, MPIX_Progress_stop(&application));
}

}  // namespace strata::mpix::testing
