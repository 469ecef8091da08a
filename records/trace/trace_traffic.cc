// SPDX-License-Identifier: LGPL-2.1-only
#include "records/trace/trace_traffic.h"

#include <map>
#include <span>
#include <utility>

namespace strata {
namespace {

struct Sent {
  double bytes = 0, messages = 0;
};

// Adds the sends of these steps, `times` times, by the peer relative to the rank.
void add(std::span<const TraceStep> steps, double times, std::map<int, Sent>& sent) {
  for (size_t i = 0; i < steps.size(); ++i) {
    const TraceStep& step = steps[i];
    if (step.kind == TraceStep::Kind::kRepeat) {
      const auto body = static_cast<size_t>(step.number);
      add(steps.subspan(i + 1, body), times * step.amount, sent);
      i += body;
    } else if (step.kind == TraceStep::Kind::kSend) {
      Sent& to = sent[step.peer];
      to.bytes += times * step.amount;
      to.messages += times;
    }
  }
}

}  // namespace

TraceTraffic traffic_of(const Trace& trace) {
  const auto ranks = static_cast<int>(trace.ranks.size());
  std::map<const std::vector<TraceStep>*, std::map<int, Sent>> by_program;
  std::vector<Flow> bytes, messages;
  for (int rank = 0; rank < ranks; ++rank) {
    const std::vector<TraceStep>* program = trace.ranks[rank].get();
    const auto [it, is_new] = by_program.try_emplace(program);
    if (is_new) add(*program, 1, it->second);
    for (const auto& [peer, sent] : it->second) {
      const int to = static_cast<int>((static_cast<long>(rank) + peer) % ranks);
      bytes.push_back({rank, to, sent.bytes});
      messages.push_back({rank, to, sent.messages});
    }
  }
  return {Pattern(ranks, std::move(bytes)), Pattern(ranks, std::move(messages))};
}

}  // namespace strata
