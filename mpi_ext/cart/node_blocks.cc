// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/node_blocks.h"

#include <algorithm>
#include <climits>
#include <numeric>
#include <string>

#include "mpi_ext/cart/cart_mapping.h"
#include "mpi_ext/cart/divisors.h"

namespace strata::mpix {
namespace {

// Enumerates the possible shapes of a level, if those of other levels have been chosen: the next chosen shape inside
// must divide it, and it must divide the next chosen shape outside.
class Shapes {
 public:
  // `chosen`: by level, the outermost first; empty if not chosen.
  Shapes(const Mesh& mesh, const std::vector<Shape>& chosen, int level)
      : around_(mesh.dims), inside_(mesh.dims.size(), 1), same_(mesh.dims.size()) {
    for (int outer = level - 1; outer >= 0; --outer) {
      if (chosen[outer].empty()) continue;
      around_ = chosen[outer];
      break;
    }
    for (size_t inner = level + 1; inner < chosen.size(); ++inner) {
      if (chosen[inner].empty()) continue;
      inside_ = chosen[inner];
      break;
    }
    for (int i = 0; i < mesh.num_dims(); ++i) {
      same_[i] = i - 1;
      while (same_[i] >= 0 && !alike(mesh, chosen, same_[i], i)) --same_[i];
    }
  }

  template <class Visit>
  void each(int size, Visit visit) {
    shape_ = inside_;
    for (int extent : inside_) {
      if (size % extent != 0) return;
      size /= extent;
    }
    extend(0, size, visit);
  }

 private:
  static bool alike(const Mesh& mesh, const std::vector<Shape>& chosen, int a, int b) {
    return mesh.dims[a] == mesh.dims[b] && mesh.periods[a] == mesh.periods[b] &&
           std::all_of(chosen.begin(), chosen.end(), [&](const Shape& s) { return s.empty() || s[a] == s[b]; });
  }

  // Chooses from dimension `i` on. `size` is the product that these dimensions must still contribute.
  template <class Visit>
  void extend(size_t i, int size, Visit visit) {
    if (i == shape_.size()) {
      if (size == 1) visit(static_cast<const Shape&>(shape_));
      return;
    }
    const std::vector<int> factors = divisors_of(std::gcd(around_[i] / inside_[i], size));
    for (auto factor = factors.rbegin(); factor != factors.rend(); ++factor) {
      const int extent = inside_[i] * *factor;
      if (same_[i] >= 0 && extent > shape_[same_[i]]) continue;
      shape_[i] = extent;
      extend(i + 1, size / *factor, visit);
    }
  }

  Shape around_, inside_, shape_;
  std::vector<int> same_;  // by dimension: the last earlier one that is equivalent; -1 if there is none
};

}  // namespace

Shape factor_block(const Shape& dims, int size) {
  Shape block(dims.size(), 1), remaining = dims;
  std::vector<int> primes = primes_of(size);
  for (; !primes.empty(); primes.pop_back()) {
    const int prime = primes.back();
    int best = -1;
    for (int i = 0; i < static_cast<int>(dims.size()); ++i) {
      if (remaining[i] % prime != 0) continue;
      if (best < 0 || remaining[i] > remaining[best] || (remaining[i] == remaining[best] && block[i] < block[best])) {
        best = i;
      }
    }
    if (best < 0) {
      throw Unmappable("no block of " + std::to_string(size) + " processes fits the mesh: its factor " +
                       std::to_string(prime) + " divides no remaining dimension; give dimensions that " +
                       std::to_string(size) + " divides");
    }
    block[best] *= prime;
    remaining[best] /= prime;
  }
  return block;
}

long off_partners(const Mesh& mesh, const Shape& block) {
  const long size = mesh.size();
  long off = 0;
  for (size_t i = 0; i < block.size(); ++i) {
    if (!mesh.periods[i] || block[i] != mesh.dims[i]) off += 2 * (size / block[i]);
  }
  return off;
}

std::vector<Shape> best_blocks(const Mesh& mesh, const std::vector<int>& sizes, int node) {
  const int num_levels = static_cast<int>(sizes.size());
  std::vector<int> by_weight = {node};
  for (int level = 0; level < num_levels; ++level) {
    if (level != node) by_weight.push_back(level);
  }
  std::vector<std::vector<Shape>> ties = {std::vector<Shape>(num_levels)};
  for (int level : by_weight) {
    long least = LONG_MAX;
    std::vector<std::vector<Shape>> best;
    for (std::vector<Shape>& chosen : ties) {
      Shapes(mesh, chosen, level).each(sizes[level], [&](const Shape& shape) {
        const long off = off_partners(mesh, shape);
        if (off > least) return;
        if (off < least) best.clear();
        least = off;
        best.push_back(chosen);
        best.back()[level] = shape;
      });
    }
    if (best.empty()) {
      throw Unmappable("no block of " + std::to_string(sizes[level]) +
                       " processes fits the mesh: give dimensions that it divides");
    }
    ties.swap(best);
  }
  return ties.front();
}

}  // namespace strata::mpix
