// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/cores.h"

#include <algorithm>
#include <utility>

namespace strata::replay {

Cores::Cores(std::vector<int> core_of, double speed, double precision_s)
    : core_of_(std::move(core_of)), speed_(speed), precision_s_(precision_s), computes_(core_of_.size()) {
  const int most = core_of_.empty() ? -1 : *std::max_element(core_of_.begin(), core_of_.end());
  jobs_.resize(static_cast<std::size_t>(most) + 1);
  is_changed_.resize(jobs_.size());
}

// Updates the remaining work of the core's jobs. Call this before the jobs change.
void Cores::settle(int core, double now) {
  std::vector<Job>& jobs = jobs_[core];
  const double rate = speed_ / static_cast<double>(jobs.size());
  for (Job& j : jobs) {
    j.left = std::max(0.0, j.left - (now - j.updated_s) * rate);
    j.updated_s = now;
  }
  if (is_changed_[core]) return;
  is_changed_[core] = true;
  changed_.push_back(core);
}

void Cores::compute(int rank, double flops, double now) {
  const int core = core_of_[rank];
  settle(core, now);
  jobs_[core].push_back({rank, flops, now});
  computes_[rank] = true;
}

void Cores::leave(int rank, double now) {
  if (!computes_[rank]) return;
  computes_[rank] = false;
  const int core = core_of_[rank];
  settle(core, now);
  std::erase_if(jobs_[core], [rank](const Job& j) { return j.rank == rank; });
}

double Cores::until_next(double now) {
  for (auto s = sleepers_.rbegin(); s != sleepers_.rend(); ++s) events_.schedule(s->rank, s->until_s);
  sleepers_.clear();
  for (const int core : changed_) {
    is_changed_[core] = false;
    const std::vector<Job>& jobs = jobs_[core];
    for (const Job& j : jobs) events_.schedule(j.rank, now + j.left / (speed_ / static_cast<double>(jobs.size())));
  }
  changed_.clear();
  return events_.empty() ? -1 : std::max(0.0, events_.first_date() - now);
}

}  // namespace strata::replay
