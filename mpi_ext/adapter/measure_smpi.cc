// SPDX-License-Identifier: LGPL-2.1-only
#include <smpi/smpi.h>

#include <algorithm>
#include <set>
#include <simgrid/s4u.hpp>
#include <vector>

#include "mpi_ext/adapter/measure.h"
#include "mpi_ext/ranks.h"
#include "records/exchange/address.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/together.h"
#include "records/exchange/traced_work.h"

namespace strata::mpix {
namespace {

// Memory shared by ranks. SMPI's own sharing would map the pages again for each rank, but the kernel allows a process
// at most 65,530 mappings, including stacks. A rank holds a region only once, so its payloads do not overlap.
struct Region {
  void* start;
  std::size_t bytes;
  std::set<const simgrid::s4u::Actor*> holders;
};

// All ranks are in one process and run one at a time.
std::vector<Region>& regions() {
  static std::vector<Region> all;
  return all;
}

}  // namespace

double start_together(MPI_Comm comm) {
  std::vector<int> ranks;
  if (strata_read_clock != nullptr) {
    ranks = translate_ranks(all_ranks_of(comm), comm, MPI_COMM_WORLD);
    strata_read_clock(ranks.data(), static_cast<int>(ranks.size()));
  }
  double now = MPI_Wtime(), start = 0;
  MPI_Allreduce(&now, &start, 1, MPI_DOUBLE, MPI_MAX, comm);
  start += kTogetherAfter;
  if (strata_start_together != nullptr) strata_start_together(ranks.data(), static_cast<int>(ranks.size()));
  simgrid::s4u::this_actor::sleep_until(start);
  if (strata_work_end != nullptr) strata_work_end();
  return start;
}

void let_others_finish(MPI_Comm) {
  // In s of simulated time. This costs nothing, and leaves the clock 12 digits after the decimal point.
  constexpr double kLongerThanAnyStudy = 1e4;
  const TracedWork traced(TracedWork::kSleep, kLongerThanAnyStudy);
  simgrid::s4u::this_actor::sleep_for(kLongerThanAnyStudy);
}

long messages_sent() {
  // The platform plugin publishes the address of its count.
  const auto* count = address_in<const long>(
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property(words::kMessagesProperty));
  return count == nullptr ? -1 : *count;
}

void* allocate_payload(std::size_t bytes) {
  const simgrid::s4u::Actor* rank = simgrid::s4u::Actor::self();
  for (Region& r : regions()) {
    if (r.bytes == bytes && r.holders.insert(rank).second) return r.start;
  }
  regions().push_back({SMPI_SHARED_MALLOC(bytes == 0 ? 1 : bytes), bytes, {rank}});
  return regions().back().start;
}

void free_payload(void* payload) {
  const auto r =
      std::find_if(regions().begin(), regions().end(), [&](const Region& other) { return other.start == payload; });
  if (r == regions().end()) return;
  r->holders.erase(simgrid::s4u::Actor::self());
  if (!r->holders.empty()) return;
  SMPI_SHARED_FREE(payload);
  regions().erase(r);
}

bool is_payload(const void* buffer) {
  const char* at = static_cast<const char*>(buffer);
  return std::any_of(regions().begin(), regions().end(), [&](const Region& r) {
    const char* start = static_cast<const char*>(r.start);
    return start <= at && at < start + r.bytes;
  });
}

}  // namespace strata::mpix
