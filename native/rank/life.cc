// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/life.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <string>

#include "native/board/function_names.h"
#include "native/rank/call_entries.h"
#include "native/rank/computation_times.h"
#include "native/rank/library_work.h"
#include "native/rank/mpich_addresses.h"
#include "native/rank/process.h"
#include "native/rank/ucp_progress.h"

namespace strata::native {
namespace {

struct Numbers {
  int init = function_number("MPI_Init"), init_thread = function_number("MPI_Init_thread"),
      finalize = function_number("MPI_Finalize"), win_sync = function_number("MPI_Win_sync");
};
const Numbers& numbers() {
  static const Numbers all;
  return all;
}

MessageTags tags_of_library() {
  const bool is_mpich =
      ::dlsym(RTLD_DEFAULT, "MPIR_Process") != nullptr || ::dlsym(RTLD_DEFAULT, "MPIR_Err_create_code") != nullptr;
  return is_mpich ? MessageTags::kMpich : MessageTags::kOpenMpi;
}

double processor_time_s() {
  timespec t;
  ::syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

thread_local double computing_since_s = -1;

// Whether the library has granted MPI_THREAD_MULTIPLE, whose number both have: 3.
bool has_threads() {
  constexpr int kMultiple = 3;
  auto* const query = reinterpret_cast<int (*)(int*)>(::dlsym(RTLD_DEFAULT, "PMPI_Query_thread"));
  int level = 0;
  return query != nullptr && query(&level) == 0 && level == kMultiple;
}

// Whether Open MPI still has communicators with ranks of other jobs.
bool is_connected() {
  const auto* const communicators = static_cast<const int*>(::dlsym(RTLD_DEFAULT, "ompi_comm_num_dyncomm"));
  return communicators == nullptr || *communicators > 0;
}

void start() {
  slot().has_threads = has_threads() ? 1 : 0;
  slot().tags = tags_of_library();
  find_copies();
  if (is_mpich()) send_all_through_ucp();
  slot().free_operations = (is_mpich() ? find_operations_of_mpich() : find_operations_of_open_mpi()) ? 0 : 1;
  something_happens();  // how often the library has looked in real time differs from run to run
  if (slot().is_spawned != 0) return begin_virtual_time();
  wait_for(Block::kStart);
}

}  // namespace

void begin_virtual_time() {
  if (has_joined()) return;
  claim();
  join();
  const Lock lock;
  if (is_virtual() && current_function() >= 0) post({.kind = Kind::kEnter, .function = current_function()});
}

void charge_computation() {
  if (!is_virtual()) return;
  if (board().computation == Computation::kRecorded) {
    const Lock lock;
    return compute(next_computation());
  }
  if (board().computation != Computation::kMeasured) return;
  const double now_s = processor_time_s();
  const double taken_s = computing_since_s < 0 ? 0 : std::max(0.0, now_s - computing_since_s);
  computing_since_s = now_s;
  const Lock lock;
  compute(taken_s * board().computation_s);
  keep_computation(taken_s * board().computation_s);
}

void begin_call(int function, std::uint64_t* /*arguments*/) {
  if (function == numbers().init || function == numbers().init_thread) return claim();
  charge_computation();
  if (is_virtual() && board().computation == Computation::kEach) {
    const Lock lock;
    compute(board().computation_s);
  }
  if (function != numbers().finalize) return;
  slot().may_leave = slot().is_spawned != 0 && !is_connected() ? 1 : 0;
  // Others may wait for messages that this rank has yet to receive: MPI_Request_free leaves such requests.
  while (is_virtual()) {
    wait_for(Block::kFinish);
    if (slot().has_left != 0) return leave();
    take_messages();
  }
}

void end_call(int function) {
  charge_work();
  if (function == numbers().init || function == numbers().init_thread) start();
  // Loops that wait for data in shared memory call it. Time must move for the data to come.
  if (function == numbers().win_sync && is_virtual()) poll();
  if (is_virtual() && board().computation == Computation::kMeasured) computing_since_s = processor_time_s();
}

}  // namespace strata::native
