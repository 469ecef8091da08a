// SPDX-License-Identifier: LGPL-2.1-only
// A program that uses only MPI: MPI_Win_unlock and MPI_Win_flush complete MPI_Rget, and its request can be waited for
// or tested before and after. Runs under SMPI, with Strata's functions preloaded, and under Open MPI and MPICH.
#include <mpi.h>

#include <string_view>
#include <utility>
#include <vector>

#include "tests/mpi_ext/checks.h"

namespace {

using namespace strata::mpix::testing;  // NOLINT: the checks

constexpr int kElements = 100'000;

enum class End { kUnlock, kUnlockAll, kFlush, kFlushAll, kFlushLocal, kFlushLocalAll, kWait };

int value(int rank, int i) { return 1'000 * rank + i % 991; }

bool all_from(const std::vector<int>& got, int rank) {
  for (int i = 0; i < kElements; ++i) {
    if (got[i] != value(rank, i)) return false;
  }
  return true;
}

// MPICH 4.0.2 may return from MPI_Win_flush_all and MPI_Win_flush_local_all before the data of MPI_Rget are there.
bool may_end_early(End end) {
  char version[MPI_MAX_LIBRARY_VERSION_STRING];
  int length = 0;
  MPI_Get_library_version(version, &length);
  return (end == End::kFlushAll || end == End::kFlushLocalAll) && std::string_view(version).starts_with("MPICH");
}

// Two gets, from the next rank and from the one after it; waits for the first in the epoch if `early`.
void get_twice(Checks& t, MPI_Win win, int rank, int size, End end, bool early) {
  const int targets[2] = {(rank + 1) % size, (rank + 2) % size};
  std::vector<int> got[2] = {std::vector<int>(kElements, -1), std::vector<int>(kElements, -1)};
  MPI_Request requests[2];
  const bool one_by_one = end == End::kUnlock;
  if (!one_by_one) MPI_Win_lock_all(0, win);
  for (int k = 0; k < 2; ++k) {
    const int target = targets[k];
    if (one_by_one) MPI_Win_lock(MPI_LOCK_SHARED, target, 0, win);
    MPI_Rget(got[k].data(), kElements, MPI_INT, target, 0, kElements, MPI_INT, win, &requests[k]);
    if (k == 0 && early) {
      MPI_Wait(&requests[k], MPI_STATUS_IGNORE);
      CHECK_TRUE(all_from(got[k], target));
    }
    if (one_by_one) MPI_Win_unlock(target, win);
    if (end == End::kFlush) MPI_Win_flush(target, win);
    if (end == End::kFlushLocal) MPI_Win_flush_local(target, win);
  }
  if (end == End::kFlushAll) MPI_Win_flush_all(win);
  if (end == End::kFlushLocalAll) MPI_Win_flush_local_all(win);
  if (end == End::kUnlockAll) MPI_Win_unlock_all(win);
  if (end == End::kWait) MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  if (!may_end_early(end)) {
    for (int k = 0; k < 2; ++k) CHECK_TRUE(all_from(got[k], targets[k]));
  }
  MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  int flag = 0;
  while (flag == 0) MPI_Test(&requests[1], &flag, MPI_STATUS_IGNORE);
  for (int k = 0; k < 2; ++k) CHECK_TRUE(all_from(got[k], targets[k]));
  for (const MPI_Request request : requests) CHECK_TRUE(request == MPI_REQUEST_NULL);
  if (!one_by_one && end != End::kUnlockAll) MPI_Win_unlock_all(win);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, size = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  Checks t(rank);
  int* memory = nullptr;
  MPI_Win win = MPI_WIN_NULL;
  MPI_Win_allocate(kElements * static_cast<MPI_Aint>(sizeof(int)), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory,
                   &win);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, win);
  for (int i = 0; i < kElements; ++i) memory[i] = value(rank, i);
  MPI_Win_unlock(rank, win);
  MPI_Barrier(MPI_COMM_WORLD);
  const std::vector<std::pair<const char*, End>> ends = {
      {"unlock", End::kUnlock},      {"unlock all", End::kUnlockAll},   {"flush", End::kFlush},
      {"flush all", End::kFlushAll}, {"flush local", End::kFlushLocal}, {"flush local all", End::kFlushLocalAll},
      {"wait", End::kWait},
  };
  for (const auto& [name, end] : ends) {
    t.run(name, [&, end = end] {
      get_twice(t, win, rank, size, end, false);
      if (end != End::kWait) get_twice(t, win, rank, size, end, true);
    });
  }
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Win_free(&win);
  const int code = t.finish();
  MPI_Finalize();
  return code;
}
