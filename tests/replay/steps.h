// SPDX-License-Identifier: LGPL-2.1-only
// Traces written by hand, and random ones.
#pragma once

#include <cstdint>
#include <memory>
#include <random>
#include <vector>

#include "records/trace/trace.h"

namespace strata::replay {

/// Rank r runs on core r; group 0 contains all ranks.
inline Trace trace_of(const std::vector<std::vector<TraceStep>>& ranks) {
  Trace t;
  t.program = "app";
  t.machine = "ideal";
  t.functions = {"MPI_Send"};
  t.doubts = {0};
  std::vector<int> all;
  for (std::size_t r = 0; r < ranks.size(); ++r) {
    all.push_back(static_cast<int>(r));
    t.ranks.push_back(std::make_shared<const std::vector<TraceStep>>(ranks[r]));
  }
  t.cores = all;
  t.ended.resize(ranks.size());
  t.groups = {all};
  return t;
}

inline TraceStep sleep(double seconds) { return {.kind = TraceStep::Kind::kSleep, .amount = seconds}; }
inline TraceStep flops(double amount) { return {.kind = TraceStep::Kind::kFlops, .amount = amount}; }
inline TraceStep wait(int request) { return {.kind = TraceStep::Kind::kWait, .number = request}; }
inline TraceStep send(int peer, double bytes, std::uint8_t modes = 0) {
  return {.kind = TraceStep::Kind::kSend, .modes = modes, .peer = peer, .amount = bytes};
}
inline TraceStep receive(int peer, double bytes, int passed = 0) {
  return {.kind = TraceStep::Kind::kReceive, .peer = peer, .passed = passed, .amount = bytes};
}
inline TraceStep repeat(double count, int steps) {
  return {.kind = TraceStep::Kind::kRepeat, .number = steps, .amount = count};
}
inline TraceStep call(int function) { return {.kind = TraceStep::Kind::kCall, .number = function}; }
inline TraceStep meet() { return {.kind = TraceStep::Kind::kMeet, .number = 0}; }

/// Ranks that compute, start messages of any size, and wait for them later, alone or several at a time; from time to
/// time all ranks meet. None of these programs deadlocks: a rank waits only for messages that both sides have started
/// before, in the order in which make() creates them.
class RandomProgram {
 public:
  explicit RandomProgram(unsigned seed) : random_(seed) {}

  /// `to_itself`: include messages of a rank to itself, which share its core's loopback.
  Trace make(int ranks, int messages, double most_flops, bool to_itself) {
    ranks_.assign(ranks, {});
    for (int m = 0; m < messages; ++m) {
      const int from = below(ranks), to = to_itself ? below(ranks) : (from + 1 + below(ranks - 1)) % ranks;
      for (const int r : {from, to}) of(r).steps.push_back(flops(most_flops * static_cast<double>(below(1000)) / 1000));
      const double bytes = below(3) == 0 ? 1 << (10 + below(10)) : below(1000);
      const auto relative = [ranks](int rank, int peer) { return (peer - rank + ranks) % ranks; };
      of(from).steps.push_back(send(relative(from, to), bytes, TraceStep::kImmediate));
      of(from).open.push_back(of(from).started++);
      of(to).steps.push_back(receive(relative(to, from), bytes));
      of(to).open.push_back(of(to).started++);
      if (below(2) == 0) wait_for_some(below(ranks));
      if (below(20) == 0) {
        for (Rank& r : ranks_) r.steps.push_back(meet());
      }
    }
    std::vector<std::vector<TraceStep>> steps;
    for (int r = 0; r < ranks; ++r) {
      while (!of(r).open.empty()) wait_for_some(r);
      steps.push_back(of(r).steps);
    }
    return trace_of(steps);
  }
  int below(int bound) { return static_cast<int>(random_() % static_cast<unsigned>(bound)); }

 private:
  struct Rank {
    std::vector<TraceStep> steps;
    int started = 0;
    std::vector<int> open;  // requests for which the rank has not yet waited
  };
  Rank& of(int rank) { return ranks_[rank]; }

  void wait_for_some(int rank) {
    Rank& r = of(rank);
    if (r.open.empty()) return;
    for (int left = 1 + below(3); left > 0 && !r.open.empty(); --left) {
      const int which = below(static_cast<int>(r.open.size()));
      const int request = r.open[which];
      r.open.erase(r.open.begin() + which);
      r.steps.push_back(wait(r.started - request));
      if (left > 1 && !r.open.empty()) r.steps.back().modes = TraceStep::kMore;
    }
  }

  std::mt19937 random_;  // its numbers are defined by the C++ standard
  std::vector<Rank> ranks_;
};

}  // namespace strata::replay
