// SPDX-License-Identifier: LGPL-2.1-only
// Ranks of a trace that live in this process: they take their steps one after the other, as a program would, match
// messages as a library would, and know virtual time only from VirtualTime. For example:
//
//   LiveRanks ranks(trace, machine);
//   ranks.run();
//   ranks.ended()[3]       when rank 3 ended, s
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <map>
#include <set>
#include <vector>

#include "native/coordinator/virtual_time.h"
#include "platforms/machine.h"
#include "records/trace/trace.h"

namespace strata::native {

class LiveRanks {
 public:
  /// Steps: kSend, kReceive, kWait, kFlops, kCopy, kCombine, kSleep. Both must outlive this. `counts`: ranks that wait
  /// for several requests at once say which messages they need (Wait::receives).
  LiveRanks(const Trace& trace, const Machine& machine, bool counts = false)
      : trace_(trace),
        machine_(machine),
        time_(machine, trace.cores, nobody_),
        ranks_(trace.cores.size()),
        counts_(counts) {}

  /// Returns false if ranks are left that nothing can continue.
  bool run() {
    for (int r = 0; r < size(); ++r) resume(r);
    while (time_.advance()) {
      const std::vector<int> continuing = time_.continuing();
      continued_ += continuing.size();
      for (const int r : continuing) {
        take_delivered(r);
        resume(r);
      }
    }
    return std::all_of(ranks_.begin(), ranks_.end(), [](const Rank& r) { return r.over; });
  }
  std::vector<double> ended() const {
    std::vector<double> all;
    for (const Rank& r : ranks_) all.push_back(r.ended);
    return all;
  }
  /// How often ranks have continued.
  std::size_t continued() const { return continued_; }

 private:
  using Step = TraceStep;
  struct Rank {
    std::size_t next = 0;
    double busy_s = 0;
    std::vector<bool> done;                         // by request
    std::map<int, std::deque<std::size_t>> posted;  // receives, by sender
    std::map<int, std::deque<Message>> kept;        // messages, by sender
    bool over = false;
    double ended = 0;
  };

  struct Needed {
    std::vector<OpenReceive> receives;
    std::uint32_t completions = 0;
  };

  int size() const { return static_cast<int>(ranks_.size()); }
  Rank& of(int rank) { return ranks_[rank]; }

  void post(int rank, Message m) {
    m.busy_s = std::exchange(of(rank).busy_s, 0);
    time_.post(rank, m);
  }

  // Takes steps until the rank has to wait.
  void resume(int rank) {
    Rank& r = of(rank);
    const std::vector<Step>& steps = *trace_.ranks[rank];
    for (; r.next < steps.size(); ++r.next) {
      const Step& s = steps[r.next];
      const int peer = (rank + s.peer) % size();
      switch (s.kind) {
        case Step::Kind::kFlops:
          r.busy_s += s.amount / machine_.core_speed.si;
          break;
        case Step::Kind::kSend: {
          const bool is_short = s.amount < machine_.eager_limit.si;
          const bool synchronous = (s.modes & Step::kSynchronous) != 0;
          Message m = {.kind = is_short && !synchronous ? Kind::kEager : Kind::kOffer,
                       .peer = peer,
                       .tag = static_cast<std::uint64_t>(rank),
                       .bytes = static_cast<std::uint64_t>(s.amount),
                       .sending = r.done.size()};
          if (m.kind == Kind::kOffer && (s.modes & (Step::kImmediate | Step::kSynchronous)) == 0) m.flags |= kBlocking;
          if (synchronous && is_short) m.flags |= kSynchronous;
          r.done.push_back(m.kind == Kind::kEager);
          post(rank, m);
          break;
        }
        case Step::Kind::kReceive:
          r.done.push_back(false);
          r.posted[peer].push_back(r.done.size() - 1);
          match(rank, peer);
          break;
        case Step::Kind::kWait: {
          const std::size_t request = r.done.size() - static_cast<std::size_t>(s.number);
          if (r.done[request]) break;
          const Needed needed = counts_ ? messages_needed(rank) : Needed{};
          return time_.block(rank, {.block = Block::kMessage,
                                    .busy_s = std::exchange(r.busy_s, 0),
                                    .receives = needed.receives,
                                    .completions = needed.completions});
        }
        case Step::Kind::kCopy:
        case Step::Kind::kCombine:
          post(rank, {.kind = s.kind == Step::Kind::kCopy ? Kind::kCopy : Kind::kCombine,
                      .bytes = static_cast<std::uint64_t>(s.amount)});
          if (!machine_.memory) break;
          ++r.next;
          return time_.block(rank, {.block = Block::kWork});
        case Step::Kind::kSleep:
          ++r.next;
          return time_.block(rank, {.block = Block::kSleep, .seconds = s.amount, .busy_s = std::exchange(r.busy_s, 0)});
        default:
          break;
      }
    }
    if (r.over) return;
    r.over = true;
    r.ended = time_.clock(rank) + r.busy_s;
    time_.end(rank, std::exchange(r.busy_s, 0));
  }

  // Those of all requests that are not complete, if the next steps wait for them; otherwise none.
  Needed messages_needed(int rank) {
    const Rank& r = of(rank);
    const std::vector<Step>& steps = *trace_.ranks[rank];
    std::set<std::size_t> awaited;
    for (std::size_t s = r.next; s < steps.size() && steps[s].kind == Step::Kind::kWait; ++s) {
      const std::size_t request = r.done.size() - static_cast<std::size_t>(steps[s].number);
      if (!r.done[request]) awaited.insert(request);
    }
    const auto incomplete = std::count(r.done.begin(), r.done.end(), false);
    if (std::ssize(awaited) != incomplete) return {};
    Needed needed;
    for (const auto& [peer, receives] : r.posted) {
      const OpenReceive open = {.tag = static_cast<std::uint64_t>(peer), .mask = ~std::uint64_t{0}, .worker = 0};
      needed.receives.insert(needed.receives.end(), receives.size(), open);
    }
    needed.completions = static_cast<std::uint32_t>(awaited.size() - needed.receives.size());
    return needed;
  }

  void take_delivered(int rank) {
    std::deque<Message>& delivered = time_.delivered(rank);
    for (; !delivered.empty(); delivered.pop_front()) {
      const Message m = delivered.front();
      if (m.kind == Kind::kFetched) of(rank).done[m.receiving] = true;
      if (m.kind == Kind::kTaken) of(rank).done[m.sending] = true;
      if (m.kind != Kind::kEager && m.kind != Kind::kOffer) continue;
      of(rank).kept[m.peer].push_back(m);
      match(rank, m.peer);
    }
  }

  void match(int rank, int peer) {
    Rank& r = of(rank);
    while (!r.posted[peer].empty() && !r.kept[peer].empty()) {
      const std::size_t request = r.posted[peer].front();
      Message m = r.kept[peer].front();
      r.posted[peer].pop_front();
      r.kept[peer].pop_front();
      if (m.kind == Kind::kEager) {
        r.done[request] = true;
        continue;
      }
      m.kind = Kind::kFetch;
      m.receiving = request;
      post(rank, m);
    }
  }

  const Trace& trace_;
  const Machine& machine_;
  Witness nobody_;
  VirtualTime time_;
  std::vector<Rank> ranks_;
  bool counts_;
  std::size_t continued_ = 0;
};

}  // namespace strata::native
