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

/// The size of contiguous bytes; 0: the type is not contiguous.
std::size_t contiguous_bytes(std::size_t count, ucp_datatype_t type);

struct Unpacked {
  ucs_status_t status = UCS_OK;  // UCS_ERR_MESSAGE_TRUNCATED: more bytes than there is room for
  std::size_t bytes = 0;         // that were put
};

/// Where a receive puts its bytes. A program may free a datatype while a receive with it waits, and its library then
/// destroys UCP's type; so a generic type is asked how to unpack when the receive is posted, and stays until it ends.
/// As a part of a Request it has no destructor: unpack() or give_up() ends it, once.
class Destination {
 public:
  Destination() = default;
  Destination(void* buffer, std::size_t count, ucp_datatype_t type);

  /// The buffer, if it takes that number of bytes unchanged; null: they must be unpacked.
  void* contiguous(std::size_t bytes) const;
  Unpacked unpack(const void* bytes, std::size_t length);
  /// Nothing will come.
  void give_up();

 private:
  void* buffer_ = nullptr;
  std::size_t count_ = 0;
  ucp_datatype_t type_ = 0;
  void* state_ = nullptr;  // of a generic type, which unpacks with it
};

}  // namespace strata::native
