// SPDX-License-Identifier: LGPL-2.1-only
// The machine of a page: its tree as columns, which a page draws, and its figures with their sources.
//
//   {"name":"ntw10e5","description":...,"source":...,"network":"","nodes":10,"cores":240,"left_out":0,
//    "names":["System - Cluster","Machine","Package",...],
//    "name_of":[0,1,2,...],"parent":[-1,0,1,...],"index":[0,0,0,...],"core":[-1,-1,-1,0,...],"vertex":[0,1,2,...],
//    "costs":{...}}
//
// An entry of each column is a vertex, in depth-first preorder: the place of its name in `names`, its parent's entry,
// its number among its kind (a node's, a core's on its node), which core it is (an index into Topology::cores(), -1: no
// core), and its number in the whole tree, which links.csv quotes. `costs` is that of strata topo --json.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/json.h"

namespace strata::analysis {

/// A machine of more vertices is shown without those below which no rank is.
inline constexpr int kMostVertices = 20'000;

/// The vertices that a page shows. Immutable. The machine must outlive it.
class ShownMachine {
 public:
  /// `cores` are those that ranks are on, in any order: indexes into Topology::cores().
  ShownMachine(const Machine& machine, const std::vector<int>& cores);

  const Machine& machine() const { return machine_; }
  /// The entry of a vertex of the topology; -1 where it is left out.
  int entry(int vertex) const { return entry_[vertex]; }
  /// The vertex that a link is named by ("node3.core17", "node3.L3#12", "node3", "Switch#5"); -1 where it is none.
  int vertex_of_link(const std::string& link) const;
  /// The document above.
  Json json() const;

 private:
  const Machine& machine_;
  std::vector<int> entry_;   // by vertex
  std::vector<int> vertex_;  // by entry
};

}  // namespace strata::analysis
