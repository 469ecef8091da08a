// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/mesh.h"

#include <cstddef>

namespace strata::mpix {

int Mesh::size() const {
  int product = 1;
  for (int d : dims) product *= d;
  return product;
}

std::vector<int> strides_of(const std::vector<int>& dims) {
  std::vector<int> strides(dims.size(), 1);
  for (std::size_t i = dims.size(); i-- > 1;) strides[i - 1] = strides[i] * dims[i];
  return strides;
}

std::vector<int> coords_of(const Mesh& mesh, int position) {
  std::vector<int> coords(mesh.dims.size());
  for (int i = mesh.num_dims() - 1; i >= 0; --i) {
    coords[i] = position % mesh.dims[i];
    position /= mesh.dims[i];
  }
  return coords;
}

int position_of(const Mesh& mesh, const std::vector<int>& coords) {
  int position = 0;
  for (int i = 0; i < mesh.num_dims(); ++i) {
    const int d = mesh.dims[i];
    int c = coords[i];
    if (c < 0 || c >= d) {
      if (!mesh.periods[i]) return -1;
      c = (c % d + d) % d;
    }
    position = position * d + c;
  }
  return position;
}

std::array<int, 2> shift(const Mesh& mesh, int position, int dim, int displacement) {
  int stride = 1;
  for (int i = mesh.num_dims() - 1; i > dim; --i) stride *= mesh.dims[i];
  const int d = mesh.dims[dim], at = position / stride % d;
  const auto moved = [&](long by) {
    long c = at + by;
    if (c < 0 || c >= d) {
      if (!mesh.periods[dim]) return -1;
      c = (c % d + d) % d;
    }
    return position + (static_cast<int>(c) - at) * stride;
  };
  return {moved(-static_cast<long>(displacement)), moved(displacement)};
}

}  // namespace strata::mpix
