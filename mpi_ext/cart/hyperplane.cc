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

  // The dimensions, the longest first, of equals the first.
  std::vector<int>& by_length() {
    by_length_.resize(extent_.size());
    std::iota(by_length_.begin(), by_length_.end(), 0);
    std::sort(by_length_.begin(), by_length_.end(),
              [this](int a, int b) { return length(a) != length(b) ? length(a) > length(b) : a < b; });
    return by_length_;
  }

  // The box of extent_ whose first position is `first`, for the places order_.size() to that plus `size` in the order.
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

  // How many nodes have places in [from, to) of the order.
  int num_nodes(int from, int to) const {
    if (equal_) return (to - from) / node_size_;
    const auto node_of = [this](int place) { return std::upper_bound(ends_.begin(), ends_.end(), place); };
    return static_cast<int>(node_of(to - 1) - node_of(from)) + 1;
  }

  // Of m > 2 equal nodes of n; the box has N = m n positions, d along dimension i, and N / d in a slice across it.
  // There is always a cut. One at c leaves whole nodes where n divides c N / d, that is, where c is a multiple of q = n
  // / gcd(n, N / d), which divides d, as n divides N. Were there none, q would be d for every i. For every prime p that
  // divides d, with v(x) its power in x, v(d) = v(q) = max(0, v(n) - v(N) + v(d)) means v(n) = v(N). Each prime of N
  // divides some d; so n would be N.
  Cut equal_cut(int size) {
    for (int dim : by_length()) {
      const int d = extent_[dim];
      const int step = node_size_ / std::gcd(node_size_, size / d);
      if (step == d) continue;
      // Of the multiples beside the half, the nearer; of equals the lower.
      const int below = d / 2 / step * step, above = below + step;
      return {dim, below > 0 && d - 2 * below <= 2 * above - d ? below : above};
    }
    return {};  // never
  }

  // Of those that leave whole nodes, the first dimension's nearest to the half; else the one that comes closest.
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

  // How far a place is from the nearest one where a node ends.
  long to_boundary(int place, int from, int to) const {
    const auto end = std::lower_bound(ends_.begin(), ends_.end(), place);
    const int before = end == ends_.begin() ? from : std::max(from, *(end - 1));
    return std::min(std::min(*end, to) - place, place - before);
  }

  // Slices across the longest dimension, one after the other; in them the next longest is the slowest.
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
  Shape extent_;  // of the box at hand
  bool equal_ = true;
  int node_size_ = 1;      // of equal ones
  std::vector<int> ends_;  // of unequal ones: where each ends in the order
  std::vector<int> order_;
  std::vector<int> by_length_, at_;  // kept for their memory
};

}  // namespace

std::vector<int> hyperplane_order(const Shape& dims, const Shape& unit, const std::vector<int>& sizes) {
  return Cutter(dims, unit, sizes).order();
}

}  // namespace strata::mpix
