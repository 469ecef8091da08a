// SPDX-License-Identifier: LGPL-2.1-only
// The calling rank, and the simulated time.
#pragma once

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>

namespace strata::sim {

/// SMPI gives its ranks the actor ids 1 to n; larger numbers belong to other actors. -1: the simulator, or a thread
/// unknown to SimGrid.
inline int current_rank() {
  const simgrid::s4u::Actor* self = simgrid::s4u::Actor::self();
  return self == nullptr ? -1 : static_cast<int>(self->get_pid()) - 1;
}

/// In seconds.
inline double now() { return simgrid::s4u::Engine::get_clock(); }

}  // namespace strata::sim
