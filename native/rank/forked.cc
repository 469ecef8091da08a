// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/forked.h"

#include <pthread.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "native/board/function_names.h"
#include "native/rank/process.h"

namespace strata::native {
namespace {

constexpr std::array<std::string_view, 7> kQuestions = {
    "MPI_Initialized",  "MPI_Finalized",      "MPI_Get_version", "MPI_Get_library_version",
    "MPI_Query_thread", "MPI_Is_thread_main", "MPI_Wtick"};

Slot* rank_before = nullptr;  // of the process that forks
Slot* rank_of_parent = nullptr;
int number_of_rank = -1;

void before_fork() {
  rank_before = attached() ? &slot() : nullptr;
  if (attached()) number_of_rank = my_rank();
}
void in_child() {
  if (rank_before != nullptr) rank_of_parent = rank_before;
}

__attribute__((constructor)) void watch_forks() { ::pthread_atfork(before_fork, nullptr, in_child); }

}  // namespace

void refuse_forked(int function) {
  if (rank_of_parent == nullptr || rank_of_parent->pid == 0) return;
  const std::string_view name = function_name(function);
  if (std::find(kQuestions.begin(), kQuestions.end(), name) != kQuestions.end()) return;
  std::snprintf(rank_of_parent->failure, sizeof rank_of_parent->failure,
                "rank %d calls %.*s in a process that it has forked; only the process that called MPI_Init may do so",
                number_of_rank, static_cast<int>(name.size()), name.data());
  ::kill(rank_of_parent->pid, SIGKILL);  // the launcher then reads the line
  ::_exit(98);
}

}  // namespace strata::native
