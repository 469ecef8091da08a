// SPDX-License-Identifier: LGPL-2.1-only
#include "replay/replayed_events.h"

#include <algorithm>

#include "records/event_recorder.h"
#include "records/ledger.h"

namespace strata::replay {
namespace {

using What = History::What;
using Kind = TraceStep::Kind;

class Teller {
 public:
  Teller(const History& history, const EventsHeader& header, const EventStore& into)
      : history_(history),
        recorder_(into, header, true, [](const OutputError& e) { throw OutputError(e); }),
        ledger_(header.functions),
        ranks_(static_cast<std::size_t>(history.ranks())),
        numbers_(history.messages().size()) {
    for (int r = 0; r < history.ranks(); ++r) ledger_.add_rank();
    ledger_.record(&recorder_);
  }

  Profile tell() {
    for (const History::Record& r : history_.records()) take(r);
    recorder_.finish(history_.end());
    return ledger_.profile(history_.end());
  }

 private:
  struct Rank {
    int function = -1;
    bool has_begun = false;             // the function
    bool receives = false;              // it is busy with a message that it has waited for
    std::vector<std::int64_t> awaited;  // messages that have not arrived
  };
  Rank& of(const History::Record& r) { return ranks_[r.rank]; }
  RankLedger& ledger(int rank) { return *ledger_.rank(static_cast<std::size_t>(rank)); }
  RankLedger& ledger(const History::Record& r) { return ledger(r.rank); }
  const History::Message& message(const History::Record& r) const { return history_.messages()[r.message]; }
  // SMPI charges what it has measured of a program's computation when an MPI function is entered.
  bool is_own(const History::Record& r) const { return history_.charges()[r.charge].kind == Kind::kExecute; }
  bool is_receive(const History::Record& r) const { return history_.charges()[r.charge].kind == Kind::kReceive; }
  bool is_sleep(const History::Record& r) const { return history_.charges()[r.charge].kind == Kind::kSleep; }

  void take(const History::Record& r) {
    switch (r.what) {
      case What::kCall:
        leave(r);
        return enter(r);
      case What::kBegin:
        if (!is_own(r)) begin(r);
        if (is_own(r) && of(r).has_begun) {
          leave(r);
          enter(r);
        }
        if (is_sleep(r)) ledger(r).block(r.at);
        if (is_receive(r)) of(r).receives = true;
        return;
      case What::kWork:
        if (is_own(r)) ledger(r).computed(r.at - r.from);
        if (is_sleep(r)) ledger(r).unblock(kNotYet, r.at);
        if (is_receive(r)) {
          of(r).receives = false;
          if (!of(r).awaited.empty()) ledger(r).block(r.at);
        }
        return;
      case What::kSend:
        begin(r);
        numbers_[r.message] =
            recorder_.send(r.rank, r.peer, message(r).tag, static_cast<std::int64_t>(message(r).bytes), r.at);
        return;
      case What::kReceive:
        begin(r);
        // An eager message may have arrived before.
        if (message(r).arrived >= 0 && message(r).arrived < r.at) arrive(r, r.at);
        return;
      case What::kArrive:
        if (message(r).posted >= 0 && message(r).posted <= r.at) arrive(r, r.at);
        unblock(message(r).from, r);
        return unblock(message(r).to, r);
      case What::kBlock:
        begin(r);
        if (message(r).arrived >= 0 && message(r).arrived <= r.at) return;
        if (of(r).awaited.empty()) ledger(r).block(r.at);
        of(r).awaited.push_back(r.message);
        return;
      case What::kCome:
        begin(r);
        return ledger(r).block(r.at);
      case What::kMeet:
        for (const int member : history_.groups()[r.peer]) ledger(member).unblock(kNotYet, r.at, {0, r.rank});
        return;
      case What::kEnd:
        leave(r);
        ledger(r).end(ledger_.calls(), r.at);
        return recorder_.end_rank(r.rank, r.at);
      case What::kAccept:
      case What::kWait:
      case What::kProbe:
      case What::kRead:
      case What::kStart:
        return;
    }
  }

  void enter(const History::Record& r) {
    of(r).function = r.function;
    of(r).has_begun = false;
    if (r.function >= 0) ledger(r).enter(r.function, r.at);
  }
  // Ends the computation before the function.
  void begin(const History::Record& r) {
    of(r).has_begun = true;
    ledger(r).begin(r.at);
  }
  void leave(const History::Record& r) {
    if (of(r).function >= 0) ledger(r).leave(ledger_.calls(), r.at);
  }

  void arrive(const History::Record& r, double now) {
    recorder_.arrive(numbers_[r.message], message(r).posted, message(r).began, now);
  }

  // Like SMPI's wait for several messages: it waits for the next of them that arrives, except while it is busy with
  // one.
  void unblock(int rank, const History::Record& r) {
    std::vector<std::int64_t>& awaited = ranks_[rank].awaited;
    const auto at = std::find(awaited.begin(), awaited.end(), r.message);
    if (at == awaited.end()) return;
    awaited.erase(at);
    if (ranks_[rank].receives) return;
    ledger(rank).unblock(message(r).began, r.at, {numbers_[r.message]});
    const bool takes_it = message(r).taken && message(r).to == rank;
    if (!awaited.empty() && !takes_it) ledger(rank).block(r.at);
  }

  const History& history_;
  EventRecorder recorder_;
  Ledger ledger_;
  std::vector<Rank> ranks_;
  std::vector<std::int64_t> numbers_;  // numbers in the events, by message
};

}  // namespace

Profile write_events(const History& history, const EventsHeader& header, const EventStore& into) {
  return Teller(history, header, into).tell();
}

}  // namespace strata::replay
