// SPDX-License-Identifier: LGPL-2.1-only
// The blocks that a rank sends to each rank in an all-to-all, and those that it receives: equally long, or with
// MPI_Alltoallv as long as the call says. For example, rank 1 of 3 with blocks of 2 elements sends input 4..5 to
// rank 2.
#pragma once

#include <cstddef>
#include <vector>

#include "collectives/schedules/collective.h"

namespace strata::collectives {

struct ExchangedBlocks {
  std::vector<Range> sent, received;  // in the order of the other ranks

  ExchangedBlocks(const Collective& call, int rank) {
    const auto elements = [&](int from, int to) {
      return call.counts.empty() ? call.count : call.counts[from * std::size_t(call.ranks) + to];
    };
    std::int64_t out = 0, in = 0;
    for (int other = 0; other < call.ranks; ++other) {
      sent.push_back({Buffer::kInput, out, elements(rank, other)});
      received.push_back({Buffer::kOutput, in, elements(other, rank)});
      out += sent.back().count;
      in += received.back().count;
    }
  }
};

}  // namespace strata::collectives
