// SPDX-License-Identifier: LGPL-2.1-only
// A machine as data for a page: the columns of its tree, from which the page draws it, and its figures with their
// sources.
//
//   {"name":"ntw10e5","description":...,"source":...,"network":"","nodes":10,"cores":240,"left_out":0,
//    "names":["System - Cluster","Machine","Package",...],
//    "name_of":[0,1,2,...],"parent":[-1,0,1,...],"index":[0,0,0,...],"core":[-1,-1,-1,0,...],"vertex":[0,1,2,...],
//    "costs":{...}}
//
// Each entry of the columns is a vertex, in depth-first preorder: the index of its name in `names`, the entry of its
// parent, its number among vertices of its kind (for a node, or for a core on its node), its core (an index into
// Topology::cores(), -1: not a core), and its number in the whole tree, which links.csv also uses. `costs` is that of
// strata topo --json.
#pragma once

#include <string>
#include <vector>

#include "base/json.h"
#include "platforms/machine.h"

namespace strata::analysis {

/// If a machine has more vertices, those without ranks below them are left out.
inline constexpr int kMostVertices = 20'000;

/// The vertices that a page shows. Immutable. The machine must outlive it.
class ShownMachine {
 public:
  /// `cores`: those with ranks, in any order, as indexes into Topology::cores().
  ShownMachine(const Machine& machine, const std::vector<int>& cores);

  const Machine& machine() const { return machine_; }
  /// The entry of a vertex of the topology; -1 if it is left out.
  int entry(int vertex) const { return entry_[vertex]; }
  /// The vertex in the name of a link ("node3.core17", "node3.L3#12", "node3", "Switch#5"); -1 if there is none.
  int vertex_of_link(const std::string& link) const;
  /// The document above.
  Json json() const;

 private:
  const Machine& machine_;
  std::vector<int> entry_;   // by vertex
  std::vector<int> vertex_;  // by entry
};

}  // namespace strata::analysis
