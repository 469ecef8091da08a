// SPDX-License-Identifier: LGPL-2.1-only
// A machine's links, and the paths of messages over them.
//
// Costs: a message pays for, in this order: the overhead of the level where the paths meet, on its sender's core; if
// the level has a gap, the network card of its node, which admits one message at a time; on the wire, the part of that
// level's latency that is not an overhead, and a hop latency for each link between routers; then its bytes, at most at
// the level's bandwidth (so that messages at one level do not slow each other down there) and at its share of
// every link on the path, and of the time of the cores that copy it; last the level's receive overhead, on its
// receiver's core, when the receiver takes the message. The caller charges the overheads, Flows the rest.
//
// Links are numbered in this order: those of RouteTree, even if they do not exist; a loopback for each core; on a
// machine with figures of its memory, one for each memory, one for each core's time and, if it states what they carry,
// one for each outermost cache (memory_shares.h); the joint links of both directions (duplex_links.h); on a machine
// without figures of its memory whose levels state copies (send_copy, receive_copy), one for each core's time.
#pragma once

#include <memory>
#include <vector>

#include "flow/detours.h"
#include "flow/duplex_links.h"
#include "flow/flows.h"
#include "flow/memory_shares.h"
#include "flow/path.h"
#include "flow/route_tree.h"
#include "platforms/machine.h"
#include "platforms/segments.h"

namespace strata::flow {

/// Not thread-safe. Cores are indexes into Topology::cores().
class Paths {
 public:
  /// Adds the machine's links and gates to `flows`, which must be empty. Both must outlive this.
  Paths(const Machine& machine, Flows& flows);

  /// The path of a message of `payload` bytes, excluding the envelope. O(links).
  void find(int source, int destination, double payload, Path& into, const Spans& spans = {});

  /// s for which a send of `payload` bytes keeps the core of `source` busy.
  double send_overhead(int source, int destination, double payload) const;

  /// s for which taking a message of `payload` bytes, which has arrived, keeps the core of `destination` busy. 0 at
  /// once if the machine states no such figure.
  double receive_overhead(int source, int destination, double payload) const {
    return has_receive_overheads_ ? receive_overhead_of_level(source, destination, payload) : 0;
  }

  /// Whether the machine states any receive overhead.
  bool has_receive_overheads() const { return has_receive_overheads_; }

  /// s from the send of an empty message until its receiver has taken it, if it is alone.
  double latency(int source, int destination) const;

  /// Time from the end of the send's overhead until the first byte arrives, s.
  double wire_latency(const RouteTree::Way& way, const MessageFigures& figures) const;

  const RouteTree& tree() const { return tree_; }
  /// Null if the machine has no figures of its memory.
  Memory* memory() { return memory_.get(); }

 private:
  void add_gates(Flows& flows);
  double receive_overhead_of_level(int source, int destination, double payload) const;
  int core_link(int core) const { return memory_ != nullptr ? memory_->core_link(core) : first_copying_link_ + core; }
  RouteTree::Way find_uses(int source, int destination, double payload, std::vector<FairShares::Use>& uses);

  const Machine& machine_;
  const RouteTree tree_;
  const bool has_receive_overheads_;
  std::vector<double> loopback_latency_;    // by core, s
  std::vector<double> loopback_bandwidth_;  // by core, B/s
  std::vector<int> way_;                    // scratch
  std::vector<int> gate_;                   // by core; empty if the machine has no gaps
  std::unique_ptr<Memory> memory_;          // null if the machine has no figures of its memory
  std::unique_ptr<DuplexLinks> duplex_;
  int first_copying_link_ = -1;       // -1: none
  std::unique_ptr<Detours> detours_;  // null unless routing is adaptive
};

}  // namespace strata::flow
