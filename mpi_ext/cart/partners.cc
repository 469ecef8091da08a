// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/partners.h"

#include <algorithm>
#include <climits>

namespace strata::mpix {

Partners count_partners(const Mesh& mesh, const std::vector<int>& group_of) {
  const int size = mesh.size(), dims = mesh.num_dims();
  std::vector<int> on(size, 0);
  int stride = size;
  for (int i = 0; i < dims; ++i) {
    const int line = stride;  // positions per coordinate of the previous dimension
    stride /= mesh.dims[i];
    const auto meet = [&](int p, int next) {
      const int same = group_of[p] == group_of[next] ? 1 : 0;
      on[p] += same;
      on[next] += same;
    };
    for (int first = 0; first < size; first += line) {
      const int last = first + line - stride;  // first position with the last coordinate
      for (int p = first; p < last; ++p) meet(p, p + stride);
      if (!mesh.periods[i]) continue;
      for (int k = 0; k < stride; ++k) meet(last + k, first + k);
    }
  }
  Partners result;
  result.on.min = result.off.min = INT_MAX;
  for (int n : on) {
    const int off = 2 * dims - n;
    result.on.min = std::min(result.on.min, n);
    result.on.max = std::max(result.on.max, n);
    result.on.total += n;
    result.off.min = std::min(result.off.min, off);
    result.off.max = std::max(result.off.max, off);
    result.off.total += off;
  }
  return result;
}

}  // namespace strata::mpix
