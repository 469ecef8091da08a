// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/life.h"

#include <dlfcn.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <ctime>

#include "native/board/function_names.h"
#include "native/rank/mpich_addresses.h"
#include "native/rank/process.h"

namespace strata::native {
namespace {

struct Numbers {
  int init = function_number("MPI_Init"), init_thread = function_number("MPI_Init_thread"),
      finalize = function_number("MPI_Finalize");
};
const Numbers& numbers() {
  static const Numbers all;
  return all;
}

bool is_mpich() {
  return ::dlsym(RTLD_DEFAULT, "MPIR_Process") != nullptr || ::dlsym(RTLD_DEFAULT, "MPIR_Err_create_code") != nullptr;
}

double processor_time_s() {
  timespec t;
  ::syscall(SYS_clock_gettime, CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

thread_local double computing_since_s = -1;

void start() {
  if (is_mpich()) send_all_through_ucp();
  wait_for(Block::kStart);
}

}  // namespace

void charge_computation() {
  if (!is_virtual() || board().computation <= 0) return;
  const double now_s = processor_time_s();
  if (computing_since_s >= 0) {
    const Lock lock;
    compute(std::max(0.0, now_s - computing_since_s) * board().computation);
  }
  computing_since_s = now_s;
}

void begin_call(int function, std::uint64_t* /*arguments*/) {
  if (function == numbers().init || function == numbers().init_thread) return claim();
  charge_computation();
  if (function == numbers().finalize && is_virtual()) wait_for(Block::kFinish);
}

void end_call(int function) {
  if (function == numbers().init || function == numbers().init_thread) start();
  if (is_virtual() && board().computation > 0) computing_since_s = processor_time_s();
}

}  // namespace strata::native
