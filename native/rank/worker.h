// SPDX-License-Identifier: LGPL-2.1-only
// The objects of UCP: a context has workers, which receive, and endpoints lead to the workers of other ranks. Handles
// of UCP's users are the addresses of these.
#pragma once

#include <ucp/api/ucp.h>

#include <cstdint>
#include <map>
#include <memory>
#include <unordered_map>
#include <utility>

#include "native/board/board_message.h"
#include "native/rank/tag_matching.h"

namespace strata::native {

/// A worker's address, which libraries exchange.
struct WorkerAddress {
  static constexpr std::uint32_t kMark = 0x53545241;  // "STRA"
  std::uint32_t mark = kMark;
  std::int32_t rank = 0;
  std::uint32_t worker = 0;
  std::uint32_t unused = 0;
};

struct Context {
  std::size_t request_bytes = 0;                     // of its user's part
  ucp_request_init_callback_t initialize = nullptr;  // of that part, once
  Request* free_requests = nullptr;
};

struct Endpoint {
  Worker* worker;           // ours
  int rank;                 // of the other side
  std::uint32_t to_worker;  // there
};

/// A handler of active messages: of the old interface (data only) or the new one (header and data).
struct Handler {
  ucp_am_callback_t old_call = nullptr;
  ucp_am_recv_callback_t call = nullptr;
  void* argument = nullptr;
};

struct Worker {
  Context* context = nullptr;
  std::uint32_t number = 0;
  ucs_thread_mode_t threads = UCS_THREAD_MODE_SINGLE;
  PostedReceives posted;
  KeptMessages kept;
  std::map<std::pair<int, std::uint32_t>, std::unique_ptr<Endpoint>> endpoints;  // by rank and worker
  std::unordered_map<unsigned, Handler> handlers;

  Endpoint& endpoint(int rank, std::uint32_t to_worker);
};

inline Worker& worker_of(ucp_worker_h handle) { return *reinterpret_cast<Worker*>(handle); }
inline Endpoint& endpoint_of(ucp_ep_h handle) { return *reinterpret_cast<Endpoint*>(handle); }
inline ucp_ep_h handle_of(Endpoint& e) { return reinterpret_cast<ucp_ep_h>(&e); }

/// By its number; fails if no worker has it.
Worker& worker_by_number(std::uint32_t number);

}  // namespace strata::native
