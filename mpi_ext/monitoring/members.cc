// SPDX-License-Identifier: LGPL-2.1-only
#include "mpi_ext/monitoring/members.h"

#include <algorithm>

namespace strata::mpix {

Members::Members(std::vector<ProcessId> by_rank) : by_rank_(std::move(by_rank)) {
  constexpr ProcessId kSpread = 4;  // ids per member: 16 B, the size of a list element
  for (std::size_t rank = 0; rank < by_rank_.size(); ++rank) {
    if (by_rank_[rank] >= 0) list_.push_back({by_rank_[rank], static_cast<int>(rank)});
  }
  if (list_.empty()) return;
  std::sort(list_.begin(), list_.end(), [](const Found& a, const Found& b) { return a.process < b.process; });
  first_ = list_.front().process;
  const ProcessId span = list_.back().process - first_ + 1;
  if (span > kSpread * static_cast<ProcessId>(list_.size())) return;
  ranks_.assign(span, -1);
  for (const Found& f : list_) ranks_[f.process - first_] = f.rank;
  list_ = {};
}

int Members::rank_of(ProcessId process) const {
  if (!ranks_.empty()) {
    const ProcessId at = process - first_;
    return at < 0 || at >= static_cast<ProcessId>(ranks_.size()) ? -1 : ranks_[at];
  }
  const auto at = std::lower_bound(list_.begin(), list_.end(), process,
                                   [](const Found& f, ProcessId id) { return f.process < id; });
  return at == list_.end() || at->process != process ? -1 : at->rank;
}

}  // namespace strata::mpix
