// SPDX-License-Identifier: LGPL-2.1-only
// Waits for requests, and tests, frees and cancels them. SMPI's functions do not know persistent requests as they are
// made here (persistent.h), and differ from the standard:
//
// - MPI_Waitany waits for the first nonblocking collective even if another request is complete, and MPI_Testany ignores
//   collectives. Here, the parts of a collective are waited for together with the other requests. When the last part is
//   complete, so is the collective.
// - MPI_Testany ignores eager sends. MPI_Waitall and MPI_Waitany do not wait for the others if one was cancelled.
// - MPI_Testall ends requests although others are not complete yet, and forgets their statuses. Here they are kept.
// - MPI_Request_get_status looks for a message instead of asking the request.
// - MPI_Request_free deletes messages on their way (freed.h). MPI_Cancel stops messages that have met their receive.
#include <mpi.h>

#include <algorithm>
#include <simgrid/s4u/Actor.hpp>
#include <unordered_map>
#include <vector>
#include <xbt/config.hpp>

#include "mpi_ext/preload/supply/behind.h"
#include "mpi_ext/preload/supply/cancelled_sends.h"
#include "mpi_ext/preload/supply/computation.h"
#include "mpi_ext/preload/supply/freed.h"
#include "mpi_ext/preload/supply/one_sided_requests.h"
#include "mpi_ext/preload/supply/persistent.h"
#include "sim/simgrid/activity.h"
#include "sim/simgrid/request.h"

namespace strata::mpix {
namespace {

using simgrid::smpi::Group;
using simgrid::smpi::Request;

// Requests that MPI_Testall has ended although it said that not all are complete, or that the end of an access epoch
// has ended (one_sided_requests.cc): their statuses, by the program's handle. SMPI's object of a nonblocking request is
// kept by a reference.
std::unordered_map<MPI_Request, MPI_Status>& ended_early() {
  static std::unordered_map<MPI_Request, MPI_Status> statuses;
  return statuses;
}

bool is_early(MPI_Request request) { return !ended_early().empty() && ended_early().contains(request); }

void set(MPI_Status* status, const MPI_Status& value) {
  if (status != MPI_STATUS_IGNORE) *status = value;
}

// The status of no request and of an inactive one.
MPI_Status empty_status() {
  MPI_Status empty{};
  empty.MPI_SOURCE = MPI_ANY_SOURCE;
  empty.MPI_TAG = MPI_ANY_TAG;
  empty.MPI_ERROR = MPI_SUCCESS;
  return empty;
}

// Ends a request that was ended before.
void take_early(MPI_Request* request, MPI_Status* status) {
  const auto found = ended_early().find(*request);
  set(status, found->second);
  ended_early().erase(found);
  if (is_persistent(*request)) return;
  Request::unref(request);
  *request = MPI_REQUEST_NULL;
}

// SMPI's request that the program waits for: nothing instead of an inactive one.
MPI_Request active(MPI_Request request) { return is_persistent(request) ? started_by(request) : request; }

// Updates the program's handle after a function of SMPI has changed `own`, its request.
void update(MPI_Request* request, MPI_Request own) {
  if (!is_persistent(*request)) {
    *request = own;
  } else if (own == MPI_REQUEST_NULL) {
    deactivate(*request);
  }
}

bool is_cancelled(const Request* own) { return own != MPI_REQUEST_NULL && (own->flags() & Request::kCancelled) != 0; }

// A request with a message: neither a nonblocking collective nor a generalized request.
bool is_message(const Request* own) {
  return own != MPI_REQUEST_NULL && (own->flags() & (Request::kCollective | Request::kGeneralized)) == 0;
}

bool to_no_process(const Request* own) {
  return is_message(own) && (own->sender() == MPI_PROC_NULL || own->receiver() == MPI_PROC_NULL);
}

// Whether SMPI has nothing to wait for: an eager send.
bool needs_no_wait(MPI_Request own) { return is_message(own) && own->can_be_waited_for() && own->message() == nullptr; }

int wait(MPI_Request* own, MPI_Status* status) {
  if (!is_cancelled(*own)) return STRATA_BEHIND(Wait)(own, status);
  // MPI_Wait gets an exception from SimGrid, which then uses the call's variables after its end.
  const BetweenComputation now;
  Request::finish_wait(own, status);
  *own = MPI_REQUEST_NULL;
  return MPI_SUCCESS;
}

// An array of the program's requests, and SMPI's instead of the persistent ones.
class Requests {
 public:
  Requests(int count, MPI_Request* handles) : count_(std::max(count, 0)), handles_(handles), own_(handles) {
    if (handles == nullptr || std::none_of(handles, handles + count_, is_persistent)) return;
    copies_.resize(count_);
    std::transform(handles, handles + count_, copies_.begin(), active);
    own_ = copies_.data();
  }
  ~Requests() {
    for (std::size_t i = 0; i < copies_.size(); ++i) update(&handles_[i], copies_[i]);
  }
  Requests(const Requests&) = delete;
  Requests& operator=(const Requests&) = delete;

