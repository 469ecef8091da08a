// SPDX-License-Identifier: LGPL-2.1-only
#include "models/matching.h"

#include <algorithm>
#include <stdexcept>
#include <string>
#include <tuple>

namespace strata::models {
namespace {

using Kind = Operation::Kind;

// An operation of the channel from -> to: it sends, posts or waits for a message.
struct End {
  int from, to, rank, index;
};

bool before(const End& a, const End& b) { return std::tie(a.from, a.to) < std::tie(b.from, b.to); }

// Stable, so that the operations of a channel keep their order.
void sort_by_channel(std::vector<End>& ends) { std::stable_sort(ends.begin(), ends.end(), before); }

[[noreturn]] void fail(const std::string& what) { throw std::logic_error("schedule: " + what); }

// Throws unless the ends match one to one.
void require_same_channels(const std::vector<End>& a, const std::vector<End>& b) {
  const auto same = [](const End& x, const End& y) { return x.from == y.from && x.to == y.to; };
  if (!std::equal(a.begin(), a.end(), b.begin(), b.end(), same)) fail("sends, receives and waits do not match");
}

}  // namespace

Matching::Matching(const Schedule& schedule) : message_of_(schedule.size()) {
  const int np = static_cast<int>(schedule.size());
  std::vector<End> sends, receives, send_waits, receive_waits, started;
  for (int r = 0; r < np; ++r) {
    message_of_[r].assign(schedule[r].size(), -1);
    for (int i = 0; i < static_cast<int>(schedule[r].size()); ++i) {
      const Operation& o = schedule[r][i];
      if (o.kind == Kind::kCombine || o.kind == Kind::kCompute) continue;
      if (o.peer < 0 || o.peer >= np || o.peer == r) fail("rank " + std::to_string(r) + " has no such peer");
      switch (o.kind) {
        case Kind::kSend:
        case Kind::kStartSend:
          message_of_[r][i] = num_messages();
          messages_.push_back({.from = r, .to = o.peer, .bytes = o.amount, .send_index = i, .receive_index = -1});
          sends.push_back({r, o.peer, r, i});
          if (o.kind == Kind::kStartSend) started.push_back(sends.back());
          break;
        case Kind::kWaitSend:
          send_waits.push_back({r, o.peer, r, i});
          break;
        case Kind::kPostReceive:
          receives.push_back({o.peer, r, r, i});
          break;
        case Kind::kWaitReceive:
          receive_waits.push_back({o.peer, r, r, i});
          break;
        case Kind::kCombine:
        case Kind::kCompute:
          break;
      }
    }
  }
  for (std::vector<End>* ends : {&sends, &receives, &send_waits, &receive_waits, &started}) sort_by_channel(*ends);
  require_same_channels(sends, receives);
  require_same_channels(receives, receive_waits);
  require_same_channels(started, send_waits);

  for (size_t k = 0; k < sends.size(); ++k) {
    const int m = message_of_[sends[k].rank][sends[k].index];
    const End& posted = receives[k];
    if (schedule[posted.rank][posted.index].amount != messages_[m].bytes) fail("a receive of another size");
    if (receive_waits[k].index < posted.index) fail("a wait before its receive");
    messages_[m].receive_index = posted.index;
    message_of_[posted.rank][posted.index] = m;
    message_of_[receive_waits[k].rank][receive_waits[k].index] = m;
  }
  for (size_t k = 0; k < started.size(); ++k) {
    if (send_waits[k].index < started[k].index) fail("a wait before its send");
    message_of_[send_waits[k].rank][send_waits[k].index] = message_of_[started[k].rank][started[k].index];
  }
  for (int r = 0; r < np; ++r) {
    int last = -1;
    for (int i = 0; i < static_cast<int>(schedule[r].size()); ++i) {
      if (schedule[r][i].kind != Kind::kPostReceive) continue;
      const int m = message_of_[r][i];
      messages_[m].before = last;
      if (last >= 0) messages_[last].after = m;
      last = m;
    }
  }
}

}  // namespace strata::models
