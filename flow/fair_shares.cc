// SPDX-License-Identifier: LGPL-2.1-only
#include "flow/fair_shares.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace strata::flow {

namespace {

// Two rates are equal if they differ by less: far above the rounding of sums, far below what a measurement shows.
constexpr double kSame = 1e-11;
// If a recalculated rate differs only by rounding, the old one stays, so that no event has to be rescheduled.
constexpr double kRounding = 1e-14;

}  // namespace

int FairShares::add_link(double capacity) {
  links_.emplace_back();
  links_.back().capacity = capacity;
  members_.emplace_back();
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
  } else {
    id = free_.back();
    free_.pop_back();
  }
  Flow& flow = flows_[id];
  flow.bound = bound_index(bound);
  flow.bound_rate = bound;
  flow.rate = 0;
  flow.bottleneck = kOwnBound;
  for (const Use& use : uses) {
    std::vector<Member>& members = members_[use.link];
    flow.uses.push_back({use.link, static_cast<int>(members.size()), use.weight});
    members.push_back({id, static_cast<int>(flow.uses.size()) - 1, use.weight});
  }
  flow.added = static_cast<int>(added_.size());
  added_.push_back(id);
  return id;
}

void FairShares::remove_flow(int id) {
  Flow& flow = flows_[id];
  for (const Membership& use : flow.uses) {
    std::vector<Member>& members = members_[use.link];
    members[use.position] = members.back();
    flows_[members[use.position].flow].uses[members[use.position].use].position = use.position;
    members.pop_back();
    Link& link = links_[use.link];
    link.given = members.empty() ? 0 : link.given - use.weight * flow.rate;
    if (link.holds_back) relieved_.push_back(use.link);
  }
  flow.uses.clear();
  if (flow.added != kNotAdded) added_[flow.added] = kRemoved;  // added and removed without a solve() in between
  flow.added = kNotAdded;
  free_.push_back(id);
}

const std::vector<int>& FairShares::solve() {
  changed_.clear();
  if (added_.empty() && relieved_.empty()) return changed_;
  for (const int id : added_) {
    if (id == kRemoved) continue;
    flows_[id].added = kNotAdded;
    question(id);
  }
  for (const int l : relieved_) {
    if (links_[l].takers > 0) {
      touch(l);
    } else if (links_[l].holds_back) {
      let_grow(l);
    }
  }
  added_.clear();
  relieved_.clear();
  fill();
  for (const int id : in_question_) {
    Flow& flow = flows_[id];
    flow.in_question = false;
    if (flow.rate != flow.before) changed_.push_back(id);
  }
  in_question_.clear();
  for (const int l : touched_) {
    Link& link = links_[l];
    link.weight = link.wanted = 0;
    link.is_touched = link.is_settled = false;
  }
  touched_.clear();
  return changed_;
}

FairShares::Link& FairShares::touch(int l) {
  Link& link = links_[l];
  if (!link.is_touched) {
    link.is_touched = true;
    touched_.push_back(l);
  }
  if (!link.is_dirty) {
    link.is_dirty = true;
    dirty_.push_back(l);
  }
  return link;
}

void FairShares::question(int id) {
  Flow& flow = flows_[id];
  flow.in_question = true;
  flow.fixed = false;
  flow.before = flow.rate;
  in_question_.push_back(id);
  for (const Membership& use : flow.uses) {
    Link& link = touch(use.link);
    link.given -= use.weight * flow.rate;
    link.weight += use.weight;
    link.wanted += use.weight * flow.bound_rate;
    ++link.takers;
  }
  bounds_[flow.bound].in_question.push_back(id);
  if (lowest_ == ascending_.size() || flow.bound_rate < bounds_[ascending_[lowest_]].rate) {
    lowest_ =
        static_cast<std::size_t>(std::find(ascending_.begin(), ascending_.end(), flow.bound) - ascending_.begin());
  }
}

// The level at which the link is full; kNever if its flows reach their bounds before.
double FairShares::Link::share() const {
  if (takers == 0 || given + wanted <= capacity) return kNever;
  return std::max(capacity - given, 0.0) / weight;
}

double FairShares::next_level(const Link& link) const {
  const double share = link.share();
  return link.holds_back && !link.is_settled ? std::min(share, link.level) : share;
}

void FairShares::enter(int l) {
  Link& link = links_[l];
  const double next = next_level(link);
  if (next >= link.next) return;
  link.next = next;
  levels_.emplace_back(next, l);
  if (is_filling_) std::push_heap(levels_.begin(), levels_.end(), std::greater<>());
}

void FairShares::enter_dirty() {
  for (const int l : dirty_) {
    links_[l].is_dirty = false;
    enter(l);
  }
  dirty_.clear();
}

// The lowest bound of a flow that has no share yet; kNever: there is none.
double FairShares::next_bound() {
  for (; lowest_ < ascending_.size(); ++lowest_) {
    Bound& bound = bounds_[ascending_[lowest_]];
    while (bound.next < bound.in_question.size() && flows_[bound.in_question[bound.next]].fixed) ++bound.next;
    if (bound.next < bound.in_question.size()) return bound.rate;
  }
  return kNever;
}

