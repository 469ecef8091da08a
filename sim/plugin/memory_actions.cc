// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/memory_actions.h"

#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Semaphore.hpp>

#include "sim/plugin/core_of.h"

namespace strata::sim {
namespace {

int own_core() { return core_of(*simgrid::s4u::this_actor::get_host()); }

}  // namespace

Memory::Memory(FlowModel& flows) : flows_(flows), memory_(*flows.paths().memory()) {}

void Memory::copy(double bytes, double span) { wait_for(memory_.copy(own_core(), bytes, span)); }

void Memory::combine(double bytes, double span) { wait_for(memory_.combine(own_core(), bytes, span)); }

void Memory::stream(double flops, double bytes, double working_set) {
  wait_for(memory_.stream(own_core(), flops, bytes, working_set));
}

void Memory::compute(double seconds) { wait_for(memory_.compute(own_core(), seconds)); }

void Memory::wait_for(const flow::Work& work) {
  if (work.amount <= 0) return;
  // SMPI does not have to be told that the rank continues, because ranks either have their own copies of the program or
  // share one.
  const simgrid::s4u::SemaphorePtr done = simgrid::s4u::Semaphore::create(0);
  flows_.start_work(work, [done] { done->release(); });
  done->acquire();
}

}  // namespace strata::sim
