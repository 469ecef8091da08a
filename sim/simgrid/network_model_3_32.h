// SPDX-License-Identifier: LGPL-2.1-only
// The base class of SimGrid 3.32's network models, as src/kernel/resource/NetworkModel.hpp declares it (LGPL-2.1),
// without what a derived class does not need. Debian does not install that header.
#pragma once

#include <functional>
#include <memory>
#include <simgrid/kernel/resource/Action.hpp>
#include <simgrid/kernel/resource/Model.hpp>
#include <simgrid/kernel/resource/NetworkModelIntf.hpp>
#include <stdexcept>
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

class __attribute__((visibility("default"))) NetworkModel : public Model, public NetworkModelIntf {
 public:
  using Model::Model;
  NetworkModel(const NetworkModel&) = delete;
  NetworkModel& operator=(const NetworkModel&) = delete;
  ~NetworkModel() override;

  virtual StandardLinkImpl* create_link(const std::string& name, const std::vector<double>& bandwidths) = 0;
  virtual StandardLinkImpl* create_wifi_link(const std::string& name, const std::vector<double>& bandwidths) = 0;
  virtual Action* communicate(s4u::Host* src, s4u::Host* dst, double size, double rate) = 0;
  virtual double get_latency_factor(double) { return 1; }
  virtual double get_bandwidth_factor(double) { return 1; }
  double next_occurring_event_full(double now) override;
  void set_lat_factor_cb(const std::function<NetworkFactorCb>&) override { throw std::logic_error("no factors"); }
  void set_bw_factor_cb(const std::function<NetworkFactorCb>&) override { throw std::logic_error("no factors"); }

  std::unique_ptr<StandardLinkImpl, StandardLinkImpl::Deleter> loopback_;
};

}  // namespace simgrid::kernel::resource
