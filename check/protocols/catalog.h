// SPDX-License-Identifier: LGPL-2.1-only
// The protocols: programs of this folder that the model checker explores in every order of their messages, each on a
// few ranks of a small machine.
//
// SMPI's own collectives inside them run as Open MPI would choose them, as in every simulation. The library's receives
// name their source, except for those of a gather of one-sided results. So most programs have one order of messages up
// to steps that do not touch each other. Programs that wait for any of several messages (nonblocking collectives,
// MPI_ANY_SOURCE) have more.
#pragma once

#include <string>
#include <vector>

namespace strata::check {

struct Protocol {
  std::string name;     // unique: "hierarchy/roots, rendezvous"
  std::string program;  // a target of this folder
  std::vector<std::string> arguments;
  int ranks;                                      // of the application
  std::string machine;                            // a line of parse_tree (platforms/topology.h)
  std::string map_by = "core", bind_to = "core";  // as PlacementOptions says
  bool threads = false;                           // each rank has a progress thread, a rank of its own
  bool rendezvous = false;                        // every send waits for its receive; else none does, as small messages
  bool quick = false;                             // part of --quick
  std::string shows;                              // what holds
};

/// All, quick and full, in the order of their names' first word, which is the program's.
std::vector<Protocol> all_protocols();

}  // namespace strata::check
