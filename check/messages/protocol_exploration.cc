// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/protocol_exploration.h"

#include "platforms/placement.h"

namespace strata::check {

std::string word_of(const Protocol& protocol) {
  const std::string& name = protocol.name;
  std::string word = std::string(kProtocols) + "/";
  for (size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    if (c == ',' && i + 1 < name.size() && name[i + 1] == ' ') {
      word += '+';
      ++i;
    } else {
      word += c == '/' ? '.' : c == ' ' ? '-' : c;
    }
  }
  return word;
}

Exploration exploration_of(const Protocol& protocol) {
  Exploration e{.name = word_of(protocol), .program = protocol.program, .arguments = protocol.arguments};
  e.machine = std::make_shared<const Machine>(machine_from_tree(protocol.machine));
  e.placement.ranks =
      place(*e.machine->topology, protocol.ranks, {.map_by = protocol.map_by, .bind_to = protocol.bind_to});
  if (protocol.threads) e.placement.progress = e.placement.ranks;  // each on the core of its rank
  e.buffering = protocol.rendezvous ? Buffering::kNone : Buffering::kAll;
  return e;
}

}  // namespace strata::check
