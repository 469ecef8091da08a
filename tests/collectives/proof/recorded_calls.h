// SPDX-License-Identifier: LGPL-2.1-only
// The messages of each collective call in a trace of a real MPI library, by rank. For example, rank 0 of MPI_Bcast of 8
// bytes to 3 others along a binomial tree: {send, 1, 8}, {send, 2, 8}.
#pragma once

#include <string>
#include <vector>

#include "records/trace/fold.h"
#include "records/trace/trace_file.h"

namespace strata {

struct Transfer {
  bool is_send = false;
  int peer = 0;
  double bytes = 0;  // of a send; a receive may be longer than its message
  int tag = 0;       // of a recorded one

  bool operator==(const Transfer&) const = default;
};

/// Those of all calls of `function` (for example MPI_Bcast) by `rank`, in order. A function that a trace does not have,
/// or that sends nothing there, gives none. An empty name: all messages.
inline std::vector<Transfer> transfers(const Trace& trace, int rank, const std::string& function) {
  std::vector<Transfer> result;
  bool inside = function.empty();
  const int ranks = static_cast<int>(trace.ranks.size());
  for (const TraceStep& step : unfold(*trace.ranks[rank])) {
    if (step.kind == TraceStep::Kind::kCall && !function.empty())
      inside = step.number >= 0 && trace.functions[step.number] == function;
    if (!inside) continue;
    const int peer = (rank + step.peer) % ranks;
    if (step.kind == TraceStep::Kind::kSend) result.push_back({true, peer, step.amount, step.tag});
    if (step.kind == TraceStep::Kind::kReceive) result.push_back({false, peer, 0, step.tag});
  }
  return result;
}

}  // namespace strata
