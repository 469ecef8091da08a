// SPDX-License-Identifier: LGPL-2.1-only
// The basis of all protocols of a replay: its time, the ranks that can continue, and the cores and links that are busy.
// Ranks that are woken continue in the next round, in the order in which they were woken:
//
//   kernel.sleep_for(3, 1e-6)      rank 3 is woken a microsecond later
//   kernel.next_round(resume)      calls resume(rank) for each rank that has been woken
//   kernel.advance(arrive)         if none has been woken: to the next moment at which something ends
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "flow/machine_flows.h"
#include "flow/memory_shares.h"
#include "flow/precision.h"
#include "platforms/machine.h"
#include "replay/cores.h"
#include "replay/observer.h"

namespace strata::replay {

class Kernel {
 public:
  /// `cores` by rank. All of them must outlive this.
  Kernel(const Machine& machine, const std::vector<int>& cores, Observer& observer);

  double now() const { return now_; }
  const Machine& machine() const { return machine_; }
  Observer& observer() const { return observer_; }
  int ranks() const { return static_cast<int>(core_of_.size()); }
  int core(int rank) const { return core_of_[rank]; }
  flow::MachineFlows& flows() { return flows_; }
  flow::Paths& paths() { return flows_.paths(); }
  flow::Memory* memory() { return memory_; }  // null if the machine has no figures of it

  // --- each of these wakes the rank, now or later ---

  void wake(int rank) { woken_.push_back(rank); }
  /// At least the shortest time that can pass.
  void sleep_for(int rank, double seconds) { cores_.sleep(rank, now_ + std::max(seconds, flow::kTimePrecision)); }
  void compute(int rank, double flops);
  void work(int rank, const flow::Work& work);

  /// The message `number` starts to flow. Returns its flow.
  int start_message(int number, int from, int to, double bytes, const flow::Spans& spans, double delay_s);

  // --- called by the engine ---

  /// Calls resume(rank) for each rank that has been woken. Returns whether there were any.
  template <class Resume>
  bool next_round(Resume&& resume) {
    if (woken_.empty()) return false;
    running_.swap(woken_);
    woken_.clear();
    for (const int rank : running_) resume(rank);
    return true;
  }
  /// Calls arrive(number) for each message that arrives. Returns false if nothing will ever end.
  template <class Arrive>
  bool advance(Arrive&& arrive) {
    const double by_cores = cores_.until_next(now_), by_flows = flows_.flows().until_next(now_);
    double step = by_cores;
    if ((step < 0 || by_flows < step) && by_flows >= 0) step = by_flows;
    if (step < 0) return false;
    now_ += step;
    cores_.advance(now_, [this](int rank) { wake(rank); });
    flows_.advance(now_, [&](int id) {
      const int owner = owner_[id];
      if (owner < 0) {
        wake(-1 - owner);
      } else {
        arrive(owner);
      }
    });
    return true;
  }

 private:
  void own(int flow, int owner);

  const Machine& machine_;
  const std::vector<int>& core_of_;
  Observer& observer_;
  flow::MachineFlows flows_;
  flow::Memory* const memory_;
  Cores cores_;
  double now_ = 0;                    // s
  std::vector<int> woken_, running_;  // ranks
  std::vector<int> owner_;            // by flow: its message, or -1 - rank for a work
};

inline int Kernel::start_message(int number, int from, int to, double bytes, const flow::Spans& spans, double delay_s) {
  const int flow = flows_.start_message(core(from), core(to), bytes, now_, -1, delay_s, spans);
  own(flow, number);
  return flow;
}

inline void Kernel::own(int flow, int owner) {
  const auto id = static_cast<std::size_t>(flow);
  if (owner_.size() <= id) owner_.resize(id + 1);
  owner_[id] = owner;
}

}  // namespace strata::replay
