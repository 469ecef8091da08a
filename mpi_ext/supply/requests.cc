// SPDX-License-Identifier: LGPL-2.1-only
// Functions that wait for one of several requests, some of which are nonblocking collectives. SMPI's MPI_Waitany waits
// for the first collective even if another request is complete, and its MPI_Testany ignores collectives. Here, the
// parts of a collective are waited for together with the other requests. When the last part is complete, so is the
// collective.
#include <mpi.h>

#include <algorithm>
#include <vector>

#include "mpi_ext/supply/behind.h"
#include "sim/simgrid/request.h"

extern "C" {
// SMPI calls these at the start and the end of an MPI function: the program's computation ends, and begins again.
void smpi_bench_end();
void smpi_bench_begin();
}

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

bool is_collective(MPI_Request request) {
  return request != MPI_REQUEST_NULL &&
         (request->flags() & (Request::kCollective | Request::kFinished)) == Request::kCollective;
}

bool any_collective(int count, const MPI_Request* requests) {
  return requests != nullptr && count > 0 && std::any_of(requests, requests + count, is_collective);
}

std::vector<Request*> parts_under_way(MPI_Request collective) {
  std::vector<Request*> parts = collective->get_nbc_requests();
  std::erase_if(parts, [](const Request* part) { return (part->flags() & Request::kFinished) != 0; });
  return parts;
}

int wait_for_one(std::vector<Request*>& requests, MPI_Status* status) {
  smpi_bench_end();
  const int at = Request::waitany(static_cast<int>(requests.size()), requests.data(), status);
  smpi_bench_begin();
  return at;
}

// Requires that at least one of the requests is a collective.
int wait_any(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  while (true) {
    std::vector<Request*> all;
    std::vector<int> request_of;  // by index in `all`
    for (int i = 0; i < count; ++i) {
      if (requests[i] == MPI_REQUEST_NULL) continue;
      const std::vector<Request*> waited =
          is_collective(requests[i]) ? parts_under_way(requests[i]) : std::vector<Request*>{requests[i]};
      if (waited.empty()) {
        *index = i;
        return STRATA_BEHIND(Wait)(&requests[i], status);
      }
      all.insert(all.end(), waited.begin(), waited.end());
      request_of.insert(request_of.end(), waited.size(), i);
    }
    MPI_Status own;
    const int at = wait_for_one(all, &own);
    if (at == MPI_UNDEFINED) return MPI_ERR_INTERN;
    const int i = request_of[static_cast<std::size_t>(at)];
    if (is_collective(requests[i])) continue;
    requests[i] = all[static_cast<std::size_t>(at)];
    if (status != MPI_STATUS_IGNORE) *status = own;
    *index = i;
    return own.MPI_ERROR;
  }
}

// The same without waiting.
int test_any(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  std::vector<MPI_Request> others(requests, requests + count);
  std::replace_if(others.begin(), others.end(), is_collective, static_cast<MPI_Request>(MPI_REQUEST_NULL));
  int code = STRATA_BEHIND(Testany)(count, others.data(), index, flag, status);
  for (int i = 0; i < count; ++i) {
    if (!is_collective(requests[i])) requests[i] = others[static_cast<std::size_t>(i)];
  }
  if (*flag != 0 && *index != MPI_UNDEFINED) return code;
  *flag = 0;
  for (int i = 0; i < count && *flag == 0; ++i) {
    if (!is_collective(requests[i])) continue;
    code = STRATA_BEHIND(Test)(&requests[i], flag, status);
    if (*flag != 0) *index = i;
  }
  if (*flag == 0) *index = MPI_UNDEFINED;
  return code;
}

// SMPI returns no request for a one-sided operation on the calling rank, and crashes on MPI_PROC_NULL. MPI requires a
// request in both cases, so this returns one that is complete.
template <class Operation>
int with_request(int target, MPI_Win win, MPI_Request* request, const Operation& operation) {
  if (request == nullptr) return MPI_ERR_ARG;
  if (win == MPI_WIN_NULL) return MPI_ERR_WIN;
  *request = MPI_REQUEST_NULL;
  const int code = target == MPI_PROC_NULL ? static_cast<int>(MPI_SUCCESS) : operation();
  if (code != MPI_SUCCESS || *request != MPI_REQUEST_NULL) return code;
  return STRATA_BEHIND(Ibarrier)(MPI_COMM_SELF, request);
}

}  // namespace
}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Waitany(int count, MPI_Request* requests, int* index, MPI_Status* status) {
  if (index == nullptr || !any_collective(count, requests))
    return STRATA_BEHIND(Waitany)(count, requests, index, status);
  return wait_any(count, requests, index, status);
}

int PMPI_Testany(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  if (index == nullptr || flag == nullptr || !any_collective(count, requests))
    return STRATA_BEHIND(Testany)(count, requests, index, flag, status);
  return test_any(count, requests, index, flag, status);
}

// Returns one request at a time, which MPI allows.
int PMPI_Waitsome(int count, MPI_Request* requests, int* outcount, int* indices, MPI_Status* statuses) {
  if (outcount == nullptr || indices == nullptr || !any_collective(count, requests))
    return STRATA_BEHIND(Waitsome)(count, requests, outcount, indices, statuses);
  *outcount = 1;
  return wait_any(count, requests, indices, statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses);
}

int PMPI_Rput(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
              MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  return with_request(target, win, request, [&] {
    return STRATA_BEHIND(Rput)(origin, count, type, target, at, target_count, target_type, win, request);
  });
}

int PMPI_Rget(void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
              MPI_Datatype target_type, MPI_Win win, MPI_Request* request) {
  return with_request(target, win, request, [&] {
    return STRATA_BEHIND(Rget)(origin, count, type, target, at, target_count, target_type, win, request);
  });
}

int PMPI_Raccumulate(const void* origin, int count, MPI_Datatype type, int target, MPI_Aint at, int target_count,
                     MPI_Datatype target_type, MPI_Op op, MPI_Win win, MPI_Request* request) {
  return with_request(target, win, request, [&] {
    return STRATA_BEHIND(Raccumulate)(origin, count, type, target, at, target_count, target_type, op, win, request);
  });
}

int PMPI_Rget_accumulate(const void* origin, int count, MPI_Datatype type, void* result, int result_count,
                         MPI_Datatype result_type, int target, MPI_Aint at, int target_count, MPI_Datatype target_type,
                         MPI_Op op, MPI_Win win, MPI_Request* request) {
  return with_request(target, win, request, [&] {
    return STRATA_BEHIND(Rget_accumulate)(origin, count, type, result, result_count, result_type, target, at,
                                          target_count, target_type, op, win, request);
  });
}
}
