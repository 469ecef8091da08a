// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/explorer/search.h"

#include <algorithm>
#include <utility>

namespace strata::check {

Search::Search(Application& application, bool reduce, std::size_t most_steps,
               std::function<void(const SearchCounts&)> progressed)
    : application_(application), reduce_(reduce), most_steps_(most_steps), progressed_(std::move(progressed)) {}

void Search::start_after(std::vector<Step> steps, std::map<long, std::vector<Step>> asleep) {
  first_steps_ = std::move(steps);
  for (const Step& step : first_steps_) dependence_.learn(step);
  asleep_at_start_ = std::move(asleep);
}

// The steps of all places except the last one, from which no step was taken.
std::vector<Step> Search::steps() const {
  std::vector<Step> taken = first_steps_;
  for (std::size_t i = 0; i + 1 < stack_.size(); ++i) taken.push_back(stack_[i].taken.step);
  return taken;
}

// Whether there is an actor to try next in this place, and which one.
bool Search::has_next(const Place& place, long* next) const {
  for (const auto& [id, choices] : place.actors) {
    if (!choices.wanted || !choices.actor.enabled || place.is_asleep(id)) continue;
    if (next != nullptr) *next = id;
    return true;
  }
  return false;
}

bool Search::deadlocked(const Place& place) const {
  return !place.actors.empty() &&
         std::none_of(place.actors.begin(), place.actors.end(), [](const auto& a) { return a.second.actor.enabled; });
}

// Adds the application's current state as the last place.
void Search::enter() {
  Place place;
  ++counts_.states;
  for (const Actor& actor : application_.actors()) place.actors[actor.id] = {.actor = actor};
  if (stack_.empty()) {
    place.asleep_since_start = asleep_at_start_;
  } else {
    const Place& from = stack_.back();
    for (const auto& [id, explored] : from.asleep_since_start) {
      if (id != from.taken.step.actor && std::none_of(explored.begin(), explored.end(), [&](const Step& s) {
            return Dependence::may_be(s, from.taken.step);
          }))
        place.asleep_since_start[id] = explored;
    }
  }
  if (reduce_ && !stack_.empty()) {
    const Place& from = stack_.back();
    const auto keep = [&](long id, const std::vector<Step>& explored) {
      if (id == from.taken.step.actor) return;
      if (std::none_of(explored.begin(), explored.end(),
                       [&](const Step& s) { return dependence_.dependent(s, from.taken.step); }))
        place.asleep[id] = explored;
    };
    for (const auto& [id, explored] : from.asleep) keep(id, explored);
    for (const auto& [id, explored] : from.explored) {
      if (from.actors.at(id).done) keep(id, explored);
    }
  }
  bool enabled = false;
  for (auto& [id, choices] : place.actors) {
    if (!choices.actor.enabled) continue;
    enabled = true;
    if (place.is_asleep(id)) continue;
    choices.wanted = true;
    if (reduce_) break;
  }
  if (enabled && !has_next(place)) ++counts_.redundant;
  stack_.push_back(std::move(place));
}

// Computes which steps happen before the last one, and reverses its races.
void Search::note_step() {
  Execution execution;
  execution.reserve(stack_.size());
  for (const Place& place : stack_) execution.push_back(&place.taken);
  Taken& last = stack_.back().taken;
  execution.pop_back();
  std::vector<std::size_t> races;
  last.clock = clock_of(execution, last.step, dependence_, races);
  if (!reduce_) return;
  execution.push_back(&last);
  for (const std::size_t earlier : races) reverse_race(execution, earlier);
}

// Makes sure that an order is explored in which the last step comes before `earlier`.
void Search::reverse_race(const Execution& execution, std::size_t earlier) {
  std::map<long, Choices>& actors = stack_[earlier].actors;
  const auto enabled = [&actors](long actor) {
    const auto found = actors.find(actor);
    return found != actors.end() && found->second.actor.enabled;
  };
  const std::vector<long> firsts = firsts_of(execution, earlier, enabled);
  const auto taken = [](const Choices& c) { return c.wanted || c.done; };
  if (std::any_of(firsts.begin(), firsts.end(), [&](long actor) { return taken(actors.at(actor)); })) return;
  if (!firsts.empty()) {
    actors.at(firsts.back()).wanted = true;
    return;
  }
  for (auto& [id, choices] : actors) {  // if none of the actors can begin such an order: all, to be safe
    if (choices.actor.enabled && !taken(choices)) choices.wanted = true;
  }
}

void Search::begin() {
  stack_.clear();
  if (first_steps_.empty()) {
    application_.begin();
  } else {
    application_.restart(first_steps_);
  }
  enter();
}

// Returns to the last place with an unexplored order. False if the exploration has ended.
bool Search::go_back() {
  stack_.pop_back();
  if (relation_has_grown_ && reduce_) {
    relation_has_grown_ = false;
    counts_ = {};
    begin();
    return true;
  }
  while (!stack_.empty()) {
    Place& place = stack_.back();
    place.explored[place.taken.step.actor].push_back(place.taken.step);
    if (has_next(place)) break;
    stack_.pop_back();
  }
  if (stack_.empty()) return false;
  const std::vector<Step> recipe = steps();
  counts_.replayed += static_cast<long>(recipe.size());
  application_.restart(recipe);
  return true;
}

SearchResult Search::run() {
  std::vector<Step> trying;  // the current step
  try {
    begin();
    while (true) {
      progressed_(counts_);
      Place& place = stack_.back();
      const bool cut = first_steps_.size() + stack_.size() > most_steps_;
      long next = 0;
      if (cut || !has_next(place, &next)) {
        if (!cut && place.actors.empty()) application_.finish();
        ++counts_.executions;
        if (cut) ++counts_.cut;
        if (!cut && deadlocked(place)) return {Wrong::kDeadlock, steps()};
        if (!go_back()) return {};
        continue;
      }
      Choices& choices = place.actors.at(next);
      trying = {{.actor = next, .choice = choices.tried}};
      if (++choices.tried >= choices.actor.choices) {
        choices.wanted = false;
        choices.done = true;
      }
      place.taken.step = application_.take(next, trying.front().choice);
      trying.clear();
      ++counts_.transitions;
      if (dependence_.learn(place.taken.step)) relation_has_grown_ = true;
      note_step();
      enter();
    }
  } catch (const Died&) {
    std::vector<Step> path = steps();
    path.insert(path.end(), trying.begin(), trying.end());
    return {Wrong::kDied, path};
  }
}

}  // namespace strata::check
