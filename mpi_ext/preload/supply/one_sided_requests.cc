// SPDX-License-Identifier: LGPL-2.1-only
// MPI_Rput, MPI_Rget and similar functions, and what ends an access epoch or completes its operations.
//
// MPI_Win_unlock and MPI_Win_flush complete MPI_Rget too (MPI 4.0, Section 12.5): the data are there, although the
// program has not waited for the request. SMPI does not know such requests in its window. Here each window has a list
// of them. One that the end of an epoch has waited for is complete when the program waits for it.
#include "mpi_ext/preload/supply/one_sided_requests.h"

#include <algorithm>
#include <deque>
#include <unordered_map>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/group_actors.h"
#include "sim/simgrid/window.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Request;

bool has_ended(const Request* request) { return (request->flags() & Request::kFinished) != 0; }

// Requests of MPI_Rget by window, of which each rank has its own, in the order of the calls. Each has a reference.
using Gets = std::deque<MPI_Request>;
std::unordered_map<MPI_Win, Gets>& all_gets() {
  static auto& all = *new std::unordered_map<MPI_Win, Gets>;
  return all;
}

void keep_get(MPI_Win win, MPI_Request request) {
  Gets& gets = all_gets()[win];
  while (!gets.empty() && has_ended(gets.front())) {
    Request::unref(&gets.front());
    gets.pop_front();
  }
  request->ref();
  gets.push_back(request);
}

// Waits for the requests of MPI_Rget from this rank, or from all.
void complete_gets(MPI_Win win, const int* target) {
  const auto found = all_gets().find(win);
  if (found == all_gets().end()) return;
  const long from = target == nullptr ? 0 : members_of(win->comm())[*target];
  Gets waited, others;
  for (MPI_Request get : found->second)
    (target == nullptr || get->sender() == from || has_ended(get) ? waited : others).push_back(get);
  if (others.empty()) {
    all_gets().erase(found);
  } else {
    found->second = std::move(others);
  }
  for (MPI_Request get : waited) {
    const MPI_Request handle = get;
    if (has_ended(get)) {
      Request::unref(&get);
      continue;
    }
    MPI_Status status{};
    STRATA_BEHIND(Wait)(&get, &status);
    end_early(handle, status);
  }
}

// Ends an epoch, or completes its operations, for one target or all of them.
template <class Synchronization>
int completing(MPI_Win win, const int* target, const Synchronization& synchronize) {
  const int code = synchronize();
  if (code == MPI_SUCCESS && win != MPI_WIN_NULL && (target == nullptr || *target != MPI_PROC_NULL))
    complete_gets(win, target);
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

void forget_get(MPI_Request request) {
  for (auto& [win, gets] : all_gets()) {
    const auto at = std::find(gets.begin(), gets.end(), request);
    if (at == gets.end()) continue;
    MPI_Request kept = *at;
    gets.erase(at);
    Request::unref(&kept);
    return;
  }
}

}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Win_unlock(int rank, MPI_Win win) {
  return completing(win, &rank, [&] { return STRATA_BEHIND(Win_unlock)(rank, win); });
}
int PMPI_Win_flush(int rank, MPI_Win win) {
  return completing(win, &rank, [&] { return STRATA_BEHIND(Win_flush)(rank, win); });
}
int PMPI_Win_flush_local(int rank, MPI_Win win) {
  return completing(win, &rank, [&] { return STRATA_BEHIND(Win_flush_local)(rank, win); });
}
int PMPI_Win_unlock_all(MPI_Win win) {
  return completing(win, nullptr, [&] { return STRATA_BEHIND(Win_unlock_all)(win); });
}
int PMPI_Win_flush_all(MPI_Win win) {
  return completing(win, nullptr, [&] { return STRATA_BEHIND(Win_flush_all)(win); });
}
int PMPI_Win_flush_local_all(MPI_Win win) {
  return completing(win, nullptr, [&] { return STRATA_BEHIND(Win_flush_local_all)(win); });
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
    const int code = STRATA_BEHIND(Rget)(origin, count, type, target, at, target_count, target_type, win, request);
    if (code == MPI_SUCCESS && *request != MPI_REQUEST_NULL) keep_get(win, *request);
    return code;
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
