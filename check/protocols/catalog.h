// What the model checker explores of the protocols: each program of this folder on a few ranks of a small machine, in
// every order of its messages.
//
// SMPI's own collectives inside them run as Open MPI chooses them, as in every simulation. All receives of the library
// but those of a gather of one-sided results name their source, so most programs have one order of messages up to steps
// that do not touch each other; where something waits for any of several messages (nonblocking collectives, receives of
// the program's from anywhere) there are more.
#pragma once

#include <string>
#include <vector>

namespace strata::protocols {

struct Exploration {
  std::string name;     // unique: "hierarchy/roots, rendezvous"
  std::string program;  // a target of this folder
  std::vector<std::string> arguments;
  int ranks;                                      // of the application
  std::string machine;                            // a line of parse_tree (platforms/topology.h)
  std::string map_by = "core", bind_to = "core";  // as PlacementOptions says
  bool threads = false;                           // each rank has a progress thread, a rank of its own
  bool rendezvous = false;                        // every send waits for its receive; else none does, as small messages
  bool quick = false;                             // of the quick part
  std::string shows;                              // what holds
};

/// All, quick and full, in the order of their names' first word, which is the program's.
std::vector<Exploration> explorations();

}  // namespace strata::protocols
