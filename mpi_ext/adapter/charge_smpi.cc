// SPDX-License-Identifier: LGPL-2.1-only
#include <mpi.h>
#include <smpi/smpi.h>

#include <algorithm>
#include <cstdlib>
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/timeline.h"
#include "records/exchange/words.h"

namespace strata::mpix {
namespace {

// Not this_actor::execute: SMPI must get the rank's globals back afterwards.
void compute(double flops, Doing what) {
  const double start = simgrid::s4u::Engine::get_clock();
  smpi_execute_flops(flops);
  record(what, start);
}

// B/s; 0 where the host does not say.
double bandwidth(const simgrid::s4u::Host& host, const char* property) {
  const char* text = host.get_property(property);
  return text == nullptr ? 0 : std::atof(text);
}

void move(std::size_t bytes, double bandwidth, const simgrid::s4u::Host& host, Doing what) {
  if (bandwidth > 0) compute(host.get_speed() * (static_cast<double>(bytes) / bandwidth), what);
}

double combining(const simgrid::s4u::Host& host) {
  const double own = bandwidth(host, words::kCombineBandwidthProperty);
  return own > 0 ? own : bandwidth(host, words::kCopyBandwidthProperty);
}

}  // namespace

void charge_combine(std::size_t bytes) {
  const simgrid::s4u::Host& host = *simgrid::s4u::this_actor::get_host();
  move(bytes, combining(host), host, Doing::kCombining);
}

void charge_copy(std::size_t bytes) {
  const simgrid::s4u::Host& host = *simgrid::s4u::this_actor::get_host();
  move(bytes, bandwidth(host, words::kCopyBandwidthProperty), host, Doing::kCopying);
}

void charge_flops(double flops) { compute(flops, Doing::kComputing); }

void charge_streaming(double flops, double bytes) {
  constexpr double kMovedByCombine = 3;  // bytes for one of an operand: both are read, one is written
  const simgrid::s4u::Host& host = *simgrid::s4u::this_actor::get_host();
  const double moved = kMovedByCombine * combining(host);  // B/s
  charge_flops(moved > 0 ? std::max(flops, host.get_speed() * (bytes / moved)) : flops);
}

void charge_seconds(double seconds) { charge_flops(seconds * simgrid::s4u::this_actor::get_host()->get_speed()); }

}  // namespace strata::mpix
