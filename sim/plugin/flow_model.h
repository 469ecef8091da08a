// SPDX-License-Identifier: LGPL-2.1-only
// The flows of a machine (flow/machine_flows.h) as SimGrid's network model: they determine when each message arrives.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "flow/machine_flows.h"
#include "platforms/machine.h"
#include "records/exchange/message_spans.h"
#include "sim/simgrid/detached_sends.h"
#include "sim/simgrid/message_model.h"

namespace strata::sim {

class FlowModel : public MessageModel, public MessageSpans {
 public:
  /// `machine` must outlive it; SimGrid's hosts are its cores (core_of.h). Events that are less than `precision` (s)
  /// apart happen together, as everywhere in SimGrid (surf/precision). `links_of` makes SimGrid's own link objects,
  /// which messages do not use.
  FlowModel(const Machine& machine, double precision, std::shared_ptr<NetworkModel> links_of);
  ~FlowModel() override;

  flow::Flows& flows() { return machine_flows_.flows(); }
  flow::Paths& paths() { return machine_flows_.paths(); }

  /// Begins now, and calls `done` on completion.
  void start_work(const flow::Work& work, std::function<void()> done);

  simgrid::kernel::resource::Action* start_message(simgrid::s4u::Host& src, simgrid::s4u::Host& dst, double size,
                                                   double rate) override;
  void next_message(double source, double destination) override { spans_ = {source, destination}; }
  double next_occurring_event(double now) override;
  void update_actions_state(double now, double delta) override;

 private:
  class Message;
  void end(int flow);

  flow::MachineFlows machine_flows_;
  std::vector<Message*> messages_;           // by number of its flow; null: none
  std::vector<std::function<void()>> done_;  // of works, by number of its flow
  DetachedSends detached_;
  flow::Spans spans_;  // of the next message
};

}  // namespace strata::sim
