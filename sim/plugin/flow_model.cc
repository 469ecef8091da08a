// SPDX-License-Identifier: LGPL-2.1-only
#include "sim/plugin/flow_model.h"

#include <algorithm>
#include <cmath>
#include <simgrid/s4u/Actor.hpp>
#include <simgrid/s4u/Engine.hpp>
#include <utility>

namespace strata::sim {

using simgrid::kernel::resource::Action;

class FlowModel::Message : public Action {
 public:
  Message(FlowModel& model, int id, const simgrid::s4u::Host& src, const simgrid::s4u::Host& dst, double size,
          double latency_s, double bandwidth, const std::vector<FairShares::Use>& uses, double now)
      : Action(&model, size, false),
        model_(model),
        id_(id),
        src_(src),
        dst_(dst),
        sent_s_(now),
        latency_left_s_(latency_s),
        updated_s_(now),
        bandwidth_(bandwidth),
        uses_(uses) {}
  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;
  ~Message() override {
    model_.stop(*this);
    model_.messages_[id_] = nullptr;
    model_.free_.push_back(id_);
  }

  void update_remains_lazy(double now) override { model_.settle(*this, now); }
  double get_remains() override {
    model_.settle(*this, simgrid::s4u::Engine::get_clock());
    return get_remains_no_update();
  }
  void cancel() override {
    model_.stop(*this);
    // The bytes that have passed still count, though the message no longer exists.
    const double passed = std::floor(get_cost() - get_remains_no_update());
    for (const FairShares::Use& use : uses_) model_.carried_[use.link].bytes += use.weight * passed;
    if (!uses_.empty()) --model_.under_way_;
    model_.leave_queues(*this);
    model_.detached_.end(get_activity());
    set_state(State::FAILED);
  }
  void suspend() override {
    model_.stop(*this);
    set_suspend_state(SuspendStates::SUSPENDED);
  }
  void resume() override {
    if (!is_suspended()) return;
    set_suspend_state(SuspendStates::RUNNING);
    updated_s_ = simgrid::s4u::Engine::get_clock();
    model_.events_.schedule(id_, updated_s_ + latency_left_s_);
  }
  void set_sharing_penalty(double) override {}  // all weigh the same

