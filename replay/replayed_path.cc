// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/replayed_path.h"

#include <algorithm>
#include <utility>

namespace strata::replay {
namespace {

using What = History::What;
using Kind = TraceStep::Kind;
using Does = PathStep::Does;

// If work or a message takes at most this much longer than alone, it shares nothing: the engine rounds to 1e-12 s, a
// double to 1e-16 of the time since the start, and each time is a sum of a few such values.
constexpr double kRoundingSeconds = 4e-12, kRoundingShare = 1e-14;

// Follows the path backwards, record by record.
class Walk {
 public:
  explicit Walk(const History& history) : history_(history) {}

  std::vector<PathStep> steps(int last_rank) {
    rank_ = last_rank;
    at_ = history_.end();
    const std::vector<History::Record>& records = history_.records();
    for (auto r = records.rbegin(); r != records.rend() && at_ > 0; ++r) {
      switch (follows_) {
        case Follows::kRank:
          back_on_rank(*r);
          break;
        case Follows::kMessage:
        case Follows::kSender:
          back_along_message(*r);
          break;
        case Follows::kReads:
          back_to_last_read(*r);
          break;
      }
    }
    if (at_ > 0) unknown(0);
    std::reverse(steps_.begin(), steps_.end());
    return std::move(steps_);
  }

 private:
  enum class Follows : std::uint8_t { kRank, kMessage, kSender, kReads };

  const History::Message& message() const { return history_.messages()[message_]; }

  void add(PathStep step) {
    step.to = at_;
    if (step.from < step.to) steps_.push_back(step);
    at_ = std::min(at_, step.from);
  }
  void unknown(double from) {
    if (from < at_) add({.from = from, .does = Does::kUnknown, .rank = rank_, .function = function_});
  }

  void back_on_rank(const History::Record& r) {
    if (r.what == What::kMeet) return back_to_meeting(r);
    if (r.rank != rank_) return;
    unknown(r.at);
    function_ = r.function;
    const bool took_time = r.from < r.at;
    if (!took_time) return;
    if (r.what == What::kWork) {
      add({.from = r.from,
           .does = Does::kWork,
           .rank = rank_,
           .function = r.function,
           .charge = r.charge,
           .peer = r.peer});
      return;
    }
    message_ = r.message;
    group_ = r.peer;
    if (r.what == What::kWait && message().arrived == r.at) follows_ = Follows::kMessage;
    if (r.what == What::kProbe && message().sent == r.at) follows_ = Follows::kSender;
    if (r.what == What::kStart) follows_ = Follows::kReads;
  }

  // The rank that arrived last is the cause.
  void back_to_meeting(const History::Record& r) {
    const std::vector<int>& members = history_.groups()[r.peer];
    if (!std::binary_search(members.begin(), members.end(), rank_)) return;
    unknown(r.at);
    rank_ = r.rank;
  }

  // Continues at the side that posted the message, or accepted it, last. Read backwards, its record comes first.
  void back_along_message(const History::Record& r) {
    if (r.message != message_) return;
    const bool by_receiver = r.what == What::kReceive || r.what == What::kAccept;
    if (r.what != What::kSend && (!by_receiver || follows_ == Follows::kSender || message().eager)) return;
    if (follows_ == Follows::kMessage)
      add({.from = message().began, .does = Does::kMessage, .rank = rank_, .function = function_, .message = message_});
    resume_at(r.rank);
  }

  void back_to_last_read(const History::Record& r) {
    if (r.what != What::kRead || r.peer != group_ || r.message != message_) return;
    add({.from = r.at, .does = Does::kPause, .rank = rank_, .function = function_});
    resume_at(r.rank);
  }

  void resume_at(int rank) {
    rank_ = rank;
    follows_ = Follows::kRank;
  }

  const History& history_;
  std::vector<PathStep> steps_;
  Follows follows_ = Follows::kRank;
  int rank_ = 0, function_ = -1, group_ = -1;
  std::int64_t message_ = -1;
  double at_ = 0;
};

// Splits steps into pieces.
class Splitter {
 public:
  Splitter(std::vector<PathPiece>& pieces, const History& history, const std::vector<int>& cores, Costs& costs)
      : pieces_(pieces), history_(history), cores_(cores), costs_(costs) {}

