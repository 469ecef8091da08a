// SPDX-License-Identifier: LGPL-2.1-only
// A network model of our own behind SimGrid's interface, the same for every version: a derived class determines when
// each message arrives, and SimGrid's own model makes the link objects that its platform needs.
//
//   class FlowModel : public MessageModel { Action* start_message(...) override {...} ... };
//   auto model = std::make_shared<FlowModel>("flows", links_of);
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "sim/simgrid/version.h"

#ifdef STRATA_SIMGRID_3_32
#include "sim/simgrid/network_model_3_32.h"
#else
#include "sim/simgrid/network_model_4_0.h"
#endif

namespace strata::sim {

class MessageModel : public simgrid::kernel::resource::NetworkModel {
 public:
  using NetworkModel = simgrid::kernel::resource::NetworkModel;
  using Link = simgrid::kernel::resource::StandardLinkImpl;

  /// `links_of` makes SimGrid's link objects, which messages do not use.
  MessageModel(const std::string& name, std::shared_ptr<NetworkModel> links_of)
      : NetworkModel(name), links_of_(std::move(links_of)) {}

  /// A message of `size` bytes starts now. `rate` (B/s) limits it; a negative one does not. SimGrid deletes the action.
  virtual simgrid::kernel::resource::Action* start_message(simgrid::s4u::Host& src, simgrid::s4u::Host& dst,
                                                           double size, double rate) = 0;

#ifdef STRATA_SIMGRID_3_32
  simgrid::kernel::resource::Action* communicate(simgrid::s4u::Host* src, simgrid::s4u::Host* dst, double size,
                                                 double rate) final {
    return start_message(*src, *dst, size, rate);
  }
#else
  // `streamed`: from disk to disk, which no MPI program does.
  simgrid::kernel::resource::Action* communicate(simgrid::s4u::Host* src, simgrid::s4u::Host* dst, double size,
                                                 double rate, bool /*streamed*/) final {
    return start_message(*src, *dst, size, rate);
  }
#endif
  Link* create_link(const std::string& name, const std::vector<double>& bandwidths) final {
    return links_of_->create_link(name, bandwidths);
  }
  Link* create_wifi_link(const std::string& name, const std::vector<double>& bandwidths) final {
    return links_of_->create_wifi_link(name, bandwidths);
  }

 private:
  std::shared_ptr<NetworkModel> links_of_;
};

}  // namespace strata::sim
