// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/strips.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "mpi_ext/cart/mesh.h"

namespace strata::mpix {
namespace {

// The dimensions across the strips, in increasing length.
std::vector<int> across(const Shape& dims, int along) {
  std::vector<int> others;
  for (int dim = 0; dim < static_cast<int>(dims.size()); ++dim) {
    if (dim != along) others.push_back(dim);
  }
  std::stable_sort(others.begin(), others.end(), [&](int a, int b) { return dims[a] < dims[b]; });
  return others;
}

// The number of strips side by side in each dimension; 1 along the longest.
Shape num_strips(const Shape& dims, int along, double node_size) {
  Shape strips(dims.size(), 1);
  double volume = node_size;
  auto share = static_cast<double>(dims.size());  // remaining dimensions of the cube
  for (int dim : across(dims, along)) {
    const double width = std::pow(volume, 1 / share--);
    strips[dim] = std::clamp(static_cast<int>(std::lround(dims[dim] / width)), 1, dims[dim]);
    volume = std::max(1.0, volume * strips[dim] / dims[dim]);
  }
  return strips;
}

class Filler {
 public:
  Filler(const Shape& dims, double node_size) : dims_(dims), n_(dims.size()), strides_(strides_of(dims)) {
    const auto along = static_cast<int>(std::max_element(dims.begin(), dims.end()) - dims.begin());
    strips_ = num_strips(dims, along, node_size);
    if (n_ > 0) digits_.push_back(along);
    for (int dim = 0; dim < static_cast<int>(n_); ++dim) {
      if (dim != along) digits_.push_back(dim);
    }
    order_.reserve(std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>()));
    fill();
  }

  std::vector<int> order() && { return std::move(order_); }

 private:
  void fill() {
    low_.assign(n_, 0);
    high_.resize(n_);
    for (size_t i = 0; i < n_; ++i) high_[i] = strip_end(i, 0);
    up_.assign(n_, true);
    at_.assign(n_, 0);
    strip_.assign(n_, 0);
    strip_up_.assign(n_, true);
    do {
      fill_strip();
    } while (next_strip());
  }

  // The beginning of the strip after the k-th.
  int strip_end(size_t dim, int k) const {
    return static_cast<int>(static_cast<long>(dims_[dim]) * (k + 1) / strips_[dim]);
  }

  // Visits the strip from corner at_ to another. The last digit varies fastest; each digit then changes direction.
  void fill_strip() {
    for (;;) {
      order_.push_back(position_);
      size_t i = n_;
      for (; i > 0; --i) {
        const int dim = digits_[i - 1];
        const int next = at_[dim] + (up_[dim] ? 1 : -1);
        if (next >= low_[dim] && next < high_[dim]) {
          move_to(dim, next);
          break;
        }
        up_[dim] = !up_[dim];
      }
      if (i == 0) return;
    }
  }

  // Moves to the nearest corner of the next strip. Returns false after the last strip.
  bool next_strip() {
    for (size_t i = n_; i-- > 0;) {
      const int next = strip_[i] + (strip_up_[i] ? 1 : -1);
      if (next < 0 || next >= strips_[i]) {
        strip_up_[i] = !strip_up_[i];
        continue;
      }
      strip_[i] = next;
      low_[i] = next == 0 ? 0 : strip_end(i, next - 1);
      high_[i] = strip_end(i, next);
      up_[i] = strip_up_[i];
      move_to(i, up_[i] ? low_[i] : high_[i] - 1);
      return true;
    }
    return false;
  }

  void move_to(size_t dim, int coordinate) {
    position_ += (coordinate - at_[dim]) * strides_[dim];
    at_[dim] = coordinate;
  }

  const Shape& dims_;
  size_t n_;
  std::vector<int> strides_;
  Shape strips_;             // number in each dimension
  std::vector<int> digits_;  // the dimensions, the one along the strips first
  std::vector<int> strip_, low_, high_, at_;
  std::vector<bool> strip_up_, up_;  // direction of the next step
  int position_ = 0;
  std::vector<int> order_;
};

}  // namespace

std::vector<int> strips_order(const Shape& dims, double node_size) { return Filler(dims, node_size).order(); }

}  // namespace strata::mpix
