// SPDX-License-Identifier: LGPL-2.1-only
// Ends of sleeps and computations that SimGrid misses in long simulations.
//
// SimGrid's clock is a sum of durations, and an action ends if its date is less than the precision, 1e-12 s, from the
// clock. From 8,192 s on, neighbouring doubles are farther apart than that. So if the sum is rounded past the date, the
// action never ends. For example, of ranks that sleep from second 1 to second 10,001, some do not wake up, and SimGrid
// reports a deadlock.
#pragma once

#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/routing/NetZoneImpl.hpp>
#include <simgrid/s4u.hpp>

namespace strata::sim {

/// Dates the actions on CPUs that should have ended before `now` (s) at `now`, so that they end in a step of 0 s.
/// Returns whether there were any. O(1) if not.
inline bool date_missed_ends(double now) {
  const auto& cpus = simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_impl()->get_cpu_pm_model();
  // SimGrid does not install the header of CpuModel, whose base is Model.
  auto& ends = reinterpret_cast<simgrid::kernel::resource::Model*>(cpus.get())->get_action_heap();
  bool any = false;
  while (!ends.empty() && ends.top_date() < now) {
    auto* action = ends.top().second;
    ends.update(action, now, action->get_type());
    any = true;
  }
  return any;
}

}  // namespace strata::sim
