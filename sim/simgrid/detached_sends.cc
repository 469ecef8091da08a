// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/simgrid/detached_sends.h"

#ifdef STRATA_SIMGRID_3_32

#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/simgrid/actor_3_32.h"

namespace strata::sim {

using simgrid::kernel::activity::ActivityImpl;
using simgrid::kernel::activity::ActivityImplPtr;

struct DetachedSends::Table : std::unordered_map<ActivityImpl*, ActivityImplPtr> {};
struct DetachedSends::List : std::vector<ActivityImplPtr> {};

DetachedSends::DetachedSends() : kept_(new Table), ended_(new List) {}
DetachedSends::~DetachedSends() = default;

void DetachedSends::take() {
  std::list<ActivityImplPtr>& sent = simgrid::kernel::actor::ActorImpl::self()->activities_;
  for (; !sent.empty(); sent.pop_front()) kept_->emplace(sent.front().get(), sent.front());
}

void DetachedSends::end(ActivityImpl* message) {
  const auto at = kept_->find(message);
  if (at == kept_->end()) return;
  ended_->push_back(std::move(at->second));
  kept_->erase(at);
}

void DetachedSends::release() { ended_->clear(); }

}  // namespace strata::sim

#endif
