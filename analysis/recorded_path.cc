// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/recorded_path.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "models/links_taken.h"
#include "models/message_cost.h"
#include "platforms/payload.h"
#include "records/levels.h"

namespace strata::analysis {
namespace {

using Kind = Event::Kind;

// A flow that takes at most this much longer than alone shares no link. The simulator rounds to 1e-12 s (its option
// precision), a double to 1e-16 of the time since the start, and the time of a flow is a sum of several terms.
constexpr double kRoundingSeconds = 4e-12, kRoundingShare = 1e-14;

// Durations of waits are rounded to this fraction (float).
constexpr double kFloatShare = 1e-6;

struct Message {
  int sender = -1, receiver = -1;
  std::int64_t bytes = 0;
  double arrived = -1;  // s; negative: not yet
};

// The costs of messages between ranks that do not share their links.
class Flows {
 public:
  Flows(const Machine& machine, const std::vector<int>& cores) : costs_(machine), cores_(cores) {
    const size_t there = machine.topology->cores().size();
    for (size_t r = 0; r < cores.size(); ++r) {
      if (cores[r] >= 0 && static_cast<size_t>(cores[r]) < there) continue;
      throw InputError("machine " + machine.name,
                       fmt::format("has {} cores, and the events have rank {} on core {}", there, r, cores[r]),
                       "give the machine that the program ran on");
    }
  }

  struct Alone {
    std::string level;
    double latency, transfer;  // s
  };
  Alone alone(const Message& m) const {
    const Topology& t = costs_.topology();
    const int a = t.cores()[core(m.sender)], b = t.cores()[core(m.receiver)];
    const models::MessageCost cost = costs_.between(a, b, static_cast<double>(m.bytes));
    double bandwidth = cost.bandwidth_bytes_per_s;
    models::for_each_link(costs_, a, b, [&](const models::Link& l) {
      bandwidth = std::min(bandwidth, l.capacity_bytes_per_s / l.weight);
    });
    const std::string level =
        a == b ? kLoopbackLevel : costs_.machine().costs_at(t.lowest_common_ancestor(a, b))->level;
    return {level, cost.wire_s(), (static_cast<double>(m.bytes) + kEnvelopeBytes) / bandwidth};
  }

 private:
  size_t core(int rank) const { return static_cast<size_t>(cores_[rank]); }

  models::MessageCosts costs_;
  const std::vector<int>& cores_;
};

// Builds the path's pieces from its parts in order of time.
class Builder {
 public:
  Builder(CriticalPath& path, const std::optional<Flows>& flows) : path_(path), flows_(flows) {}

  void own(int rank, int function, double from, double to) {
    if (to <= from) return;
    const PathKind kind = function < 0 ? PathKind::kComputing : PathKind::kMpi;
    PathPiece* last = path_.pieces.empty() ? nullptr : &path_.pieces.back();
    if (last != nullptr && last->kind == kind && last->rank == rank && last->function == function) {
      last->to = to;
    } else {
      add({.from = from, .to = to, .kind = kind, .rank = rank, .function = function});
    }
  }

  void waiting(int rank, int function, double from, double to) {
    add({.from = from, .to = to, .kind = PathKind::kWaiting, .rank = rank, .function = function});
  }

  void message(int rank, int function, double from, double to, std::int64_t number, const Message& m) {
    const double arrived = m.arrived < 0 ? to : std::clamp(m.arrived, from, to);
    PathPiece piece{.from = from,
                    .to = arrived,
                    .kind = PathKind::kMessage,
                    .rank = rank,
                    .function = function,
                    .message = number,
                    .sender = m.sender,
                    .receiver = m.receiver,
                    .bytes = static_cast<double>(m.bytes)};
    if (flows_) {
      split(piece, flows_->alone(m));
    } else {
      add(piece);
    }
    own(rank, function, arrived, to);
  }

 private:
  void add(const PathPiece& piece) {
    if (piece.to > piece.from) path_.pieces.push_back(piece);
  }

  // Divides a message into latency, transfer and contention, in this order. In reality they overlap.
  void split(PathPiece piece, const Flows::Alone& alone) {
    piece.level = level(alone.level);
    const double arrived = piece.to;
    const double rounding = kRoundingSeconds + kRoundingShare * arrived;
    const auto part = [&](PathKind kind, double seconds) {
      if (piece.from == arrived) return;
      piece.kind = kind;
      piece.to = std::min(piece.from + seconds, arrived);
      if (arrived - piece.to <= rounding) piece.to = arrived;
      add(piece);
      piece.from = piece.to;
    };
    part(PathKind::kLatency, alone.latency);
    part(PathKind::kTransfer, alone.transfer);
    part(PathKind::kContention, arrived - piece.from);
  }

  int level(const std::string& name) {
    const auto at = std::find(path_.levels.begin(), path_.levels.end(), name);
    if (at == path_.levels.end()) {
      path_.levels.push_back(name);
      return static_cast<int>(path_.levels.size()) - 1;
    }
    return static_cast<int>(at - path_.levels.begin());
  }

