// SPDX-License-Identifier: LGPL-2.1-only
// MPI's tags in the 64 bits that a library gives to UCP for matching. For example, Open MPI sends with tag 7 from rank
// 3 of the communicator with context 5:
//
//   mpi_tag(MessageTags::kOpenMpi, 0x0000070000300005)     7
//
// Open MPI (pml/ucx): 24 bits of tag, which may be negative, 20 of source, 20 of context. MPICH (ch4:ucx): 16 bits of
// context, whose lowest bit marks collectives, then source, protocol, and the tag in the lowest bits; of these at least
// 26 are the user's, depending on how the library was configured.
#pragma once

#include <cstdint>

namespace strata::native {

enum class MessageTags : std::uint32_t { kUnknown, kOpenMpi, kMpich };

/// The tag of a message; negative inside the library's own collectives.
inline std::int32_t mpi_tag(MessageTags layout, std::uint64_t tag) {
  constexpr std::uint64_t kMpichTag = (std::uint64_t{1} << 26) - 1, kMpichCollective = std::uint64_t{1} << 48;
  switch (layout) {
    case MessageTags::kOpenMpi:
      return static_cast<std::int32_t>(static_cast<std::int64_t>(tag) >> 40);
    case MessageTags::kMpich: {
      const auto low = static_cast<std::int32_t>(tag & kMpichTag);
      return (tag & kMpichCollective) != 0 ? -1 - low : low;
    }
    case MessageTags::kUnknown:
      break;
  }
  return 0;
}

/// Whether a receive with this mask accepts any source, or any tag.
inline bool is_wildcard(MessageTags layout, std::uint64_t mask) {
  constexpr std::uint64_t kOpenMpiSource = 0xfffff00000, kOpenMpiTag = 0x7fffff0000000000;
  constexpr std::uint64_t kMpichSource = 0xfff00000000, kMpichTag = 0xfffff;  // bits that are in these in all builds
  switch (layout) {
    case MessageTags::kOpenMpi:
      return (mask & kOpenMpiSource) == 0 || (mask & kOpenMpiTag) == 0;
    case MessageTags::kMpich:
      return (mask & kMpichSource) == 0 || (mask & kMpichTag) == 0;
    case MessageTags::kUnknown:
      break;
  }
  return false;
}

}  // namespace strata::native
