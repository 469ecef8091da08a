// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/flows.h"

#include <cmath>

namespace strata::flow {

int Flows::new_flow(double amount, const Path& path, double now) {
  if (free_.empty()) {
    free_.push_back(static_cast<int>(flows_.size()));
    flows_.emplace_back();
  }
  const int id = free_.back();
  free_.pop_back();
  Flow& flow = flows_[id];
  flow.uses.assign(path.uses.begin(), path.uses.end());
  flow.amount = flow.left = amount;
  flow.counted = 0;
  flow.bandwidth = path.bandwidth;
  flow.sent_s = flow.updated_s = now;
  flow.latency_left_s = 0;
  flow.rate = 0;
  flow.is_work = flow.is_suspended = false;
  flow.is_under_way = true;
  if (!queued_.empty()) {
    for (const FairShares::Use& use : flow.uses) queued_[use.link] += use.weight;
  }
  return id;
}

int Flows::start_work(double amount, const Path& path, double now) {
  const int id = new_flow(amount, path, now);
  flows_[id].is_work = true;
  ++working_;
  begin(id);
  return id;
}

int Flows::start_message(int source, int destination, double bytes, const Path& path, double now, double limit) {
  ++sent_;
  ++under_way_;
  const int id = new_flow(bytes, path, now);
  Flow& flow = flows_[id];
  flow.source = source;
  flow.destination = destination;
  if (limit >= 0) flow.bandwidth = std::min(limit, path.bandwidth);
  double latency_s = path.latency_s;
  if (path.gate >= 0) {
    double& open_s = open_s_[path.gate];
    const double through_s = std::max(now, open_s);
    open_s = through_s + path.gate_s;
    latency_s += through_s - now;
  }
  flow.latency_left_s = latency_s;
  events_.schedule(id, now + latency_s);
  return id;
}

// Called when the flow's latency is over.
void Flows::begin(int id) {
  Flow& flow = flows_[id];
  flow.latency_left_s = 0;
  flow.rate = 0;
  flow.share = shares_.add_flow(flow.uses, flow.bandwidth);
  if (by_share_.size() <= static_cast<size_t>(flow.share)) by_share_.resize(flow.share + 1);
  by_share_[flow.share] = id;
}

// Takes the flow off its links, after recording the remaining amount.
void Flows::stop(Flow& flow, int id, double now) {
  settle(flow, now);
  events_.cancel(id);
  flow.rate = 0;
  if (flow.share < 0) return;
  shares_.remove_flow(flow.share);
  flow.share = -1;
}

void Flows::settle(Flow& flow, double now) {
  const double passed = now - flow.updated_s;
  flow.updated_s = now;
  if (flow.is_suspended) return;
  if (flow.share >= 0) {
    flow.left = std::max(flow.left - flow.rate * passed, 0.0);
  } else {
    flow.latency_left_s = std::max(flow.latency_left_s - passed, 0.0);
  }
}

double Flows::until_next(double now) {
  for (const int share : shares_.solve()) {
    const int id = by_share_[share];
    Flow& flow = flows_[id];
    settle(flow, now);
    flow.rate = shares_.rate(share);
    events_.schedule(id, now + flow.left / flow.rate);
  }
  return events_.empty() ? -1 : std::max(events_.first_date() - now, 0.0);
}

bool Flows::is_through(int id, double now) {
  Flow& flow = flows_[id];
  flow.updated_s = now;
  if (flow.share < 0) {
    begin(id);
    return false;
  }
  arrive(flow, id, now);
  return true;
}

// The flow is complete. Its bytes count in full, regardless of how the sums of its parts were rounded.
void Flows::arrive(Flow& flow, int id, double now) {
  stop(flow, id, now);
  ++arrived_;
  for (const FairShares::Use& use : flow.uses) {
    carried_[use.link].bytes += use.weight * (flow.amount - flow.counted);
    if (!flow.is_work) ++carried_[use.link].messages;
  }
  flow.left = 0;
  if (flow.is_work) {
    --working_;
    ended_works_.push_back(id);
  } else {
    --under_way_;
    if (watcher_ != nullptr) watcher_->arrived(flow.source, flow.destination, flow.amount, flow.sent_s, now);
    ended_messages_.push_back(id);
  }
  leave_queues(flow);
}

// Removes the flow from the queues in which new_flow() counted it.
void Flows::leave_queues(Flow& flow) {
  flow.is_under_way = false;
  if (queued_.empty()) return;
  for (const FairShares::Use& use : flow.uses) queued_[use.link] -= use.weight;
}

void Flows::free_ended() {
  for (std::vector<int>* ended : {&ended_works_, &ended_messages_}) {
    free_.insert(free_.end(), ended->begin(), ended->end());
    ended->clear();
  }
}

void Flows::change_uses(int id, std::size_t from, std::span<const FairShares::Use> uses, double scale, double now) {
  Flow& flow = flows_[id];
  const bool is_flowing = flow.share >= 0;
  if (is_flowing) {
    stop(flow, id, now);
    // Whole bytes, so that a message's bytes are counted exactly.
    const double passed = flow.is_work ? flow.amount - flow.left : std::floor(flow.amount - flow.left);
    for (const FairShares::Use& use : flow.uses) carried_[use.link].bytes += use.weight * (passed - flow.counted);
    flow.counted = passed;
  }
  if (scale != 1) {
    flow.left *= scale;
    flow.amount = flow.left;
    flow.counted = 0;
  }
  const auto count = [this](std::span<const FairShares::Use> some, double sign) {
    if (queued_.empty()) return;
    for (const FairShares::Use& use : some) queued_[use.link] += sign * use.weight;
  };
  count(std::span(flow.uses).subspan(from), -1);
  flow.uses.resize(from);
  flow.uses.insert(flow.uses.end(), uses.begin(), uses.end());
  count(uses, 1);
  if (is_flowing) begin(id);
}

void Flows::cancel(int id, double now) {
  Flow& flow = flows_[id];
  stop(flow, id, now);
  const double passed = std::floor(flow.amount - flow.left);
  for (const FairShares::Use& use : flow.uses) carried_[use.link].bytes += use.weight * (passed - flow.counted);
  --(flow.is_work ? working_ : under_way_);
  leave_queues(flow);
  free_.push_back(id);
}

void Flows::suspend(int id, double now) {
  Flow& flow = flows_[id];
  stop(flow, id, now);
  flow.is_suspended = true;
}

void Flows::resume(int id, double now) {
  Flow& flow = flows_[id];
  if (!flow.is_suspended) return;
  flow.is_suspended = false;
  flow.updated_s = now;
  events_.schedule(id, now + flow.latency_left_s);
}

double Flows::remains(int id, double now) {
  settle(flows_[id], now);
  return flows_[id].left;
}

const std::vector<double>& Flows::count_queued() {
  queued_.assign(carried_.size(), 0);
  return queued_;
}

void Flows::carried_at(double time, std::vector<double>& bytes) const {
  bytes.resize(carried_.size());
  for (size_t l = 0; l < carried_.size(); ++l) bytes[l] = carried_[l].bytes;
  for (const Flow& flow : flows_) {
    if (!flow.is_under_way) continue;
    const double left = flow.left - flow.rate * (time - flow.updated_s);
    const double passed = flow.amount - flow.counted - std::max(left, 0.0);
    for (const FairShares::Use& use : flow.uses) bytes[use.link] += use.weight * passed;
  }
}

const std::vector<double>& Flows::carried_now(double now) {
  if (now != now_s_ || arrived_ != now_arrived_) {
    carried_at(now, now_bytes_);
    now_s_ = now;
    now_arrived_ = arrived_;
  }
  return now_bytes_;
}

}  // namespace strata::flow
