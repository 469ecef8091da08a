// SPDX-License-Identifier: LGPL-2.1-only
// Tagged sends. Short ones are copied and leave at once; the others are offered to their receiver, which reads them
// from this process' memory when it has a buffer for them. The machine's eager limit decides (Board::eager_bytes). For
// example, on a machine with an eager limit of 64 KiB:
//
//   1 KiB             copied into the arena; complete immediately
//   1 MiB             an offer; complete when the receiver has it
//   1 KiB, MPI_Ssend  an offer too, whose sender waits for the acknowledgement
#include <cstdlib>
#include <cstring>

#include "native/board/arena.h"
#include "native/rank/buffer_spans.h"
#include "native/rank/call_entries.h"
#include "native/rank/exported.h"
#include "native/rank/library_work.h"
#include "native/rank/process.h"
#include "native/rank/ucp_datatypes.h"
#include "native/rank/ucp_progress.h"
#include "native/rank/ucp_requests.h"
#include "native/rank/worker.h"

namespace strata::native {

std::uint64_t keep_payload(const void* bytes, std::size_t length) {
  if (length == 0) return 0;
  const std::uint64_t block = take_block(board(), my_rank(), length);
  if (block == 0) fail("its messages that have not been received take more than %lu GiB", board().arena_bytes >> 30);
  if (bytes != nullptr) std::memcpy(board().at(block), bytes, length);
  return block;
}

namespace {

ucs_status_ptr_t send(Endpoint& e, const void* buffer, std::size_t count, ucp_datatype_t type, ucp_tag_t tag,
                      const SendCompletion& completion, bool synchronous = false) {
  const Lock lock;
  charge_work();
  something_happens();
  Packed data = pack(buffer, count, type);
  Message m = {.kind = Kind::kEager,
               .peer = e.rank,
               .worker = e.to_worker,
               .sender_worker = e.worker->number,
               .tag = tag,
               .bytes = data.length,
               .source_span = span_of_message(buffer, data.length)};
  const bool is_short = data.length < board().eager_bytes;
  if (nature_of(current_function()) == Nature::kSends) m.flags |= kBlocking;
  if (is_short && !synchronous) {
    m.data = keep_payload(data.bytes, data.length);
    std::free(data.packed);
    post(m);
    if (!completion.needs_request()) return nullptr;
    Request& r = new_request(*e.worker, completion);
    complete(r, UCS_OK);
    return r.user_part();
  }
  Request& r = new_request(*e.worker, completion);
  r.packed = data.packed;
  m.kind = Kind::kOffer;
  m.data = reinterpret_cast<std::uint64_t>(data.bytes);
  m.sending = number_of(&r);
  r.is_to_record = is_recorded();
  if (synchronous) m.flags &= ~kBlocking;
  if (synchronous && is_short) m.flags |= kSynchronous;
  post(m);
  return r.user_part();
}

}  // namespace
}  // namespace strata::native

using namespace strata::native;

STRATA_UCP ucs_status_ptr_t ucp_tag_send_nb(ucp_ep_h e, const void* buffer, size_t count, ucp_datatype_t type,
                                            ucp_tag_t tag, ucp_send_callback_t callback) {
  return send(endpoint_of(e), buffer, count, type, tag, {.callback = callback});
}

STRATA_UCP ucs_status_ptr_t ucp_tag_send_sync_nb(ucp_ep_h e, const void* buffer, size_t count, ucp_datatype_t type,
                                                 ucp_tag_t tag, ucp_send_callback_t callback) {
  return send(endpoint_of(e), buffer, count, type, tag, {.callback = callback}, true);
}

STRATA_UCP ucs_status_ptr_t ucp_tag_send_nbx(ucp_ep_h e, const void* buffer, size_t count, ucp_tag_t tag,
                                             const ucp_request_param_t* p) {
  return send(endpoint_of(e), buffer, count, type_of(p), tag, {.parameters = p});
}

STRATA_UCP ucs_status_ptr_t ucp_tag_send_sync_nbx(ucp_ep_h e, const void* buffer, size_t count, ucp_tag_t tag,
                                                  const ucp_request_param_t* p) {
  return send(endpoint_of(e), buffer, count, type_of(p), tag, {.parameters = p}, true);
}

STRATA_UCP ucs_status_t ucp_tag_send_nbr(ucp_ep_h, const void*, size_t, ucp_datatype_t, ucp_tag_t, void*) {
  return UCS_ERR_UNSUPPORTED;
}
