// SPDX-License-Identifier: LGPL-2.1-only
// The status of generalized requests (MPI 4.0, Section 13.2). SMPI empties the status that the program's query function
// has filled in MPI_Wait, and does not call this function in MPI_Test. Here it is called once, when the request ends.
#include "mpi_ext/preload/supply/generalized.h"

#include <map>
#include <memory>

#include "mpi_ext/preload/supply/behind.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

struct Generalized {
  MPI_Grequest_query_function* query;
  MPI_Grequest_free_function* free;
  MPI_Grequest_cancel_function* cancel;
  void* state;
  MPI_Request request = MPI_REQUEST_NULL;
  bool queried = false;
  int code = MPI_SUCCESS;
  MPI_Status status = {};

  int ask() {
    if (!queried) {
      status.MPI_SOURCE = status.MPI_TAG = MPI_UNDEFINED;
      code = query(state, &status);
      queried = true;
    }
    return code;
  }
};

std::map<MPI_Request, std::unique_ptr<Generalized>>& requests() {
  static auto& all = *new std::map<MPI_Request, std::unique_ptr<Generalized>>;
  return all;
}

// What SMPI gets as functions, with the Generalized as state.
int query(void* of, MPI_Status* status) {
  auto* const one = static_cast<Generalized*>(of);
  const int code = one->ask();
  if (status != MPI_STATUS_IGNORE) *status = one->status;
  return code;
}
int release(void* of) {
  auto* const one = static_cast<Generalized*>(of);
  const int code = one->free(one->state);
  requests().erase(one->request);
  return code;
}
int cancel(void* of, int complete) {
  auto* const one = static_cast<Generalized*>(of);
  return one->cancel(one->state, complete);
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

bool strata::mpix::end_generalized(MPI_Request* request, MPI_Status* status,
                                   const std::function<void(MPI_Request*, MPI_Status*)>& end) {
  const auto at = requests().find(*request);
  if (at == requests().end()) return false;
  at->second->ask();
  const MPI_Status told = at->second->status;
  end(request, MPI_STATUS_IGNORE);  // may free the request
  *request = MPI_REQUEST_NULL;      // SMPI takes it for a persistent one, which stays
  if (status != MPI_STATUS_IGNORE) *status = told;
  return true;
}

extern "C" {

int PMPI_Grequest_start(MPI_Grequest_query_function* query_fn, MPI_Grequest_free_function* free_fn,
                        MPI_Grequest_cancel_function* cancel_fn, void* extra_state, MPI_Request* request) {
  if (query_fn == nullptr || free_fn == nullptr || cancel_fn == nullptr || request == nullptr) return MPI_ERR_ARG;
  auto one = std::make_unique<Generalized>(Generalized{query_fn, free_fn, cancel_fn, extra_state});
  const int code = STRATA_BEHIND(Grequest_start)(query, release, cancel, one.get(), request);
  if (code != MPI_SUCCESS) return code;
  one->request = *request;
  requests().insert_or_assign(*request, std::move(one));
  return MPI_SUCCESS;
}
}