  CriticalPath& path_;
  const std::optional<Flows>& flows_;
};

}  // namespace

void PathFinder::take(const Event& e) {
  if (e.kind == Kind::kRankEnd) ends_[e.rank] = e.time;
  if (e.kind == Kind::kEnd) end_ = e.time;
}

void PathFinder::take(const Wait& w) {
  const bool message = w.message != 0;
  if (!message && w.idle() == 0) return;  // it was not blocked, or was itself the last to come
  const double goes_on = w.by < 0 ? w.from : w.began;
  waits_[w.rank].push_back({w.to, goes_on, w.message, w.by, static_cast<float>(w.to - w.from)});
}

// The path in order of time, without gaps, from 0 to the end of the rank that ended last.
std::vector<PathFinder::Step> PathFinder::walk(int rank, double at) const {
  std::vector<Step> steps;
  const auto step = [&steps, &at](int r, Step::What what, double from, std::int64_t message = 0) {
    if (from < at) steps.push_back({r, what, from, at, message});
    at = std::min(at, from);
  };
  std::vector<size_t> left(waits_.size());  // by rank: number of waits that the walk has not reached
  for (size_t r = 0; r < waits_.size(); ++r) left[r] = waits_[r].size();
  for (;;) {
    const std::vector<Cause>& waits = waits_[rank];
    size_t& k = left[rank];
    while (k > 0 && waits[k - 1].to > at) --k;
    const double own = k > 0 ? waits[k - 1].to : 0;
    // A blocked rank cannot be a cause. If it seems to be, the events are incomplete.
    if (k < waits.size()) {
      const double blocked = waits[k].to - waits[k].length;
      if (at - blocked > kFloatShare * waits[k].length) step(rank, Step::What::kWaiting, std::max(own, blocked));
    }
    step(rank, Step::What::kOwn, own);
    if (k == 0) break;
    const Cause& cause = waits[--k];
    if (cause.by < 0) {
      step(rank, Step::What::kWaiting, cause.began);
    } else {
      step(rank, cause.message != 0 ? Step::What::kMessage : Step::What::kOwn, cause.began, cause.message);
      rank = cause.by;
    }
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

CriticalPath PathFinder::path(EventReader& events, const Machine* machine) {
  CriticalPath path;
  path.functions = events.header().functions;
  for (double& end : ends_) end = end < 0 ? end_ : end;
  if (ends_.empty()) return path;
  path.last_rank = static_cast<int>(std::max_element(ends_.begin(), ends_.end()) - ends_.begin());
  path.seconds = ends_[path.last_rank];

  const std::vector<Step> steps = walk(path.last_rank, path.seconds);
  std::unordered_map<std::int64_t, Message> messages;
  for (const Step& s : steps) {
    if (s.message != 0) messages[s.message];
  }
  const std::optional<Flows> flows =
      machine == nullptr ? std::nullopt : std::optional<Flows>(std::in_place, *machine, events.header().cores);
  Builder builder(path, flows);

  // Each rank's outermost MPI function, before the current event.
  struct Inside {
    int depth = 0, function = -1;
  };
  std::vector<Inside> ranks(ends_.size());
  size_t next = 0;  // index into steps
  double at = 0;    // until when the path is complete
  const auto own_until = [&](double time) {
    const int rank = steps[next].rank;
    builder.own(rank, ranks[rank].function, at, time);
    at = std::max(at, time);
  };
  const auto finish_step = [&] {
    const Step& s = steps[next];
    const int function = ranks[s.rank].function;
    if (s.what == Step::What::kOwn) {
      own_until(s.to);
    } else if (s.what == Step::What::kWaiting) {
      builder.waiting(s.rank, function, s.from, s.to);
    } else {
      builder.message(s.rank, function, s.from, s.to, s.message, messages[s.message]);
    }
    at = s.to;
    ++next;
  };
  Event e;
  for (bool more = true; more;) {
    more = events.next(e);
    while (next < steps.size() && steps[next].to <= e.time) finish_step();
    if (e.kind == Kind::kEnter || e.kind == Kind::kLeave) {
      if (next < steps.size() && steps[next].rank == e.rank && steps[next].what == Step::What::kOwn) own_until(e.time);
      Inside& in = ranks[e.rank];
      if (e.kind == Kind::kEnter && in.depth++ == 0) in.function = e.function;
      if (e.kind == Kind::kLeave && in.depth > 0 && --in.depth == 0) in.function = -1;
    } else if (e.kind == Kind::kSend || e.kind == Kind::kArrive) {
      const auto m = messages.find(e.message);
      if (m == messages.end()) continue;
      if (e.kind == Kind::kArrive) {
        m->second.arrived = e.time;
      } else {
        m->second = {e.rank, e.other, e.bytes};
      }
    }
  }
  add_up(path);
  return path;
}

}  // namespace strata::analysis
