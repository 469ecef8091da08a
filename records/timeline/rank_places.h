// SPDX-License-Identifier: LGPL-2.1-only
// Where ranks run, as timelines name it: node 2, package 1, core 11 of that node.
#pragma once

#include <string>
#include <vector>

#include "platforms/machine.h"

namespace strata {

struct RankPlace {
  int core = 0;      // an index into Topology::cores()
  std::string host;  // "node2.core11"
  int node = 0;
  int package = -1;  // on the node; -1: the node has no packages
  int core_on_node = 0;
};

class RankPlaces {
 public:
  /// `cores` by rank, as in EventsHeader. `machine` must outlive this object. Throws InputError if the machine does not
  /// have one of these cores; `file` is the file that refers to them.
  RankPlaces(const Machine& machine, const std::vector<int>& cores, const std::string& file);

  const Machine& machine() const { return machine_; }
  const RankPlace& operator[](int rank) const { return places_[rank]; }
  /// "rank 12 (package 1, core 11)".
  std::string name(int rank) const;
  /// The levels at which the paths of messages meet: those of the machine, then the loopback.
  const std::vector<std::string>& levels() const { return levels_; }
  /// The level of a message between two ranks, as an index into levels(). O(depth of the machine's tree).
  int level(int sender, int receiver) const;

 private:
  const Machine& machine_;
  std::vector<RankPlace> places_;
  std::vector<std::string> levels_;
};

}  // namespace strata
