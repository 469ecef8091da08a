// SPDX-License-Identifier: LGPL-2.1-only
// The requests of each rank: made by a call, active from there or from MPI_Start, complete when MPI_Wait or MPI_Test
// has said so. After
//
//   MPI_Isend(buffer, 10, MPI_INT, 1, 7, comm, &request)
//
// there is a request of this rank that is active, with the call that made it.
#pragma once

#include <functional>
#include <map>
#include <utility>

#include "mpi_ext/preload/checks/call.h"

namespace strata::mpix {

struct RequestState {
  PastCall made;
  PastCall started;  // the call that made it active
  bool persistent = false, active = false;
  bool collective = false;
};

class Requests {
 public:
  /// nullptr: not known.
  RequestState* find(int rank, MPI_Request request) {
    const auto it = all_.find({rank, request});
    return it == all_.end() ? nullptr : &it->second;
  }
  RequestState& make(int rank, MPI_Request request, RequestState state) {
    return all_.insert_or_assign(Key{rank, request}, state).first->second;
  }
  void erase(int rank, MPI_Request request) { all_.erase({rank, request}); }
  template <class Visit>
  void each(int rank, const Visit& visit) {
    for (auto it = all_.lower_bound({rank, nullptr}); it != all_.end() && it->first.first == rank; ++it)
      visit(it->first.second, it->second);
  }

 private:
  using Key = std::pair<int, MPI_Request>;
  std::map<Key, RequestState> all_;
};
Requests& requests();

/// Before a call that may complete or free requests, and after it: calls `ended` for each that was active and is now
/// complete, before it is forgotten. `freed`: the program has freed it while it was active.
void note_requests_before(const Call& call);
void note_requests_after(const Call& call, const std::function<void(MPI_Request, const RequestState&)>& ended);

/// Whether the function may complete or free requests.
bool ends_requests(Function function);
/// Whether the function makes a request, and whether that is persistent.
bool makes_request(Function function);
bool is_persistent(Function function);

}  // namespace strata::mpix
