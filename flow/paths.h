// SPDX-License-Identifier: LGPL-2.1-only
// A machine's links, and the paths of messages over them.
//
// Costs. A message is charged, in this order: its sender, for the overhead of the level where the paths meet; the
// network card of its node, if the level has a gap, which lets one message through at a time; the rest of that level's
// latency, and a hop's for each link between routers, on the wire; then its bytes, at no more than the level's
// bandwidth (so that messages at one level do not slow each other there) and at its share of every link on the way. The
// first is the caller's work, the others are Flows'.
//
// The links are numbered in this order: those of RouteTree, whether they exist or not; a loopback for each core; on a
// machine with figures of its memory one for each memory, and one for each core's time (memory.h); those of both ways
// (duplex_links.h).
#pragma once

#include <memory>
#include <vector>

#include "flow/detours.h"
#include "flow/duplex_links.h"
#include "flow/flows.h"
#include "flow/memory.h"
#include "flow/path.h"
#include "flow/route_tree.h"
#include "platforms/machine.h"
#include "platforms/segments.h"

namespace strata::flow {

/// Not thread-safe. Cores are meant by their index in Topology::cores().
class Paths {
 public:
  /// Adds the machine's links and gates to `flows`, which has none yet. Both must outlive this.
  Paths(const Machine& machine, Flows& flows);

  /// The path of a message of `payload` bytes, which has no envelope. O(links).
  void find(int source, int destination, double payload, Path& into);

  /// s that a send of `payload` bytes keeps the core of `source` busy.
  double send_overhead(int source, int destination, double payload) const;

  /// From the end of the send's overhead until the first byte arrives, s.
  double wire_latency(const RouteTree::Way& way, const MessageFigures& figures) const;

  const RouteTree& tree() const { return tree_; }
  /// Null if the machine has no figures of its memory.
  Memory* memory() { return memory_.get(); }

 private:
  void add_gates(Flows& flows);
  RouteTree::Way find_uses(int source, int destination, std::vector<FairShares::Use>& uses);

  const Machine& machine_;
  const RouteTree tree_;
  std::vector<double> loopback_latency_;    // by core, s
  std::vector<double> loopback_bandwidth_;  // by core, B/s
  std::vector<int> way_;                    // scratch
  std::vector<int> gate_;                   // by core; empty on a machine without gaps
  std::unique_ptr<Memory> memory_;          // null where the machine has no figures of it
  std::unique_ptr<DuplexLinks> duplex_;
  std::unique_ptr<Detours> detours_;  // null where routing is not adaptive
};

}  // namespace strata::flow
