// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/coll/tree.h"

#include <algorithm>

namespace strata::mpix {
namespace {

int from_root(int rank, int size, int root) { return (rank - root + size) % size; }

int to_rank(long v, int size, int root) { return static_cast<int>((v + root) % size); }

}  // namespace

Tree chain_tree(int rank, int size, int root, int fanout) {
  Tree t;
  if (size < 2) return t;
  const int chains = std::clamp(fanout, 1, size - 1);
  // The first `longer` chains have `length` ranks, the others have one less.
  const int length = (size - 1 + chains - 1) / chains;
  const int longer = size - 1 - chains * (length - 1);
  const auto head_of = [&](int chain) {
    return 1 + (chain < longer ? chain * length : longer * length + (chain - longer) * (length - 1));
  };
  const int v = from_root(rank, size, root);
  if (v == 0) {
    for (int c = 0; c < chains; ++c) t.children.push_back(to_rank(head_of(c), size, root));
    return t;
  }
  const int before = v - 1;
  const int chain = before < longer * length ? before / length : longer + (before - longer * length) / (length - 1);
  const int head = head_of(chain);
  const int tail = head + (chain < longer ? length : length - 1) - 1;
  t.parent = v == head ? root : to_rank(v - 1, size, root);
  if (v < tail) t.children.push_back(to_rank(v + 1, size, root));
  return t;
}

Tree binary_tree(int rank, int size, int root) {
  Tree t;
  const int v = from_root(rank, size, root);
  long begin = 0, width = 1;  // of v's level
  while (v >= begin + width) {
    begin += width;
    width *= 2;
  }
  // The parent is on the level above, which has width / 2 ranks. v is either this number or twice this number above it.
  if (v > 0) t.parent = to_rank(begin - width / 2 + (v - begin) % (width / 2), size, root);
  for (long child = v + width; child <= v + 2 * width && child < size; child += width) {
    t.children.push_back(to_rank(child, size, root));
  }
  return t;
}

Tree binomial_tree(int rank, int size, int root) {
  Tree t;
  const int v = from_root(rank, size, root);
  long bit = 1;  // the lowest power of two above v
  while (bit <= v) bit *= 2;
  if (v > 0) t.parent = to_rank(v - bit / 2, size, root);
  for (; v + bit < size; bit *= 2) t.children.push_back(to_rank(v + bit, size, root));
  return t;
}

Tree in_order_binomial_tree(int rank, int size, int root) {
  Tree t;
  const int v = from_root(rank, size, root);
  const long lowest = v & -v;  // 0 at the root
  if (v > 0) t.parent = to_rank(v - lowest, size, root);
  for (long bit = 1; (v == 0 || bit < lowest) && v + bit < size; bit *= 2) {
    t.children.push_back(to_rank(v + bit, size, root));
  }
  return t;
}

int in_order_span(int v, int size) { return v == 0 ? size : std::min(v & -v, size - v); }

Tree in_order_binary_tree(int rank, int size) {
  Tree t;
  // Goes down to the range [low, low + n) whose last rank is `rank`. The root of a subtree is the last rank of its
  // range. The second child has the first n / 2 ranks of the range, the first child the rest without the root. If there
  // are two ranks, the lower one is the only child.
  int low = 0, n = size;
  while (rank != low + n - 1) {
    t.parent = low + n - 1;
    const int lower = n == 2 ? 0 : n / 2;
    if (rank < low + lower) {
      n = lower;
    } else {
      low += lower;
      n -= lower + 1;
    }
  }
  if (n > 1) t.children.push_back(rank - 1);
  if (n > 2) t.children.push_back(low + n / 2 - 1);
  return t;
}

}  // namespace strata::mpix
