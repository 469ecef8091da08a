// SPDX-License-Identifier: LGPL-2.1-only
// There are two interfaces: ucp_am_send_nb with data, and ucp_am_send_nbx with a header and data. All data travel with
// the message, so a handler always has them, however long they are.
#include "native/rank/active_messages.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "native/board/arena.h"
#include "native/rank/exported.h"
#include "native/rank/library_work.h"
#include "native/rank/process.h"
#include "native/rank/ucp_datatypes.h"
#include "native/rank/ucp_progress.h"

namespace strata::native {
namespace {

void send(Endpoint& e, unsigned id, const void* header, std::size_t header_bytes, const void* buffer, std::size_t count,
          ucp_datatype_t type) {
  charge_work();
  something_happens();
  Packed data = pack(buffer, count, type);
  Message m = {.kind = Kind::kActive,
               .peer = e.rank,
               .worker = e.to_worker,
               .sender_worker = e.worker->number,
               .function = static_cast<std::int32_t>(id),
               .tag = header_bytes,
               .bytes = header_bytes + data.length};
  m.data = keep_payload(nullptr, m.bytes);
  if (header_bytes > 0) std::memcpy(board().at(m.data), header, header_bytes);
  if (data.length > 0) std::memcpy(board().at(m.data) + header_bytes, data.bytes, data.length);
  std::free(data.packed);
  post(m);
}

}  // namespace

void take_active(Worker& w, const Message& m) {
  const auto handler = w.handlers.find(static_cast<unsigned>(m.function));
  if (handler == w.handlers.end()) fail("an active message for handler %d, which does not exist", m.function);
  // The handler may keep the data until ucp_am_data_release.
  auto* const bytes = static_cast<char*>(std::malloc(std::max<std::uint64_t>(m.bytes, 1)));
  if (bytes == nullptr) fail("no memory for an active message of %lu bytes", m.bytes);
  if (m.bytes > 0) {
    std::memcpy(bytes, board().at(m.data), m.bytes);
    return_block(board(), m.peer, m.data);
  }
  const ucp_ep_h reply = handle_of(w.endpoint(m.peer, m.sender_worker));
  const Handler& h = handler->second;
  if (h.old_call != nullptr) {
    if (h.old_call(h.argument, bytes, m.bytes, reply, UCP_CB_PARAM_FLAG_DATA) != UCS_INPROGRESS) std::free(bytes);
    return;
  }
  // The data are aligned as in memory of their own.
  const std::size_t data_bytes = m.bytes - m.tag;
  void* const data = std::malloc(std::max<std::size_t>(data_bytes, 1));
  if (data == nullptr) fail("no memory for an active message of %zu bytes", data_bytes);
  std::memcpy(data, bytes + m.tag, data_bytes);
  const ucp_am_recv_param_t parameters = {.recv_attr = UCP_AM_RECV_ATTR_FIELD_REPLY_EP | UCP_AM_RECV_ATTR_FLAG_DATA,
                                          .reply_ep = reply};
  if (h.call(h.argument, bytes, m.tag, data, data_bytes, &parameters) != UCS_INPROGRESS) std::free(data);
  std::free(bytes);
}

}  // namespace strata::native

using namespace strata::native;

STRATA_UCP ucs_status_t ucp_worker_set_am_handler(ucp_worker_h w, uint16_t id, ucp_am_callback_t call, void* argument,
                                                  uint32_t) {
  const Lock lock;
  worker_of(w).handlers[id] = {.old_call = call, .argument = argument};
  return UCS_OK;
}

STRATA_UCP ucs_status_t ucp_worker_set_am_recv_handler(ucp_worker_h w, const ucp_am_handler_param_t* p) {
  const Lock lock;
  void* const argument = (p->field_mask & UCP_AM_HANDLER_PARAM_FIELD_ARG) != 0 ? p->arg : nullptr;
  worker_of(w).handlers[p->id] = {.call = p->cb, .argument = argument};
  return UCS_OK;
}

STRATA_UCP ucs_status_ptr_t ucp_am_send_nb(ucp_ep_h e, uint16_t id, const void* buffer, size_t count,
                                           ucp_datatype_t type, ucp_send_callback_t, unsigned) {
  const Lock lock;
  send(endpoint_of(e), id, nullptr, 0, buffer, count, type);
  return nullptr;
}

STRATA_UCP ucs_status_ptr_t ucp_am_send_nbx(ucp_ep_h e, unsigned id, const void* header, size_t header_bytes,
                                            const void* buffer, size_t count, const ucp_request_param_t* p) {
  const Lock lock;
  send(endpoint_of(e), id, header, header_bytes, buffer, count, type_of(p));
  const SendCompletion completion = {.parameters = p};
  if (!completion.needs_request()) return nullptr;
  Request& r = new_request(*endpoint_of(e).worker, completion);
  complete(r, UCS_OK);
  return r.user_part();
}

STRATA_UCP ucs_status_ptr_t ucp_am_recv_data_nbx(ucp_worker_h w, void* data, void* buffer, size_t count,
                                                 const ucp_request_param_t* p) {
  const Lock lock;
  // The handler has got all data; their length is the receive's.
  const Unpacked result = Destination(buffer, count, type_of(p)).unpack(data, count);
  if ((p->op_attr_mask & UCP_OP_ATTR_FIELD_RECV_INFO) != 0 && p->recv_info.length != nullptr)
    *p->recv_info.length = result.bytes;
  if (!SendCompletion{.parameters = p}.needs_request()) return UCS_STATUS_PTR(result.status);
  Request& r = new_request(worker_of(w), SendCompletion{});
  complete(r, result.status);
  // Its callback has a form of its own.
  if ((p->op_attr_mask & UCP_OP_ATTR_FIELD_CALLBACK) != 0)
    p->cb.recv_am(r.user_part(), result.status, result.bytes,
                  (p->op_attr_mask & UCP_OP_ATTR_FIELD_USER_DATA) != 0 ? p->user_data : nullptr);
  return r.user_part();
}

STRATA_UCP void ucp_am_data_release(ucp_worker_h, void* data) { std::free(data); }
