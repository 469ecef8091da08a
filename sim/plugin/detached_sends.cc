#include "sim/plugin/detached_sends.h"

#include <unordered_map>
#include <utility>

#include "sim/plugin/simgrid_actor.h"

namespace strata::sim {

using simgrid::kernel::activity::ActivityImpl;
using simgrid::kernel::activity::ActivityImplPtr;

struct DetachedSends::Table : std::unordered_map<ActivityImpl*, ActivityImplPtr> {};

DetachedSends::DetachedSends() : kept_(new Table) {}
DetachedSends::~DetachedSends() = default;

void DetachedSends::take() {
  std::list<ActivityImplPtr>& sent = simgrid::kernel::actor::ActorImpl::self()->activities_;
  for (; !sent.empty(); sent.pop_front()) kept_->emplace(sent.front().get(), sent.front());
}

void DetachedSends::release() {
  for (ActivityImpl* message : ended_) kept_->erase(message);
  ended_.clear();
}

}  // namespace strata::sim
