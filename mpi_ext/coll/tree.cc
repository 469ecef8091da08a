#include "mpi_ext/coll/tree.h"

#include <algorithm>

namespace strata::mpix {
namespace {

int from_root(int rank, int size, int root) { return (rank - root + size) % size; }

}  // namespace

Tree linear_tree(int rank, int size, int root) {
  Tree t;
  if (rank != root) {
    t.parent = root;
    return t;
  }
  for (int r = 0; r < size; ++r) {
    if (r != root) t.children.push_back(r);
  }
  return t;
}

Tree chain_tree(int rank, int size, int root, int fanout) {
  Tree t;
  if (size < 2) return t;
  const auto to_rank = [&](int v) { return (v + root) % size; };
  const int chains = std::clamp(fanout, 1, size - 1);
  // The first `longer` chains have `length` ranks, the others one less.
  const int length = (size - 1 + chains - 1) / chains;
  const int longer = size - 1 - chains * (length - 1);
  const auto head_of = [&](int chain) {
    return 1 + (chain < longer ? chain * length : longer * length + (chain - longer) * (length - 1));
  };
  const int v = from_root(rank, size, root);
  if (v == 0) {
    for (int c = 0; c < chains; ++c) t.children.push_back(to_rank(head_of(c)));
    return t;
  }
  const int before = v - 1;
  const int chain = before < longer * length ? before / length : longer + (before - longer * length) / (length - 1);
  const int head = head_of(chain);
  const int tail = head + (chain < longer ? length : length - 1) - 1;
  t.parent = v == head ? root : to_rank(v - 1);
  if (v < tail) t.children.push_back(to_rank(v + 1));
  return t;
}

Tree complete_tree(int rank, int size, int root, int fanout) {
  Tree t;
  const int v = from_root(rank, size, root);
  long begin = 0, width = 1;  // of v's level
  while (v >= begin + width) {
    begin += width;
    width *= fanout;
  }
  if (v > 0) {
    const long above = width / fanout;
    // The parent p of v on the level above: v = p + above (i + 1).
    t.parent = static_cast<int>((begin - above + (v - begin) % above + root) % size);
  }
  for (int i = 0; i < fanout && v + width * (i + 1) < size; ++i) {
    t.children.push_back(static_cast<int>((v + width * (i + 1) + root) % size));
  }
  return t;
}

Tree binomial_tree(int rank, int size, int root) {
  Tree t;
  const int v = from_root(rank, size, root);
  long bit = 1;  // the lowest power of two above v
  while (bit <= v) bit *= 2;
  if (v > 0) t.parent = static_cast<int>((v - bit / 2 + root) % size);
  for (; v + bit < size; bit *= 2) t.children.push_back(static_cast<int>((v + bit + root) % size));
  return t;
}

Tree in_order_binary_tree(int rank, int size) {
  // The range of ranks [low, low + n) is rooted at its last rank. The right child's subtree are the first n / 2 of them, the
  // left child's the rest without the root.
  Tree t;
  int low = 0, n = size, parent = -1;
  for (;;) {
    const int root = low + n - 1;
    const int right = n / 2;
    const int left = n - 1 - right;
    if (rank == root) {
      t.parent = parent;
      // As Open MPI has it: the left child alone where only one rank is left below.
      if (n == 2) {
        t.children = {low};
      } else if (n > 2) {
        t.children = {root - 1, low + right - 1};
      }
      return t;
    }
    parent = root;
    if (n == 2 || (rank >= low + right && left > 0)) {
      if (n == 2) {
        n = 1;
      } else {
        low += right;
        n = left;
      }
    } else {
      n = right;
    }
  }
}

}  // namespace strata::mpix