  int count() const { return count_; }
  MPI_Request* own() { return own_; }
  MPI_Request* handle(int i) { return &handles_[i]; }

  /// The first that an earlier MPI_Testall has ended, that was cancelled, or whose peer is MPI_PROC_NULL, for which
  /// SMPI does not count references; -1: none.
  int first_over() const {
    for (int i = 0; handles_ != nullptr && i < count_; ++i) {
      if (is_over(i)) return i;
    }
    return -1;
  }
  bool is_over(int i) const { return is_early(handles_[i]) || is_cancelled(own_[i]) || to_no_process(own_[i]); }
  /// Ends one of these.
  int end(int i, MPI_Status* status) {
    if (is_early(handles_[i])) {
      take_early(&handles_[i], status);
      if (!copies_.empty()) own_[i] = MPI_REQUEST_NULL;
      return MPI_SUCCESS;
    }
    return wait(&own_[i], status);
  }
  /// The handles are right, and what SMPI has done to `own` does not matter.
  void keep_handles() { copies_.clear(); }

 private:
  int count_;
  MPI_Request* handles_;
  MPI_Request* own_;
  std::vector<MPI_Request> copies_;  // empty: `own` are the handles
};

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
  const BetweenComputation now;
  return Request::waitany(static_cast<int>(requests.size()), requests.data(), status);
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
    const int i = request_of[at];
    if (is_collective(requests[i])) continue;
    requests[i] = all[at];
    set(status, own);
    *index = i;
    return own.MPI_ERROR;
  }
}

