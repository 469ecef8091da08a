// SPDX-License-Identifier: LGPL-2.1-only
#include "records/timeline/event_timeline.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <stdexcept>
#include <unordered_map>
#include <utility>

#include "base/error.h"

namespace strata {
namespace {

using Kind = Event::Kind;
using State = RankState::Kind;

struct Ends {
  int sender = 0, receiver = 0;
  int other_of(int rank) const { return rank == sender ? receiver : sender; }
};

}  // namespace

EventTimeline::EventTimeline(EventStore store, TimelineSelection selection)
    : store_(std::move(store)), selection_(std::move(selection)) {
  survey();
}

// Finds what a timeline must know in advance: the end, the rank that each wait waits for, messages that never arrive.
void EventTimeline::survey() {
  EventReader reader(store_);
  header_ = reader.header();
  const auto ranks = static_cast<int>(header_.cores.size());
  if (selection_.ranks.empty()) selection_.ranks.assign(ranks, true);
  if (static_cast<int>(selection_.ranks.size()) != ranks)
    throw std::logic_error("a selection of another number of ranks");
  for (int r = 0; r < ranks; ++r) {
    if (selection_.ranks[r]) ranks_.push_back(r);
  }
  called_.resize(header_.functions.size());
  waited_for_.resize(ranks);
  events_.resize(ranks);

  struct Rank {
    bool calls = false, over = false;
    std::int64_t wait = -1;  // the number of the current wait
    int phases = 0;
    std::vector<std::pair<std::int64_t, int>> arrived =
        {};  // messages during the wait, and the rank at the other end of each
  };
  std::vector<Rank> by_rank(ranks);
  std::unordered_map<std::int64_t, Ends> under_way;
  Event e;
  const auto fail = [&](const std::string& what) {
    throw InputError(store_.name(), fmt::format("at {} s {}", e.time, what),
                     "the file is damaged; run the program again");
  };
  const auto awaited = [&](const Rank& r) {
    if (e.message == 0) return e.other < ranks ? e.other : -1;
    if (const auto m = under_way.find(e.message); m != under_way.end()) return m->second.other_of(e.rank);
    for (const auto& [message, other] : r.arrived) {
      if (message == e.message) return other;
    }
    return -1;
  };
  while (reader.next(e)) {
    if (e.kind == Kind::kArrive) {
      const auto m = under_way.find(e.message);
      if (m == under_way.end()) fail(fmt::format("message {} arrives for the second time", e.message));
      ++events_[m->second.receiver];
      for (const int end : {m->second.sender, m->second.receiver}) {
        if (by_rank[end].wait >= 0) by_rank[end].arrived.emplace_back(e.message, m->second.other_of(end));
      }
      under_way.erase(m);
      continue;
    }
    ++events_[e.rank];
    Rank& r = by_rank[e.rank];
    const bool shown = selection_.ranks[e.rank];
    if (r.over) fail(fmt::format("rank {} goes on after its end", e.rank));
    switch (e.kind) {
      case Kind::kEnter:
        if (r.calls) fail(fmt::format("rank {} enters a function inside another", e.rank));
        r.calls = true;
        if (shown) called_[e.function] = true;
        break;
      case Kind::kLeave:
        if (!r.calls || r.wait >= 0) fail(fmt::format("rank {} leaves a function that it is not in", e.rank));
        r.calls = false;
        break;
      case Kind::kBlock:
        if (!r.calls || r.wait >= 0) fail(fmt::format("rank {} waits outside of MPI, or twice", e.rank));
        r.wait = waits_.add();
        break;
      case Kind::kUnblock: {
        if (r.wait < 0) fail(fmt::format("rank {} ends a wait that it did not begin", e.rank));
        const int other = awaited(r);
        waits_.set(r.wait, other);
        if (shown && other >= 0) waited_for_[other] = true;
        r.wait = -1;
        r.arrived.clear();
        break;
      }
      case Kind::kSend:
        under_way[e.message] = {e.rank, e.other};
        break;
      case Kind::kPhaseBegin:
        ++r.phases;
        break;
      case Kind::kPhaseEnd:
        if (r.phases-- == 0) fail(fmt::format("rank {} ends a phase that it did not begin", e.rank));
        break;
      case Kind::kRankEnd:
        r = {.over = true};
        break;
      case Kind::kArrive:
      case Kind::kEnd:
        break;
    }
  }
  for (const auto& [message, ends] : under_way) lost_.push_back(message);
  std::sort(lost_.begin(), lost_.end());
  if (selection_.from > 0 && selection_.from >= e.time) {
    throw InputError(store_.name(), fmt::format("the run ends at {} s, before the window begins", e.time),
                     "give an earlier begin");
  }
  selection_.to = std::min(selection_.to, e.time);
}

// One pass over the events.
class EventTimeline::Replay {
 public:
  Replay(EventTimeline& timeline, const std::vector<int>& ranks, bool messages, TimelineSink& sink)
      : timeline_(timeline), ranks_(ranks), messages_(messages), sink_(sink), by_rank_(timeline.header_.cores.size()) {
    for (const int r : ranks) by_rank_[r].followed = true;
  }

  void run() {
    EventReader reader(timeline_.store_);
    timeline_.waits_.rewind();
    for (Event e;;) {
      const bool more = reader.next(e);
      if (!open_ && e.time >= timeline_.from()) open();
      if (!more || e.time > timeline_.to()) break;
      take(e);
    }
    close();
  }

