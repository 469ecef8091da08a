// SPDX-License-Identifier: LGPL-2.1-only
// SimGrid's view of a machine: one routing zone with a host per core, and the links of the route tree.
//
// Why a zone of our own: nested star zones give wrong routes without an error in SimGrid 3.32, and this machine's
// routes are a walk to the lowest common ancestor and a fabric's own, which need no table.
//
// Costs. A message is charged, in this order: its sender, for the overhead of the level where the paths meet (an SMPI
// operation callback); the network card of its node, if the level has a gap, which lets one message through at a time;
// the rest of that level's latency, and a hop's for each link between routers, on the wire; then
// its bytes, at no more than the level's bandwidth (so that messages at one level do not slow each other there) and at
// its share of every link on the way. The last two are FlowModel's work, which gets its paths from here; SimGrid's own
// routes say the same, for those who ask (of several ways between routers the minimal one).
//
// A machine with figures of its memory also has a link for each memory and for each core's own time (memory.h).
//
// Each host has properties for programs that charge their own copies and combinations (mpi_ext/adapter/charge.h):
// "copy_bandwidth" and "combine_bandwidth" (B/s) of its core, "copies" (1 or 2, how many cores a message within the
// node takes), and "node", the index of its node.
#pragma once

#include <deque>
#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "platforms/segments.h"
#include "records/exchange/host_name.h"
#include "records/exchange/polling.h"
#include "sim/plugin/route_tree.h"
#include "sim/simgrid/zone.h"

namespace strata::sim {

class Detours;
class DuplexLinks;
class FlowModel;
class Memory;
class NetworkCards;
struct Path;

class MachineZone : public Zone {
 public:
  /// Makes hosts and links, seals the zone, and has SimGrid's engine use a FlowModel for messages. `machine` must
  /// outlive it.
  explicit MachineZone(const Machine& machine);
  ~MachineZone() override;

  void get_local_route(const simgrid::kernel::routing::NetPoint* src, const simgrid::kernel::routing::NetPoint* dst,
                       simgrid::kernel::routing::Route* into, double* latency) override;
  void get_graph(const s_xbt_graph_t*, std::map<std::string, xbt_node_t, std::less<>>*,
                 std::map<std::string, xbt_edge_t, std::less<>>*) override {}

  /// s that a send of `bytes` of payload keeps the core of `src` busy.
  double send_overhead(double bytes, const simgrid::s4u::Host* src, const simgrid::s4u::Host* dst) const;

  const RouteTree& tree() const { return tree_; }
  /// The links that messages flow through: those of tree(), then a loopback for each core, then those of Memory, then
  /// those of both ways.
  FlowModel& flows() const { return *flows_; }

 private:
  using Link = simgrid::kernel::resource::StandardLinkImpl;
  void add_link(const std::string& name, int link);
  Link* make_plain_link(const std::string& name, double bandwidth);
  void add_gates();
  double wire_latency(const RouteTree::Way& way, const MessageFigures& figures) const;
  void find_path(int a, int b, double bytes, Path& into);
  RouteTree::Way find_uses(int a, int b, std::vector<FairShares::Use>& uses);

  const Machine& machine_;
  RouteTree tree_;
  std::vector<Link*> links_;                // of tree_; null where a stop has none
  std::vector<Link*> loopback_;             // by core
  std::vector<double> loopback_latency_;    // by core, s
  std::vector<double> loopback_bandwidth_;  // by core, B/s
  std::deque<PolledCore> polled_;           // by core, where polling takes time; they stay where they are
  std::vector<int> way_;                    // scratch
  std::vector<int> gate_;                   // by core; empty on a machine without gaps
  std::shared_ptr<FlowModel> flows_;        // its links: those of tree_, the loopbacks, memory_'s, duplex_'s
  std::unique_ptr<Memory> memory_;          // null where the machine has no figures of it
  std::unique_ptr<DuplexLinks> duplex_;
  std::unique_ptr<Detours> detours_;  // null where routing is not adaptive
  std::unique_ptr<NetworkCards> cards_;
};

}  // namespace strata::sim
