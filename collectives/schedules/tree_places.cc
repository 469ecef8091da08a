// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/tree_places.h"

#include <algorithm>
#include <bit>

namespace strata::collectives {
namespace {

// Ranks of a tree of `ranks`, counted from its root on.
struct Numbers {
  int ranks, root;
  int from_root(int rank) const { return (rank - root + ranks) % ranks; }
  int rank(int number) const { return (number + root) % ranks; }
};

}  // namespace

Place binary_tree(int ranks, int root, int rank) {
  const Numbers of{ranks, root};
  const int v = of.from_root(rank);
  int width = 1;  // of the level of v, whose first number is width - 1
  while (2 * width - 1 <= v) width *= 2;
  Place place;
  if (v > 0) place.parent = of.rank(width / 2 - 1 + (v - (width - 1)) % (width / 2));
  for (const int child : {v + width, v + 2 * width}) {
    if (child < ranks) place.children.push_back(of.rank(child));
  }
  return place;
}

Place binomial_tree(int ranks, int root, int rank) {
  const Numbers of{ranks, root};
  const int v = of.from_root(rank);
  const int above = v == 0 ? 1 : 2 * static_cast<int>(std::bit_floor(static_cast<unsigned>(v)));
  Place place;
  if (v > 0) place.parent = of.rank(v - above / 2);
  for (int bit = above; v + bit < ranks; bit *= 2) place.children.push_back(of.rank(v + bit));
  return place;
}

Place in_order_binomial_tree(int ranks, int root, int rank) {
  const Numbers of{ranks, root};
  const int v = of.from_root(rank);
  Place place;
  for (int bit = 1; bit < ranks; bit *= 2) {
    if ((v & bit) != 0) {
      place.parent = of.rank(v - bit);
      break;
    }
    if (v + bit < ranks) place.children.push_back(of.rank(v + bit));
  }
  return place;
}

Place k_nomial_tree(int ranks, int root, int rank, int radix) {
  const Numbers of{ranks, root};
  const int v = of.from_root(rank);
  Place place;
  int digit = 1;  // the value of the lowest digit that is not 0
  while (digit < ranks && v % (radix * digit) == 0) digit *= radix;
  if (v > 0) place.parent = of.rank(v / (radix * digit) * (radix * digit));
  for (int below = digit / radix; below > 0; below /= radix) {
    for (int k = 1; k < radix; ++k) {
      if (v + k * below < ranks) place.children.push_back(of.rank(v + k * below));
    }
  }
  return place;
}

Place chain(int ranks, int root, int rank, int chains) {
  const Numbers of{ranks, root};
  const int v = of.from_root(rank), others = ranks - 1;
  chains = std::clamp(chains, 1, std::max(1, others));
  const int longest = (others + chains - 1) / chains;
  const int of_longest = others % chains == 0 ? chains : others % chains;  // the first chains
  const auto head = [&](int c) { return 1 + c * longest - std::max(0, c - of_longest); };
  Place place;
  if (v == 0) {
    for (int c = 0; c < chains && head(c) < ranks; ++c) place.children.push_back(of.rank(head(c)));
    return place;
  }
  int c = 0;
  while (c + 1 < chains && head(c + 1) <= v) ++c;
  place.parent = of.rank(v == head(c) ? 0 : v - 1);
  const int end = c + 1 < chains ? head(c + 1) : ranks;
  if (v + 1 < end) place.children.push_back(of.rank(v + 1));
  return place;
}

Place in_order_binary_tree(int ranks, int rank) {
  Place place;
  int first = 0, size = ranks;  // of the subtree where the rank is; its last rank is its root
  while (rank != first + size - 1) {
    const int second = size < 3 ? 0 : size / 2;  // ranks below the second child, which come first
    place.parent = first + size - 1;
    if (rank < first + second) {
      size = second;
    } else {
      first += second;
      size -= second + 1;
    }
  }
  if (size > 1) place.children.push_back(first + size - 2);
  if (size > 2) place.children.push_back(first + size / 2 - 1);
  return place;
}

}  // namespace strata::collectives
