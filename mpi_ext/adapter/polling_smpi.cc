// SPDX-License-Identifier: LGPL-2.1-only
#include <cstdlib>
#include <simgrid/s4u.hpp>
#include <string>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/polling.h"
#include "records/exchange/polling.h"

namespace strata::mpix {
namespace {

simgrid::s4u::Host& here() { return *simgrid::s4u::this_actor::get_host(); }

// s; 0 where the host does not say.
double look() {
  const char* text = here().get_property(words::kPollingProperty);
  return text == nullptr ? 0 : std::atof(text);
}

// The figure of all progress threads on this core. A property of the host, since each rank has its own copy of this
// library.
long polled() {
  const char* text = here().get_property(words::kPolledProperty);
  return text == nullptr ? 0 : std::atol(text);
}

void add(long messages) { here().set_property(words::kPolledProperty, std::to_string(polled() + messages)); }

}  // namespace

Polling::Polling(std::size_t messages) : messages_(look() > 0 ? messages : 0) {
  if (messages_ > 0) add(static_cast<long>(messages_));
}

Polling::~Polling() {
  if (messages_ > 0) add(-static_cast<long>(messages_));
}

void Polling::found() {
  if (messages_ == 0) return;
  const double looks_s = look() * static_cast<double>(polled());
  add(-static_cast<long>(messages_));
  messages_ = 0;
  charge_seconds(looks_s);
}

}  // namespace strata::mpix
