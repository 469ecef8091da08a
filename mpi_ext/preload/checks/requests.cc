// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/preload/checks/requests.h"

#include <cstring>
#include <vector>

namespace strata::mpix {
namespace {

// The indexes of the requests that the call has completed.
std::vector<int> completed(const Call& call, int count) {
  const auto read = [&](Role role) { return *call.pointer<const int*>(role); };
  const auto all = [count] {
    std::vector<int> indexes(count);
    for (int i = 0; i < count; ++i) indexes[i] = i;
    return indexes;
  };
  switch (call.function()) {
    case kMPI_Wait:
    case kMPI_Waitall:
    case kMPI_Request_free:
      return all();
    case kMPI_Test:
    case kMPI_Testall:
      return read(Role::kFlag) != 0 ? all() : std::vector<int>();
    case kMPI_Waitany:
    case kMPI_Testany: {
      if (call.function() == kMPI_Testany && read(Role::kFlag) == 0) return {};
      const int index = read(Role::kIndex);
      return index == MPI_UNDEFINED ? std::vector<int>() : std::vector<int>{index};
    }
    case kMPI_Waitsome:
    case kMPI_Testsome: {
      const int number = read(Role::kOutcount);
      const auto* indices = call.pointer<const int*>(Role::kIndices);
      return number <= 0 ? std::vector<int>() : std::vector<int>(indices, indices + number);
    }
    default:
      return {};
  }
}

bool is_collective(const char* name) {
  constexpr const char* kOthers[] = {"MPI_Isend", "MPI_Ibsend", "MPI_Issend", "MPI_Irsend", "MPI_Irecv", "MPI_Imrecv"};
  for (const char* other : kOthers) {
    if (std::strcmp(name, other) == 0) return false;
  }
  return std::strncmp(name, "MPI_I", 5) == 0;
}

void start(int rank, MPI_Request request, const Call& call) {
  RequestState* const state = requests().find(rank, request);
  if (state == nullptr) return;
  state->active = true;
  state->started = past(call);
}

}  // namespace

Requests& requests() {
  static auto& all = *new Requests;
  return all;
}

bool ends_requests(Function function) {
  switch (function) {
    case kMPI_Wait:
    case kMPI_Waitall:
    case kMPI_Waitany:
    case kMPI_Waitsome:
    case kMPI_Test:
    case kMPI_Testall:
    case kMPI_Testany:
    case kMPI_Testsome:
    case kMPI_Request_free:
      return true;
    default:
      return false;
  }
}

bool is_persistent(Function function) {
  switch (function) {
    case kMPI_Send_init:
    case kMPI_Bsend_init:
    case kMPI_Ssend_init:
    case kMPI_Rsend_init:
    case kMPI_Recv_init:
      return true;
    default:
      return false;
  }
}

bool makes_request(Function function) {
  switch (function) {
    case kMPI_Start:
    case kMPI_Cancel:
    case kMPI_Request_get_status:
    case kMPI_Request_c2f:
    case kMPI_Grequest_complete:
      return false;
    default:
      return !ends_requests(function);
  }
}

void note_requests_before(const Call& call) {
  std::vector<MPI_Request>& before = call.before().requests;
  if (!ends_requests(call.function())) return;
  const bool many = call.has(Role::kRequests);
  const auto* given = call.pointer<const MPI_Request*>(many ? Role::kRequests : Role::kRequest);
  const int count = many ? call.number(Role::kCount) : 1;
  if (given != nullptr && count > 0) before.assign(given, given + count);
}

void note_requests_after(const Call& call, const std::function<void(MPI_Request, const RequestState&)>& ended) {
  const int rank = call.rank();
  if (ends_requests(call.function())) {
    const std::vector<MPI_Request>& before = call.before().requests;
    for (const int i : completed(call, static_cast<int>(before.size()))) {
      if (i < 0 || i >= static_cast<int>(before.size())) continue;
      RequestState* const state = requests().find(rank, before[i]);
      if (state == nullptr) continue;
      const bool frees = call.function() == kMPI_Request_free;
      if (state->active) ended(before[i], *state);
      state->active = false;
      if (frees || !state->persistent) requests().erase(rank, before[i]);
    }
  } else if (call.function() == kMPI_Start) {
    start(rank, *call.pointer<MPI_Request*>(Role::kRequest), call);
  } else if (call.function() == kMPI_Startall) {
    for (int i = 0; i < call.number(Role::kCount); ++i)
      start(rank, call.pointer<MPI_Request*>(Role::kRequests)[i], call);
  } else if (call.has(Role::kRequest) && makes_request(call.function())) {
    const auto* made = call.pointer<const MPI_Request*>(Role::kRequest);
    if (made == nullptr || *made == MPI_REQUEST_NULL) return;
    const bool persistent = is_persistent(call.function());
    requests().make(rank, *made,
                    {.made = past(call),
                     .started = past(call),
                     .persistent = persistent,
                     .active = !persistent,
                     .collective = is_collective(call.name())});
  }
}

}  // namespace strata::mpix
