// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/explorer/races.h"

#include <algorithm>

namespace strata::check {
namespace {

std::uint32_t at(const Clock& clock, long actor) {
  return static_cast<std::size_t>(actor) < clock.size() ? clock[actor] : 0;
}

}  // namespace

Clock clock_of(const Execution& before, const Step& step, const Dependence& dependence,
               std::vector<std::size_t>& races) {
  Clock clock(static_cast<std::size_t>(step.actor) + 1);
  races.clear();
  // A wait completes a send and a receive. It always comes after both, so it does not race with them.
  bool send_is_known = step.kind != StepKind::kWait, receive_is_known = send_is_known;
  for (std::size_t i = before.size(); i-- > 0;) {
    const Step& earlier = before[i]->step;
    bool makes_it_possible = false;
    if (earlier.communication == step.communication) {
      if (earlier.kind == StepKind::kSend && !send_is_known) makes_it_possible = send_is_known = true;
      if (earlier.kind == StepKind::kReceive && !receive_is_known) makes_it_possible = receive_is_known = true;
    }
    if (!makes_it_possible && !dependence.dependent(earlier, step)) continue;
    const bool through_another = at(clock, earlier.actor) > i;
    if (!through_another && earlier.actor != step.actor && !makes_it_possible) races.push_back(i);
    const Clock& of_earlier = before[i]->clock;
    if (clock.size() < of_earlier.size()) clock.resize(of_earlier.size());
    for (std::size_t a = 0; a < of_earlier.size(); ++a) clock[a] = std::max(clock[a], of_earlier[a]);
  }
  clock[step.actor] = static_cast<std::uint32_t>(before.size() + 1);
  return clock;
}

std::vector<long> firsts_of(const Execution& execution, std::size_t earlier,
                            const std::function<bool(long actor)>& enabled) {
  const auto happens_before = [&execution](std::size_t i, std::size_t j) {
    return at(execution[j]->clock, execution[i]->step.actor) > i;
  };
  const std::size_t later = execution.size() - 1;
  std::vector<std::size_t> others;  // steps in between that do not need the earlier one; then the later one
  for (std::size_t k = earlier + 1; k < later; ++k) {
    if (!happens_before(earlier, k)) others.push_back(k);
  }
  others.push_back(later);
  std::vector<long> firsts;
  for (const std::size_t k : others) {
    const long actor = execution[k]->step.actor;
    if (enabled(actor) &&
        std::none_of(others.begin(), others.end(), [&](std::size_t g) { return g < k && happens_before(g, k); }))
      firsts.push_back(actor);
  }
  return firsts;
}

}  // namespace strata::check
