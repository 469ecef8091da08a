// SPDX-License-Identifier: LGPL-2.1-only
// The catalog of protocols: programs of this folder that the model checker explores in every order of their messages,
// each on a few ranks of a small machine.
//
// SMPI's collectives inside them use the algorithms that Open MPI would select, as in every simulation. The library's
// receives name their source, except in the gather of one-sided results. Therefore most programs have a single order of
// messages, up to independent steps. Programs that wait for any of several messages (nonblocking collectives,
// MPI_ANY_SOURCE) have more.
#pragma once

#include <string>
#include <vector>

namespace strata::check {

struct Protocol {
  std::string name;     // unique: "hierarchy/roots, rendezvous"
  std::string program;  // a target of this folder
  std::vector<std::string> arguments;
  int ranks;                                      // application ranks
  std::string machine;                            // a line of parse_tree (platforms/topology.h)
  std::string map_by = "core", bind_to = "core";  // as in PlacementOptions
  bool threads = false;                           // each rank has a progress thread, which is another rank
  bool rendezvous = false;                        // every send waits for its receive; otherwise no send does, as for
                                                  // small messages
  bool quick = false;                             // part of --quick
  std::string shows;                              // the property that is checked
};

/// All protocols, quick and full. They are sorted by the first word of their name, which is the program.
std::vector<Protocol> all_protocols();

}  // namespace strata::check