// Level kNever: there is none.
FairShares::Entry FairShares::next_entry() const {
  const Entry none(kNever, 0);
  const Entry& first = first_levels_.empty() ? none : first_levels_.back();
  const Entry& later = levels_.empty() ? none : levels_.front();
  return first > later ? later : first;
}

void FairShares::leave_entry() {
  if (levels_.empty() || (!first_levels_.empty() && levels_.front() > first_levels_.back())) {
    first_levels_.pop_back();
  } else {
    std::pop_heap(levels_.begin(), levels_.end(), std::greater<>());
    levels_.pop_back();
  }
}

void FairShares::fill() {
  enter_dirty();
  first_levels_.swap(levels_);
  std::sort(first_levels_.begin(), first_levels_.end(), std::greater<>());
  is_filling_ = true;
  for (;;) {
    const double bound = next_bound();
    const Entry entry = next_entry();
    const double level = entry.level();
    if (bound <= level) {
      if (bound == kNever) break;
      const Bound& b = bounds_[ascending_[lowest_]];
      give(b.in_question[b.next], bound, kOwnBound);
      continue;
    }
    const int l = entry.link();
    leave_entry();
    Link& link = links_[l];
    if (level != link.next) continue;
    link.next = kNever;
    // A link's level can only rise, because flows that stop earlier elsewhere leave it more capacity.
    if (next_level(link) > level) {
      enter(l);
      continue;
    }
    look_at(l, bound);
    enter_dirty();
  }
  for (Bound& b : bounds_) {
    b.in_question.clear();
    b.next = 0;
  }
  lowest_ = 0;
  is_filling_ = false;
}

void FairShares::look_at(int l, double bound) {
  Link& link = links_[l];
  if (link.holds_back && !link.is_settled && link.level <= link.share() * (1 + kSame)) {
    link.is_settled = true;
    touch(l);
    if (link.capacity - link.given - link.weight * link.level > kSame * link.capacity) let_grow(l);
    return;
  }
  if (reduce(l)) {
    enter_dirty();
    if (link.share() > std::min(bound, next_entry().level())) {
      touch(l);
      return;
    }
  }
  const double share = link.share();
  if (share == kNever) return;
  if (!link.holds_back || share < link.level * (1 - kSame)) link.level = share;
  link.holds_back = true;
  for (const Member& m : members_[l]) {
    if (flows_[m.flow].in_question && !flows_[m.flow].fixed) give(m.flow, share, l);
  }
}

// The flows that this link held back may get more.
void FairShares::let_grow(int l) {
  links_[l].holds_back = false;
  found_.clear();
  for (const Member& m : members_[l]) {
    const Flow& flow = flows_[m.flow];
    if (flow.bottleneck != l || flow.in_question) continue;
    __builtin_prefetch(flow.uses.data());
    found_.emplace_back(flow.rate, m.flow);
  }
  for (std::size_t i = 0; i < found_.size(); ++i) {
    fetch_links(i + 1);
    question(found_[i].second);
  }
}

// question() spends most of its time on cache misses for links. Prefetch those of the next flow.
void FairShares::fetch_links(std::size_t found) const {
  if (found >= found_.size()) return;
  for (const Membership& use : flows_[found_[found].second].uses) __builtin_prefetch(&links_[use.link]);
}

// Recomputes the link's sums without the rounding errors of updates. Questions flows that get more than what is left
// for each taker. Returns true if there are any.
bool FairShares::reduce(int l) {
  Link& link = links_[l];
  const double most = link.share() * (1 + kSame);
  double given = 0, weight = 0, wanted = 0;
  found_.clear();
  for (const Member& m : members_[l]) {
    const Flow& flow = flows_[m.flow];
    if (flow.in_question && !flow.fixed) {
      weight += m.weight;
      wanted += m.weight * flow.bound_rate;
    } else {
      given += m.weight * flow.rate;
      if (!flow.in_question && flow.rate > most) {
        __builtin_prefetch(flow.uses.data());
        found_.emplace_back(flow.rate, m.flow);
      }
    }
  }
  link.given = given;
  link.weight = weight;
  link.wanted = wanted;
  if (found_.empty()) return false;
  std::sort(found_.begin(), found_.end(), std::greater<>());
  for (std::size_t i = 0; i < found_.size(); ++i) {
    if (found_[i].first <= link.share() * (1 + kSame)) break;
    fetch_links(i + 1);
    question(found_[i].second);
  }
  return true;
}

void FairShares::give(int id, double rate, int bottleneck) {
  Flow& flow = flows_[id];
  flow.fixed = true;
  flow.rate = std::abs(rate - flow.before) <= kRounding * flow.before ? flow.before : rate;
  flow.bottleneck = bottleneck;
  for (const Membership& use : flow.uses) {
    Link& link = links_[use.link];
    link.given += use.weight * flow.rate;
    link.weight -= use.weight;
    link.wanted -= use.weight * flow.bound_rate;
    --link.takers;
  }
}

}  // namespace strata::flow
