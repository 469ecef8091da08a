// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/ucp_one_sided.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <list>

#include "native/board/arena.h"
#include "native/rank/exported.h"
#include "native/rank/library_work.h"
#include "native/rank/process.h"
#include "native/rank/ucp_progress.h"
#include "native/rank/ucp_requests.h"
#include "native/rank/worker.h"

namespace strata::native {
namespace {

// An operation under way. Its number is its address.
struct Operation {
  Request* request = nullptr;  // completes with it; null: none
  void* result = nullptr;      // where the data or the old value go
  std::size_t bytes = 0;
  std::uint64_t order = 0;
};

// A flush: complete when the operations before it are.
struct Flush {
  Request* request;
  std::uint64_t order;  // of the last operation before it
  std::uint64_t left;   // operations before it that have not ended
};

std::uint64_t begun = 0, under_way = 0;
std::list<Flush> flushes;

struct Memory {
  void* address = nullptr;
  std::size_t bytes = 0;
  bool is_ours = false;  // allocated here
};

struct RemoteKey {
  std::int32_t rank;
};

// Starts it; `result` gets what comes back.
void begin(Endpoint& e, Message m, Request* request, void* result, std::size_t bytes) {
  charge_work();
  something_happens();
  auto* const operation = new Operation{request, result, bytes, begun++};
  ++under_way;
  m.peer = e.rank;
  m.worker = e.to_worker;
  m.sender_worker = e.worker->number;
  m.sending = reinterpret_cast<std::uint64_t>(operation);
  post(m);
}

void put(Endpoint& e, const void* buffer, std::size_t bytes, std::uint64_t remote, Request* request) {
  begin(e, {.kind = Kind::kPut, .bytes = bytes, .data = keep_payload(buffer, bytes), .remote = remote}, request,
        nullptr, 0);
}

void get(Endpoint& e, void* buffer, std::size_t bytes, std::uint64_t remote, Request* request) {
  begin(e, {.kind = Kind::kGet, .bytes = bytes, .data = keep_payload(nullptr, bytes), .remote = remote}, request,
        buffer, bytes);
}

void atomic(Endpoint& e, AtomicOperation operation, const void* operand, const void* expected, std::size_t bytes,
            std::uint64_t remote, void* result, Request* request) {
  const std::uint64_t block = keep_payload(nullptr, 2 * bytes);
  std::memcpy(board().at(block), operand, bytes);
  if (expected != nullptr) std::memcpy(board().at(block) + bytes, expected, bytes);
  begin(e,
        {.kind = Kind::kAtomic,
         .function = static_cast<std::int32_t>(operation),
         .tag = bytes,
         .bytes = bytes,
         .data = block,
         .remote = remote},
        request, result, bytes);
}

// Null if nothing is under way.
ucs_status_ptr_t flush(Worker& w, const SendCompletion& completion) {
  const Lock lock;
  if (under_way == 0 && !completion.needs_request()) return nullptr;
  Request& r = new_request(w, completion);
  if (under_way == 0) {
    complete(r, UCS_OK);
  } else {
    flushes.push_back({&r, begun, under_way});
  }
  return r.user_part();
}

void flush_and_wait() {
  progress_until([] { return under_way == 0; });
}

AtomicOperation operation_of(ucp_atomic_op_t operation) {
  switch (operation) {
    case UCP_ATOMIC_OP_ADD:
      return AtomicOperation::kAdd;
    case UCP_ATOMIC_OP_SWAP:
      return AtomicOperation::kSwap;
    case UCP_ATOMIC_OP_CSWAP:
      return AtomicOperation::kCompareAndSwap;
    case UCP_ATOMIC_OP_AND:
      return AtomicOperation::kAnd;
    case UCP_ATOMIC_OP_OR:
      return AtomicOperation::kOr;
    case UCP_ATOMIC_OP_XOR:
      return AtomicOperation::kXor;
    default:
      fail("an atomic operation of UCP that is not known: %d", static_cast<int>(operation));
  }
}

}  // namespace

void take_done(const Message& m) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number in a message
  auto* const operation = reinterpret_cast<Operation*>(m.sending);
  if (operation->result != nullptr) std::memcpy(operation->result, board().at(m.data), operation->bytes);
  if (m.data != 0) return_block(board(), my_rank(), m.data);
  --under_way;
  for (auto at = flushes.begin(); at != flushes.end();) {
    const auto here = at++;
    if (operation->order >= here->order || --here->left > 0) continue;
    Request& done = *here->request;
    flushes.erase(here);
    complete(done, UCS_OK);
  }
  if (operation->request != nullptr) complete(*operation->request, UCS_OK);
  delete operation;
}

}  // namespace strata::native

using namespace strata::native;

// --- memory ---

