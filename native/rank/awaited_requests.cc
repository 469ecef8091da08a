// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/awaited_requests.h"

#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <unordered_map>
#include <vector>

#include "native/board/function_names.h"
#include "native/board/process_memory.h"
#include "native/rank/call_entries.h"
#include "native/rank/process.h"
#include "native/rank/turns.h"
#include "native/rank/ucp_requests.h"
#include "native/rank/worker.h"

namespace strata::native {
namespace {

// Beyond, it would take longer to compare them than to continue.
constexpr std::size_t kMostRequests = Slot::kMostOpen;

using Handle = std::uint64_t;  // Open MPI: the address of the request. MPICH: an integer

// NOLINTBEGIN(performance-no-int-to-ptr): the program's arguments, as in registers
const int* fortran_requests(const Call& call) { return reinterpret_cast<const int*>(call.arguments[1]); }
void* const* open_mpi_requests(const Call& call) { return reinterpret_cast<void* const*>(call.arguments[1]); }
std::size_t number_of_requests(const Call& call) {
  const int count = call.is_fortran ? *reinterpret_cast<const int*>(call.arguments[0])
                                    : static_cast<int>(static_cast<std::uint32_t>(call.arguments[0]));
  return static_cast<std::size_t>(std::max(count, 0));
}
// NOLINTEND(performance-no-int-to-ptr)

// Sorted.
std::vector<Handle> requests_in(const Call& call) {
  std::vector<Handle> all(number_of_requests(call));
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (is_mpich()) {  // the same in C and Fortran
      all[i] = static_cast<std::uint32_t>(fortran_requests(call)[i]);
    } else if (call.is_fortran) {
      static auto* const to_c = reinterpret_cast<void* (*)(int)>(::dlsym(RTLD_DEFAULT, "PMPI_Request_f2c"));
      all[i] = to_c == nullptr ? 0 : reinterpret_cast<Handle>(to_c(fortran_requests(call)[i]));
    } else {
      all[i] = reinterpret_cast<Handle>(open_mpi_requests(call)[i]);
    }
  }
  std::sort(all.begin(), all.end());
  return all;
}

// Of MPICH's request at this address, which begins with its handle and keeps it when it is used again. 0: nothing is
// there.
Handle mpich_handle(std::uint64_t address) {
  static auto& known = *new std::unordered_map<std::uint64_t, Handle>;
  const auto [at, is_new] = known.try_emplace(address, 0);
  if (std::uint32_t handle = 0; is_new && read_memory(::getpid(), address, &handle, sizeof handle)) at->second = handle;
  return at->second;
}

bool is_in(const std::vector<Handle>& sorted, Handle handle) {
  return std::binary_search(sorted.begin(), sorted.end(), handle);
}

// MPICH gives the address of its request to UCP as user data, or keeps it in its part of UCP's request.
bool is_awaited(Request& r, const std::vector<Handle>& awaited) {
  if (!is_mpich()) return is_in(awaited, reinterpret_cast<Handle>(r.user_part()));
  return is_in(awaited, mpich_handle(reinterpret_cast<std::uint64_t>(r.user_data))) ||
         is_in(awaited, mpich_handle(*static_cast<const std::uint64_t*>(r.user_part())));
}

void add_open_receives(const Worker& worker) {
  worker.posted.for_each([&](const Request& r) {
    slot().open_receives[slot().open++] = {.tag = r.tag, .mask = r.mask, .worker = worker.number};
  });
}

}  // namespace

Needed messages_needed() {
  static const int wait_all = function_number("MPI_Waitall");
  const std::vector<Request*>& incomplete = incomplete_requests();
  if (current_function() != wait_all || incomplete.empty() || incomplete.size() > kMostRequests) return {};
  // A recording has when each message was matched; threads may wait for different requests.
  if (!is_virtual() || is_recorded() || takes_turns()) return {};
  const std::vector<Handle> awaited = requests_in(slot().call);
  const bool all =
      std::all_of(incomplete.begin(), incomplete.end(), [&](Request* r) { return is_awaited(*r, awaited); });
  if (!all) return {};
  slot().open = 0;
  std::vector<const Worker*> workers;
  for (const Request* const r : incomplete) {
    if (!PostedReceives::is_posted(*r) || std::find(workers.begin(), workers.end(), r->worker) != workers.end())
      continue;
    workers.push_back(r->worker);
    add_open_receives(*r->worker);
  }
  const auto requests = static_cast<std::uint32_t>(incomplete.size());
  return {.open = slot().open, .completions = requests - slot().open};
}

}  // namespace strata::native