  FlowModel& model_;
  const int id_;
  const simgrid::s4u::Host &src_, &dst_;
  const double sent_s_;
  int flow_ = -1;  // of shares_; -1 while it does not flow
  double latency_left_s_;
  double updated_s_;  // until when latency and bytes left are right
  double rate_ = 0;   // B/s since then
  double bandwidth_;
  std::vector<FairShares::Use> uses_;
  std::function<void()> done_;  // of work
};

FlowModel::FlowModel(PathFinder paths, double precision, std::shared_ptr<NetworkModel> links_of)
    : MessageModel("strata flows", std::move(links_of)), paths_(std::move(paths)), precision_(precision) {}

FlowModel::~FlowModel() = default;

int FlowModel::new_id() {
  if (free_.empty()) {
    free_.push_back(static_cast<int>(messages_.size()));
    messages_.push_back(nullptr);
  }
  const int id = free_.back();
  free_.pop_back();
  return id;
}

void FlowModel::start_work(double amount, const Path& path, std::function<void()> done) {
  const simgrid::s4u::Host& here = *simgrid::s4u::this_actor::get_host();
  const int id = new_id();
  messages_[id] =
      new Message(*this, id, here, here, amount, 0, path.bandwidth, path.uses, simgrid::s4u::Engine::get_clock());
  messages_[id]->done_ = std::move(done);
  for (const FairShares::Use& use : path.uses) queued_[use.link] += use.weight;
  ++working_;
  start(*messages_[id]);
}

Action* FlowModel::start_message(simgrid::s4u::Host& src, simgrid::s4u::Host& dst, double size, double rate) {
  ++sent_;
  detached_.take();
  path_.uses.clear();
  path_.gate = -1;
  paths_(src, dst, size, path_);
  const int id = new_id();
  // A negative rate is SimGrid's "as fast as can be".
  const double bandwidth = rate >= 0 ? std::min(rate, path_.bandwidth) : path_.bandwidth;
  const double now = simgrid::s4u::Engine::get_clock();
  double latency_s = path_.latency_s;
  if (path_.gate >= 0) {
    double& open_s = open_s_[path_.gate];
    const double through_s = std::max(now, open_s);
    open_s = through_s + path_.gate_s;
    latency_s += through_s - now;
  }
  messages_[id] = new Message(*this, id, src, dst, size, latency_s, bandwidth, path_.uses, now);
  for (const FairShares::Use& use : path_.uses) queued_[use.link] += use.weight;
  events_.schedule(id, now + latency_s);
  ++under_way_;
  return messages_[id];  // SimGrid deletes it
}

void FlowModel::start(Message& m) {
  m.latency_left_s_ = 0;
  m.rate_ = 0;
  m.flow_ = shares_.add_flow(m.uses_, m.bandwidth_);
  if (by_flow_.size() <= static_cast<size_t>(m.flow_)) by_flow_.resize(m.flow_ + 1);
  by_flow_[m.flow_] = m.id_;
}

// Takes it off its links, with what is left to do noted.
void FlowModel::stop(Message& m) {
  settle(m, simgrid::s4u::Engine::get_clock());
  events_.cancel(m.id_);
  m.rate_ = 0;
  if (m.flow_ < 0) return;
  shares_.remove_flow(m.flow_);
  m.flow_ = -1;
}

void FlowModel::settle(Message& m, double now) {
  const double passed = now - m.updated_s_;
  m.updated_s_ = now;
  if (m.is_suspended()) return;
  if (m.flow_ >= 0) {
    m.set_remains(std::max(m.get_remains_no_update() - m.rate_ * passed, 0.0));
  } else {
    m.latency_left_s_ = std::max(m.latency_left_s_ - passed, 0.0);
  }
}

double FlowModel::next_occurring_event(double now) {
  detached_.release();
  for (int flow : shares_.solve()) {
    Message& m = *messages_[by_flow_[flow]];
    settle(m, now);
    m.rate_ = shares_.rate(flow);
    events_.schedule(m.id_, now + m.get_remains_no_update() / m.rate_);
  }
  return events_.empty() ? -1 : std::max(events_.first_date() - now, 0.0);  // -1: nothing is under way
}

// Its bytes are through: they count whole, regardless of how the sums of its parts were rounded.
void FlowModel::arrive(Message& m, double now) {
  stop(m);
  ++arrived_;
  const bool is_message = !m.done_;
  for (const FairShares::Use& use : m.uses_) {
    carried_[use.link].bytes += use.weight * m.get_cost();
    if (is_message) ++carried_[use.link].messages;
  }
  if (!is_message) return finish_work(m);
  --under_way_;
  if (watcher_ != nullptr) watcher_->arrived(m.src_, m.dst_, m.get_cost(), m.sent_s_, now);
  detached_.end(m.get_activity());
  leave_queues(m);
  m.finish(Action::State::FINISHED);
}

void FlowModel::finish_work(Message& m) {
  --working_;
  leave_queues(m);
  const std::function<void()> done = std::move(m.done_);
  m.unref();  // SimGrid does not know it
  done();
}

// It has been counted, and is no longer.
void FlowModel::leave_queues(Message& m) {
  for (const FairShares::Use& use : m.uses_) queued_[use.link] -= use.weight;
  m.uses_.clear();
}

void FlowModel::carried_at(double time, std::vector<double>& bytes) const {
  bytes.resize(carried_.size());
  for (size_t l = 0; l < carried_.size(); ++l) bytes[l] = carried_[l].bytes;
  for (const Message* m : messages_) {
    if (m == nullptr || m->uses_.empty()) continue;
    const double left = m->get_remains_no_update() - m->rate_ * (time - m->updated_s_);
    const double passed = m->get_cost() - std::max(left, 0.0);
    for (const FairShares::Use& use : m->uses_) bytes[use.link] += use.weight * passed;
  }
}

const std::vector<double>& FlowModel::carried_now() {
  const double now = simgrid::s4u::Engine::get_clock();
  if (now != now_s_ || arrived_ != now_arrived_) {
    carried_at(now, now_bytes_);
    now_s_ = now;
    now_arrived_ = arrived_;
  }
  return now_bytes_;
}

void FlowModel::update_actions_state(double now, double) {
  if (watcher_ != nullptr) watcher_->time_passed(now);
  while (!events_.empty() && events_.first_date() - now < precision_) {
    Message* m = messages_[events_.pop()];
    m->updated_s_ = now;
    if (m->flow_ < 0) {
      start(*m);
    } else {
      arrive(*m, now);
    }
  }
}

}  // namespace strata::sim
