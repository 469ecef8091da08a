// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/supply/completion.h"

#include <unordered_map>
#include <utility>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/report_error.h"

namespace strata::mpix {
namespace {

std::unordered_map<MPI_Request, std::function<void()>>& waiting() {
  static auto& all = *new std::unordered_map<MPI_Request, std::function<void()>>;
  return all;
}

}  // namespace

void start_collective(MPI_Request* request, const std::vector<simgrid::smpi::Request*>& parts,
                      std::function<void()> then) {
  check(STRATA_BEHIND(Ibarrier)(MPI_COMM_SELF, request));  // a collective without parts
  when_complete(*request, std::move(then));
  (*request)->start_nbc_requests(parts);
}

void when_complete(MPI_Request request, std::function<void()> then) {
  waiting().insert_or_assign(request, std::move(then));
}

}  // namespace strata::mpix

namespace simgrid::smpi {

int Request::finish_nbc_requests(Request** request, int test) {
  static auto* const smpis = strata::mpix::behind<decltype(Request::finish_nbc_requests)>(kRequestFinishParts);
  Request* const collective = *request;
  const int ended = smpis(request, test);
  if (ended != 1) return ended;
  auto& waiting = strata::mpix::waiting();
  const auto at = waiting.find(collective);
  if (at == waiting.end()) return ended;
  const std::function<void()> then = std::move(at->second);
  waiting.erase(at);
  then();
  return ended;
}

}  // namespace simgrid::smpi
