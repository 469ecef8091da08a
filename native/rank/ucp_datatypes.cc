// SPDX-License-Identifier: LGPL-2.1-only
#include "native/rank/ucp_datatypes.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "native/rank/exported.h"
#include "native/rank/process.h"

namespace strata::native {
namespace {

struct Generic {
  ucp_generic_dt_ops_t operations;
  void* context;
  int users = 1;  // its creator, and the destinations with it
};

void release(Generic& g) {
  if (--g.users == 0) delete &g;
}

// A generic type's number is its address; the low bits say that it is one.
Generic& generic(ucp_datatype_t type) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): a number in a message
  return *reinterpret_cast<Generic*>(type & ~static_cast<ucp_datatype_t>(UCP_DATATYPE_CLASS_MASK));
}

bool is_generic(ucp_datatype_t type) { return (type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_GENERIC; }

std::size_t item_bytes(ucp_datatype_t type) { return type >> UCP_DATATYPE_SHIFT; }

char* room(std::size_t bytes) {
  auto* const memory = static_cast<char*>(std::malloc(std::max<std::size_t>(bytes, 1)));
  if (memory == nullptr) fail("no memory for a message of %zu bytes", bytes);
  return memory;
}

}  // namespace

std::size_t contiguous_bytes(std::size_t count, ucp_datatype_t type) {
  return (type & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG ? count * item_bytes(type) : 0;
}

Packed pack(const void* buffer, std::size_t count, ucp_datatype_t type) {
  switch (type & UCP_DATATYPE_CLASS_MASK) {
    case UCP_DATATYPE_CONTIG:
      return {buffer, count * item_bytes(type), nullptr};
    case UCP_DATATYPE_IOV: {
      const auto* const parts = static_cast<const ucp_dt_iov_t*>(buffer);
      std::size_t length = 0, at = 0;
      for (std::size_t i = 0; i < count; ++i) length += parts[i].length;
      char* const bytes = room(length);
      for (std::size_t i = 0; i < count; at += parts[i++].length) {
        if (parts[i].length > 0) std::memcpy(bytes + at, parts[i].buffer, parts[i].length);
      }
      return {bytes, length, bytes};
    }
    case UCP_DATATYPE_GENERIC: {
      const Generic& g = generic(type);
      void* const state = g.operations.start_pack(g.context, buffer, count);
      const std::size_t length = g.operations.packed_size(state);
      char* const bytes = room(length);
      for (std::size_t at = 0; at < length;) {
        const std::size_t part = g.operations.pack(state, at, bytes + at, length - at);
        if (part == 0) break;
        at += part;
      }
      g.operations.finish(state);
      return {bytes, length, bytes};
    }
    default:
      fail("a datatype of UCP that is not known: class %d", static_cast<int>(type & UCP_DATATYPE_CLASS_MASK));
  }
}

Destination::Destination(void* buffer, std::size_t count, ucp_datatype_t type)
    : buffer_(buffer), count_(count), type_(type) {
  if (!is_generic(type)) return;
  Generic& g = generic(type);
  ++g.users;
  state_ = g.operations.start_unpack(g.context, buffer, count);
}

void* Destination::contiguous(std::size_t bytes) const {
  const bool fits = (type_ & UCP_DATATYPE_CLASS_MASK) == UCP_DATATYPE_CONTIG && count_ * item_bytes(type_) >= bytes;
  return fits ? buffer_ : nullptr;
}

void Destination::give_up() {
  if (!is_generic(type_)) return;
  Generic& g = generic(type_);
  g.operations.finish(state_);
  release(g);
}

Unpacked Destination::unpack(const void* bytes, std::size_t length) {
  std::size_t put = length;
  switch (type_ & UCP_DATATYPE_CLASS_MASK) {
    case UCP_DATATYPE_CONTIG:
      put = std::min(length, count_ * item_bytes(type_));
      if (put > 0) std::memcpy(buffer_, bytes, put);
      break;
    case UCP_DATATYPE_IOV: {
      const auto* const parts = static_cast<const ucp_dt_iov_t*>(buffer_);
      put = 0;
      for (std::size_t i = 0; i < count_ && put < length; ++i) {
        const std::size_t part = std::min(parts[i].length, length - put);
        if (part > 0) std::memcpy(parts[i].buffer, static_cast<const char*>(bytes) + put, part);
        put += part;
      }
      break;
    }
    case UCP_DATATYPE_GENERIC: {
      const Generic& g = generic(type_);
      put = std::min(length, g.operations.packed_size(state_));
      ucs_status_t status = UCS_OK;
      if (put > 0) status = g.operations.unpack(state_, 0, bytes, put);
      give_up();
      if (status != UCS_OK) return {status, put};
      break;
    }
    default:
      fail("a datatype of UCP that is not known: class %d", static_cast<int>(type_ & UCP_DATATYPE_CLASS_MASK));
  }
  return {put < length ? UCS_ERR_MESSAGE_TRUNCATED : UCS_OK, put};
}

}  // namespace strata::native

using namespace strata::native;

STRATA_UCP ucs_status_t ucp_dt_create_generic(const ucp_generic_dt_ops_t* operations, void* context,
                                              ucp_datatype_t* type) {
  auto* const g = new Generic{.operations = *operations, .context = context};
  *type = reinterpret_cast<ucp_datatype_t>(g) | UCP_DATATYPE_GENERIC;
  return UCS_OK;
}

STRATA_UCP void ucp_dt_destroy(ucp_datatype_t type) {
  const Lock lock;
  if (is_generic(type)) release(generic(type));
}
