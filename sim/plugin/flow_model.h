// Messages as flows through the machine's links: the network model that SimGrid asks when what arrives.
//
// A message waits for its latency, then flows at its max-min fair share of the links on its way (fair_shares.h), at
// most at its level's bandwidth, until its bytes are through. That is what SimGrid's own model (CM02) computes once its
// factors are set to 1 and every flow weighs the same; this one follows a change only as far as it reaches.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "sim/plugin/calendar.h"
#include "sim/plugin/detached_sends.h"
#include "sim/plugin/fair_shares.h"
#include "sim/plugin/simgrid_network_model.h"

namespace strata::sim {

/// What a message between two hosts meets.
struct Path {
  double latency_s = 0;
  double bandwidth = 0;    // B/s, of one message, whoever else is there
  std::vector<int> links;  // of the model's own
};

class FlowModel : public simgrid::kernel::resource::NetworkModel {
 public:
  using PathFinder = std::function<void(const simgrid::s4u::Host& src, const simgrid::s4u::Host& dst, Path& into)>;

  /// `precision` (s): events that are less apart happen together, as everywhere in SimGrid (surf/precision). SimGrid's
  /// own link objects, which messages do not use, go on being made by `links_of`.
  FlowModel(PathFinder paths, double precision, std::shared_ptr<NetworkModel> links_of);
  ~FlowModel() override;

  /// `capacity` in B/s. Returns the index for Path::links.
  int add_link(double capacity) { return shares_.add_link(capacity); }

  /// How many messages have been sent so far.
  const long& sent() const { return sent_; }

  simgrid::kernel::resource::Action* communicate(simgrid::s4u::Host* src, simgrid::s4u::Host* dst, double size,
                                                 double rate) override;
  double next_occurring_event(double now) override;
  void update_actions_state(double now, double delta) override;

  simgrid::kernel::resource::StandardLinkImpl* create_link(const std::string& name,
                                                           const std::vector<double>& bandwidths) override {
    return links_of_->create_link(name, bandwidths);
  }
  simgrid::kernel::resource::StandardLinkImpl* create_wifi_link(const std::string& name,
                                                                const std::vector<double>& bandwidths) override {
    return links_of_->create_wifi_link(name, bandwidths);
  }

 private:
  class Message;
  void start(Message& message);
  void stop(Message& message);
  void settle(Message& message, double now);

  PathFinder paths_;
  const double precision_;
  std::shared_ptr<NetworkModel> links_of_;
  FairShares shares_;
  Path path_;  // scratch
  std::vector<Message*> messages_;
  std::vector<int> free_;     // of messages_
  std::vector<int> by_flow_;  // message of a flow of shares_
  long sent_ = 0;
  Calendar events_;  // by message
  DetachedSends detached_;
};

}  // namespace strata::sim