// Without waiting.
int test_any(int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status) {
  for (int i = 0; i < count; ++i) {
    if (!needs_no_wait(requests[i])) continue;
    *index = i;
    return STRATA_BEHIND(Test)(&requests[i], flag, status);
  }
  if (!any_collective(count, requests)) return STRATA_BEHIND(Testany)(count, requests, index, flag, status);
  std::vector<MPI_Request> others(requests, requests + count);
  std::replace_if(others.begin(), others.end(), is_collective, static_cast<MPI_Request>(MPI_REQUEST_NULL));
  int code = STRATA_BEHIND(Testany)(count, others.data(), index, flag, status);
  for (int i = 0; i < count; ++i) {
    if (!is_collective(requests[i])) requests[i] = others[i];
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

// Ends all that are over, for MPI_Waitsome and MPI_Testsome, which may do this first. The number of them.
int end_those_over(Requests& requests, int* indices, MPI_Status* statuses) {
  int ended = 0;
  for (int i = 0; i < requests.count(); ++i) {
    if (!requests.is_over(i)) continue;
    requests.end(i, statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[ended]);
    indices[ended++] = i;
  }
  return ended;
}

// As MPI_Testall, but the program keeps all of its requests if some are not complete.
int test_all(Requests& requests, int* flag, MPI_Status* statuses) {
  const auto count = static_cast<std::size_t>(requests.count());
  std::vector<MPI_Request> own(requests.own(), requests.own() + count);
  std::vector<MPI_Status> found(count, empty_status());
  for (std::size_t i = 0; i < count; ++i) {
    if (is_early(*requests.handle(static_cast<int>(i)))) own[i] = MPI_REQUEST_NULL;
    if (own[i] != MPI_REQUEST_NULL) own[i]->ref();  // what SMPI ends stays the program's handle
  }
  std::vector<MPI_Request> after = own;
  const int code = STRATA_BEHIND(Testall)(requests.count(), after.data(), flag, found.data());
  for (std::size_t i = 0; i < count; ++i) {
    if (own[i] == MPI_REQUEST_NULL) continue;
    MPI_Request* const handle = requests.handle(static_cast<int>(i));
    const bool ended = after[i] == MPI_REQUEST_NULL || (after[i]->flags() & Request::kFinished) != 0;
    const bool nonblocking = own[i] == *handle;
    if (ended) {
      ended_early()[*handle] = found[i];
      if (!nonblocking) deactivate(*handle);
    }
    if (!ended || !nonblocking) Request::unref(&own[i]);
  }
  for (int i = 0; *flag != 0 && i < requests.count(); ++i) {
    MPI_Status* const status = statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : &statuses[i];
    if (is_early(*requests.handle(i))) {
      take_early(requests.handle(i), status);
    } else {
      set(status, empty_status());
    }
  }
  requests.keep_handles();
  return code;
}

// The status of a complete request with a message.
MPI_Status status_of(const Request& own) {
  MPI_Status status = empty_status();
  if (is_cancelled(&own)) {
    status.cancelled = 1;
    return status;
  }
  if (to_no_process(&own)) {
    status.MPI_SOURCE = MPI_PROC_NULL;
    return status;
  }
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(own.communicator(), &group);
  status.MPI_SOURCE = group->rank(own.sender() == MPI_ANY_SOURCE ? own.real_sender() : own.sender());
  PMPI_Group_free(&group);
  status.MPI_TAG = own.tag() == MPI_ANY_TAG ? own.real_tag() : own.tag();
  status.MPI_ERROR = own.truncated() ? MPI_ERR_TRUNCATE : MPI_SUCCESS;
  status.count = static_cast<int>(own.real_size());
  return status;
}

int get_status(MPI_Request request, int* flag, MPI_Status* status) {
  *flag = 1;
  if (is_early(request)) {
    set(status, ended_early().at(request));
    return MPI_SUCCESS;
  }
  const MPI_Request own = active(request);
  if (own == MPI_REQUEST_NULL) {
    set(status, empty_status());
    return MPI_SUCCESS;
  }
  if (!is_message(own)) return STRATA_BEHIND(Request_get_status)(own, flag, status);
  if (own->message() != nullptr && !own->message()->done() && !is_cancelled(own)) {
    // As MPI_Test: a loop that waits for the request must end.
    const BetweenComputation now;
    simgrid::s4u::this_actor::sleep_for(simgrid::config::get_value<double>("smpi/test"));
    *flag = 0;
  }
  if (*flag != 0) set(status, status_of(*own));
  return MPI_SUCCESS;
}

// Frees an active request, or one that is complete but was not waited for.
int free_active(MPI_Request own) {
  if (is_message(own) && (own->flags() & Request::kOneSided) == 0) {
    if (own->message() != nullptr && own->can_be_waited_for()) {
      keep_freed(own);
      return MPI_SUCCESS;
    }
    if (to_no_process(own)) own->ref();  // SMPI does not count the program's reference
  }
  return STRATA_BEHIND(Request_free)(&own);
}

}  // namespace

void end_early(MPI_Request handle, const MPI_Status& status) { ended_early()[handle] = status; }

}  // namespace strata::mpix

using namespace strata::mpix;

