// SPDX-License-Identifier: LGPL-2.1-only
#include "models/trees.h"

#include <algorithm>
#include <bit>
#include <stdexcept>
#include <string>

namespace strata::models {
namespace {

Tree unconnected(int p) {
  if (p < 1) throw std::invalid_argument("a tree of " + std::to_string(p) + " vertices");
  return {.root = 0, .parent = std::vector<int>(p, -1), .children = std::vector<std::vector<int>>(p)};
}

void connect(Tree& t, int parent, int child) {
  t.parent[child] = parent;
  t.children[parent].push_back(child);
}

// Connects the ranks [low, low + n) as a subtree; returns its root.
int add_in_order(Tree& t, int low, int n) {
  const int root = low + n - 1;
  if (n == 2) connect(t, root, low);
  if (n > 2) {
    const int right = n / 2;
    connect(t, root, add_in_order(t, low + right, n - 1 - right));
    connect(t, root, add_in_order(t, low, right));
  }
  return root;
}

}  // namespace

Tree chain_tree(int p, int chains) {
  Tree t = unconnected(p);
  if (p == 1) return t;
  chains = std::clamp(chains, 1, p - 1);
  for (int c = 0, v = 1; c < chains; ++c) {
    const int length = (p - 1) / chains + (c < (p - 1) % chains ? 1 : 0);
    for (int i = 0; i < length; ++i, ++v) connect(t, i == 0 ? 0 : v - 1, v);
  }
  return t;
}

Tree binary_tree(int p) {
  Tree t = unconnected(p);
  for (unsigned v = 0; v < static_cast<unsigned>(p); ++v) {
    const unsigned width = std::bit_floor(v + 1);  // of v's level
    for (const unsigned child : {v + width, v + 2 * width}) {
      if (child < static_cast<unsigned>(p)) connect(t, static_cast<int>(v), static_cast<int>(child));
    }
  }
  return t;
}

Tree binomial_tree(int p) {
  Tree t = unconnected(p);
  for (unsigned v = 0; v < static_cast<unsigned>(p); ++v) {
    // bit_width(v) is h + 1, and 0 for the root, whose first child is 0 + 2^0.
    for (unsigned step = 1U << std::bit_width(v); v + step < static_cast<unsigned>(p); step <<= 1) {
      connect(t, static_cast<int>(v), static_cast<int>(v + step));
    }
  }
  return t;
}

Tree in_order_binomial_tree(int p) {
  Tree t = unconnected(p);
  const unsigned size = static_cast<unsigned>(p);
  for (unsigned v = 0; v < size; ++v) {
    const unsigned end = v == 0 ? size : v + (v & -v);  // the vertex after v's subtree, if p were large enough
    for (unsigned step = 1; v + step < std::min(end, size); step <<= 1) {
      connect(t, static_cast<int>(v), static_cast<int>(v + step));
    }
  }
  return t;
}

Tree in_order_binary_tree(int p) {
  Tree t = unconnected(p);
  t.root = add_in_order(t, 0, p);
  return t;
}

std::vector<int> preorder(const Tree& tree) {
  std::vector<int> order, open = {tree.root};
  while (!open.empty()) {
    const int v = open.back();
    open.pop_back();
    order.push_back(v);
    open.insert(open.end(), tree.children[v].rbegin(), tree.children[v].rend());
  }
  return order;
}

}  // namespace strata::models
