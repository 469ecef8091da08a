// SPDX-License-Identifier: LGPL-2.1-only
// Wrong arguments, sessions that do not exist, and environments.
#include <mpi.h>

#include <climits>
#include <string>
#include <vector>

#include "mpi_ext/MPI_Monitoring.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/monitoring/accounts.h"
#include "tests/mpi_ext/monitoring/tests.h"

namespace strata::mpix::testing {

void test_errors(const Env& e) {
  Checks& t = e.t;
  const int last = e.size - 1;
  Numbers mine(static_cast<size_t>(e.size) * e.size);
  CHECK_EQ(MPI_M_MULTIPLE_INIT, MPI_M_init());
  // A start with a wrong argument on one rank.
  MPI_M_msid id = -7;
  CHECK_EQ(of_one(e, 0, MPI_M_INVALID_ARGUMENT), MPI_M_start(MPI_COMM_WORLD, e.rank == 0 ? nullptr : &id));
  CHECK_EQ(-7, id);
  CHECK_EQ(MPI_M_INVALID_COMM, MPI_M_start(MPI_COMM_NULL, &id));
  if (e.size > 1) {
    MPI_Comm half = MPI_COMM_NULL, inter = MPI_COMM_NULL;
    MPI_Comm_split(MPI_COMM_WORLD, e.rank == 0 ? 0 : 1, 0, &half);
    // SMPI has no intercommunicators; with one, Open MPI 4.1's monitoring component ends in a segmentation fault.
    if (e.provider == "pmpi") {
      MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, e.rank == 0 ? 1 : 0, 3, &inter);
      CHECK_EQ(MPI_M_INVALID_COMM, MPI_M_start(inter, &id));
      MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&half);
  }
  id = started(t);
  int provided = 0, size = 0;
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_info(id, &provided, &size));
  CHECK_EQ(e.size, size);
  CHECK_TRUE((provided & MPI_M_P2P_ONLY) != 0);
  CHECK_EQ(e.simulated(), (provided & MPI_M_SEES_DECOMPOSED) != 0 && e.provider != "openmpi");
  CHECK_EQ(MPI_SUCCESS, MPI_M_get_info(id, MPI_M_INT_IGNORE, MPI_M_INT_IGNORE));
  // An active session.
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_continue(id));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_reset(id));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_free(id));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_get_data(id, mine.data(), mine.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_allgather_data(id, mine.data(), mine.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_rootgather_data(id, 0, mine.data(), mine.data(), MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_flush(id, "never", MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSION_ACTIVE, MPI_M_rootflush(id, 0, "never", MPI_M_P2P_ONLY));
  CHECK_EQ(MPI_M_SESSIONS_LEFT, MPI_M_finalize());
  // One process has not suspended the session.
  if (e.size > 1) {
    if (e.rank != last) suspend(t, id);
    CHECK_EQ(of_one(e, last, MPI_M_SESSION_ACTIVE), MPI_M_get_data(id, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(of_one(e, last, MPI_M_SESSION_ACTIVE), MPI_M_free(id));
    CHECK_EQ(of_one(e, last, MPI_M_SESSION_ACTIVE), MPI_M_free(MPI_M_ALL_MSID));
    if (e.rank == last) suspend(t, id);
  } else {
    suspend(t, id);
  }
  // A suspended session.
  CHECK_EQ(MPI_M_SESSION_SUSPENDED, MPI_M_suspend(id));
  CHECK_EQ(MPI_M_SESSIONS_LEFT, MPI_M_finalize());
  // Flags and roots that are wrong on all ranks, wrong on one rank, or different.
  for (const int flags : {0, 8, 16 | MPI_M_P2P_ONLY, -1, INT_MIN}) {
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_get_data(id, mine.data(), nullptr, flags));
    CHECK_EQ(of_one(e, last, MPI_M_INVALID_FLAGS),
             MPI_M_get_data(id, mine.data(), nullptr, e.rank == last ? flags : MPI_M_P2P_ONLY));
    CHECK_EQ(of_one(e, last, MPI_M_INVALID_FLAGS), MPI_M_flush(id, "never", e.rank == last ? flags : MPI_M_P2P_ONLY));
  }
  const int different = e.rank == last ? MPI_M_ALL_COMM : MPI_M_P2P_ONLY;
  if (e.size > 1) {
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_allgather_data(id, mine.data(), nullptr, different));
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_rootgather_data(id, 0, mine.data(), nullptr, different));
    CHECK_EQ(MPI_M_INVALID_FLAGS, MPI_M_rootflush(id, 0, "never", different));
    CHECK_EQ(MPI_M_INVALID_ARGUMENT,
             MPI_M_rootgather_data(id, e.rank == last ? 1 : 0, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_ARGUMENT, MPI_M_rootflush(id, e.rank == last ? 1 : 0, "never", MPI_M_P2P_ONLY));
  }
  for (const int root : {-1, e.size, INT_MAX, INT_MIN}) {
    CHECK_EQ(MPI_M_INVALID_ARGUMENT, MPI_M_rootgather_data(id, root, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(of_one(e, last, MPI_M_INVALID_ARGUMENT),
             MPI_M_rootflush(id, e.rank == last ? root : 0, "never", MPI_M_P2P_ONLY));
  }
  CHECK_EQ(of_one(e, 0, MPI_M_INVALID_ARGUMENT), MPI_M_flush(id, e.rank == 0 ? nullptr : "never", MPI_M_P2P_ONLY));
  CHECK_EQ(of_one(e, 0, MPI_M_INVALID_ARGUMENT), MPI_M_rootflush(id, 0, nullptr, MPI_M_P2P_ONLY));
  // Sessions that do not exist: never started, freed, or of another process.
  int others = id;
  MPI_Bcast(&others, 1, MPI_INT, 0, MPI_COMM_WORLD);
  if (e.rank != 0) CHECK_TRUE(others != id);
  std::vector<MPI_M_msid> foreign = {MPI_M_MSID_NULL, -2, INT_MIN, INT_MAX};
  if (e.rank != 0) foreign.push_back(others);
  const auto expect_invalid = [&](MPI_M_msid what) {
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_suspend(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_continue(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_reset(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_free(what));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_info(what, nullptr, nullptr));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_data(what, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_allgather_data(what, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_rootgather_data(what, 0, mine.data(), nullptr, MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_flush(what, "never", MPI_M_P2P_ONLY));
    CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_rootflush(what, 0, "never", MPI_M_P2P_ONLY));
  };
  for (const MPI_M_msid what : foreign) expect_invalid(what);
  CHECK_EQ(MPI_M_INVALID_MSID, MPI_M_get_info(MPI_M_ALL_MSID, nullptr, nullptr));
  free_session(t, id);
  expect_invalid(id);
  const MPI_M_msid another = started(t);
  CHECK_TRUE(another != id);
  expect_invalid(id);
  suspend(t, another);
  free_session(t, another);
}

void test_environments(const Env& e) {
  Checks& t = e.t;
  for (int i = 0; i < 3; ++i) {
    MPI_M_msid id = MPI_M_MSID_NULL;
    Numbers mine(static_cast<size_t>(e.size) * e.size);
    CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_finalize());
    CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_start(MPI_COMM_WORLD, &id));
    CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_start(MPI_COMM_NULL, &id));
    for (const MPI_M_msid what : {MPI_M_MSID_NULL, MPI_M_ALL_MSID, 1}) {
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_suspend(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_continue(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_reset(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_free(what));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_get_info(what, nullptr, nullptr));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_get_data(what, mine.data(), nullptr, 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_allgather_data(what, mine.data(), nullptr, 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_rootgather_data(what, 0, mine.data(), nullptr, 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_flush(what, "never", 1));
      CHECK_EQ(MPI_M_MISSING_INIT, MPI_M_rootflush(what, 0, "never", 1));
    }
    CHECK_EQ(MPI_SUCCESS, MPI_M_init());
    // One process has left the environment.
    if (e.size > 1) {
      if (e.rank == 1) CHECK_EQ(MPI_SUCCESS, MPI_M_finalize());
      CHECK_EQ(of_one(e, 1, MPI_M_MISSING_INIT), MPI_M_start(MPI_COMM_WORLD, &id));
      if (e.rank == 1) CHECK_EQ(MPI_SUCCESS, MPI_M_init());
    }
    id = started(t);
    ring(MPI_COMM_WORLD, 1, 1);
    suspend(t, id);
    Account account(e.size);
    account.add((e.rank + 1) % e.size, 4);
    expect_data(t, account, id);
    free_session(t, id);
    CHECK_EQ(MPI_SUCCESS, MPI_M_finalize());
  }
  for (int code = 9001; code <= 9015; ++code) CHECK_TRUE(std::string(MPI_M_error_string(code)) != "unknown error");
  CHECK_EQ(std::string("unknown error"), std::string(MPI_M_error_string(9016)));
  CHECK_EQ(std::string("unknown error"), std::string(MPI_M_error_string(-1)));
}

}  // namespace strata::mpix::testing
