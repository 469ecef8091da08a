// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/fair_shares.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace strata::flow {

namespace {

// Two rates that differ by less are the same: far above the rounding of sums, far below what a measurement shows.
constexpr double kSame = 1e-10;
// A rate that is found again with another rounding is left as it was, so that nothing has to be rescheduled.
constexpr double kRounding = 1e-14;

}  // namespace

int FairShares::add_link(double capacity) {
  links_.emplace_back();
  links_.back().capacity = capacity;
  return static_cast<int>(links_.size()) - 1;
}

int FairShares::bound_index(double rate) {
  const auto at = std::lower_bound(ascending_.begin(), ascending_.end(), rate,
                                   [this](int b, double r) { return bounds_[b].rate < r; });
  if (at != ascending_.end() && bounds_[*at].rate == rate) return *at;
  bounds_.push_back({rate, {}});
  return *ascending_.insert(at, static_cast<int>(bounds_.size()) - 1);
}

int FairShares::add_flow(std::span<const Use> uses, double bound) {
  int id;
  if (free_.empty()) {
    id = static_cast<int>(flows_.size());
    flows_.emplace_back();
    routes_.emplace_back();
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Flow& flow = flows_[id];
  flow.bound = bound_index(bound);
  flow.bound_rate = bound;
  flow.rate = 0;
  flow.bottleneck = kOwnBound;
  Route& route = routes_[id];
  for (const Use& use : uses) {
    Link& link = links_[use.link];
    link.wanted += use.weight * bound;
    route.uses.push_back({use.link, static_cast<int>(link.members.size()), use.weight});
    link.members.push_back({id, static_cast<int>(route.uses.size()) - 1, use.weight});
  }
  route.added = static_cast<int>(added_.size());
  added_.push_back(id);
  return id;
}

void FairShares::remove_flow(int id) {
  Route& route = routes_[id];
  for (const Membership& use : route.uses) {
    Link& link = links_[use.link];
    std::vector<Member>& members = link.members;
    members[use.position] = members.back();
    routes_[members[use.position].flow].uses[members[use.position].use].position = use.position;
    members.pop_back();
    link.wanted = members.empty() ? 0 : link.wanted - use.weight * flows_[id].bound_rate;
    relieved_.push_back(use.link);
  }
  route.uses.clear();
  if (route.added != kNotAdded) added_[route.added] = kRemoved;  // come and gone without a solve() between
  route.added = kNotAdded;
  free_.push_back(id);
}

void FairShares::question(int id) {
  Flow& flow = flows_[id];
  if (flow.in_question) return;
  flow.in_question = true;
  routes_[id].before = flow.rate;
  in_question_.push_back(id);
  for (const Membership& use : routes_[id].uses) {
    Link& link = links_[use.link];
    if (link.touched) continue;
    link.touched = true;
    touched_.push_back(use.link);
  }
}

void FairShares::question_those_held_back_by(int l) {
  if (links_[l].asked_about == solves_) return;
  links_[l].asked_about = solves_;
  for (const Member& m : links_[l].members) {
    if (flows_[m.flow].bottleneck == l) question(m.flow);
  }
}

const std::vector<int>& FairShares::solve() {
  changed_.clear();
  ++solves_;
  for (int id : added_) {
    if (id == kRemoved) continue;
    routes_[id].added = kNotAdded;
    question(id);
    // A flow that a full link holds back will get less of it. That would be found without asking here, one round later.
    for (const Membership& use : routes_[id].uses) {
      if (links_[use.link].full) question_those_held_back_by(use.link);
    }
  }
  for (int l : relieved_) question_those_held_back_by(l);  // only they can get more of it
  added_.clear();
  relieved_.clear();
  if (in_question_.empty()) return changed_;
  do {
    fill();
  } while (question_who_lost_their_bottleneck());
  for (int id : in_question_) {
    Flow& flow = flows_[id];
    flow.in_question = false;
    const double before = routes_[id].before;
    if (std::abs(flow.rate - before) <= kRounding * before) {
      flow.rate = before;
    } else {
      changed_.push_back(id);
    }
  }
  for (int l : touched_) links_[l].touched = false;
  in_question_.clear();
  touched_.clear();
  return changed_;
}

// Progressive filling of the flows in question: all rates grow together; a flow stops at its bound, and all flows of a
// link stop when it is full.
void FairShares::fill() {
  for (Bound& b : bounds_) b.in_question.clear();
  by_share_.clear();
  for (int id : in_question_) {
    flows_[id].fixed = false;
    bounds_[flows_[id].bound].in_question.push_back(id);
  }
  for (int l : touched_) {
    Link& link = links_[l];
    if (link.is_wide()) continue;
    link.left = link.capacity;
    link.takers = 0;
    link.weight = 0;
    double wanted = 0;
    for (const Member& m : link.members) {
      const Flow& flow = flows_[m.flow];
      if (flow.in_question) {
        ++link.takers;
        link.weight += m.weight;
        wanted += m.weight * flow.bound_rate;
      } else {
        link.left -= m.weight * flow.rate;
      }
    }
    link.left = std::max(link.left, 0.0);
    // A link with enough capacity for all holds no flow back.
    if (wanted > link.left) by_share_.emplace_back(link.left / link.weight, l);
  }
  // A link's share only grows as flows stop earlier elsewhere: an old entry of the heap is brought up to date when it
  // comes to the top.
  std::make_heap(by_share_.begin(), by_share_.end(), std::greater<>());
  size_t lowest = 0, next = 0;  // the first flow, by bound, that has no share yet
  while (true) {
    while (lowest < ascending_.size()) {
      const std::vector<int>& flows = bounds_[ascending_[lowest]].in_question;
      while (next < flows.size() && flows_[flows[next]].fixed) ++next;
      if (next < flows.size()) break;
      ++lowest;
      next = 0;
    }
    if (lowest == ascending_.size()) return;
    const Bound& bound = bounds_[ascending_[lowest]];
    double share = std::numeric_limits<double>::infinity();
    int tightest = kOwnBound;
    while (!by_share_.empty()) {
      const auto [was, l] = by_share_.front();
      const Link& link = links_[l];
      const double now = link.takers > 0 ? link.left / link.weight : 0;
      if (link.takers > 0 && now <= was) {
        share = now;
        tightest = l;
        break;
      }
      std::pop_heap(by_share_.begin(), by_share_.end(), std::greater<>());
      if (link.takers > 0) {
        by_share_.back().first = now;
        std::push_heap(by_share_.begin(), by_share_.end(), std::greater<>());
      } else {
        by_share_.pop_back();
      }
    }
    if (bound.rate <= share) {
      give(bound.in_question[next], bound.rate, kOwnBound);
      continue;
    }
    for (const Member& m : links_[tightest].members) {
      if (flows_[m.flow].in_question && !flows_[m.flow].fixed) give(m.flow, share, tightest);
    }
  }
}

void FairShares::give(int id, double rate, int bottleneck) {
  Flow& flow = flows_[id];
  flow.fixed = true;
  flow.rate = rate;
  flow.bottleneck = bottleneck;
  for (const Membership& use : routes_[id].uses) {
    Link& link = links_[use.link];
    link.left = std::max(link.left - use.weight * rate, 0.0);
    link.weight -= use.weight;
    --link.takers;
  }
}

// The definition, on every link that was touched. True if there are more flows in question than before.
bool FairShares::question_who_lost_their_bottleneck() {
  const size_t before = in_question_.size();
  const size_t touched_before = touched_.size();
  for (size_t i = 0; i < touched_before; ++i) {
    const int l = touched_[i];
    Link& link = links_[l];
    if (link.is_wide()) {
      link.full = false;
      continue;  // those that it held back are in question: it has become wide because flows left it
    }
    double given = 0, most = 0, least_held_back = std::numeric_limits<double>::infinity();
    size_t settled = 0;
    for (const Member& m : link.members) {
      const Flow& flow = flows_[m.flow];
      settled += flow.in_question ? 0 : 1;
      given += m.weight * flow.rate;
      most = std::max(most, flow.rate);
      if (flow.bottleneck == l && flow.in_question) least_held_back = std::min(least_held_back, flow.rate);
    }
    const bool full = link.full = given >= link.capacity * (1 - kSame);
    if (settled == 0) continue;
    for (const Member& m : link.members) {
      const Flow& flow = flows_[m.flow];
      if (flow.in_question) continue;
      const bool lost = flow.bottleneck == l && (!full || flow.rate < most * (1 - kSame));
      const bool takes_too_much = flow.rate > least_held_back * (1 + kSame);
      if (lost || takes_too_much) question(m.flow);
    }
  }
  return in_question_.size() > before;
}

}  // namespace strata::flow
