// SPDX-License-Identifier: LGPL-2.1-only
// Trees in which the order of siblings matters, to check the enumeration of machines, in which it does not.
#pragma once

#include <utility>
#include <vector>

#include "check/areas/small_machines.h"

namespace strata::check::testing {

/// All ordered trees with up to `levels` levels below the root and up to `arity` children per vertex.
inline std::vector<Shape> ordered_trees(int levels, int arity) {
  std::vector<Shape> trees = {Shape{}};
  if (levels == 0) return trees;
  const std::vector<Shape> below = ordered_trees(levels - 1, arity);
  std::vector<Shape> grown = {Shape{}};
  for (int n = 0; n < arity; ++n) {
    std::vector<Shape> longer;
    for (const Shape& s : grown) {
      for (const Shape& c : below) {
        longer.push_back(s);
        longer.back().children.push_back(c);
      }
    }
    trees.insert(trees.end(), longer.begin(), longer.end());
    grown = std::move(longer);
  }
  return trees;
}

/// Compares two trees: -1, 0 or 1, in a total order of ordered trees.
inline int compare(const Shape& a, const Shape& b) {
  for (size_t i = 0; i < a.children.size() && i < b.children.size(); ++i) {
    if (const int order = compare(a.children[i], b.children[i]); order != 0) return order;
  }
  return (a.children.size() > b.children.size()) - (a.children.size() < b.children.size());
}

/// True for exactly one of all trees that differ just in the order of siblings: no child is greater than the one before
/// it.
inline bool is_first_of_its_class(const Shape& shape) {
  for (size_t i = 0; i < shape.children.size(); ++i) {
    if (!is_first_of_its_class(shape.children[i])) return false;
    if (i > 0 && compare(shape.children[i - 1], shape.children[i]) < 0) return false;
  }
  return true;
}

}  // namespace strata::check::testing
