// SPDX-License-Identifier: LGPL-2.1-only
// Requests of UCP. A caller sees the address after a Request: its own part, of the size that it gave to ucp_init, or
// memory of its own whose part before that address is ours (UCP_OP_ATTR_FIELD_REQUEST).
#pragma once

#include <ucp/api/ucp.h>

#include <cstdint>
#include <vector>

#include "native/board/board_message.h"
#include "native/rank/ucp_datatypes.h"

namespace strata::native {

struct Worker;
struct Context;

struct alignas(16) Request {
  enum class Callback : std::uint8_t { kNone, kSend, kSendX, kReceive, kReceiveX };
  Request *before = nullptr, *behind = nullptr;  // in a list of posted receives
  Context* context = nullptr;
  Worker* worker = nullptr;
  volatile bool done = false;
  bool freed = false;     // by its user, who does not look at it again
  bool is_users = false;  // its memory
  bool is_receive = false;
  bool is_to_record = false;  // a recording does not have yet that its user has seen it complete
  ucs_status_t status = UCS_INPROGRESS;
  Callback callback = Callback::kNone;
  union {
    ucp_send_callback_t send;
    ucp_send_nbx_callback_t send_x;
    ucp_tag_recv_callback_t receive;
    ucp_tag_recv_nbx_callback_t receive_x;
  } call = {};
  void* user_data = nullptr;
  ucp_tag_recv_info_t info = {};
  ucp_tag_recv_info_t* info_of_user = nullptr;
  // A receive.
  Destination destination = {};
  ucp_tag_t tag = 0, mask = 0;
  double span = 0;        // Message::destination_span
  std::size_t place = 0;  // in incomplete_requests()
  // A send that waits for its receiver: its packed data; a one-sided operation: see one_sided.cc.
  void* packed = nullptr;

  void* user_part() { return this + 1; }
  static Request* of(void* user_part) { return static_cast<Request*>(user_part) - 1; }
};

/// How the caller of an operation learns that it is complete: UCP has two families of functions.
template <class OlderCallback>
struct Completion {
  const ucp_request_param_t* parameters = nullptr;  // of the nbx functions
  OlderCallback callback = nullptr;                 // of the older ones

  /// Whether an operation that is complete at once needs a request all the same.
  bool needs_request() const {
    return parameters != nullptr && (parameters->op_attr_mask & UCP_OP_ATTR_FLAG_NO_IMM_CMPL) != 0;
  }
};
using SendCompletion = Completion<ucp_send_callback_t>;
using ReceiveCompletion = Completion<ucp_tag_recv_callback_t>;

Request& new_request(Worker& worker, const SendCompletion& completion);
Request& new_request(Worker& worker, const ReceiveCompletion& completion);
/// This rank's requests that are not complete, in any order.
const std::vector<Request*>& incomplete_requests();
/// Calls its callback, and frees it if its user has.
void complete(Request& request, ucs_status_t status);
/// Its user sees that it is complete; for a recording.
void record_wait(Request& request);
/// Its memory can be used again.
void recycle(Request& request);

/// The parameter's datatype; bytes if it has none.
inline ucp_datatype_t type_of(const ucp_request_param_t* p) {
  return (p->op_attr_mask & UCP_OP_ATTR_FIELD_DATATYPE) != 0 ? p->datatype : ucp_dt_make_contig(1);
}

inline std::uint64_t number_of(Request* request) { return reinterpret_cast<std::uint64_t>(request); }
// NOLINTNEXTLINE(performance-no-int-to-ptr): a number in a message
inline Request& request_of(std::uint64_t number) { return *reinterpret_cast<Request*>(number); }

}  // namespace strata::native