  void split(const PathStep& s) {
    piece_ = {.from = s.from, .rank = s.rank, .function = s.function};
    end_ = s.to;
    switch (s.does) {
      case Does::kMessage: {
        const History::Message& m = history_.messages()[s.message];
        piece_.level = costs_.level(core(m.from), core(m.to));
        piece_.message = s.message + 1;
        piece_.sender = m.from;
        piece_.receiver = m.to;
        piece_.bytes = m.bytes;
        const Costs::Message alone = costs_.message(core(m.from), core(m.to), m.bytes, m.spans);
        part(PathKind::kLatency, alone.latency);
        part(PathKind::kTransfer, alone.transfer);
        return rest(PathKind::kContention);
      }
      case Does::kWork: {
        const Charge& c = history_.charges()[s.charge];
        if (c.kind == Kind::kSend || c.kind == Kind::kReceive) {
          piece_.level = costs_.level(core(s.rank), core(s.peer));
          return rest(PathKind::kOverhead);
        }
        if (c.kind == Kind::kSleep) return rest(PathKind::kSleeping);
        const bool own = s.function < 0 || c.kind == Kind::kExecute;
        part(own ? PathKind::kComputing : PathKind::kMpi, costs_.work(core(s.rank), c));
        return rest(PathKind::kContention);
      }
      case Does::kPause:
        return rest(PathKind::kSleeping);
      case Does::kUnknown:
        return rest(PathKind::kWaiting);
    }
  }

 private:
  int core(int rank) const { return cores_[rank]; }

  // Adds the next part of the step, cut off at the step's end.
  void part(PathKind kind, double seconds) {
    if (piece_.from >= end_ || seconds <= 0) return;
    piece_.to = std::min(piece_.from + seconds, end_);
    if (end_ - piece_.to <= kRoundingSeconds + kRoundingShare * end_) piece_.to = end_;
    piece_.kind = kind;
    pieces_.push_back(piece_);
    piece_.from = piece_.to;
  }
  void rest(PathKind kind) { part(kind, end_ - piece_.from); }

  std::vector<PathPiece>& pieces_;
  const History& history_;
  const std::vector<int>& cores_;
  Costs& costs_;
  PathPiece piece_;  // the next
  double end_ = 0;   // s: of the step
};

// The lowest rank among those that end last.
int last_rank(const History& history) {
  int last = history.ranks();
  for (const History::Record& r : history.records()) {
    if (r.what == What::kEnd && r.at == history.end()) last = std::min(last, static_cast<int>(r.rank));
  }
  return last;
}

}  // namespace

std::vector<PathStep> critical_steps(const History& history) { return Walk(history).steps(last_rank(history)); }

CriticalPath critical_path(const std::vector<PathStep>& steps, const History& history, const Machine& machine,
                           const std::vector<int>& cores, const std::vector<std::string>& functions) {
  Costs costs(machine);
  CriticalPath path;
  path.seconds = history.end();
  path.last_rank = last_rank(history);
  path.functions = functions;
  path.levels = costs.levels();
  Splitter splitter(path.pieces, history, cores, costs);
  for (const PathStep& s : steps) splitter.split(s);
  add_up(path);
  return path;
}

double alone(const std::vector<PathStep>& steps, const History& history, const std::vector<int>& cores, Costs& costs) {
  const auto core = [&](int rank) { return cores[rank]; };
  double sum = 0;
  for (const PathStep& s : steps) {
    if (s.does == Does::kMessage) {
      const History::Message& m = history.messages()[s.message];
      const Costs::Message cost = costs.message(core(m.from), core(m.to), m.bytes, m.spans);
      sum += cost.latency + cost.transfer;
    } else if (s.does == Does::kWork) {
      const Charge& c = history.charges()[s.charge];
      sum += c.kind == Kind::kSend      ? costs.overhead(core(s.rank), core(s.peer), c.amount)
             : c.kind == Kind::kReceive ? costs.receive_overhead(core(s.peer), core(s.rank), c.amount)
                                        : costs.work(core(s.rank), c);
    } else {
      sum += s.to - s.from;
    }
  }
  return sum;
}

}  // namespace strata::replay
