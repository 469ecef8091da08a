// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/receives.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>

#include "native/board/arena.h"
#include "native/board/process_memory.h"
#include "native/rank/buffer_spans.h"
#include "native/rank/exported.h"
#include "native/rank/library_work.h"
#include "native/rank/life.h"
#include "native/rank/process.h"
#include "native/rank/real_clock.h"
#include "native/rank/ucp_datatypes.h"
#include "native/rank/ucp_progress.h"
#include "native/rank/ucp_requests.h"

namespace strata::native {
namespace {

// Reads from the memory of another rank, or of this one.
void read_from(int rank, std::uint64_t address, void* into, std::size_t bytes) {
  if (rank == my_rank()) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address in a message
    std::memmove(into, reinterpret_cast<const void*>(address), bytes);
    return;
  }
  if (read_memory(board().slot(rank).pid, address, into, bytes)) return;
  const int error = errno;
  // The sender has ended. The launcher ends the run for that, with the reason; if it does not, for this.
  constexpr timespec kLong = {2, 0};
  if (error == ESRCH) real_sleep(kLong);
  errno = error;
  fail("cannot read a message from the memory of rank %d: %s%s", rank, std::strerror(errno), memory_remedy(errno));
}

// The receive is complete with the bytes of an eager message.
void take_eager(Request& r, const Message& m) {
  const void* const bytes = m.bytes == 0 ? nullptr : board().at(m.data);
  const Unpacked result = r.destination.unpack(bytes, m.bytes);
  if (m.bytes > 0) return_block(board(), m.peer, m.data);
  r.info = {.sender_tag = m.tag, .length = result.bytes};
  complete(r, result.status);
}

// The data are read now, because the sender may change them once they count as arrived, and it may run then.
void fetch(Request& r, const Message& m) {
  Unpacked result = {UCS_OK, m.bytes};
  if (void* const place = r.destination.contiguous(m.bytes); place != nullptr) {
    read_from(m.peer, m.data, place, m.bytes);
  } else {
    void* const bytes = std::malloc(m.bytes);
    if (bytes == nullptr) fail("no memory for a message of %lu bytes", m.bytes);
    read_from(m.peer, m.data, bytes, m.bytes);
    result = r.destination.unpack(bytes, m.bytes);
    std::free(bytes);
  }
  r.info = {.sender_tag = m.tag, .length = result.bytes};
  r.status = result.status;
  Message posted = m;
  posted.kind = Kind::kFetch;
  posted.receiving = number_of(&r);
  posted.destination_span = r.span;
  post(posted);
}

void match(Request& r, const Message& m) {
  if (is_recorded()) post({.kind = Kind::kMatched, .receiving = number_of(&r), .number = m.number});
  m.kind == Kind::kEager ? take_eager(r, m) : fetch(r, m);
}

// Before the receive finds its message, so that a recording has both in this order. `bytes`: its size, if it is known.
void record_begin(Request& r, std::size_t bytes) {
  if (!is_recorded()) return;
  r.is_to_record = true;
  post({.kind = Kind::kReceive,
        .tag = r.tag,
        .bytes = bytes,
        .remote = r.mask,
        .receiving = number_of(&r),
        .destination_span = r.span});
}

// `probed`: the message that it gets, if a probe has found it.
ucs_status_ptr_t receive(Worker& w, void* buffer, std::size_t count, ucp_datatype_t type, ucp_tag_t tag, ucp_tag_t mask,
                         const ReceiveCompletion& completion, const Message* probed = nullptr) {
  begin_virtual_time();
  const Lock lock;
  charge_work();
  something_happens();
  Request& r = new_request(w, completion);
  r.destination = Destination(buffer, count, type);
  r.tag = tag;
  r.mask = mask;
  const std::size_t bytes = contiguous_bytes(count, type);
  r.span = bytes == 0 ? 0 : span_of_message(buffer, bytes);
  record_begin(r, bytes);
  const Message* const kept = probed != nullptr ? probed : w.kept.find(tag, mask);
  if (kept == nullptr) {
    w.posted.add(r);
    return r.user_part();
  }
  const Message m = w.kept.take(kept);
  // The nbx functions return the status of a receive that is complete at once, without a callback.
  const bool may_return_status = completion.parameters != nullptr && !completion.needs_request();
  if (m.kind != Kind::kEager || !may_return_status) {
    match(r, m);
    return r.user_part();
  }
  r.callback = Request::Callback::kNone;
  match(r, m);
  record_wait(r);
  const ucs_status_t status = r.status;
  recycle(r);
  return UCS_STATUS_PTR(status);
}

}  // namespace

void take_tagged(Worker& w, const Message& m) {
  if (Request* const r = w.posted.take(m.tag); r != nullptr) return match(*r, m);
  w.kept.add(m);
}

void take_fetched(const Message& m) {
  Request& r = request_of(m.receiving);
  complete(r, r.status);
}

}  // namespace strata::native

using namespace strata::native;

STRATA_UCP ucs_status_ptr_t ucp_tag_recv_nb(ucp_worker_h w, void* buffer, size_t count, ucp_datatype_t type,
                                            ucp_tag_t tag, ucp_tag_t mask, ucp_tag_recv_callback_t callback) {
  return receive(worker_of(w), buffer, count, type, tag, mask, {.callback = callback});
}

STRATA_UCP ucs_status_ptr_t ucp_tag_recv_nbx(ucp_worker_h w, void* buffer, size_t count, ucp_tag_t tag, ucp_tag_t mask,
                                             const ucp_request_param_t* p) {
  return receive(worker_of(w), buffer, count, type_of(p), tag, mask, {.parameters = p});
}

STRATA_UCP ucs_status_ptr_t ucp_tag_msg_recv_nb(ucp_worker_h w, void* buffer, size_t count, ucp_datatype_t type,
                                                ucp_tag_message_h message, ucp_tag_recv_callback_t callback) {
  return receive(worker_of(w), buffer, count, type, 0, 0, {.callback = callback},
                 reinterpret_cast<const Message*>(message));
}

STRATA_UCP ucs_status_ptr_t ucp_tag_msg_recv_nbx(ucp_worker_h w, void* buffer, size_t count, ucp_tag_message_h message,
                                                 const ucp_request_param_t* p) {
  return receive(worker_of(w), buffer, count, type_of(p), 0, 0, {.parameters = p},
                 reinterpret_cast<const Message*>(message));
}

STRATA_UCP ucp_tag_message_h ucp_tag_probe_nb(ucp_worker_h worker, ucp_tag_t tag, ucp_tag_t mask, int remove,
                                              ucp_tag_recv_info_t* info) {
  const Lock lock;
  Worker& w = worker_of(worker);
  const Message* const found = remove != 0 ? w.kept.reserve(tag, mask) : w.kept.find(tag, mask);
  if (found == nullptr) return nullptr;
  something_happens();
  *info = {.sender_tag = found->tag, .length = found->bytes};
  return reinterpret_cast<ucp_tag_message_h>(const_cast<Message*>(found));
}

STRATA_UCP void ucp_request_cancel(ucp_worker_h, void* request) {
  const Lock lock;
  Request& r = *Request::of(request);
  if (r.done || !r.is_receive || !PostedReceives::is_posted(r)) return;
  PostedReceives::remove(r);
  r.destination.give_up();
  something_happens();
  complete(r, UCS_ERR_CANCELED);
}
