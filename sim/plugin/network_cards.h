// SPDX-License-Identifier: LGPL-2.1-only
// The network cards of the simulated nodes, as the MPI code reads them (records/exchange/network_counters.h): what has
// gone over the link between a node and the network, up and down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "records/exchange/network_counters.h"
#include "sim/plugin/flow_model.h"
#include "sim/plugin/route_tree.h"

namespace strata::sim {

class NetworkCards : public LinkBytes {
 public:
  /// Both must outlive it.
  NetworkCards(const RouteTree& tree, FlowModel& flows);

  std::optional<CardBytes> card(const std::string& host) override;

 private:
  const RouteTree& tree_;
  FlowModel& flows_;
  std::vector<CardBytes> told_;  // by stop
};

}  // namespace strata::sim
