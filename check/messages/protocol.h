// The explorations of the protocols' catalog as the checker takes them.
#pragma once

#include "platforms/machine.h"
#include "check/protocols/catalog.h"
#include "check/messages/exploration.h"

namespace strata::sim {

/// Of a machine that was made from the line of the catalog's row.
inline Exploration exploration_of(const protocols::Exploration& row, const Machine& machine) {
  Exploration e{.program = row.program, .arguments = row.arguments};
  e.placement.ranks = place(*machine.topology, row.ranks, {.map_by = row.map_by, .bind_to = row.bind_to});
  if (row.threads) e.placement.progress = e.placement.ranks;  // each on its rank's core
  e.buffering = row.rendezvous ? Buffering::kNone : Buffering::kAll;
  return e;
}

}  // namespace strata::sim
