// SPDX-License-Identifier: LGPL-2.1-only
#include "native/coordinator/virtual_time.h"

#include <algorithm>
#include <utility>

#include "flow/precision.h"
#include "records/exchange/acknowledgement.h"

namespace strata::native {

VirtualTime::VirtualTime(const Machine& machine, std::vector<int> cores, Witness& witness)
    : cores_(std::move(cores)),
      witness_(witness),
      copy_bandwidth_(machine.copy_bandwidth.si),
      combine_bandwidth_(machine.combine_bandwidth().si),
      flows_(machine, flow::kTimePrecision),
      ranks_(cores_.size()) {}

void VirtualTime::add_rank(int core) {
  cores_.push_back(core);
  ranks_.emplace_back().clock = now_;
  witness_.begin(static_cast<int>(ranks_.size()) - 1, core, now_);
}

// --- what ranks do ---

void VirtualTime::add(int rank, double at, Event::What what, int detail) {
  Rank& r = of(rank);
  events_.push({.at = at, .rank = rank, .order = r.events++, .what = what, .wait = r.wait, .detail = detail});
}

double VirtualTime::overhead(int rank, const Message& m) {
  switch (m.kind) {
    case Kind::kOffer:
      if ((m.flags & kBlocking) != 0) return 0;
      [[fallthrough]];
    case Kind::kEager:
    case Kind::kActive:
    case Kind::kPut:
    case Kind::kAtomic:
      return flows_.paths().send_overhead(core(rank), core(m.peer), static_cast<double>(m.bytes));
    case Kind::kGet:
      return flows_.paths().send_overhead(core(rank), core(m.peer), 0);
    default:
      return 0;
  }
}

// `m`: as it is delivered. One-sided operations take nothing of their target.
double VirtualTime::receive_overhead(int rank, const Message& m) {
  switch (m.kind) {
    case Kind::kEager:
    case Kind::kActive:
    case Kind::kFetched:
      return flows_.paths().receive_overhead(core(m.peer), core(rank), static_cast<double>(m.bytes));
    default:
      return 0;
  }
}

void VirtualTime::post(int rank, const Message& posted) {
  Rank& r = of(rank);
  Message m = posted;
  r.clock += m.busy_s + overhead(rank, m);
  const bool is_sent = m.kind == Kind::kEager || m.kind == Kind::kOffer || m.kind == Kind::kActive;
  if (is_sent) {
    m.number = messages_++;
    m.offered_s = r.clock;
  }
  witness_.posted(rank, m);
  if (m.kind >= Kind::kReceive) return;  // they are for a recording, and take no time
  const bool is_work = m.kind == Kind::kCopy || m.kind == Kind::kCombine;
  if (is_work && flows_.paths().memory() == nullptr) {
    r.clock += alone_s(m);
    return;
  }
  if (m.kind == Kind::kEnter) return add(rank, r.clock, Event::What::kEnter, m.function);
  if (m.kind == Kind::kLeave) return add(rank, r.clock, Event::What::kLeave);
  const int flight = new_flight(rank, m.peer, m);
  if (is_sent) stand_in_line(flight);
  add(rank, r.clock, Event::What::kHappen, flight);
}

void VirtualTime::begin_wait(int rank, const Wait& wait) {
  Rank& r = of(rank);
  witness_.blocked(rank, wait);
  ++r.wait;
  r.waits = true;
  r.cause = kNone;
}

void VirtualTime::block(int rank, const Wait& wait) {
  Rank& r = of(rank);
  r.clock += wait.busy_s;
  begin_wait(rank, wait);
  r.receives.assign(wait.receives.begin(), wait.receives.end());
  r.completions = wait.completions;
  r.for_messages = r.for_ranks = r.for_work = r.finishes = false;
  switch (wait.block) {
    case Block::kMessage:
    case Block::kPoll:
      r.for_messages = true;
      add(rank, r.clock, Event::What::kBlock);
      // More was delivered than its ring has room for.
      for (const Message& m : r.delivered) r.got(m);
      if (!r.delivered.empty()) return add(rank, r.clock, Event::What::kContinue);
      if (wait.block == Block::kPoll) add(rank, r.clock + wait.seconds, Event::What::kContinue);
      return;
    case Block::kSleep:
      return add(rank, r.clock + wait.seconds, Event::What::kContinue);
    case Block::kMeet:
    case Block::kAwait:
      r.for_ranks = true;
      r.key = wait.key;
      r.participants = wait.participants;
      add(rank, r.clock, Event::What::kBlock);
      return add(rank, r.clock, wait.block == Block::kMeet ? Event::What::kMeet : Event::What::kAwait);
    case Block::kTurn:
      return add(rank, r.clock, Event::What::kTurn);
    case Block::kWork:
      r.for_work = true;
      return;
    case Block::kClock:
      return at_once_.push_back(rank);
    case Block::kFinish:
      r.finishes = true;
      if (!r.delivered.empty()) add(rank, r.clock, Event::What::kContinue);
      return;
    case Block::kStart:
    case Block::kReal:
      return;  // what they wait for is not in virtual time
  }
}

void VirtualTime::end(int rank, double busy_s) {
  Rank& r = of(rank);
  if (r.has_ended) return;
  r.has_ended = true;
  r.waits = false;
  r.clock += busy_s;
  add(rank, std::max(r.clock, now_), Event::What::kEnd);
}

// --- what happens ---

bool VirtualTime::advance() {
  continuing_.clear();
  for (const int rank : at_once_) resume(rank);
  at_once_.clear();
  while (continuing_.empty()) {
    forget_ended_waits();
    const double by_flows = flows_.flows().until_next(now_);
    if (by_flows < 0 && events_.empty()) return false;
    const double by_events = events_.empty() ? 0 : std::max(0.0, events_.top().at - now_);
    if (by_flows >= 0 && (events_.empty() || by_flows <= by_events)) {
      now_ += by_flows;
    } else {
      now_ = std::max(now_, events_.top().at);
    }
    flows_.advance(now_, [this](int id) { arrive(flight_of_flow_[id]); });
    while (!events_.empty() && events_.top().at <= now_) {
      const Event event = events_.top();
      const bool alone = event.what == Event::What::kTurn;
      if (alone && !continuing_.empty()) break;
      events_.pop();
      take_turns(event);
      if (alone && !continuing_.empty()) break;
    }
    block_again();
  }
  std::sort(continuing_.begin(), continuing_.end());
  for (const int rank : continuing_) {
    Rank& r = of(rank);
    if (r.for_messages || r.finishes) r.clock += std::exchange(r.receiving_s, 0);
  }
  return true;
}

// Time must not move to the end of a test that a message has ended.
void VirtualTime::forget_ended_waits() {
  const auto is_over = [this](const Event& e) {
    return e.what >= Event::What::kContinue && e.what <= Event::What::kBlock && !still_waits(e);
  };
  while (!events_.empty() && is_over(events_.top())) events_.pop();
}

void VirtualTime::take_turns(const Event& event) {
  const Rank& r = of(event.rank);
  switch (event.what) {
    case Event::What::kHappen:
      return happen(event.rank, event.detail);
    case Event::What::kEnter:
      return witness_.enter(event.rank, event.detail, now_);
    case Event::What::kLeave:
      return witness_.leave(event.rank, now_);
    case Event::What::kDeliver: {
      const Message m = flights_[event.detail].message;
      free_flights_.push_back(event.detail);
      return deliver(event.rank, m, m.offered_s);
    }
    case Event::What::kContinue:
    case Event::What::kTurn:
      if (still_waits(event)) resume(event.rank);
      return;
    case Event::What::kBlock:
      if (still_waits(event)) witness_.block(event.rank, now_);
      return;
    case Event::What::kMeet:
      if (still_waits(event)) resume_all(meetings_.come(r.key, event.rank, r.participants));
      return;
    case Event::What::kAwait:
      if (still_waits(event)) meetings_.await(r.key, event.rank);
      return;
    case Event::What::kEnd:
      return witness_.end(event.rank, now_);
  }
}

void VirtualTime::resume(int rank) {
  Rank& r = of(rank);
  r.waits = false;
  r.clock = std::max(r.clock, now_);
  if (r.for_messages || r.for_ranks) witness_.unblock(rank, r.cause, r.cause_began, now_);
  (r.needs_more() ? looking_ : continuing_).push_back(rank);
}

void VirtualTime::block_again() {
  for (const int rank : looking_) {
    Rank& r = of(rank);
    if (!r.needs_more()) {  // more has come at the same moment
      continuing_.push_back(rank);
      continue;
    }
    r.clock += std::exchange(r.receiving_s, 0);
    begin_wait(rank, {.block = Block::kMessage});
    add(rank, r.clock, Event::What::kBlock);
  }
  looking_.clear();
}

void VirtualTime::resume_all(const std::vector<int>& ranks) {
  for (const int rank : ranks) {
    if (of(rank).waits) resume(rank);
  }
}

void VirtualTime::happen(int rank, int flight) {
  const Message m = flights_[flight].message;
  const auto bytes = static_cast<double>(m.bytes);
  switch (m.kind) {
    case Kind::kEager:
    case Kind::kActive:
      witness_.send(rank, m, now_);
      return flow(flight, rank, m.peer, bytes);
    case Kind::kOffer: {
      witness_.send(rank, m, now_);
      Flight& f = flights_[flight];
      f.is_there = true;
      f.began = now_;
      return deliver_in_order(flight);
    }
    case Kind::kFetch:
      return flow(flight, m.peer, rank, bytes);
    case Kind::kGet:
      stand_in_line(flight);
      return flow(flight, m.peer, rank, bytes);
    case Kind::kPut:
    case Kind::kAtomic:
      stand_in_line(flight);
      return flow(flight, rank, m.peer, bytes);
    case Kind::kCopy:
    case Kind::kCombine:
      return begin_work(flight);
    case Kind::kAnnounce:
      resume_all(meetings_.announce(m.tag));
      [[fallthrough]];
    default:
      free_flights_.push_back(flight);
  }
}

double VirtualTime::alone_s(const Message& work) const {
  return static_cast<double>(work.bytes) / (work.kind == Kind::kCopy ? copy_bandwidth_ : combine_bandwidth_);
}

void VirtualTime::begin_work(int flight) {
  const Flight& f = flights_[flight];
  const auto bytes = static_cast<double>(f.message.bytes);
  flow::Memory& memory = *flows_.paths().memory();
  const double span = f.message.source_span;
  const flow::Work& work = f.message.kind == Kind::kCopy ? memory.copy(core(f.from), bytes, span)
                                                         : memory.combine(core(f.from), bytes, span);
  if (work.amount <= 0) return end_work(flight);
  keep_flow(flows_.start_work(work, now_), flight);
}

void VirtualTime::end_work(int flight) {
  const int rank = flights_[flight].from;
  free_flights_.push_back(flight);
  if (of(rank).waits && of(rank).for_work) resume(rank);
}

void VirtualTime::keep_flow(int flow, int flight) {
  const auto id = static_cast<std::size_t>(flow);
  if (flight_of_flow_.size() <= id) flight_of_flow_.resize(id + 1);
  flight_of_flow_[id] = flight;
}

int VirtualTime::new_flight(int from, int to, const Message& m) {
  if (free_flights_.empty()) {
    free_flights_.push_back(static_cast<int>(flights_.size()));
    flights_.emplace_back();
  }
  const int number = free_flights_.back();
  free_flights_.pop_back();
  flights_[number] = {.message = m, .from = from, .to = to};
  return number;
}

void VirtualTime::stand_in_line(int flight) {
  const Flight& f = flights_[flight];
  Line& line = lines_[line_of(f)];
  (line.first == kNone ? line.first : flights_[line.last].behind) = flight;
  line.last = flight;
}

void VirtualTime::flow(int flight, int from, int to, double bytes) {
  Flight& f = flights_[flight];
  f.began = now_;
  const flow::Spans spans = {f.message.source_span, f.message.destination_span};
  keep_flow(flows_.start_message(core(from), core(to), bytes, now_, -1, 0, spans), flight);
}

void VirtualTime::arrive(int number) {
  Flight& f = flights_[number];
  switch (f.message.kind) {
    case Kind::kEager:
    case Kind::kActive:
      f.is_there = true;
      witness_.arrive(f.message, f.began, now_);
      return deliver_in_order(number);
    case Kind::kFetch:
      fetched(f);
      break;
    case Kind::kCopy:
    case Kind::kCombine:
      return end_work(number);
    default:
      f.is_there = true;
      return perform_in_order(number);
  }
  free_flights_.push_back(number);
}

void VirtualTime::fetched(const Flight& f) {
  const double began = f.began;
  const int receiver = f.from, sender = f.to;
  Message m = f.message;
  witness_.arrive(m, began, now_);
  m.kind = Kind::kFetched;
  const Message taken = {.kind = Kind::kTaken,
                         .peer = receiver,
                         .worker = m.sender_worker,
                         .flags = m.flags,
                         .sending = m.sending,
                         .number = m.number,
                         .offered_s = began};
  const double waits_s =
      (m.flags & kSynchronous) == 0
          ? 0
          : acknowledgement_after_arrival(flows_.paths().latency(core(receiver), core(sender)), began - m.offered_s);
  deliver(receiver, m, began);
  if (waits_s > 0) {
    add(sender, now_ + waits_s, Event::What::kDeliver, new_flight(receiver, sender, taken));
  } else {
    deliver(sender, taken, began);
  }
}

// One-sided operations of a rank on another's memory happen in the order in which they were posted: Open MPI's
// MPI_Accumulate with MPI_REPLACE is a put, without a fence before the next one.
void VirtualTime::perform_in_order(int number) {
  const auto at = lines_.find(line_of(flights_[number]));
  Line& line = at->second;
  while (line.first != kNone && flights_[line.first].is_there) {
    const Flight f = flights_[line.first];
    free_flights_.push_back(line.first);
    line.first = f.behind;
    witness_.perform(f.from, f.message);
    if (f.message.kind != Kind::kGet) {  // it may wait for what is in its memory now
      of(f.to).needs_no_more();
      end_wait(f.to, kNone, f.began);
    }
    Message done = f.message;
    done.kind = Kind::kDone;
    deliver(f.from, done, f.began);
  }
  if (line.first == kNone) lines_.erase(at);
}

void VirtualTime::deliver_in_order(int number) {
  const int from = flights_[number].from, to = flights_[number].to;
  const auto at = lines_.find(pair(from, to));
  Line& line = at->second;
  while (line.first != kNone && flights_[line.first].is_there) {
    const int first = line.first;
    Message m = flights_[first].message;
    m.peer = from;
    line.first = flights_[first].behind;
    deliver(to, m, flights_[first].began);
    free_flights_.push_back(first);
  }
  if (line.first == kNone) lines_.erase(at);
}

void VirtualTime::Rank::needs_no_more() {
  receives.clear();
  completions = 0;
}

// A short message that no receive takes is kept, and changes nothing.
void VirtualTime::Rank::got(const Message& m) {
  if (m.kind == Kind::kEager) {
    const auto taker = std::find_if(receives.begin(), receives.end(), [&](const OpenReceive& r) { return r.takes(m); });
    if (taker != receives.end()) receives.erase(taker);
  } else if ((m.kind == Kind::kFetched || m.kind == Kind::kTaken) && completions > 0) {
    --completions;
  } else {
    needs_no_more();
  }
}

// A wait ends at the rank's own time, or now.
void VirtualTime::deliver(int rank, const Message& m, double began) {
  Rank& r = of(rank);
  r.delivered.push_back(m);
  r.receiving_s += receive_overhead(rank, m);
  r.got(m);
  end_wait(rank, m.number, began);
}

void VirtualTime::end_wait(int rank, std::int64_t cause, double began) {
  Rank& r = of(rank);
  if (!r.waits || !(r.for_messages || r.finishes) || r.cause != kNone) return;
  r.cause = cause;
  r.cause_began = began;
  if (r.clock <= now_) return resume(rank);
  add(rank, r.clock, Event::What::kContinue);
}

}  // namespace strata::native
