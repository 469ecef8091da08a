// SPDX-License-Identifier: LGPL-2.1-only
// UCP's datatypes: contiguous bytes, lists of buffers, and types that a library packs itself (generic).
#pragma once

#include <ucp/api/ucp.h>

#include <cstdint>

namespace strata::native {

/// The bytes of a send. `packed`: memory that holds them, which the caller frees; null: they are in the buffer itself.
struct Packed {
  const void* bytes = nullptr;
  std::size_t length = 0;
  void* packed = nullptr;
};
Packed pack(const void* buffer, std::size_t count, ucp_datatype_t type);

/// Where a receive of contiguous bytes puts them; null: it must be unpacked.
void* contiguous(void* buffer, std::size_t count, ucp_datatype_t type, std::size_t bytes);

/// The size of contiguous bytes; 0: the type is not contiguous.
std::size_t contiguous_bytes(std::size_t count, ucp_datatype_t type);

struct Unpacked {
  ucs_status_t status = UCS_OK;  // UCS_ERR_MESSAGE_TRUNCATED: more bytes than there is room for
  std::size_t bytes = 0;         // that were put
};
Unpacked unpack(void* buffer, std::size_t count, ucp_datatype_t type, const void* bytes, std::size_t length);

}  // namespace strata::native
