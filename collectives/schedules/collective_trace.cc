// SPDX-License-Identifier: LGPL-2.1-only
#include "collectives/schedules/collective_trace.h"

#include <cstddef>
#include <memory>
#include <unordered_map>
#include <utility>

namespace strata::collectives {
namespace {

constexpr int kTag = -1;  // negative inside MPI's own collectives

TraceStep trace_step(const Step& step, int rank, int started, const Collective& call) {
  const auto bytes = [&](const Range& range) { return static_cast<double>(range.bytes(call.element_bytes)); };
  const int peer = (step.peer - rank + call.ranks) % call.ranks;
  TraceStep result;
  switch (step.kind) {
    case Step::Kind::kSend:
    case Step::Kind::kSynchronousSend:
      result = {.kind = TraceStep::Kind::kSend, .modes = TraceStep::kImmediate, .peer = peer, .tag = kTag};
      if (step.kind == Step::Kind::kSynchronousSend) result.modes |= TraceStep::kSynchronous;
      result.amount = bytes(step.from);
      break;
    case Step::Kind::kReceive:
      result = {.kind = TraceStep::Kind::kReceive, .peer = peer, .tag = kTag, .amount = bytes(step.to)};
      break;
    case Step::Kind::kWait:
      result = {.kind = TraceStep::Kind::kWait, .number = started - step.request};
      break;
    case Step::Kind::kCopy:
      result = {.kind = TraceStep::Kind::kCopy, .amount = bytes(step.from)};
      break;
    case Step::Kind::kCombine:
      result = {.kind = TraceStep::Kind::kCombine, .amount = bytes(step.from)};
      break;
  }
  return result;
}

std::size_t hash_of(const std::vector<TraceStep>& steps) {
  std::size_t hash = steps.size();
  for (const TraceStep& s : steps) {
    for (const auto part : {static_cast<std::size_t>(s.kind), static_cast<std::size_t>(s.peer),
                            static_cast<std::size_t>(s.number), static_cast<std::size_t>(s.amount)}) {
      hash = hash * 1'000'003 + part;
    }
  }
  return hash;
}

}  // namespace

Trace collective_trace(const Collective& call, const OfRank& of_rank) {
  Trace trace;
  trace.program = name_of(call.operation);
  trace.native = true;
  trace.cores.resize(call.ranks);
  trace.ended.resize(call.ranks);
  std::unordered_multimap<std::size_t, std::shared_ptr<const std::vector<TraceStep>>> programs;
  for (int rank = 0; rank < call.ranks; ++rank) {
    Steps steps;
    of_rank(rank, steps);
    std::vector<TraceStep> program;
    program.reserve(steps.list().size());
    int started = 0;
    for (const Step& step : steps.list()) {
      program.push_back(trace_step(step, rank, started, call));
      if (program.back().starts_request()) ++started;
    }
    const std::size_t hash = hash_of(program);
    std::shared_ptr<const std::vector<TraceStep>> shared;
    for (auto [at, end] = programs.equal_range(hash); at != end && !shared; ++at) {
      if (*at->second == program) shared = at->second;
    }
    if (!shared) {
      shared = std::make_shared<const std::vector<TraceStep>>(std::move(program));
      programs.emplace(hash, shared);
    }
    trace.ranks.push_back(std::move(shared));
  }
  return trace;
}

}  // namespace strata::collectives
