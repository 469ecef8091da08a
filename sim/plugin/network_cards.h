// SPDX-License-Identifier: LGPL-2.1-only
// The network cards of the simulated nodes, as MPI code reads them (records/exchange/network_counters.h): the bytes on
// the link between a node and the network, up and down.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "flow/flows.h"
#include "flow/route_tree.h"
#include "records/exchange/network_counters.h"

namespace strata::sim {

class NetworkCards : public LinkBytes {
 public:
  /// Both must outlive it.
  NetworkCards(const flow::RouteTree& tree, flow::Flows& flows);

  std::optional<CardBytes> card(const std::string& host) override;

 private:
  const flow::RouteTree& tree_;
  flow::Flows& flows_;
  std::vector<CardBytes> told_;  // by stop
};

}  // namespace strata::sim
