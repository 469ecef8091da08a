// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/cart/multilevel.h"

#include "mpi_ext/cart/node_blocks.h"

namespace strata::mpix {

std::vector<Shape> multilevel_blocks(const Shape& dims, const std::vector<int>& sizes) {
  std::vector<Shape> blocks;
  for (int size : sizes) blocks.push_back(factor_block(blocks.empty() ? dims : blocks.back(), size));
  return blocks;
}

}  // namespace strata::mpix
