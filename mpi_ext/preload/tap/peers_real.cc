// SPDX-License-Identifier: LGPL-2.1-only
// Looks up ranks in MPI_COMM_WORLD once for each communicator and window, and keeps them as its attribute. Each thread
// also remembers the last handle that it used.
#include <atomic>
#include <cstdint>
#include <mutex>
#include <numeric>
#include <vector>

#include "mpi_ext/preload/tap/peers.h"

namespace strata::mpix {
namespace {

// By rank; MPI_UNDEFINED for processes that are not in MPI_COMM_WORLD.
using Ranks = std::vector<int>;

std::mutex g_lookup;
// The number of freed handles with ranks. Needed because MPI may reuse the value of a freed handle.
std::atomic<std::uint64_t> g_freed{0};

void forget(void* ranks) {
  g_freed.fetch_add(1, std::memory_order_release);
  delete static_cast<Ranks*>(ranks);
}

Ranks* ranks_of(MPI_Group group) {
  int size = 0;
  PMPI_Group_size(group, &size);
  Ranks here(size);
  auto* const ranks = new Ranks(size);
  std::iota(here.begin(), here.end(), 0);
  MPI_Group world = MPI_GROUP_NULL;
  PMPI_Comm_group(MPI_COMM_WORLD, &world);
  PMPI_Group_translate_ranks(group, size, here.data(), world, ranks->data());
  PMPI_Group_free(&world);
  PMPI_Group_free(&group);
  return ranks;
}

// The operations that differ between communicators and windows.
struct Comms {
  static int make_keyval(int* keyval) {
    const auto deleted = [](MPI_Comm, int, void* ranks, void*) {
      forget(ranks);
      return MPI_SUCCESS;
    };
    return PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, deleted, keyval, nullptr);
  }
  static void get(MPI_Comm comm, int keyval, Ranks** ranks, int* found) {
    PMPI_Comm_get_attr(comm, keyval, static_cast<void*>(ranks), found);
  }
  static void set(MPI_Comm comm, int keyval, Ranks* ranks) { PMPI_Comm_set_attr(comm, keyval, ranks); }
  static MPI_Group receivers(MPI_Comm comm) {
    MPI_Group group = MPI_GROUP_NULL;
    int inter = 0;
    PMPI_Comm_test_inter(comm, &inter);
    if (inter != 0) {
      PMPI_Comm_remote_group(comm, &group);
    } else {
      PMPI_Comm_group(comm, &group);
    }
    return group;
  }
};

struct Windows {
  static int make_keyval(int* keyval) {
    const auto deleted = [](MPI_Win, int, void* ranks, void*) {
      forget(ranks);
      return MPI_SUCCESS;
    };
    return PMPI_Win_create_keyval(MPI_WIN_NULL_COPY_FN, deleted, keyval, nullptr);
  }
  static void get(MPI_Win win, int keyval, Ranks** ranks, int* found) {
    PMPI_Win_get_attr(win, keyval, static_cast<void*>(ranks), found);
  }
  static void set(MPI_Win win, int keyval, Ranks* ranks) { PMPI_Win_set_attr(win, keyval, ranks); }
  static MPI_Group receivers(MPI_Win win) {
    MPI_Group group = MPI_GROUP_NULL;
    PMPI_Win_get_group(win, &group);
    return group;
  }
};

template <class Handles, class Handle>
const Ranks& find(Handle handle) {
  thread_local Handle last;
  thread_local const Ranks* ranks = nullptr;
  thread_local std::uint64_t freed = 0;
  const std::uint64_t freed_now = g_freed.load(std::memory_order_acquire);
  if (ranks != nullptr && last == handle && freed == freed_now) return *ranks;

  const std::lock_guard lock(g_lookup);
  static const int keyval = [] {
    int made = MPI_KEYVAL_INVALID;
    Handles::make_keyval(&made);
    return made;
  }();
  Ranks* known = nullptr;
  int found = 0;
  Handles::get(handle, keyval, &known, &found);
  if (found == 0) {
    known = ranks_of(Handles::receivers(handle));
    Handles::set(handle, keyval, known);
  }
  last = handle;
  ranks = known;
  freed = freed_now;
  return *known;
}

ProcessId at(const Ranks& ranks, int rank) {
  if (rank < 0 || static_cast<std::size_t>(rank) >= ranks.size()) return kNobody;
  return ranks[rank] == MPI_UNDEFINED ? kNobody : ranks[rank];
}

}  // namespace

ProcessId calling_process() {
  static const int rank = [] {
    int mine = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &mine);
    return mine;
  }();
  return rank;
}

ProcessId peer(MPI_Comm comm, int rank) { return at(find<Comms>(comm), rank); }

ProcessId window_peer(MPI_Win win, int rank) { return at(find<Windows>(win), rank); }

}  // namespace strata::mpix
