// SPDX-License-Identifier: LGPL-2.1-only
#include <mpi.h>
#include <smpi/smpi.h>

#include <cstdlib>
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/core_activities.h"
#include "platforms/core_work.h"
#include "records/exchange/address.h"
#include "records/exchange/exchanged_words.h"
#include "records/exchange/memory_work.h"
#include "records/exchange/traced_work.h"

namespace strata::mpix {
namespace {

// Null if the machine has no figures of its memory.
MemoryWork* memory() {
  static auto* const found = address_in<MemoryWork>(
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property(words::kMemoryProperty));
  return found;
}

// Runs `work`, which takes simulated time, and records it as `what` in timelines.
template <class Work>
void timed(Doing what, Work work) {
  const double start = simgrid::s4u::Engine::get_clock();
  work();
  record(what, start);
}

// Not this_actor::execute, because SMPI must restore the rank's globals afterwards.
void compute(double flops, Doing what) {
  timed(what, [flops] { smpi_execute_flops(flops); });
}

// B/s; 0 if the host does not have the property.
double bandwidth(const simgrid::s4u::Host& host, const char* property) {
  const char* text = host.get_property(property);
  return text == nullptr ? 0 : std::atof(text);
}

void move(std::size_t bytes, double bandwidth, const simgrid::s4u::Host& host, Doing what) {
  if (bandwidth > 0) compute(moving_flops(host.get_speed(), bandwidth, static_cast<double>(bytes)), what);
}

double combining(const simgrid::s4u::Host& host) {
  const double own = bandwidth(host, words::kCombineBandwidthProperty);
  return own > 0 ? own : bandwidth(host, words::kCopyBandwidthProperty);
}

}  // namespace

void charge_combine(std::size_t bytes, double span) {
  const TracedWork traced(TracedWork::kCombine, static_cast<double>(bytes), span);
  if (MemoryWork* m = memory()) return timed(Doing::kCombining, [&] { m->combine(static_cast<double>(bytes), span); });
  const simgrid::s4u::Host& host = *simgrid::s4u::this_actor::get_host();
  move(bytes, combining(host), host, Doing::kCombining);
}

void charge_copy(std::size_t bytes, double span) {
  const TracedWork traced(TracedWork::kCopy, static_cast<double>(bytes), span);
  if (MemoryWork* m = memory()) return timed(Doing::kCopying, [&] { m->copy(static_cast<double>(bytes), span); });
  const simgrid::s4u::Host& host = *simgrid::s4u::this_actor::get_host();
  move(bytes, bandwidth(host, words::kCopyBandwidthProperty), host, Doing::kCopying);
}

void charge_message_copy(std::size_t bytes) {
  const TracedWork traced(TracedWork::kMessageCopy, static_cast<double>(bytes));
  if (memory() == nullptr) charge_copy(bytes);
}

void end_message_copy(double start) {
  if (memory() != nullptr) record(Doing::kCopying, start);
}

void charge_flops(double flops) {
  const TracedWork traced(TracedWork::kFlops, flops);
  MemoryWork* m = memory();
  if (m == nullptr) return compute(flops, Doing::kComputing);
  const double speed = simgrid::s4u::this_actor::get_host()->get_speed();
  timed(Doing::kComputing, [&] { m->compute(flops / speed); });
}

void charge_streaming(double flops, double bytes, double working_set) {
  const TracedWork traced(TracedWork::kStream, flops, bytes, working_set == kAllOfIt ? bytes : working_set);
  if (MemoryWork* m = memory()) {
    return timed(Doing::kComputing, [&] { m->stream(flops, bytes, working_set == kAllOfIt ? bytes : working_set); });
  }
  const simgrid::s4u::Host& host = *simgrid::s4u::this_actor::get_host();
  const double bandwidth = combining(host);
  charge_flops(bandwidth > 0 ? streaming_flops(host.get_speed(), bandwidth, flops, bytes) : flops);
}

void charge_flops_on(double flops, double bytes, double working_set) {
  const TracedWork traced(TracedWork::kWork, flops, bytes, working_set == kAllOfIt ? bytes : working_set);
  if (memory() == nullptr) return charge_flops(flops);
  charge_streaming(flops, bytes, working_set);
}

void charge_seconds(double seconds) {
  const TracedWork traced(TracedWork::kSeconds, seconds);
  charge_flops(seconds * simgrid::s4u::this_actor::get_host()->get_speed());
}

}  // namespace strata::mpix
