// SPDX-License-Identifier: LGPL-2.1-only
#include "analysis/waits.h"

#include <algorithm>

namespace strata::analysis {

using Kind = Event::Kind;

std::optional<Wait> WaitFinder::take(const Event& e) {
  switch (e.kind) {
    case Kind::kBlock:
      ranks_[e.rank].since = e.time;
      return {};
    case Kind::kSend: {
      Message m{.sender = e.rank, .receiver = e.other, .sent = e.time};
      m.sender_acts = !is_blocked(e.rank) || is_blocked(e.other);
      m.collective = e.tag < 0;
      messages_.push_back(m);
      return {};
    }
    case Kind::kArrive:
      arrive(e);
      return {};
    case Kind::kUnblock:
      return unblock(e);
    case Kind::kRankEnd: {
      Rank& rank = ranks_[e.rank];
      if (!is_blocked(e.rank)) return {};
      const Wait wait{.rank = e.rank, .from = rank.since, .to = e.time, .began = e.time};
      release(rank);
      return wait.to > wait.from ? std::optional(wait) : std::nullopt;
    }
    case Kind::kLeave:
      release(ranks_[e.rank]);
      return {};
    case Kind::kEnd:
      end_ = e.time;
      return {};
    case Kind::kEnter:
    case Kind::kPhaseBegin:
    case Kind::kPhaseEnd:
      return {};
  }
  return {};
}

std::vector<Wait> WaitFinder::blocked_at_end() const {
  std::vector<Wait> waits;
  for (size_t r = 0; r < ranks_.size(); ++r) {
    const double since = ranks_[r].since;
    if (since >= 0 && since < end_)
      waits.push_back({.rank = static_cast<int>(r), .from = since, .to = end_, .began = end_});
  }
  return waits;
}

WaitFinder::Message* WaitFinder::find(std::int64_t number) {
  return number < first_ ? nullptr : &messages_[number - first_];
}

// A message is kept only while it may end a wait.
void WaitFinder::arrive(const Event& e) {
  Message* m = find(e.message);
  if (m == nullptr || m->arrived >= 0) return;
  m->arrived = e.time;
  m->posted = e.posted;
  const double since = ranks_[m->receiver].since;
  m->receiver_acts = since < 0 || since >= m->posted;
  for (const int r : {m->sender, m->receiver}) {
    Rank& rank = ranks_[r];
    if (rank.since < 0) continue;
    rank.held.push_back(e.message);
    ++m->holders;
  }
  drop_first();
}

std::optional<Wait> WaitFinder::unblock(const Event& e) {
  Rank& rank = ranks_[e.rank];
  if (rank.since < 0) return {};
  Wait wait{.rank = e.rank, .from = rank.since, .to = e.time, .began = e.time};
  const Message* m = e.message == 0 ? nullptr : find(e.message);
  if (m != nullptr && !(m->arrived >= 0 && m->arrived <= wait.from)) {
    wait.message = e.message;
    wait.began = std::min(e.began, wait.to);
    wait.collective = m->collective;
    // Both sides met if the receive was posted when the message began to flow, and the message was sent before. If the
    // arrival comes later in the stream, `posted` is not known yet. Then they met if this is the sender, and it was
    // blocked before the message began to flow.
    const bool met = m->arrived >= 0 ? m->posted == wait.began && m->sent < wait.began
                                     : e.rank == m->sender && wait.began > wait.from;
    const bool receiver_last = (met && m->receiver_acts) || !m->sender_acts;
    wait.cause = receiver_last ? Wait::Cause::kReceiver : Wait::Cause::kSender;
    wait.by = receiver_last ? m->receiver : m->sender;
  } else if (e.message == 0) {
    wait.began = std::clamp(e.began, wait.from, wait.to);
    if (e.other >= 0 && e.other != e.rank && static_cast<size_t>(e.other) < ranks_.size()) {
      wait.cause = Wait::Cause::kBarrier;
      wait.by = e.other;
    }
  } else {
    wait.to = wait.from;  // the message had already arrived
  }
  release(rank);
  return wait.to > wait.from ? std::optional(wait) : std::nullopt;
}

void WaitFinder::release(Rank& rank) {
  rank.since = -1;
  for (const std::int64_t number : rank.held) --find(number)->holders;
  rank.held.clear();
  drop_first();
}

void WaitFinder::drop_first() {
  while (!messages_.empty() && messages_.front().arrived >= 0 && messages_.front().holders == 0) {
    messages_.pop_front();
    ++first_;
  }
}

}  // namespace strata::analysis
