// SPDX-License-Identifier: LGPL-2.1-only
// The messages of a halo exchange on a Cartesian mesh (EuroMPI'18, Figure 3): every process sends one to each of its
// neighbours, two per dimension.
#pragma once

#include <vector>

#include "models/max_rate.h"
#include "platforms/placement.h"

namespace strata::models {

struct HaloCase {
  enum class Order {
    kRowMajor,  // rank r is at position r
    kNodecart,  // the paper's algorithm (Section 2.1), with the tie-break that its Table 3 needs
  };
  std::vector<int> dims;
  std::vector<bool> periods;  // by dimension
  Order order = Order::kRowMajor;
};

/// The messages of a sweep, rank by rank, in the order in which the rank starts them: dimension by dimension, first to
/// the neighbour below, then above. Throws std::invalid_argument if the product of dims is not the number of ranks,
/// periods has a different size, or, for kNodecart, nodes have different numbers of ranks.
std::vector<Message> halo_messages(const HaloCase& halo, const std::vector<Binding>& ranks);

}  // namespace strata::models
