// SPDX-License-Identifier: LGPL-2.1-only
#include <simgrid/s4u.hpp>
#include <utility>

#include "mpi_ext/adapter/charge.h"
#include "mpi_ext/adapter/polling.h"
#include "records/exchange/address.h"
#include "records/exchange/polling_property.h"
#include "records/exchange/traced_work.h"

namespace strata::mpix {
namespace {

// Null if looks take no time. The count is not itself a property of the host, because setting a property is a call of
// SimGrid's kernel. During this call, other ranks would run and read the old count.
PolledCore* here() {
  return address_in<PolledCore>(simgrid::s4u::this_actor::get_host()->get_property(words::kPollingProperty));
}

}  // namespace

Polling::Polling(std::size_t messages) : messages_(messages) {
  if (messages_ == 0) return;
  const TracedWork traced(TracedWork::kPoll, static_cast<double>(messages_));
  if (PolledCore* core = here()) core->messages += static_cast<long>(messages_);
}

Polling::~Polling() {
  if (messages_ == 0) return;
  const TracedWork traced(TracedWork::kPolled, static_cast<double>(messages_));
  if (PolledCore* core = here()) core->messages -= static_cast<long>(messages_);
}

void Polling::found() {
  if (messages_ == 0) return;
  const TracedWork traced(TracedWork::kLook, static_cast<double>(messages_));
  const auto messages = static_cast<long>(std::exchange(messages_, 0));
  PolledCore* const core = here();
  if (core == nullptr) return;
  const double looks_s = core->look * static_cast<double>(core->messages);
  core->messages -= messages;
  charge_seconds(looks_s);
}

}  // namespace strata::mpix
