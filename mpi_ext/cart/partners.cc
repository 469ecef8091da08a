#include "mpi_ext/cart/partners.h"

#include <algorithm>
#include <climits>

namespace strata::mpix {

Partners count_partners(const Mesh& mesh, const std::vector<int>& group_of) {
  const int size = mesh.size(), dims = mesh.num_dims();
  std::vector<int> on(size, 0);
  int stride = size;
  for (int i = 0; i < dims; ++i) {
    const int d = mesh.dims[i];
    const int line = stride;  // positions of one coordinate more in the dimension before
    stride /= d;
    for (int p = 0; p < size; ++p) {
      const int c = p / stride % d;
      int next = c + 1 < d ? p + stride : -1;
      if (next < 0 && mesh.periods[i]) next = p + stride - line;
      if (next >= 0 && group_of[next] == group_of[p]) {
        ++on[p];
        ++on[next];
      }
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
