// SPDX-License-Identifier: LGPL-2.1-only
#include "records/ledger.h"

namespace strata {

void Ledger::tell(const Ending& ending) {
  RankLedger* ledger = rank(static_cast<std::size_t>(ending.rank));
  if (ledger == nullptr || ledger->told) return;
  ledger->told = true;
  endings_.push_back(ending);
}

Profile Ledger::profile(double now) {
  Profile profile;
  for (RankLedger& rank : ranks_) {
    rank.end(calls_, now);
    profile.ranks.push_back(rank.profile());
    profile.simulated_time = std::max(profile.simulated_time, profile.ranks.back().end);
  }
  for (std::size_t i = 0; i < calls_.size(); ++i) {
    const CallTotals& c = calls_[i];
    if (c.count > 0) profile.calls.push_back({names_[i], c.count, c.seconds, c.waiting});
  }
  std::ranges::sort(profile.calls, {}, &CallProfile::call);
  profile.endings = endings_;
  return profile;
}

}  // namespace strata
