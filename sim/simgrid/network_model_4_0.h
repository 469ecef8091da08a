// SPDX-License-Identifier: LGPL-2.1-only
// The base class of SimGrid 4.0's network models, as src/kernel/resource/NetworkModel.hpp and NetworkModelFactors.hpp
// declare it (LGPL-2.1), without what a derived class does not need. Debian does not install these headers.
#pragma once

#include <functional>
#include <memory>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <string>
#include <vector>

namespace simgrid::kernel::resource {

class StandardLinkImpl {
 public:
  class Deleter {
   public:
    void operator()(StandardLinkImpl* link) const;
  };
};

class NetworkModelFactors {
  std::function<void()> latency_factor_, bandwidth_factor_;  // of other types; never set, and all are of one size
};

class __attribute__((visibility("default"))) NetworkModel : public Model, public NetworkModelFactors {
 public:
  using Model::Model;
  NetworkModel(const NetworkModel&) = delete;
  NetworkModel& operator=(const NetworkModel&) = delete;
  ~NetworkModel() override;

  virtual StandardLinkImpl* create_link(const std::string& name, const std::vector<double>& bandwidths) = 0;
  virtual StandardLinkImpl* create_wifi_link(const std::string& name, const std::vector<double>& bandwidths) = 0;
  virtual Action* communicate(s4u::Host* src, s4u::Host* dst, double size, double rate, bool streamed) = 0;
  double next_occurring_event_full(double now) override;

  std::unique_ptr<StandardLinkImpl, StandardLinkImpl::Deleter> loopback_;
};

}  // namespace simgrid::kernel::resource
