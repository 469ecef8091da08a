// SPDX-License-Identifier: LGPL-2.1-only
// Questions of Open MPI's ranks about each other in MPI_Init that the board can answer. libpmix would pass each to its
// thread and wait for the answer, some 40 us; with 512 ranks there are 500,000 questions:
//
//   rank 3:  PMIx_Put("pml.ucx.4.1", address)         also notes on the board that its worker has this key
//   rank 0:  PMIx_Get({job, 3}, "pml.ucx.4.1")        the address of that worker
//   rank 0:  PMIx_Get({job, 3}, "pmix.hname")         the name of its node
//
// All other questions go to libpmix, and so do these if the board does not have the answer yet.
#include <pmix.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

#include "base/fnv.h"
#include "native/rank/exported.h"
#include "native/rank/launcher_functions.h"
#include "native/rank/process.h"
#include "native/rank/worker.h"

namespace strata::native {
namespace {

constexpr std::uint64_t kWorkerBits = 0xffff;
std::uint64_t key_bits(const char* key) { return fnv1a(key) & ~kWorkerBits; }

// The rank of the run; -1: it has no slot.
int rank_of(const pmix_proc_t& process) {
  thread_local char job[sizeof Slot::job];  // the last one that was asked for
  thread_local int first = -1, size = 0;
  if (process.rank > PMIX_RANK_VALID) return -1;
  if (first < 0 || std::strncmp(job, process.nspace, sizeof job) != 0) {
    const auto is_of_job = [&](int r) { return std::strncmp(board().slot(r).job, process.nspace, sizeof job) == 0; };
    const int ranks = static_cast<int>(board().ranks.load());
    for (first = 0; first < ranks && !is_of_job(first);) ++first;
    for (size = 0; first + size < ranks && is_of_job(first + size);) ++size;
    if (size == 0) return first = -1;
    std::memcpy(job, board().slot(first).job, sizeof job);
  }
  return process.rank < static_cast<pmix_rank_t>(size) ? first + static_cast<int>(process.rank) : -1;
}

pmix_value_t* new_value(pmix_data_type_t type) {
  auto* const value = static_cast<pmix_value_t*>(std::calloc(1, sizeof(pmix_value_t)));
  value->type = type;
  return value;
}

// The caller frees it with libpmix's macros, which call free(). Null: not known.
pmix_value_t* answer(const Slot& of, int rank, const char* key) {
  if (std::strncmp(key, PMIX_HOSTNAME, PMIX_MAX_KEYLEN) == 0) {
    pmix_value_t* const value = new_value(PMIX_STRING);
    value->data.string = ::strdup(of.host);
    return value;
  }
  const std::uint64_t known = of.worker_key.load(std::memory_order_relaxed);
  if (known == 0 || (known & ~kWorkerBits) != key_bits(key)) return nullptr;
  const WorkerAddress address = {.rank = rank, .worker = static_cast<std::uint32_t>(known & kWorkerBits)};
  pmix_value_t* const value = new_value(PMIX_BYTE_OBJECT);
  value->data.bo.size = sizeof address;
  value->data.bo.bytes = static_cast<char*>(std::malloc(sizeof address));
  std::memcpy(value->data.bo.bytes, &address, sizeof address);
  return value;
}

}  // namespace
}  // namespace strata::native

using namespace strata::native;

STRATA_EXPORTED pmix_status_t PMIx_Put(pmix_scope_t scope, const char* key, pmix_value_t* value) {
  static auto* const function = launcher_function<pmix_status_t(pmix_scope_t, const char*, pmix_value_t*)>("PMIx_Put");
  if (attached() && value->type == PMIX_BYTE_OBJECT && value->data.bo.size == sizeof(WorkerAddress)) {
    WorkerAddress address;
    std::memcpy(&address, value->data.bo.bytes, sizeof address);
    if (address.mark == WorkerAddress::kMark && address.rank == my_rank() && address.worker <= kWorkerBits)
      slot().worker_key.store(key_bits(key) | address.worker, std::memory_order_relaxed);
  }
  return function(scope, key, value);
}

STRATA_EXPORTED pmix_status_t PMIx_Get(const pmix_proc_t* process, const char* key, const pmix_info_t* wishes,
                                       std::size_t wish_count, pmix_value_t** value) {
  static auto* const function = launcher_function<pmix_status_t(const pmix_proc_t*, const char*, const pmix_info_t*,
                                                                std::size_t, pmix_value_t**)>("PMIx_Get");
  if (attached() && process != nullptr && key != nullptr) {
    const int rank = rank_of(*process);
    pmix_value_t* const known = rank < 0 ? nullptr : answer(board().slot(rank), rank, key);
    if (known != nullptr) {
      *value = known;
      return PMIX_SUCCESS;
    }
  }
  return function(process, key, wishes, wish_count, value);
}
