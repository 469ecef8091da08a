// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/flow_model.h"

#include <simgrid/s4u/Engine.hpp>
#include <utility>

#include "platforms/payload.h"
#include "sim/plugin/core_of.h"
#include "sim/simgrid/missed_ends.h"

namespace strata::sim {

using simgrid::kernel::resource::Action;

namespace {

double now() { return simgrid::s4u::Engine::get_clock(); }

template <class T>
T& at(std::vector<T>& by_flow, int flow) {
  if (by_flow.size() <= static_cast<size_t>(flow)) by_flow.resize(static_cast<size_t>(flow) + 1);
  return by_flow[flow];
}

}  // namespace

class FlowModel::Message : public Action {
 public:
  Message(FlowModel& model, int flow, double size) : Action(&model, size, false), model_(model), flow_(flow) {}
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  ~Message() override { leave(); }

  void update_remains_lazy(double) override { set_remains(get_remains()); }
  double get_remains() override { return flow_ < 0 ? get_remains_no_update() : model_.flows().remains(flow_, now()); }
  void cancel() override {
    set_remains(get_remains());
    leave();
    model_.detached_.end(get_activity());
    set_state(State::FAILED);
  }
  void suspend() override {
    if (flow_ >= 0) model_.flows().suspend(flow_, now());
    set_suspend_state(SuspendStates::SUSPENDED);
  }
  void resume() override {
    if (flow_ >= 0) model_.flows().resume(flow_, now());
    set_suspend_state(SuspendStates::RUNNING);
  }
  void set_sharing_penalty(double) override {}  // all messages have the same weight

  void arrive() {
    flow_ = -1;
    model_.detached_.end(get_activity());
    finish(State::FINISHED);
  }

 private:
  void leave() {
    if (flow_ < 0) return;
    model_.machine_flows_.cancel(flow_, now());
    model_.messages_[flow_] = nullptr;
    flow_ = -1;
  }

  FlowModel& model_;
  int flow_;  // -1: it has ended
};

FlowModel::FlowModel(const Machine& machine, double precision, std::shared_ptr<NetworkModel> links_of)
    : MessageModel("strata flows", std::move(links_of)), machine_flows_(machine, precision) {}

FlowModel::~FlowModel() = default;

void FlowModel::start_work(const flow::Work& work, std::function<void()> done) {
  at(done_, machine_flows_.start_work(work, now())) = std::move(done);
}

// SMPI's message size includes its envelope. In SimGrid, a negative rate means no limit.
Action* FlowModel::start_message(simgrid::s4u::Host& src, simgrid::s4u::Host& dst, double size, double rate) {
  detached_.take();
  const int flow =
      machine_flows_.start_message(core_of(src), core_of(dst), size - kEnvelopeBytes, now(), rate, 0, spans_);
  auto* message = new Message(*this, flow, size);  // deleted by SimGrid
  at(messages_, flow) = message;
  return message;
}

double FlowModel::next_occurring_event(double now) {
  detached_.release();
  if (date_missed_ends(now)) return 0;
  return flows().until_next(now);
}

void FlowModel::update_actions_state(double now, double) {
  machine_flows_.advance(now, [this](int flow) { end(flow); });
}

void FlowModel::end(int flow) {
  if (Message* message = std::exchange(at(messages_, flow), nullptr)) return message->arrive();
  std::exchange(done_[flow], nullptr)();
}

}  // namespace strata::sim
