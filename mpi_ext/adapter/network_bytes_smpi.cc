// SPDX-License-Identifier: LGPL-2.1-only
#include <cstdio>
#include <simgrid/s4u.hpp>

#include "mpi_ext/adapter/network_bytes.h"
#include "records/exchange/words.h"

namespace strata::mpix {

std::optional<CardBytes> network_bytes() {
  // The platform plugin leaves word where its counters are.
  const char* address =
      simgrid::s4u::Engine::get_instance()->get_netzone_root()->get_property(words::kLinkBytesProperty);
  void* counters = nullptr;
  if (address == nullptr || std::sscanf(address, "%p", &counters) != 1) return std::nullopt;
  return static_cast<LinkBytes*>(counters)->card(simgrid::s4u::this_actor::get_host()->get_cname());
}

}  // namespace strata::mpix
