// SPDX-License-Identifier: LGPL-2.1-only
// Operations on a window.
#include <mpi.h>

#include <array>
#include <functional>
#include <utility>

#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/tap/session.h"
#include "tests/mpi_ext/tap/tests.h"

namespace strata::mpix::testing {

void check_one_sided(Session& s) {
  const int me = rank_in(MPI_COMM_WORLD);
  std::array<int, 16> data{}, result{};
  int* base = nullptr;
  MPI_Comm backwards;
  MPI_Win win;
  MPI_Comm_split(MPI_COMM_WORLD, 0, -me, &backwards);
  MPI_Win_allocate(sizeof data, sizeof(int), MPI_INFO_NULL, backwards, static_cast<void*>(&base), &win);
  MPI_Win_fence(0, win);
  // World rank 0, which is rank 3 of the window, accesses rank 1 of the window, which is world rank 2.
  const auto check = [&](const char* what, const std::function<void()>& operation, List expected) {
    s.check(
        what, "ES",
        [&] {
          if (me == 0) operation();
          MPI_Win_fence(0, win);
        },
        std::move(expected));
  };
  const Told there = {kS, 0, 2, 12}, back = {kS, 2, 0, 12}, one_there = {kS, 0, 2, 4}, one_back = {kS, 2, 0, 4};
  check("MPI_Put", [&] { MPI_Put(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, win); }, {there});
  check("MPI_Get", [&] { MPI_Get(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, win); }, {back});
  check("MPI_Accumulate", [&] { MPI_Accumulate(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, MPI_SUM, win); }, {there});
  check("MPI_Get_accumulate",
        [&] { MPI_Get_accumulate(data.data(), 3, MPI_INT, result.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, MPI_SUM, win); },
        {there, back});
  check("MPI_Fetch_and_op", [&] { MPI_Fetch_and_op(data.data(), result.data(), MPI_INT, 1, 0, MPI_SUM, win); },
        {one_there, one_back});
  check("MPI_Compare_and_swap",
        [&] { MPI_Compare_and_swap(data.data(), result.data(), result.data(), MPI_INT, 1, 0, win); },
        {one_there, one_back});
  check("MPI_Put to MPI_PROC_NULL", [&] { MPI_Put(data.data(), 3, MPI_INT, MPI_PROC_NULL, 0, 3, MPI_INT, win); }, {});
  s.check("with requests", "ES",
          [&] {
            MPI_Win_lock_all(0, win);
            if (me == 0) {
              std::array<MPI_Request, 2> requests;
              MPI_Rput(data.data(), 3, MPI_INT, 1, 0, 3, MPI_INT, win, &requests[0]);
              MPI_Rget(result.data(), 1, MPI_INT, 1, 0, 1, MPI_INT, win, &requests[1]);
              MPI_Waitall(2, requests.data(), MPI_STATUSES_IGNORE);
            }
            MPI_Win_unlock_all(win);
          },
          {there, one_back});
  MPI_Win_free(&win);
  MPI_Comm_free(&backwards);
}

}  // namespace strata::mpix::testing
