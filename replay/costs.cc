// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/costs.h"

#include <algorithm>

#include "platforms/payload.h"
#include "records/levels.h"

namespace strata::replay {

Costs::Costs(const Machine& machine) : machine_(machine), flows_(machine, 0) {
  for (const LevelCosts& c : machine.levels) levels_.push_back(c.level);
  levels_.emplace_back(kLoopbackLevel);
  for (const flow::RouteTree::Stop& s : flows_.paths().tree().stops()) {
    const auto at = s.costs == nullptr ? levels_.end() : std::find(levels_.begin(), levels_.end(), s.costs->level);
    level_of_stop_.push_back(static_cast<int>(at - levels_.begin()));
  }
}

int Costs::level(int from, int to) const {
  if (from == to) return static_cast<int>(levels_.size()) - 1;
  return level_of_stop_[flows_.paths().tree().meet(from, to)];
}

double Costs::alone(double amount, const flow::Path& path) const {
  double rate = path.bandwidth;
  for (const flow::FairShares::Use& use : path.uses)
    rate = std::min(rate, flows_.flows().capacity(use.link) / use.weight);
  return amount / rate;
}

Costs::Message Costs::message(int from, int to, double payload, const flow::Spans& spans) {
  flows_.paths().find(from, to, payload, path_, spans);
  return {path_.latency_s, alone(payload + kEnvelopeBytes, path_)};
}

double Costs::work(int core, const Charge& charge) {
  if (charge.kind == TraceStep::Kind::kSleep) return charge.amount;
  const Price p = price(machine_, flows_.paths().memory(), core, charge);
  if (p.work == nullptr) return p.flops / machine_.core_speed.si;
  return p.work->amount <= 0 ? 0 : alone(p.work->amount, p.work->path);
}

}  // namespace strata::replay
