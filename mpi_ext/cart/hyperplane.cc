// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/hyperplane.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

#include "mpi_ext/cart/mesh.h"

namespace strata::mpix {
namespace {

struct Cut {
  int dim = -1, at = 0;  // -1: none
};

class Cutter {
 public:
  Cutter(const Shape& dims, const Shape& unit, const std::vector<int>& sizes)
      : unit_(unit), strides_(strides_of(dims)), extent_(dims) {
    const int size = std::accumulate(dims.begin(), dims.end(), 1, std::multiplies<>());
    order_.reserve(size);
    equal_ = std::adjacent_find(sizes.begin(), sizes.end(), std::not_equal_to<>()) == sizes.end();
    node_size_ = sizes.front();
    if (!equal_) {
      ends_.resize(sizes.size());
      std::partial_sum(sizes.begin(), sizes.end(), ends_.begin());
    }
    cut(0, size);
  }

  std::vector<int> order() && { return std::move(order_); }

 private:
  long length(int dim) const { return static_cast<long>(extent_[dim]) * unit_[dim]; }

  // The dimensions by decreasing length; among equal ones, in their order.
  std::vector<int>& by_length() {
    by_length_.resize(extent_.size());
    std::iota(by_length_.begin(), by_length_.end(), 0);
    std::sort(by_length_.begin(), by_length_.end(),
              [this](int a, int b) { return length(a) != length(b) ? length(a) > length(b) : a < b; });
    return by_length_;
  }

  // Cuts the box of size extent_ at position `first`. It gets `size` places in the order, beginning with order_.size().
  void cut(int first, int size) {
    const int from = static_cast<int>(order_.size());
    if (num_nodes(from, from + size) <= 2) {
      lay_out(first, size);
      return;
    }
    const Cut found = equal_ ? equal_cut(size) : unequal_cut(from, size);
    const int whole = extent_[found.dim], across = size / whole;
    extent_[found.dim] = found.at;
    cut(first, across * found.at);
    extent_[found.dim] = whole - found.at;
    cut(first + found.at * strides_[found.dim], across * (whole - found.at));
    extent_[found.dim] = whole;
  }

  // The number of nodes with places in [from, to) of the order.
  int num_nodes(int from, int to) const {
    if (equal_) return (to - from) / node_size_;
    const auto node_of = [this](int place) { return std::upper_bound(ends_.begin(), ends_.end(), place); };
    return static_cast<int>(node_of(to - 1) - node_of(from)) + 1;
  }

  // For m > 2 nodes with n positions each. The box has N = m n positions, d along dimension i, and N / d in a slice
  // across it. A cut that leaves whole nodes always exists: a cut at c does if n divides c N / d, that is, if c is a
  // multiple of q = n / gcd(n, N / d). q divides d, because n divides N. Without a cut, q would equal d for every i.
  // Let v(x) be the exponent of a prime p in x. For every p that divides d, v(d) = v(q) = max(0, v(n) - v(N) + v(d)),
  // so v(n) = v(N). Each prime of N divides some d, so n would equal N.
  Cut equal_cut(int size) {
    for (int dim : by_length()) {
      const int d = extent_[dim];
      const int step = node_size_ / std::gcd(node_size_, size / d);
      if (step == d) continue;
      // The multiple that is nearer to the half; if both are equally near, the lower one.
      const int below = d / 2 / step * step, above = below + step;
      return {dim, below > 0 && d - 2 * below <= 2 * above - d ? below : above};
    }
    return {};  // unreachable
  }

  // Among cuts that leave whole nodes, the one nearest to the half in the first dimension that has any; otherwise the
  // cut closest to leaving whole nodes.
  Cut unequal_cut(int from, int size) {
    Cut closest;
    long distance = size, to_half = 0;
    for (int dim : by_length()) {
      const int d = extent_[dim], across = size / d;
      const auto consider = [&](int at) {
        const long off = to_boundary(from + across * at, from, from + size);
        const long half = std::abs(2L * at - d) * across;
        if (closest.dim < 0 || off < distance || (off == distance && half < to_half)) {
          closest = {dim, at};
          distance = off;
          to_half = half;
        }
      };
      for (int low = d / 2; low > 0 && distance > 0; --low) {  // from the half outwards
        consider(low);
        if (d - low != low && distance > 0) consider(d - low);
      }
      if (distance == 0) break;
    }
    return closest;
  }

  // The distance of a place from the nearest boundary between nodes.
  long to_boundary(int place, int from, int to) const {
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), place);
    const int before = end == ends_.begin() ? from : std::max(from, *(end - 1));
    return std::min(std::min(*end, to) - place, place - before);
  }

  // Slices across the longest dimension, one after another. Within a slice, the next longest dimension varies slowest.
  void lay_out(int first, int size) {
    const std::vector<int>& dims = by_length();
    at_.assign(dims.size(), 0);
    for (int place = 0, position = first; place < size; ++place) {
      order_.push_back(position);
      for (size_t i = dims.size(); i-- > 0;) {
        const int dim = dims[i];
        position += strides_[dim];
        if (++at_[i] < extent_[dim]) break;
        position -= at_[i] * strides_[dim];
        at_[i] = 0;
      }
    }
  }

  const Shape& unit_;
  std::vector<int> strides_;
  Shape extent_;  // of the current box
  bool equal_ = true;
  int node_size_ = 1;      // if all are equal
  std::vector<int> ends_;  // if they are not: the end of each in the order
  std::vector<int> order_;
  std::vector<int> by_length_, at_;  // members only to reuse their memory
};

}  // namespace

std::vector<int> hyperplane_order(const Shape& dims, const Shape& unit, const std::vector<int>& sizes) {
  return Cutter(dims, unit, sizes).order();
}

}  // namespace strata::mpix
