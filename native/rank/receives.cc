// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/receives.h"

#include <sys/uio.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>

#include "native/board/arena.h"
#include "native/rank/exported.h"
#include "native/rank/process.h"
#include "native/rank/ucp_datatypes.h"
#include "native/rank/ucp_progress.h"
#include "native/rank/ucp_requests.h"

namespace strata::native {
namespace {

// Reads from the memory of another rank, or of this one.
void read_memory(int rank, std::uint64_t address, void* into, std::size_t bytes) {
  if (rank == my_rank()) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number in a message
    std::memmove(into, reinterpret_cast<const void*>(address), bytes);
    return;
  }
  auto* here = static_cast<char*>(into);
  while (bytes > 0) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a number in a message
    const iovec ours = {here, bytes}, theirs = {reinterpret_cast<void*>(address), bytes};
    const ssize_t done = ::process_vm_readv(board().slot(rank).pid, &ours, 1, &theirs, 1, 0);
    if (done <= 0) {
      fail("cannot read a message from the memory of rank %d: %s%s", rank, std::strerror(errno),
           errno == EPERM ? "; a container must allow it: docker run --cap-add=SYS_PTRACE" : "");
    }
    here += done;
    address += static_cast<std::uint64_t>(done);
    bytes -= static_cast<std::size_t>(done);
  }
}

// The receive is complete with the bytes of an eager message.
void take_eager(Request& r, const Message& m) {
  const void* const bytes = m.bytes == 0 ? nullptr : board().at(m.data);
  const Unpacked result = unpack(r.buffer, r.count, r.type, bytes, m.bytes);
  if (m.bytes > 0) return_block(board(), m.peer, m.data);
  r.info = {.sender_tag = m.tag, .length = result.bytes};
  complete(r, result.status);
}

// The data are read now, because the sender may change them once they count as arrived, and it may run then.
void fetch(Request& r, const Message& m) {
  Unpacked result = {UCS_OK, m.bytes};
  if (void* const place = contiguous(r.buffer, r.count, r.type, m.bytes); place != nullptr) {
    read_memory(m.peer, m.data, place, m.bytes);
  } else {
    void* const bytes = std::malloc(m.bytes);
    if (bytes == nullptr) fail("no memory for a message of %lu bytes", m.bytes);
    read_memory(m.peer, m.data, bytes, m.bytes);
    result = unpack(r.buffer, r.count, r.type, bytes, m.bytes);
    std::free(bytes);
  }
  r.info = {.sender_tag = m.tag, .length = result.bytes};
  r.status = result.status;
  Message posted = m;
  posted.kind = Kind::kFetch;
  posted.receiving = number_of(&r);
  post(posted);
}

void match(Request& r, const Message& m) { m.kind == Kind::kEager ? take_eager(r, m) : fetch(r, m); }

struct Asked {
  const ucp_request_param_t* parameters = nullptr;  // of the nbx functions
  ucp_tag_recv_callback_t callback = nullptr;       // of the older ones
  const Message* probed = nullptr;                  // the message that it gets
};

ucs_status_ptr_t receive(Worker& w, void* buffer, std::size_t count, ucp_datatype_t type, ucp_tag_t tag, ucp_tag_t mask,
                         const Asked& asked) {
  const Lock lock;
  something_happens();
  Request& r = *new_request(*w.context, asked.parameters, true);
  r.worker = &w;
  r.buffer = buffer;
  r.count = count;
  r.type = type;
  r.tag = tag;
  r.mask = mask;
  if (asked.parameters == nullptr && asked.callback != nullptr) {
    r.callback = Request::Callback::kReceive;
    r.call.receive = asked.callback;
  }
  const Message* const kept = asked.probed != nullptr ? asked.probed : w.kept.find(tag, mask);
  if (kept == nullptr) {
    w.posted.add(r);
    return r.user_part();
  }
  const Message m = w.kept.take(kept);
  // The nbx functions return the status of a receive that is complete at once, without a callback.
  const bool may_return_status =
      asked.parameters != nullptr && (asked.parameters->op_attr_mask & UCP_OP_ATTR_FLAG_NO_IMM_CMPL) == 0;
  if (m.kind != Kind::kEager || !may_return_status) {
    match(r, m);
    return r.user_part();
  }
  r.callback = Request::Callback::kNone;
  match(r, m);
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
  return receive(worker_of(w), buffer, count, type, 0, 0,
                 {.callback = callback, .probed = reinterpret_cast<const Message*>(message)});
}

STRATA_UCP ucs_status_ptr_t ucp_tag_msg_recv_nbx(ucp_worker_h w, void* buffer, size_t count, ucp_tag_message_h message,
                                                 const ucp_request_param_t* p) {
  return receive(worker_of(w), buffer, count, type_of(p), 0, 0,
                 {.parameters = p, .probed = reinterpret_cast<const Message*>(message)});
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
  something_happens();
  complete(r, UCS_ERR_CANCELED);
}