extern "C" {

int PMPI_Wait(MPI_Request* request, MPI_Status* status) {
  if (request == nullptr) return MPI_ERR_ARG;
  if (is_early(*request)) {
    take_early(request, status);
    return MPI_SUCCESS;
  }
  MPI_Request own = active(*request);
  const int code = wait(&own, status);
  update(request, own);
  return code;
}

int PMPI_Test(MPI_Request* request, int* flag, MPI_Status* status) {
  if (request == nullptr || flag == nullptr) return MPI_ERR_ARG;
  *flag = 1;
  if (is_early(*request)) {
    take_early(request, status);
    return MPI_SUCCESS;
  }
  MPI_Request own = active(*request);
  const int code = STRATA_BEHIND(Test)(&own, flag, status);
  update(request, own);
  return code;
}

int PMPI_Waitall(int count, MPI_Request* handles, MPI_Status* statuses) {
  Requests requests(count, handles);
  if (requests.first_over() < 0) return STRATA_BEHIND(Waitall)(count, requests.own(), statuses);
  std::vector<MPI_Status> over(count);
  std::vector<int> indices(count);
  indices.resize(static_cast<std::size_t>(end_those_over(requests, indices.data(), over.data())));
  const int code = STRATA_BEHIND(Waitall)(count, requests.own(), statuses);
  for (std::size_t i = 0; statuses != MPI_STATUSES_IGNORE && i < indices.size(); ++i) statuses[indices[i]] = over[i];
  return code;
}

int PMPI_Testall(int count, MPI_Request* handles, int* flag, MPI_Status* statuses) {
  Requests requests(count, handles);
  if (flag == nullptr || count <= 0 || handles == nullptr)
    return STRATA_BEHIND(Testall)(count, handles, flag, statuses);
  return test_all(requests, flag, statuses);
}

int PMPI_Waitany(int count, MPI_Request* handles, int* index, MPI_Status* status) {
  if (index == nullptr) return MPI_ERR_ARG;
  *index = MPI_UNDEFINED;
  Requests requests(count, handles);
  if (const int over = requests.first_over(); over >= 0) return requests.end(*index = over, status);
  if (any_collective(count, requests.own())) return wait_any(count, requests.own(), index, status);
  return STRATA_BEHIND(Waitany)(count, requests.own(), index, status);
}

int PMPI_Testany(int count, MPI_Request* handles, int* index, int* flag, MPI_Status* status) {
  if (index == nullptr || flag == nullptr) return MPI_ERR_ARG;
  Requests requests(count, handles);
  if (const int over = requests.first_over(); over >= 0) {
    *flag = 1;
    return requests.end(*index = over, status);
  }
  return test_any(count, requests.own(), index, flag, status);
}

// Returns one at a time if one of them is a collective, which MPI allows.
int PMPI_Waitsome(int count, MPI_Request* handles, int* outcount, int* indices, MPI_Status* statuses) {
  if (outcount == nullptr || indices == nullptr)
    return STRATA_BEHIND(Waitsome)(count, handles, outcount, indices, statuses);
  Requests requests(count, handles);
  *outcount = end_those_over(requests, indices, statuses);
  if (*outcount > 0) return MPI_SUCCESS;
  if (!any_collective(count, requests.own()))
    return STRATA_BEHIND(Waitsome)(count, requests.own(), outcount, indices, statuses);
  *outcount = 1;
  return wait_any(count, requests.own(), indices, statuses == MPI_STATUSES_IGNORE ? MPI_STATUS_IGNORE : statuses);
}

int PMPI_Testsome(int count, MPI_Request* handles, int* outcount, int* indices, MPI_Status* statuses) {
  if (outcount == nullptr || indices == nullptr)
    return STRATA_BEHIND(Testsome)(count, handles, outcount, indices, statuses);
  Requests requests(count, handles);
  *outcount = end_those_over(requests, indices, statuses);
  if (*outcount > 0) return MPI_SUCCESS;
  return STRATA_BEHIND(Testsome)(count, requests.own(), outcount, indices, statuses);
}

int PMPI_Request_get_status(MPI_Request request, int* flag, MPI_Status* status) {
  if (flag == nullptr) return MPI_ERR_ARG;
  return get_status(request, flag, status);
}

int PMPI_Request_free(MPI_Request* request) {
  if (request == nullptr || *request == MPI_REQUEST_NULL) return MPI_ERR_REQUEST;
  MPI_Status ignored;
  if (is_early(*request)) take_early(request, &ignored);
  if (is_persistent(*request)) {
    const MPI_Request own = started_by(*request);
    forget(*request);
    const int code = STRATA_BEHIND(Request_free)(request);
    return own == MPI_REQUEST_NULL || code != MPI_SUCCESS ? code : free_active(own);
  }
  if (*request == MPI_REQUEST_NULL) return MPI_SUCCESS;
  forget_get(*request);
  const int code = free_active(*request);
  if (code == MPI_SUCCESS) *request = MPI_REQUEST_NULL;
  return code;
}

// A message that has met its receive, or was sent eagerly, is not cancelled any more.
int PMPI_Cancel(MPI_Request* request) {
  if (request == nullptr) return MPI_ERR_ARG;
  if (is_early(*request)) return MPI_SUCCESS;
  MPI_Request own = active(*request);
  if (own == MPI_REQUEST_NULL) return MPI_ERR_REQUEST;
  if (is_message(own) && ((own->flags() & Request::kMatched) != 0 || own->message() == nullptr)) return MPI_SUCCESS;
  const int code = STRATA_BEHIND(Cancel)(&own);
  if (is_message(own) && (own->flags() & Request::kSend) != 0) note_cancelled_send(*own);
  return code;
}
}
