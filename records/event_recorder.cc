// SPDX-License-Identifier: LGPL-2.1-only
#include "records/event_recorder.h"

#include <algorithm>
#include <utility>

namespace strata {

using Kind = Event::Kind;

EventRecorder::EventRecorder(EventStore into, const EventsHeader& header, bool hold_enters, Failed failed)
    : writer_(std::move(into), header), hold_enters_(hold_enters), failed_(failed), ranks_(header.cores.size()) {}

void EventRecorder::write(const Event& event) {
  if (over_) return;
  if (!held_.empty() && event.time > held_at_) write_held();
  try {
    writer_.write(event);
  } catch (const OutputError& e) {
    failed_(e);
  }
}

void EventRecorder::write_held() {
  const std::vector<int> held = std::exchange(held_, {});
  for (const int number : held) {
    Rank& rank = at(number);
    rank.queued = false;
    if (std::exchange(rank.held, false)) write({.kind = Kind::kBlock, .time = held_at_, .rank = number});
  }
}

void EventRecorder::enter(int rank, int function, double now) {
  at(rank).entered = function;
  if (!hold_enters_) begin(rank, now);
}

void EventRecorder::begin(int rank, double now) {
  const int function = std::exchange(at(rank).entered, -1);
  if (function >= 0) write({.kind = Kind::kEnter, .time = now, .rank = rank, .function = function});
}

void EventRecorder::leave(int rank, double now) {
  begin(rank, now);
  write({.kind = Kind::kLeave, .time = now, .rank = rank});
}

void EventRecorder::block(int number, double now) {
  begin(number, now);
  Rank& rank = at(number);
  if (rank.blocked && rank.since == now) return;
  if (rank.blocked) unblock(number, {}, rank.since, now);  // the reason is unknown
  if (!held_.empty() && now > held_at_) write_held();
  rank.blocked = rank.held = true;
  rank.since = held_at_ = now;
  if (std::exchange(rank.queued, true)) return;
  held_.push_back(number);
}

void EventRecorder::unblock(int number, const Cause& cause, double began, double now) {
  Rank& rank = at(number);
  if (!std::exchange(rank.blocked, false)) return;
  if (rank.since == now) {
    rank.held = false;
    return;
  }
  write({.kind = Kind::kUnblock,
         .time = now,
         .rank = number,
         .message = cause.message,
         .other = cause.other,
         .began = began});
}

std::int64_t EventRecorder::send(int rank, int other, int tag, std::int64_t bytes, double now) {
  write({.kind = Kind::kSend,
         .time = now,
         .rank = rank,
         .message = ++messages_,
         .other = other,
         .tag = tag,
         .bytes = bytes});
  return messages_;
}

void EventRecorder::arrive(std::int64_t message, double posted, double began, double now) {
  write({.kind = Kind::kArrive, .time = now, .message = message, .posted = posted, .began = began});
}

void EventRecorder::begin_phase(int rank, const std::string& name, double now) {
  at(rank).phases.push_back(name);
  write({.kind = Kind::kPhaseBegin, .time = now, .rank = rank, .name = name});
}

void EventRecorder::end_phase(int rank, const std::string& name, double now) {
  std::vector<std::string>& phases = at(rank).phases;
  const auto last = std::find(phases.rbegin(), phases.rend(), name);
  if (last == phases.rend()) return;
  for (auto ended = phases.rbegin(); ended <= last; ++ended)
    write({.kind = Kind::kPhaseEnd, .time = now, .rank = rank});
  for (auto again = phases.erase(std::prev(last.base())); again != phases.end(); ++again)
    write({.kind = Kind::kPhaseBegin, .time = now, .rank = rank, .name = *again});
}

void EventRecorder::end_rank(int rank, double now) {
  while (!at(rank).phases.empty()) end_phase(rank, std::string(at(rank).phases.back()), now);
  write({.kind = Kind::kRankEnd, .time = now, .rank = rank});
}

void EventRecorder::finish(double now) {
  if (over_) return;
  for (int rank = 0; rank < static_cast<int>(ranks_.size()); ++rank) {
    while (!at(rank).phases.empty()) end_phase(rank, std::string(at(rank).phases.back()), now);
  }
  write_held();
  over_ = true;
  try {
    writer_.finish(now);
  } catch (const OutputError& e) {
    failed_(e);
  }
}

}  // namespace strata