 private:
  struct Rank {
    bool followed = false, over = false;
    int function = -1;                                       // of the current call
    bool waits = false;                                      // for `other`
    int other = -1;                                          // or -1
    std::vector<std::string> phases = {};                    // current phases, from the outermost
    std::vector<std::optional<std::string>> postponed = {};  // begins of phases, and ends (nullopt), until the call
                                                             // ends
  };

  // All states of a rank except the program, from the outermost.
  template <class Function>
  static void for_each_state(const Rank& r, Function function) {
    for (const std::string& phase : r.phases) function(RankState{.kind = State::kPhase, .phase = phase});
    if (r.function >= 0) function(RankState{.kind = State::kCall, .function = r.function});
    if (r.waits) function(RankState{.kind = State::kWait, .other = r.other});
  }

  // Starts the window with the states and messages that are in progress.
  void open() {
    open_ = true;
    for (const int rank : ranks_) {
      if (by_rank_[rank].over) continue;
      sink_.enter(timeline_.from(), rank, {});
      for_each_state(by_rank_[rank], [&](const RankState& s) { sink_.enter(timeline_.from(), rank, s); });
    }
    for (const RankMessage& m : messages_under_way()) send(timeline_.from(), m);
  }

  void close() {
    for (const RankMessage& m : messages_under_way()) receive(timeline_.to(), m);
    for (const int rank : ranks_) {
      if (!by_rank_[rank].over) end(timeline_.to(), rank);
    }
  }

  void end(double time, int rank) {
    std::vector<RankState> states = {{}};
    for_each_state(by_rank_[rank], [&](const RankState& s) { states.push_back(s); });
    for (auto s = states.rbegin(); s != states.rend() && open_; ++s) sink_.leave(time, rank, *s);
  }

  std::vector<RankMessage> messages_under_way() const {
    std::vector<RankMessage> messages;
    for (const auto& [number, message] : under_way_) messages.push_back(message);
    std::sort(messages.begin(), messages.end(),
              [](const RankMessage& a, const RankMessage& b) { return a.number < b.number; });
    return messages;
  }

  void send(double time, const RankMessage& m) {
    if (by_rank_[m.sender].followed) sink_.send(time, m);
  }
  void receive(double time, const RankMessage& m) {
    if (by_rank_[m.receiver].followed) sink_.receive(time, m);
  }

  void enter(const Event& e, const RankState& state) {
    if (open_) sink_.enter(e.time, e.rank, state);
  }
  void leave(const Event& e, const RankState& state) {
    if (open_) sink_.leave(e.time, e.rank, state);
  }

  void change_phase(Rank& r, const Event& e, const std::optional<std::string>& begins) {
    if (begins) {
      r.phases.push_back(*begins);
      enter(e, {.kind = State::kPhase, .phase = *begins});
    } else {
      leave(e, {.kind = State::kPhase, .phase = r.phases.back()});
      r.phases.pop_back();
    }
  }

  void take(const Event& e) {
    if (e.kind == Kind::kSend || e.kind == Kind::kArrive) return take_message(e);
    const int awaited = e.kind == Kind::kBlock ? timeline_.waits_.next() : -1;
    Rank& r = by_rank_[e.rank];
    if (!r.followed) return;
    switch (e.kind) {
      case Kind::kEnter:
        r.function = e.function;
        enter(e, {.kind = State::kCall, .function = e.function});
        break;
      case Kind::kLeave:
        leave(e, {.kind = State::kCall, .function = r.function});
        r.function = -1;
        for (const std::optional<std::string>& begins : r.postponed) change_phase(r, e, begins);
        r.postponed.clear();
        break;
      case Kind::kBlock:
        r.waits = true;
        r.other = awaited;
        enter(e, {.kind = State::kWait, .other = awaited});
        break;
      case Kind::kUnblock:
        leave(e, {.kind = State::kWait, .other = r.other});
        r.waits = false;
        break;
      case Kind::kPhaseBegin:
      case Kind::kPhaseEnd: {
        std::optional<std::string> begins;
        if (e.kind == Kind::kPhaseBegin) begins = e.name;
        if (r.function >= 0) {
          r.postponed.push_back(std::move(begins));
        } else {
          change_phase(r, e, begins);
        }
        break;
      }
      case Kind::kRankEnd:
        end(e.time, e.rank);
        r = {.followed = true, .over = true};
        break;
      case Kind::kSend:
      case Kind::kArrive:
      case Kind::kEnd:
        break;
    }
  }

  void take_message(const Event& e) {
    if (!messages_) return;
    if (e.kind == Kind::kArrive) {
      const auto m = under_way_.find(e.message);
      if (m == under_way_.end()) return;
      if (open_) receive(e.time, m->second);
      under_way_.erase(m);
      return;
    }
    const std::vector<bool>& shown = timeline_.selection_.ranks;
    if (!shown[e.rank] || !shown[e.other]) return;
    if (!by_rank_[e.rank].followed && !by_rank_[e.other].followed) return;
    if (std::binary_search(timeline_.lost_.begin(), timeline_.lost_.end(), e.message)) return;
    const RankMessage m{e.message, e.rank, e.other, e.tag, e.bytes};
    under_way_[e.message] = m;
    if (open_) send(e.time, m);
  }

  EventTimeline& timeline_;
  const std::vector<int>& ranks_;
  bool messages_;
  TimelineSink& sink_;
  std::vector<Rank> by_rank_;
  std::unordered_map<std::int64_t, RankMessage> under_way_;
  bool open_ = false;  // the window has begun
};

void EventTimeline::replay(const std::vector<int>& ranks, bool messages, TimelineSink& sink) {
  Replay(*this, ranks, messages, sink).run();
}

}  // namespace strata
