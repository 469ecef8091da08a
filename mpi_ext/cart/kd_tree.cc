// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/kd_tree.h"

#include <algorithm>
#include <functional>
#include <numeric>

#include "mpi_ext/cart/mesh.h"

namespace strata::mpix {
namespace {

class Tree {
 public:
  explicit Tree(const Shape& dims) : strides_(strides_of(dims)), extent_(dims) {
    order_.reserve(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()));
    split(0);
  }

  std::vector<int> order() && { return std::move(order_); }

 private:
  // Splits the box of size extent_ at position `first`.
  void split(int first) {
    const auto longest = std::max_element(extent_.begin(), extent_.end());
    if (longest == extent_.end() || *longest == 1) {
      order_.push_back(first);
      return;
    }
    const auto dim = longest - extent_.begin();
    const int whole = *longest, half = whole / 2;
    extent_[dim] = half;
    split(first);
    extent_[dim] = whole - half;
    split(first + half * strides_[dim]);
    extent_[dim] = whole;
  }

  std::vector<int> strides_;
  Shape extent_;  // of the current box
  std::vector<int> order_;
};

}  // namespace

std::vector<int> kd_tree_order(const Shape& dims) { return Tree(dims).order(); }

}  // namespace strata::mpix
