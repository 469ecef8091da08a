// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/freed.h"

#include <exception>
#include <map>
#include <simgrid/s4u/Actor.hpp>
#include <utility>
#include <vector>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/computation.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

// By rank.
std::map<aid_t, std::vector<Request*>>& kept() {
  static std::map<aid_t, std::vector<Request*>> requests;
  return requests;
}

// Ends those of the calling rank that are complete. A receive of a derived datatype unpacks its message only then.
void end_complete_ones() {
  const auto mine = kept().find(simgrid::s4u::this_actor::get_pid());
  if (mine == kept().end()) return;
  std::vector<Request*> complete;
  std::erase_if(mine->second, [&complete](Request* request) {
    const bool done = request->message() == nullptr || request->message()->done();
    if (done) complete.push_back(request);
    return done;
  });
  if (mine->second.empty()) kept().erase(mine);
  for (Request* request : complete) Request::wait(&request, MPI_STATUS_IGNORE);
}

// Waits for all of the calling rank.
void end_all() {
  auto mine = kept().extract(simgrid::s4u::this_actor::get_pid());
  if (mine.empty()) return;
  const BetweenComputation now;
  for (Request* request : mine.mapped()) Request::wait(&request, MPI_STATUS_IGNORE);
}

}  // namespace

void keep_freed(MPI_Request request) { kept()[simgrid::s4u::this_actor::get_pid()].push_back(request); }

}  // namespace strata::mpix

extern "C" {

// At the end of each MPI function.
void smpi_bench_begin() {
  static auto* const smpis = strata::mpix::behind<void()>("smpi_bench_begin");
  // Not if the rank is being killed, which is an exception.
  if (!strata::mpix::kept().empty() && std::uncaught_exceptions() == 0) strata::mpix::end_complete_ones();
  smpis();
}

int PMPI_Finalize() {
  strata::mpix::end_all();
  return STRATA_BEHIND(Finalize)();
}
}
