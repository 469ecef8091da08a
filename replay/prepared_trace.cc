// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/prepared_trace.h"

#include <algorithm>
#include <unordered_map>

namespace strata::replay {
namespace {

using Kind = TraceStep::Kind;

Program compiled(const std::vector<TraceStep>& steps) {
  Program p;
  std::unordered_map<int, int> out, in;
  const auto lane = [](std::unordered_map<int, int>& lanes, std::vector<int>& peers, int peer) {
    const auto [at, first] = lanes.try_emplace(peer, static_cast<int>(peers.size()));
    if (first) peers.push_back(peer);
    return at->second;
  };
  p.ops.reserve(steps.size());
  for (const TraceStep& s : steps) {
    Op op{
        .kind = s.kind, .modes = s.modes, .number = s.number, .passed = s.passed, .amount = s.amount, .moved = s.moved};
    if (s.kind == Kind::kSend) {
      op.lane = lane(out, p.out, s.peer);
      op.number = s.tag;
    }
    if (s.kind == Kind::kReceive || s.kind == Kind::kArrival) op.lane = lane(in, p.in, s.peer);
    if (s.is_one_sided() || s.kind == Kind::kFlush || s.kind == Kind::kFlushOne || s.kind == Kind::kLock ||
        s.kind == Kind::kUnlock)
      op.lane = s.peer;
    if (s.kind == Kind::kFlushOne) op.passed = s.tag;
    if (s.kind == Kind::kWait) p.longest_wait = std::max(p.longest_wait, s.number);
    p.ops.push_back(op);
  }
  return p;
}

}  // namespace

Programs::Programs(const Trace& trace) : native_(trace.native) {
  const int ranks = static_cast<int>(trace.ranks.size());
  std::unordered_map<const std::vector<TraceStep>*, int> numbers;
  std::vector<std::unordered_map<int, int>> lane_out;  // by program: the lane of a peer
  for (const auto& steps : trace.ranks) {
    const auto [at, first] = numbers.try_emplace(steps.get(), static_cast<int>(programs_.size()));
    if (first) {
      programs_.push_back(compiled(*steps));
      auto& lanes = lane_out.emplace_back();
      for (std::size_t l = 0; l < programs_.back().out.size(); ++l)
        lanes[programs_.back().out[l]] = static_cast<int>(l);
    }
    program_of_.push_back(at->second);
    first_out_.push_back(num_channels_);
    num_channels_ += static_cast<int>(programs_[at->second].out.size());
  }
  for (int r = 0; r < ranks; ++r) {
    first_in_.push_back(in_.size());
    for (const int peer : of(r).in) {
      const int sender = (r + peer) % ranks, to = (ranks - peer) % ranks;
      const auto& lanes = lane_out[program_of_[sender]];
      const auto at = lanes.find(to);
      // The sender never sends to this rank: a channel without messages.
      in_.push_back(at == lanes.end() ? num_channels_++ : out(sender, at->second));
    }
  }
}

}  // namespace strata::replay
