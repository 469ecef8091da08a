// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/mpich_addresses.h"

#include <cstddef>
#include <vector>

#include "native/rank/process.h"
#include "native/rank/worker.h"

namespace strata::native {
namespace {

constexpr std::ptrdiff_t kLeastEntry = 16, kLargestEntry = 1 << 20;  // B
constexpr std::ptrdiff_t kFromEnd = 8;  // is_local begins this far before the entry's end, B

std::vector<unsigned char*>& handles() {
  static std::vector<unsigned char*> all;
  return all;
}

bool is_local(int rank) { return board().slot(rank).node == slot().node; }

}  // namespace

void remember_handle(int rank, void* where) {
  if (handles().empty()) handles().resize(board().ranks);
  if (rank >= static_cast<int>(handles().size())) return;  // another rank has started it since
  unsigned char*& handle = handles()[rank];
  if (handle == nullptr) handle = static_cast<unsigned char*>(where);
}

void send_all_through_ucp() {
  const auto ranks = static_cast<int>(board().ranks);
  if (ranks < 2) return;
  constexpr const char* kHint = "its address table is not as in MPICH 4.0 to 4.2; run it with Open MPI or --mpi smpi";
  if (static_cast<int>(handles().size()) != ranks) fail("this MPICH does not connect through UCX: %s", kHint);
  unsigned char* const first = handles()[0];
  const std::ptrdiff_t entry = handles()[1] - first;
  if (first == nullptr || entry < kLeastEntry || entry > kLargestEntry) fail("this MPICH is not known: %s", kHint);
  for (int r = 0; r < ranks; ++r) {
    unsigned char* const handle = handles()[r];
    if (handle - first != entry * r || (handle[entry - kFromEnd] != 0) != is_local(r))
      fail("this MPICH is not known: %s", kHint);
  }
  for (int r = 0; r < ranks; ++r) first[entry * r + entry - kFromEnd] = 0;
}

}  // namespace strata::native
