// SPDX-License-Identifier: LGPL-2.1-only
// The payload of a collective: elements, and the segments that a message is cut into.
//
// A segment holds as many whole elements as fit in `segment_bytes`, at least one; the last one may be shorter. 0 does
// not cut (Open MPI 2.0.1, COLL_BASE_COMPUTED_SEGCOUNT of coll_base_topo.h; MPIX_Bcast documents the same).
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <vector>

namespace strata::models {

struct Payload {
  std::int64_t elements = 0;
  double element_bytes = 4;
  double segment_bytes = 0;

  double bytes() const { return static_cast<double>(elements) * element_bytes; }
  /// Elements of a full segment; all of them where the message is not cut.
  std::int64_t segment_elements() const {
    const double fitting = std::max(1.0, std::floor(segment_bytes / element_bytes));
    const bool cut = segment_bytes > 0 && fitting < static_cast<double>(elements);
    return cut ? static_cast<std::int64_t>(fitting) : elements;
  }
  std::int64_t num_segments() const {
    return elements == 0 ? 0 : (elements + segment_elements() - 1) / segment_elements();
  }
  /// The bytes of each segment; none where there is nothing to send.
  std::vector<double> segments() const {
    std::vector<double> bytes_of(num_segments(), static_cast<double>(segment_elements()) * element_bytes);
    if (!bytes_of.empty()) {
      bytes_of.back() = static_cast<double>(elements - (num_segments() - 1) * segment_elements()) * element_bytes;
    }
    return bytes_of;
  }
};

}  // namespace strata::models
