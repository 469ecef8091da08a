// SPDX-License-Identifier: LGPL-2.1-only
// Communicators that are created and freed again and again, and threads that do so at the same time.
#include <fcntl.h>
#include <mpi.h>

#include <array>
#include <chrono>
#include <thread>
#include <vector>

#include "mpi_ext/mpix.h"
#include "tests/mpi_ext/checks.h"
#include "tests/mpi_ext/communicators.h"
#include "tests/mpi_ext/expected.h"
#include "tests/mpi_ext/hierarchy/broadcasts.h"
#include "tests/mpi_ext/hierarchy/tests.h"

thread_local std::chrono::milliseconds g_before_sending{0};

// Called through the profiling interface, under a real MPI, for all messages of the library.
extern "C" int MPI_Isend(const void* buffer, int count, MPI_Datatype datatype, int dest, int tag, MPI_Comm comm,
                         MPI_Request* request) {
  if (g_before_sending.count() > 0) std::this_thread::sleep_for(g_before_sending);
  return PMPI_Isend(buffer, count, datatype, dest, tag, comm, request);
}

namespace strata::mpix::testing {

void create_and_free(Checks& t, MPI_Comm world) {
  MPI_Comm dup, comm = MPI_COMM_NULL, roots = MPI_COMM_NULL, node = MPI_COMM_NULL;
  MPI_Comm_dup(world, &dup);
  check_contiguous(t, {dup, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_BINOMIAL}, 3, size_of(dup) - 1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_with_roots(dup, MPI_INFO_NULL, &comm, &roots));
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(dup, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node));
  check_contiguous(t, {node, MPIX_HIERARCHY_NULL, MPIX_ALGORITHM_LINEAR}, 1, 0);
  MPIX_Hierarchy h = MPIX_HIERARCHY_NULL;
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create(dup, MPI_INFO_NULL, &h));
  check_contiguous(t, {dup, h, MPIX_ALGORITHM_LINEAR}, 3, size_of(dup) - 1);
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  const std::array<int, 2> groups = {1, size_of(dup)};
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_create_groups(dup, 2, groups.data(), &h));
  CHECK_EQ(MPI_SUCCESS, MPIX_Hierarchy_free(&h));
  // The other way: with keys, and one rank that does not take part.
  MPI_Comm package = MPI_COMM_NULL;
  MPI_Info info, resources;
  MPI_Info_create(&info);
  MPI_Info_set(info, const_cast<char*>("mpi_hw_resource_type"), const_cast<char*>("Package"));
  const int type = rank_in(dup) == 0 ? static_cast<int>(MPI_UNDEFINED) : MPIX_COMM_TYPE_HW_GUIDED;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_split_type(dup, type, -rank_in(dup), info, &package));
  release(package);
  MPI_Info_free(&info);
  CHECK_EQ(MPI_SUCCESS, MPIX_Get_hw_resource_info(&resources));
  MPI_Info_free(&resources);
  std::array<MPI_Comm, 8> levels, level_roots;
  int depth = 0;
  CHECK_EQ(MPI_SUCCESS, MPIX_Comm_hsplit_all(dup, MPI_INFO_NULL, 8, levels.data(), level_roots.data(), &depth));
  for (int i = 0; i < 8; ++i) {
    release(levels[i]);
    release(level_roots[i]);
  }
  release(node);
  release(roots);
  release(comm);
  MPI_Comm_free(&dup);
}

namespace {

// An allgather from MPI_BOTTOM, in which the library sends the caller's block to itself. Its word differs between
// threads and rounds, and threads wait for different times before they send: a thread that received another thread's
// message would get its word.
void check_own_word(Checks& t, MPI_Comm comm, int thread, int round) {
  const auto word_of = [&](int rank) { return rank + 100 * thread + 1000 * round; };
  int mine = word_of(rank_in(comm)), one = 1;
  MPI_Aint place = 0;
  MPI_Get_address(&mine, &place);
  MPI_Datatype absolute;
  MPI_Type_create_hindexed(1, &one, &place, MPI_INT, &absolute);
  MPI_Type_commit(&absolute);
  std::vector<int> got(size_of(comm), -1), expected(got.size());
  for (size_t r = 0; r < expected.size(); ++r) expected[r] = word_of(static_cast<int>(r));
  g_before_sending = std::chrono::milliseconds((thread + round) % 3);
  CHECK_EQ(MPI_SUCCESS, MPIX_Allgather(MPI_BOTTOM, 1, absolute, got.data(), 1, MPI_INT, comm, MPIX_ALGORITHM_LINEAR));
  g_before_sending = std::chrono::milliseconds(0);
  CHECK_EQ(expected, got);
  MPI_Type_free(&absolute);
}

}  // namespace

void test_threads(Checks& t) {
  constexpr int kThreads = 4;
  std::array<MPI_Comm, kThreads> comms;
  for (MPI_Comm& c : comms) MPI_Comm_dup(MPI_COMM_WORLD, &c);
  std::vector<Checks> counted(kThreads, Checks(rank_in(MPI_COMM_WORLD)));
  std::vector<std::thread> threads;
  for (int i = 0; i < kThreads; ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 50; ++round) {
        check_own_word(counted[i], comms[i], i, round);
        create_and_free(counted[i], comms[i]);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (const Checks& c : counted) t.add(c);
  for (MPI_Comm& c : comms) MPI_Comm_free(&c);
}

}  // namespace strata::mpix::testing
