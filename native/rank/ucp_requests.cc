// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/ucp_requests.h"

#include <cstdlib>
#include <new>
#include <utility>

#include "native/rank/call_entries.h"
#include "native/rank/exported.h"
#include "native/rank/process.h"
#include "native/rank/worker.h"

namespace strata::native {

namespace {

// Never destroyed: the library may complete requests at the end of the process.
std::vector<Request*>& incomplete() {
  static auto& all = *new std::vector<Request*>;
  return all;
}

Request& request_in_memory(Worker& worker, const ucp_request_param_t* p) {
  Context& context = *worker.context;
  Request* r = nullptr;
  if (p != nullptr && (p->op_attr_mask & UCP_OP_ATTR_FIELD_REQUEST) != 0) {
    r = new (Request::of(p->request)) Request;
    r->is_users = true;
  } else if (context.free_requests != nullptr) {
    Request* const next = context.free_requests->behind;
    r = new (context.free_requests) Request;
    context.free_requests = next;
  } else {
    void* const memory = std::aligned_alloc(alignof(Request), (sizeof(Request) + context.request_bytes + 15) / 16 * 16);
    if (memory == nullptr) fail("no memory for a request");
    r = new (memory) Request;
    if (context.initialize != nullptr) context.initialize(r->user_part());
  }
  r->place = incomplete().size();
  incomplete().push_back(r);
  r->context = &context;
  r->worker = &worker;
  if (p != nullptr && (p->op_attr_mask & UCP_OP_ATTR_FIELD_USER_DATA) != 0) r->user_data = p->user_data;
  return *r;
}

bool has_callback(const ucp_request_param_t* p) {
  return p != nullptr && (p->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) != 0;
}

}  // namespace

Request& new_request(Worker& worker, const SendCompletion& completion) {
  Request& r = request_in_memory(worker, completion.parameters);
  if (has_callback(completion.parameters)) {
    r.callback = Request::Callback::kSendX;
    r.call.send_x = completion.parameters->cb.send;
  } else if (completion.callback != nullptr) {
    r.callback = Request::Callback::kSend;
    r.call.send = completion.callback;
  }
  return r;
}

Request& new_request(Worker& worker, const ReceiveCompletion& completion) {
  const ucp_request_param_t* const p = completion.parameters;
  Request& r = request_in_memory(worker, p);
  r.is_receive = true;
  if (has_callback(p)) {
    r.callback = Request::Callback::kReceiveX;
    r.call.receive_x = p->cb.recv;
  } else if (completion.callback != nullptr) {
    r.callback = Request::Callback::kReceive;
    r.call.receive = completion.callback;
  }
  if (p != nullptr && (p->op_attr_mask & UCP_OP_ATTR_FIELD_RECV_INFO) != 0) r.info_of_user = p->recv_info.tag_info;
  return r;
}

void recycle(Request& r) {
  if (r.is_users) return;
  r.behind = r.context->free_requests;
  r.context->free_requests = &r;
}

void record_wait(Request& r) {
  if (!r.is_to_record) return;
  r.is_to_record = false;
  const bool tested = nature_of(current_function()) == Nature::kTests;
  post({.kind = Kind::kWaited, .flags = tested ? kTested : 0, .sending = number_of(&r)});
}

const std::vector<Request*>& incomplete_requests() { return incomplete(); }

void complete(Request& r, ucs_status_t status) {
  incomplete().back()->place = r.place;
  std::swap(incomplete()[r.place], incomplete().back());
  incomplete().pop_back();
  r.status = status;
  r.done = true;
  std::free(r.packed);
  r.packed = nullptr;
  if (r.info_of_user != nullptr) *r.info_of_user = r.info;
  const bool was_freed = r.freed;  // a callback may free it, and then it is recycled there
  switch (r.callback) {
    case Request::Callback::kNone:
      break;
    case Request::Callback::kSend:
      r.call.send(r.user_part(), status);
      break;
    case Request::Callback::kSendX:
      r.call.send_x(r.user_part(), status, r.user_data);
      break;
    case Request::Callback::kReceive:
      r.call.receive(r.user_part(), status, &r.info);
      break;
    case Request::Callback::kReceiveX:
      r.call.receive_x(r.user_part(), status, &r.info, r.user_data);
      break;
  }
  if (was_freed) recycle(r);
}

}  // namespace strata::native

using namespace strata::native;

STRATA_UCP void ucp_request_release(void* request) {
  const Lock lock;
  Request& r = *Request::of(request);
  if (r.freed) return;
  r.freed = true;
  if (!r.done) return;
  record_wait(r);
  recycle(r);
}

// Unlike a released one, a request that is freed before its end does not call back. Open MPI relies on that: it keeps
// in its part whether the request is complete, and uses it again.
STRATA_UCP void ucp_request_free(void* request) {
  const Lock lock;
  Request& r = *Request::of(request);
  if (!r.done) r.callback = Request::Callback::kNone;
  ucp_request_release(request);
}

STRATA_UCP ucs_status_t ucp_request_check_status(void* request) {
  Request& r = *Request::of(request);
  if (!r.done) return UCS_INPROGRESS;
  const Lock lock;
  record_wait(r);
  return r.status;
}

STRATA_UCP int ucp_request_is_completed(void* request) {
  return ucp_request_check_status(request) == UCS_INPROGRESS ? 0 : 1;
}

STRATA_UCP ucs_status_t ucp_request_test(void* request, ucp_tag_recv_info_t* info) {
  Request& r = *Request::of(request);
  if (!r.done) return UCS_INPROGRESS;
  const Lock lock;
  record_wait(r);
  if (info != nullptr) *info = r.info;
  return r.status;
}