STRATA_UCP ucs_status_t ucp_mem_map(ucp_context_h, const ucp_mem_map_params_t* p, ucp_mem_h* handle) {
  auto* const m = new Memory;
  if ((p->field_mask & UCP_MEM_MAP_PARAM_FIELD_LENGTH) != 0) m->bytes = p->length;
  if ((p->field_mask & UCP_MEM_MAP_PARAM_FIELD_ADDRESS) != 0) m->address = p->address;
  // Without bytes there is no memory, as in UCX: MPI_Win_create(NULL, 0) has no base.
  if (m->address == nullptr && m->bytes > 0) {
    m->address = ::mmap(nullptr, m->bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    m->is_ours = true;
    if (m->address == MAP_FAILED) {
      delete m;
      return UCS_ERR_NO_MEMORY;
    }
  }
  *handle = reinterpret_cast<ucp_mem_h>(m);
  return UCS_OK;
}

STRATA_UCP ucs_status_t ucp_mem_unmap(ucp_context_h, ucp_mem_h handle) {
  auto* const m = reinterpret_cast<Memory*>(handle);
  if (m->is_ours) ::munmap(m->address, m->bytes);
  delete m;
  return UCS_OK;
}

STRATA_UCP ucs_status_t ucp_mem_query(ucp_mem_h handle, ucp_mem_attr_t* attributes) {
  const auto* const m = reinterpret_cast<const Memory*>(handle);
  if ((attributes->field_mask & UCP_MEM_ATTR_FIELD_ADDRESS) != 0) attributes->address = m->address;
  if ((attributes->field_mask & UCP_MEM_ATTR_FIELD_LENGTH) != 0) attributes->length = m->bytes;
  if ((attributes->field_mask & UCP_MEM_ATTR_FIELD_MEM_TYPE) != 0) attributes->mem_type = UCS_MEMORY_TYPE_HOST;
  return UCS_OK;
}

STRATA_UCP ucs_status_t ucp_mem_advise(ucp_context_h, ucp_mem_h, ucp_mem_advise_params_t*) { return UCS_OK; }

STRATA_UCP ucs_status_t ucp_rkey_pack(ucp_context_h, ucp_mem_h, void** key, size_t* bytes) {
  *key = new RemoteKey{my_rank()};
  *bytes = sizeof(RemoteKey);
  return UCS_OK;
}

STRATA_UCP void ucp_rkey_buffer_release(void* key) { delete static_cast<RemoteKey*>(key); }

STRATA_UCP ucs_status_t ucp_ep_rkey_unpack(ucp_ep_h, const void* key, ucp_rkey_h* into) {
  *into = reinterpret_cast<ucp_rkey_h>(new RemoteKey(*static_cast<const RemoteKey*>(key)));
  return UCS_OK;
}

STRATA_UCP void ucp_rkey_destroy(ucp_rkey_h key) { delete reinterpret_cast<RemoteKey*>(key); }

// Another rank's memory cannot be accessed directly.
STRATA_UCP ucs_status_t ucp_rkey_ptr(ucp_rkey_h, uint64_t, void**) { return UCS_ERR_UNREACHABLE; }

// --- operations ---

STRATA_UCP ucs_status_t ucp_put_nbi(ucp_ep_h e, const void* buffer, size_t bytes, uint64_t remote, ucp_rkey_h) {
  const Lock lock;
  put(endpoint_of(e), buffer, bytes, remote, nullptr);
  return UCS_OK;  // the buffer may be used again
}

STRATA_UCP ucs_status_ptr_t ucp_put_nb(ucp_ep_h e, const void* buffer, size_t bytes, uint64_t remote, ucp_rkey_h,
                                       ucp_send_callback_t) {
  const Lock lock;
  put(endpoint_of(e), buffer, bytes, remote, nullptr);
  return nullptr;
}

STRATA_UCP ucs_status_t ucp_put(ucp_ep_h e, const void* buffer, size_t bytes, uint64_t remote, ucp_rkey_h) {
  return ucp_put_nbi(e, buffer, bytes, remote, nullptr);
}

STRATA_UCP ucs_status_ptr_t ucp_put_nbx(ucp_ep_h e, const void* buffer, size_t count, uint64_t remote, ucp_rkey_h,
                                        const ucp_request_param_t* p) {
  const Lock lock;
  const ucp_datatype_t type = type_of(p);
  Request* const r = &new_request(*endpoint_of(e).worker, SendCompletion{.parameters = p});
  put(endpoint_of(e), buffer, count * (type >> UCP_DATATYPE_SHIFT), remote, r);
  return r->user_part();
}

STRATA_UCP ucs_status_t ucp_get_nbi(ucp_ep_h e, void* buffer, size_t bytes, uint64_t remote, ucp_rkey_h) {
  const Lock lock;
  get(endpoint_of(e), buffer, bytes, remote, nullptr);
  return UCS_INPROGRESS;
}

STRATA_UCP ucs_status_ptr_t ucp_get_nb(ucp_ep_h e, void* buffer, size_t bytes, uint64_t remote, ucp_rkey_h,
                                       ucp_send_callback_t callback) {
  const Lock lock;
  Request* const r = &new_request(*endpoint_of(e).worker, SendCompletion{.callback = callback});
  get(endpoint_of(e), buffer, bytes, remote, r);
  return r->user_part();
}

STRATA_UCP ucs_status_ptr_t ucp_get_nbx(ucp_ep_h e, void* buffer, size_t count, uint64_t remote, ucp_rkey_h,
                                        const ucp_request_param_t* p) {
  const Lock lock;
  const ucp_datatype_t type = type_of(p);
  Request* const r = &new_request(*endpoint_of(e).worker, SendCompletion{.parameters = p});
  get(endpoint_of(e), buffer, count * (type >> UCP_DATATYPE_SHIFT), remote, r);
  return r->user_part();
}

STRATA_UCP ucs_status_ptr_t ucp_atomic_op_nbx(ucp_ep_h e, ucp_atomic_op_t operation, const void* buffer, size_t,
                                              uint64_t remote, ucp_rkey_h, const ucp_request_param_t* p) {
  const Lock lock;
  const std::size_t bytes = type_of(p) >> UCP_DATATYPE_SHIFT;
  if (bytes != sizeof(std::uint32_t) && bytes != sizeof(std::uint64_t)) return UCS_STATUS_PTR(UCS_ERR_INVALID_PARAM);
  void* const reply = (p->op_attr_mask & UCP_OP_ATTR_FIELD_REPLY_BUFFER) != 0 ? p->reply_buffer : nullptr;
  Request* const r = &new_request(*endpoint_of(e).worker, SendCompletion{.parameters = p});
  // For a compare-and-swap, the buffer is what to compare with, and the reply buffer what to put.
  const bool compares = operation == UCP_ATOMIC_OP_CSWAP;
  atomic(endpoint_of(e), operation_of(operation), compares ? reply : buffer, compares ? buffer : nullptr, bytes, remote,
         reply, r);
  return r->user_part();
}

STRATA_UCP ucs_status_t ucp_atomic_post(ucp_ep_h e, ucp_atomic_post_op_t operation, uint64_t value, size_t bytes,
                                        uint64_t remote, ucp_rkey_h) {
  const Lock lock;
  constexpr AtomicOperation kOperations[] = {AtomicOperation::kAdd, AtomicOperation::kAnd, AtomicOperation::kOr,
                                             AtomicOperation::kXor};
  atomic(endpoint_of(e), kOperations[operation], &value, nullptr, bytes, remote, nullptr, nullptr);
  return UCS_OK;
}

STRATA_UCP ucs_status_ptr_t ucp_atomic_fetch_nb(ucp_ep_h e, ucp_atomic_fetch_op_t operation, uint64_t value,
                                                void* result, size_t bytes, uint64_t remote, ucp_rkey_h,
                                                ucp_send_callback_t callback) {
  const Lock lock;
  constexpr AtomicOperation kOperations[] = {
      AtomicOperation::kAdd, AtomicOperation::kSwap, AtomicOperation::kCompareAndSwap,
      AtomicOperation::kAnd, AtomicOperation::kOr,   AtomicOperation::kXor};
  const AtomicOperation o = kOperations[operation];
  Request* const r = &new_request(*endpoint_of(e).worker, SendCompletion{.callback = callback});
  // For a compare-and-swap, `value` is what to compare with, and the result's buffer holds what to put.
  const bool compares = o == AtomicOperation::kCompareAndSwap;
  atomic(endpoint_of(e), o, compares ? result : &value, compares ? &value : nullptr, bytes, remote, result, r);
  return r->user_part();
}

// --- order ---

STRATA_UCP ucs_status_ptr_t ucp_worker_flush_nb(ucp_worker_h w, unsigned, ucp_send_callback_t callback) {
  return flush(worker_of(w), {.callback = callback});
}
STRATA_UCP ucs_status_ptr_t ucp_worker_flush_nbx(ucp_worker_h w, const ucp_request_param_t* p) {
  return flush(worker_of(w), {.parameters = p});
}
STRATA_UCP ucs_status_ptr_t ucp_ep_flush_nb(ucp_ep_h e, unsigned, ucp_send_callback_t callback) {
  return flush(*endpoint_of(e).worker, {.callback = callback});
}
STRATA_UCP ucs_status_ptr_t ucp_ep_flush_nbx(ucp_ep_h e, const ucp_request_param_t* p) {
  return flush(*endpoint_of(e).worker, {.parameters = p});
}
STRATA_UCP ucs_status_t ucp_ep_flush(ucp_ep_h) {
  flush_and_wait();
  return UCS_OK;
}
STRATA_UCP ucs_status_t ucp_worker_flush(ucp_worker_h) {
  flush_and_wait();
  return UCS_OK;
}
// Operations after it come after those before it: simply wait for these.
STRATA_UCP ucs_status_t ucp_worker_fence(ucp_worker_h) {
  flush_and_wait();
  return UCS_OK;
}
