// SPDX-License-Identifier: LGPL-2.1-only
// A value for each rank, by its number. References stay valid.
#pragma once

#include <deque>

namespace strata::mpix {

template <class T>
class ByRank {
 public:
  T& operator[](int rank) {
    while (static_cast<int>(all_.size()) <= rank) all_.emplace_back();
    return all_[rank];
  }

 private:
  std::deque<T> all_;
};

}  // namespace strata::mpix
