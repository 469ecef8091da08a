// SPDX-License-Identifier: LGPL-2.1-only
#include "platforms/fat_tree.h"

#include <fmt/format.h>

#include <utility>

#include "platforms/fabric.h"

namespace strata {

NetworkGroup tree_of(const FatTreeShape& shape) {
  NetworkGroup part{.level = "", .groups = {}, .nodes = shape.down.front()};
  for (size_t i = 0; i + 1 < shape.down.size(); ++i) {
    const int parts = shape.down[i + 1];
    if (parts == 1) continue;
    part.level = shape.levels[i];
    part = {.level = "", .groups = std::vector(parts, std::move(part)), .nodes = 0};
  }
  return part;
}

std::string describe(const FatTreeShape& shape) {
  const auto product = [](const std::vector<int>& factors, size_t from) {
    long all = 1;
    for (size_t i = from; i < factors.size(); ++i) all *= factors[i];
    return all;
  };
  return fmt::format("fat tree of {} leaf switches with {} nodes each, {} switches at the top", product(shape.down, 1),
                     shape.down.front(), product(shape.up, 0));
}

}  // namespace strata
