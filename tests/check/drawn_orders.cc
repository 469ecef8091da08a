// SPDX-License-Identifier: LGPL-2.1-only
#include "tests/check/drawn_orders.h"

#include <algorithm>

namespace strata::check {
namespace {

constexpr int kSmpisAnyTag = -444;

bool match(const DrawnRequest& send, const DrawnRequest& receive) {
  return send.is_send && !receive.is_send && send.to == receive.to && send.met == kNoRequest &&
         receive.met == kNoRequest && (receive.from == kAny || receive.from == send.from) &&
         (receive.tag == kAny || receive.tag == send.tag);
}

int post(DrawnState& s, const DrawnRequest& request) {
  const int self = static_cast<int>(s.requests.size());
  s.requests.push_back(request);
  for (int i = 0; i < self; ++i) {
    DrawnRequest &mine = s.requests[self], &other = s.requests[i];
    if (!(request.is_send ? match(mine, other) : match(other, mine))) continue;
    mine.met = i;
    other.met = self;
    break;
  }
  return self;
}

// The first message that matches; kNoRequest if none does.
int look(const DrawnState& s, const DrawnRequest& receive) {
  for (std::size_t i = 0; i < s.requests.size(); ++i) {
    if (match(s.requests[i], receive)) return static_cast<int>(i);
  }
  return kNoRequest;
}

int value(const DrawnState& s, int receive) { return s.requests[s.requests[receive].met].from; }

// SimGrid's description of a step that posts or inspects a request. Both halves of a message belong to one
// communication.
Step step_of(const DrawnState& s, int rank, StepKind kind, int request) {
  const DrawnRequest& r = s.requests[request];
  const bool met = r.met != kNoRequest;
  Step step{.actor = rank + 1, .kind = kind, .mailbox = static_cast<unsigned>(r.to)};
  step.communication = static_cast<unsigned>(met ? std::min(request, r.met) : request) + 1;
  step.tag = r.tag == kAny ? kSmpisAnyTag : r.tag;
  step.from_anybody = !r.is_send && r.from == kAny;
  if (kind == StepKind::kSend || kind == StepKind::kReceive) return step;
  if (r.is_send || met) step.sender = (r.is_send ? r.from : s.requests[r.met].from) + 1;
  if (!r.is_send || met) step.receiver = r.to + 1;
  return step;
}

}  // namespace

DrawnOrders::DrawnOrders(const std::vector<Operation>& program) : operations_(kDrawnRanks) {
  for (const Operation& o : program) operations_[o.rank].push_back(o);
}

bool DrawnOrders::ended(const DrawnState& state, int rank) const {
  const DrawnRank& r = state.ranks[rank];
  return r.next == operations_[rank].size() &&
         std::all_of(r.posted.begin(), r.posted.end(), [](int request) { return request == kNoRequest; });
}

std::vector<DrawnOrders::Next> DrawnOrders::steps(const DrawnState& s, int rank) const {
  DrawnState t = s;
  DrawnRank& r = t.ranks[rank];
  if (r.next == operations_[rank].size()) {  // MPI_Waitany
    std::vector<Next> all;
    Step step{.actor = rank + 1, .kind = StepKind::kAnyOf};
    for (const int request : r.posted) {
      if (request != kNoRequest) step.parts.push_back(step_of(s, rank, StepKind::kWait, request));
    }
    for (std::size_t i = 0; i < r.posted.size(); ++i) {
      if (r.posted[i] == kNoRequest || s.requests[r.posted[i]].met == kNoRequest) continue;
      step.choice = static_cast<int>(all.size());
      all.push_back({s, step});
      DrawnRank& after = all.back().after.ranks[rank];
      after.outcome = with(after.outcome, value(s, r.posted[i]), static_cast<int>(i));
      after.posted[i] = kNoRequest;
    }
    return all;
  }
  const Operation& o = operations_[rank][r.next];
  const auto advance = [&r] { r = {.next = r.next + 1, .posted = r.posted, .outcome = r.outcome}; };
  if (o.way == Way::kSend) {
    if (r.phase == 0) {
      const int sent = post(t, {.from = rank, .to = o.peer, .tag = o.tag, .is_send = true});
      r.request = sent;
      r.phase = 1;
      if (!o.large) advance();
      return {{t, step_of(t, rank, StepKind::kSend, sent)}};
    }
    if (s.requests[r.request].met == kNoRequest) return {};
    const Step step = step_of(s, rank, StepKind::kWait, r.request);
    advance();
    return {{t, step}};
  }
  DrawnRequest wanted{.from = o.from_anybody ? kAny : o.peer, .to = rank, .tag = o.any_tag ? kAny : o.tag};
  if (r.phase == 0 && (o.way == Way::kProbe || o.way == Way::kLook)) {
    const int found = look(s, wanted);
    if (o.way == Way::kLook) {
      r.flag = found == kNoRequest ? 0 : 1;
    } else if (found == kNoRequest) {
      return {};
    } else {
      r.probed_from = s.requests[found].from;
      r.probed_tag = s.requests[found].tag;
    }
    r.phase = 1;
    return {{t, {.actor = rank + 1, .kind = StepKind::kProbe, .mailbox = static_cast<unsigned>(rank)}}};
  }
  if (r.request == kNoRequest) {
    if (o.way == Way::kProbe) wanted = {.from = r.probed_from, .to = rank, .tag = r.probed_tag};
    const int posted = post(t, wanted);
    r.request = posted;
    r.phase = 2;
    if (o.way == Way::kPost) {
      r.posted.push_back(posted);
      advance();
    }
    return {{t, step_of(t, rank, StepKind::kReceive, posted)}};
  }
  const bool met = s.requests[r.request].met != kNoRequest;
  const bool tests = o.way == Way::kTest && r.phase == 2;
  const Step step = step_of(s, rank, tests ? StepKind::kTest : StepKind::kWait, r.request);
  if (tests) {
    r.flag = met ? 1 : 0;
    r.phase = 3;
    if (!met) return {{t, step}};
  } else if (!met) {
    return {};
  }
  r.outcome = with(r.outcome, value(s, r.request), r.flag);
  advance();
  return {{t, step}};
}

void add_outcomes(const DrawnState& state, Outcomes& outcomes) {
  for (int rank = 0; rank < kDrawnRanks; ++rank) outcomes.of_rank[rank].insert(state.ranks[rank].outcome);
  if (std::any_of(state.requests.begin(), state.requests.end(),
                  [](const DrawnRequest& r) { return r.met == kNoRequest; }))
    outcomes.unmatched = true;
}

Outcomes outcomes_of(const std::vector<Operation>& program) {
  const DrawnOrders orders(program);
  Outcomes outcomes;
  std::set<DrawnState> seen = {DrawnState{}};
  std::vector<DrawnState> left = {DrawnState{}};
  while (!left.empty()) {
    const DrawnState s = left.back();
    left.pop_back();
    bool all_ended = true, any_step = false;
    for (int rank = 0; rank < kDrawnRanks; ++rank) {
      all_ended = all_ended && orders.ended(s, rank);
      for (const DrawnOrders::Next& next : orders.steps(s, rank)) {
        any_step = true;
        if (seen.insert(next.after).second) left.push_back(next.after);
      }
    }
    if (all_ended) add_outcomes(s, outcomes);
    if (!all_ended && !any_step) outcomes.deadlock = true;
  }
  return outcomes;
}

}  // namespace strata::check
