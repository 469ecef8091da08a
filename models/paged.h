// SPDX-License-Identifier: LGPL-2.1-only
// An array whose elements exist from their first use on, in pages. A schedule of a few ranks uses a few links of a
// machine that may have millions, and each prediction has such arrays.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

namespace strata::models {

/// References to elements stay valid.
template <class T>
class Paged {
 public:
  explicit Paged(std::size_t size) : pages_((size + kPage - 1) / kPage) {}

  /// `index` must be below the size. O(1).
  T& operator[](std::size_t index) {
    std::unique_ptr<T[]>& page = pages_[index / kPage];
    if (!page) page = std::make_unique<T[]>(kPage);
    return page[index % kPage];
  }

  /// Calls `f` with the elements of all pages that have been used, in order.
  template <class F>
  void for_each(F&& f) const {
    for (const std::unique_ptr<T[]>& page : pages_) {
      for (std::size_t i = 0; page && i < kPage; ++i) f(page[i]);
    }
  }

 private:
  static constexpr std::size_t kPage = 256;  // elements
  std::vector<std::unique_ptr<T[]>> pages_;
};

}  // namespace strata::models
