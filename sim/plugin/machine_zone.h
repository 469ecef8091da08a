// SPDX-License-Identifier: LGPL-2.1-only
// SimGrid's view of a machine: one routing zone with a host per core, and the links of the route tree.
//
// Why a zone of our own? In SimGrid 3.32 nested star zones give wrong routes without an error, and this machine's
// routes are a walk to the lowest common ancestor plus the fabric's own routes, which need no table.
//
// FlowModel simulates messages (flow/machine_paths.h describes their costs); SMPI charges their senders' overheads, in
// callbacks of its operations, and the preloaded tap their receivers' (mpi_ext/preload/tap/receive_smpi.h). SimGrid's
// own routes are consistent with this, for code that queries them (with several routes between routers, the minimal
// one).
//
// Each host has properties for programs that charge their own copies and combinations (mpi_ext/adapter/charge.h):
// "copy_bandwidth" and "combine_bandwidth" (B/s) of its core, "copies" (1 or 2, the number of cores that copy a message
// within the node), and "node", the index of its node.
#pragma once

#include <deque>
#include <memory>
#include <simgrid/s4u.hpp>
#include <string>
#include <vector>

#include "platforms/machine.h"
#include "records/exchange/polling_property.h"
#include "sim/plugin/flow_model.h"
#include "sim/simgrid/zone.h"

namespace strata::sim {

class MachineAcknowledgements;
class MachineReceiveOverheads;
class Memory;
class NetworkCards;

class MachineZone : public Zone {
 public:
  /// Makes hosts and links, seals the zone, and makes SimGrid's engine use a FlowModel for messages. `machine` must
  /// outlive it.
  explicit MachineZone(const Machine& machine);
  ~MachineZone() override;

  void get_local_route(const simgrid::kernel::routing::NetPoint* src, const simgrid::kernel::routing::NetPoint* dst,
                       simgrid::kernel::routing::Route* into, double* latency) override;
  void get_graph(const s_xbt_graph_t*, std::map<std::string, xbt_node_t, std::less<>>*,
                 std::map<std::string, xbt_edge_t, std::less<>>*) override {}

  /// s for which a send of `bytes` of payload keeps the core of `src` busy.
  double send_overhead(double bytes, const simgrid::s4u::Host* src, const simgrid::s4u::Host* dst) const;

  const flow::RouteTree& tree() const { return flows_->paths().tree(); }
  flow::Flows& flows() const { return flows_->flows(); }

 private:
  using Link = simgrid::kernel::resource::StandardLinkImpl;
  void add_link(const std::string& name, int link);
  Link* make_plain_link(const std::string& name, double bandwidth);

  std::shared_ptr<FlowModel> flows_;
  std::vector<Link*> links_;        // of tree(); null if a stop has none
  std::vector<Link*> loopback_;     // by core
  std::deque<PolledCore> polled_;   // by core, if polling takes time; a deque because their addresses must not change
  std::vector<int> way_;            // scratch
  std::unique_ptr<Memory> memory_;  // null if the machine has no figures of it
  std::unique_ptr<NetworkCards> cards_;
  std::unique_ptr<MachineAcknowledgements> acknowledgements_;
  std::unique_ptr<MachineReceiveOverheads> receive_overheads_;  // null if the machine states none
};

}  // namespace strata::sim
