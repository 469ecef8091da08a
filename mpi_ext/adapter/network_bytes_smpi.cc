// SPDX-License-Identifier: LGPL-2.1-only
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/network_bytes.h"
#include "records/exchange/address.h"
#include "records/exchange/exchanged_words.h"

namespace strata::mpix {

std::optional<CardBytes> network_bytes() {
  // The platform plugin publishes the address of its counters.
  auto* counters = address_in<LinkBytes>(
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property(words::kLinkBytesProperty));
  if (counters == nullptr) return std::nullopt;
  return counters->card(simgrid::s4u::this_actor::get_host()->get_cname());
}

}  // namespace strata::mpix
