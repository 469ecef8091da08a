// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/history.h"

#include <algorithm>
#include <utility>

namespace strata::replay {

std::size_t History::Hash::operator()(const Charge& c) const {
  const std::hash<double> hash;
  constexpr std::size_t kOdd = 0x9e3779b97f4a7c15;  // 2^64 over the golden ratio
  std::size_t h = static_cast<std::size_t>(c.kind);
  for (const double d : {c.amount, c.moved, c.working_set}) h = (h ^ hash(d)) * kOdd;
  return h ^ (h >> 32);
}

void History::begin(const std::vector<std::vector<int>>& groups, const std::vector<std::size_t>& waits) {
  groups_ = groups;
  ranks_.resize(waits.size());
  for (std::size_t r = 0; r < waits.size(); ++r) ranks_[r].requested.assign(waits[r], -1);
}

History::Record& History::add(What what, int rank, double now) {
  records_.push_back({.at = now, .from = now, .rank = rank, .what = what});
  if (rank >= 0) records_.back().function = of(rank).function;
  return records_.back();
}

std::int64_t History::new_message(int slot) {
  if (of_slot_.size() <= static_cast<std::size_t>(slot)) of_slot_.resize(static_cast<std::size_t>(slot) + 1);
  messages_.emplace_back();
  return of_slot_[slot] = static_cast<std::int64_t>(messages_.size()) - 1;
}

void History::call(int rank, int function, double now) {
  of(rank).function = static_cast<std::int16_t>(function);
  add(What::kCall, rank, now);
}

void History::work(int rank, const Charge& charge, int peer, double now) {
  const auto [at, first] = known_charges_.try_emplace(charge, static_cast<std::int32_t>(charges_.size()));
  if (first) charges_.push_back(charge);
  Rank& r = of(rank);
  r.does = Rank::Does::kWork;
  r.charge = at->second;
  r.peer = peer;
  r.from = now;
  add(What::kBegin, rank, now).charge = r.charge;
}

void History::send(int rank, std::int64_t request, int slot, bool known, const Sent& sent, double now) {
  const std::int64_t number = known ? of_slot_[slot] : new_message(slot);
  Message& m = messages_[number];
  m.from = rank;
  m.to = sent.to;
  m.tag = sent.tag;
  m.eager = sent.eager;
  m.bytes = sent.bytes;
  m.sent = now;
  requested(rank, request) = number;
  Record& record = add(What::kSend, rank, now);
  record.message = number;
  record.peer = m.to;
}

void History::receive(int rank, std::int64_t request, int slot, bool known, bool complete, double now) {
  const std::int64_t number = known ? of_slot_[slot] : new_message(slot);
  messages_[number].posted = now;
  requested(rank, request) = number;
  add(What::kReceive, rank, now).message = number;
  if (complete) arrive(slot, now);
}

void History::accept(int rank, int slot, double now) { add(What::kAccept, rank, now).message = of_slot_[slot]; }

double History::start(int slot, const flow::Spans& spans, double now) {
  const std::int64_t number = of_slot_[slot];
  messages_[number].spans = spans;
  messages_[number].began = now;
  return delay(number);
}

void History::arrive(int slot, double now) {
  const std::int64_t number = of_slot_[slot];
  Message& m = messages_[number];
  if (m.arrived >= 0) return;
  m.arrived = now;
  add(What::kArrive, -1, now).message = number;
}

void History::wait(int rank, std::int64_t request, double now) {
  Rank& r = of(rank);
  r.does = Rank::Does::kWait;
  r.from = now;
  r.awaited.push_back(requested(rank, request));
  add(What::kBlock, rank, now).message = r.awaited.back();
}

void History::take(int rank, std::int64_t request, double now) {
  Rank& r = of(rank);
  const std::int64_t number = requested(rank, request);
  Record& waited = add(What::kWait, rank, now);
  waited.message = number;
  waited.from = r.from;
  std::erase(r.awaited, number);
  Message& m = messages_[number];
  m.taken = true;
  work(rank, {.kind = TraceStep::Kind::kReceive, .amount = m.bytes}, m.from, now);
}

// It waits for the rest, if there is one.
void History::taken(int rank, double now) {
  resume(rank, now);
  Rank& r = of(rank);
  if (r.awaited.empty()) return;
  r.does = Rank::Does::kWait;
  r.from = now;
}

void History::look(int rank, double now) {
  if (of(rank).looks_since < 0) of(rank).looks_since = now;
}

void History::probe(int rank, int slot, double now) {
  const double since = std::exchange(of(rank).looks_since, -1);
  Record& record = add(What::kProbe, rank, now);
  record.message = of_slot_[slot];
  if (since >= 0) record.from = since;
}

void History::come(int rank, int group, bool last, double now) {
  add(What::kCome, rank, now).peer = group;
  if (last) add(What::kMeet, rank, now).peer = group;
}

std::int64_t History::next(Counts& counts, int group, int rank) {
  return counts[static_cast<std::uint64_t>(rank) << 32 | static_cast<std::uint32_t>(group)]++;
}

void History::read_clock(int rank, int group, double now) {
  Record& record = add(What::kRead, rank, now);
  record.peer = group;
  record.message = next(reads_, group, rank);
}

void History::start_together(int rank, int group, double now) {
  Rank& r = of(rank);
  r.does = Rank::Does::kStart;
  r.peer = group;
  r.from = now;
  r.start = next(starts_, group, rank);
}

void History::resume(int rank, double now) {
  Rank& r = of(rank);
  const auto record = [&](What what) -> Record& {
    Record& added = add(what, rank, now);
    added.from = r.from;
    return added;
  };
  switch (std::exchange(r.does, Rank::Does::kNothing)) {
    case Rank::Does::kNothing:
      return;
    case Rank::Does::kWork: {
      Record& work = record(What::kWork);
      work.charge = r.charge;
      work.peer = r.peer;
      return;
    }
    case Rank::Does::kWait:
      for (const std::int64_t message : r.awaited) record(What::kWait).message = message;
      r.awaited.clear();
      return;
    case Rank::Does::kStart: {
      Record& start = record(What::kStart);
      start.peer = r.peer;
      start.message = r.start;
      return;
    }
  }
}

void History::end(int rank, double now) {
  add(What::kEnd, rank, now);
  end_ = std::max(end_, now);
}

}  // namespace strata::replay
