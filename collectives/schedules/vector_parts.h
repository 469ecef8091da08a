// SPDX-License-Identifier: LGPL-2.1-only
// How Open MPI divides a vector: into segments of about a given size, or into as many blocks as there are ranks. For
// example, 10 elements of 8 bytes in segments of 30 bytes: 4, 4 and 2 elements, because 30 is nearer to 32 than to 24.
// In 4 blocks: 3, 3, 2 and 2.
#pragma once

#include <algorithm>
#include <cstdint>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

/// Elements of a segment; all if the segment is shorter than an element or not shorter than the vector. Source:
/// COLL_BASE_COMPUTED_SEGCOUNT, ompi/mca/coll/base/coll_base_functions.h, Open MPI 4.1.4.
inline std::int64_t segment_elements(std::int64_t segment_bytes, std::int64_t element_bytes, std::int64_t count) {
  if (segment_bytes < element_bytes || segment_bytes >= element_bytes * count) return count;
  const std::int64_t whole = segment_bytes / element_bytes;
  return segment_bytes - whole * element_bytes > element_bytes / 2 ? whole + 1 : whole;
}

/// Segments of a vector, from 0 on.
struct Segments {
  std::int64_t count;     // elements of the vector
  std::int64_t elements;  // of each segment but the last

  Segments(const Collective& call, const Settings& settings)
      : count(call.count), elements(segment_elements(settings.segment_bytes, call.element_bytes, call.count)) {}

  int number() const { return elements == 0 ? 0 : static_cast<int>((count + elements - 1) / elements); }
  Range range(Buffer in, int segment) const {
    return {in, segment * elements, std::min(elements, count - segment * elements)};
  }
};

/// Blocks of a vector, of which the first are longer by one element if it cannot be divided equally. Source:
/// COLL_BASE_COMPUTE_BLOCKCOUNT, as above.
struct Blocks {
  std::int64_t count;
  int number;

  std::int64_t longer() const { return count % number; }
  std::int64_t first(std::int64_t block) const { return block * (count / number) + std::min(block, longer()); }
  std::int64_t elements(std::int64_t block) const { return count / number + (block < longer() ? 1 : 0); }
  Range range(Buffer in, std::int64_t block) const { return {in, first(block), elements(block)}; }
};

}  // namespace strata::collectives
