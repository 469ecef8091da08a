// SPDX-License-Identifier: LGPL-2.1-only
#include "check/messages/explorer/ahead.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace strata::check {
namespace {

const Actor* find_actor(const std::vector<Actor>& actors, long id) {
  const auto found = std::find_if(actors.begin(), actors.end(), [id](const Actor& a) { return a.id == id; });
  return found == actors.end() ? nullptr : &*found;
}

bool enabled(const std::vector<Actor>& actors, long id) {
  const Actor* actor = find_actor(actors, id);
  return actor != nullptr && actor->enabled;
}

}  // namespace

AheadApplication::AheadApplication(Start start, const Options& options)
    : start_(std::move(start)), options_(options), runners_(static_cast<std::size_t>(options.most_copies)) {}

AheadApplication::~AheadApplication() {
  {
    const Lock lock(mutex_);
    stop_ = true;
  }
  work_.notify_all();
  for (Runner& runner : runners_) {
    if (runner.thread.joinable()) runner.thread.join();
  }
}

long AheadApplication::begun() const {
  const Lock lock(mutex_);
  return begun_;
}

// One copy determines the first state. If it dies before that, the program is wrong before its first step.
void AheadApplication::begin() {
  if (root_ != nullptr) {  // again, with a larger dependence relation
    const Lock lock(mutex_);
    guess_all_again(true);
    at_ = root_.get();
    work_.notify_all();
    return;
  }
  runners_.front().copy = start_();
  Application& first = *runners_.front().copy;
  first.restart({});
  {
    const Lock lock(mutex_);
    root_ = std::make_unique<State>();
    root_->actors = first.actors();
    states_ = begun_ = 1;
    guess(*root_);
    at_ = root_.get();
  }
  for (Runner& runner : runners_) runner.thread = std::thread([this, &runner] { run(runner); });
}

// The search has finished the way that it took from the state at which the new steps differ.
void AheadApplication::restart(const std::vector<Step>& steps) {
  Lock lock(mutex_);
  std::vector<State*> before(at_->depth + 1);
  for (State* state = at_; state != nullptr; state = state->from) before[state->depth] = state;
  std::size_t same = 0;
  const auto way_before = [&before](std::size_t i) {
    const Step& step = before[i + 1]->taken.step;
    return Way{step.actor, step.choice};
  };
  while (same < steps.size() && same + 1 < before.size() &&
         way_before(same) == Way{steps[same].actor, steps[same].choice})
    ++same;
  State& parting = *before[same];
  if (same + 1 < before.size()) drop(parting, way_before(same));
  at_ = &parting;
  for (std::size_t i = same; i < steps.size(); ++i) go({steps[i].actor, steps[i].choice}, lock);
}

std::vector<Actor> AheadApplication::actors() {
  const Lock lock(mutex_);
  return at_->actors;
}

Step AheadApplication::take(long actor, int choice) {
  Lock lock(mutex_);
  return go({actor, choice}, lock);
}

// Waits until a copy has taken this way from the search's state.
const Step& AheadApplication::go(Way way, Lock& lock) {
  const auto known = [&]() -> const Edge* {
    const auto found = at_->edges.find(way);
    return found == at_->edges.end() || found->second.known == Edge::Known::kRunning ? nullptr : &found->second;
  };
  if (const Edge* edge = known(); edge != nullptr && edge->known == Edge::Known::kPassed)
    at_->edges.erase(way);  // a new search begins there
  if (known() == nullptr) {
    asked_ = Task{at_, way};
    work_.notify_all();
    known_.wait(lock, [&] { return known() != nullptr || error_ != nullptr; });
    asked_.reset();
  }
  const Edge* edge = known();
  if (edge == nullptr) std::rethrow_exception(error_);
  if (edge->known == Edge::Known::kDied) throw Died();
  at_ = edge->to.get();
  return at_->taken.step;
}

void AheadApplication::finish() {
  Lock lock(mutex_);
  known_.wait(lock, [&] { return at_->finish != Finish::kUnknown || error_ != nullptr; });
  if (at_->finish == Finish::kUnknown) std::rethrow_exception(error_);
  if (at_->finish == Finish::kDied) throw Died();
}

// The thread of a copy: runs one execution after another.
void AheadApplication::run(Runner& runner) {
  Lock lock(mutex_);
  try {
    while (true) {
      std::optional<Task> task;
      work_.wait(lock, [&] { return stop_ || (task = next_task(runner.copy != nullptr)).has_value(); });
      if (stop_) return;
      run_execution(runner, *task, lock);
      runner.at = nullptr;
      runner.useless = false;
      std::erase_if(dropped_, [this](const std::unique_ptr<State>& top) {
        return std::none_of(runners_.begin(), runners_.end(), [&top](const Runner& r) {
          const State* state = r.at;
          while (state != nullptr && state->from != nullptr) state = state->from;
          return state == top.get();
        });
      });
    }
  } catch (...) {
    if (!lock.owns_lock()) lock.lock();
    if (error_ == nullptr) error_ = std::current_exception();
    known_.notify_all();
  }
}

// Takes a way, and continues as the search would, until the execution ends or an equal one is known.
void AheadApplication::run_execution(Runner& runner, Task task, Lock& lock) {
  std::vector<Step> steps(task.state->depth);
  for (const State* s = task.state; s->from != nullptr; s = s->from) steps[s->depth - 1] = s->taken.step;
  ++begun_;
  runner.at = task.state;
  std::optional<Way> way = task.way;
  start_edge(*task.state, *way);
  lock.unlock();
  if (runner.copy == nullptr) runner.copy = start_();
  try {
    runner.copy->restart(steps);
  } catch (const Died&) {
    throw std::runtime_error(
        "the program ended in steps that it has taken before: was it killed, or does it depend on random numbers, the "
        "time or files?");
  }
  while (true) {
    std::optional<Step> step;
    std::vector<Actor> actors;
    try {
      step = runner.copy->take(way->first, way->second);
      actors = runner.copy->actors();
    } catch (const Died&) {
    }
    lock.lock();
    if (runner.useless) return;
    if (!step.has_value()) {
      runner.at->edges.at(*way).known = Edge::Known::kDied;
      known_.notify_one();
      return;
    }
    runner.at = &add(*runner.at, *way, *std::move(step), std::move(actors));
    known_.notify_one();
    if (stop_ || runner.at->depth >= options_.most_steps) return;
    if (runner.at->actors.empty()) break;
    way = open_way(*runner.at);
    if (!way.has_value()) return;
    start_edge(*runner.at, *way);
    if (root_->open > 0) work_.notify_all();
    lock.unlock();
  }
  lock.unlock();
  Finish finish = Finish::kFine;
  try {
    runner.copy->finish();
  } catch (const Died&) {
    finish = Finish::kDied;
  }
  lock.lock();
  runner.at->finish = finish;
  known_.notify_one();
}

// The step for which the search waits; otherwise the first one, in the search's order, for which it will probably ask.
std::optional<AheadApplication::Task> AheadApplication::next_task(bool has_copy) const {
  if (!has_copy && root_->open < options_.waiting_for_copy) return std::nullopt;
  if (asked_.has_value() && asked_->state->edges.count(asked_->way) == 0) return asked_;
  if (root_->open == 0 || states_ > options_.most_states) return std::nullopt;
  std::vector<Way> searched(at_->depth);
  for (const State* s = at_; s->from != nullptr; s = s->from)
    searched[s->depth - 1] = {s->taken.step.actor, s->taken.step.choice};
  return first_open(*root_, searched);
}

// The first open way at or below a state, in the search's order. On its own path, the search has finished all ways
// before its own.
std::optional<AheadApplication::Task> AheadApplication::first_open(State& state,
                                                                   const std::vector<Way>& searched) const {
  const bool on_path = state.depth < searched.size();
  const Way least = on_path ? searched[state.depth] : Way{0, 0};
  std::optional<Task> here;
  if (const std::optional<Way> open = open_way(state, least)) here = Task{&state, *open};
  for (auto it = state.edges.lower_bound(least); it != state.edges.end(); ++it) {
    auto& [way, edge] = *it;
    if (here.has_value() && here->way < way) break;
    if (edge.to == nullptr || edge.to->open == 0) continue;
    static const std::vector<Way> kNone;
    if (auto below = first_open(*edge.to, on_path && way == least ? searched : kNone)) return below;
  }
  return here;
}

// The first way from a state for which the search will probably ask, and that no copy has taken.
std::optional<AheadApplication::Way> AheadApplication::open_way(const State& state, Way least) const {
  for (const long actor : state.wanted) {
    if (actor < least.first || state.asleep.count(actor) > 0) continue;
    for (int choice = 0; choice < find_actor(state.actors, actor)->choices; ++choice) {
      if (const Way way{actor, choice}; way >= least && state.edges.count(way) == 0) return way;
    }
  }
  return std::nullopt;
}

AheadApplication::Edge& AheadApplication::start_edge(State& state, Way way) {
  if (state.wanted.count(way.first) > 0 && state.asleep.count(way.first) == 0) {
    for (State* s = &state; s != nullptr; s = s->from) --s->open;
  }
  return state.edges[way];
}

AheadApplication::State& AheadApplication::add(State& from, Way way, Step step, std::vector<Actor> actors) {
  auto state = std::make_unique<State>();
  state->from = &from;
  state->depth = from.depth + 1;
  state->taken.step = std::move(step);
  state->actors = std::move(actors);
  ++states_;
  Edge& edge = from.edges.at(way);
  edge.to = std::move(state);
  edge.known = Edge::Known::kTaken;
  if (options_.reduce && dependence_.learn(edge.to->taken.step)) {
    guess_all_again(false);
  } else {
    guess(*edge.to);
  }
  return *edge.to;
}

// Predicts what the search does when it enters a state (Search::enter, Search::note_step), from what is known now.
void AheadApplication::guess(State& state) {
  Execution execution(state.depth);
  for (const State* s = &state; s->from != nullptr; s = s->from) execution[s->depth - 1] = &s->taken;
  if (options_.reduce && state.from != nullptr) {
    const Step& step = state.taken.step;
    const auto keep = [&](long actor, const std::vector<Step>& explored) {
      if (actor != step.actor &&
          std::none_of(explored.begin(), explored.end(), [&](const Step& s) { return dependence_.dependent(s, step); }))
        state.asleep[actor] = explored;
    };
    for (const auto& [actor, explored] : state.from->asleep) keep(actor, explored);
    for (const long actor : state.from->wanted) {
      if (actor >= step.actor) break;  // explored later
      std::vector<Step> explored;
      for (auto it = state.from->edges.lower_bound({actor, 0}); it != state.from->edges.end(); ++it) {
        if (it->first.first != actor) break;
        if (it->second.known == Edge::Known::kTaken) explored.push_back(it->second.to->taken.step);
        if (it->second.known == Edge::Known::kPassed) explored.push_back(it->second.step);
      }
      if (static_cast<int>(explored.size()) == find_actor(state.from->actors, actor)->choices) keep(actor, explored);
    }
  }
  for (const Actor& actor : state.actors) {
    if (!actor.enabled || state.asleep.count(actor.id) > 0) continue;
    want(state, actor.id);
    if (options_.reduce) break;
  }
  if (!options_.reduce || state.from == nullptr) return;
  execution.pop_back();
  std::vector<std::size_t> races;
  state.taken.clock = clock_of(execution, state.taken.step, dependence_, races);
  execution.push_back(&state.taken);
  std::vector<State*> states(state.depth);
  for (State* s = state.from; s != nullptr; s = s->from) states[s->depth] = s;
  for (const std::size_t earlier : races) {
    State& place = *states[earlier];
    const std::vector<long> firsts =
        firsts_of(execution, earlier, [&place](long actor) { return enabled(place.actors, actor); });
    if (std::any_of(firsts.begin(), firsts.end(), [&place](long actor) { return place.wanted.count(actor) > 0; }))
      continue;
    if (!firsts.empty()) {
      want(place, firsts.back());
      continue;
    }
    for (const Actor& actor : place.actors) {
      if (actor.enabled) want(place, actor.id);
    }
  }
}

// Repeats the predictions with a larger dependence relation. The search continues, or begins again and asks for all
// steps once more.
void AheadApplication::guess_all_again(bool from_the_beginning) {
  std::vector<State*> left = {root_.get()}, all;
  while (!left.empty()) {
    State* state = left.back();
    left.pop_back();
    all.push_back(state);
    state->wanted.clear();
    state->asleep.clear();
    state->open = 0;
    if (from_the_beginning)
      std::erase_if(state->edges, [](const auto& edge) { return edge.second.known == Edge::Known::kPassed; });
    for (auto it = state->edges.rbegin(); it != state->edges.rend(); ++it) {
      if (it->second.to != nullptr) left.push_back(it->second.to.get());
    }
  }
  for (State* state : all) guess(*state);
}

void AheadApplication::want(State& state, long actor) {
  if (!state.wanted.insert(actor).second || state.asleep.count(actor) > 0) return;
  long open = find_actor(state.actors, actor)->choices;
  for (auto it = state.edges.lower_bound({actor, 0}); it != state.edges.end() && it->first.first == actor; ++it) --open;
  for (State* s = &state; s != nullptr; s = s->from) s->open += open;
}

void AheadApplication::drop(State& from, Way way) {
  const auto edge = from.edges.find(way);
  std::unique_ptr<State> top = std::move(edge->second.to);
  edge->second.known = Edge::Known::kPassed;
  edge->second.step = top->taken.step;
  for (State* s = &from; s != nullptr; s = s->from) s->open -= top->open;
  std::vector<const State*> left = {top.get()};
  while (!left.empty()) {
    const State* state = left.back();
    left.pop_back();
    --states_;
    for (const auto& [_, below] : state->edges) {
      if (below.to != nullptr) left.push_back(below.to.get());
    }
  }
  top->from = nullptr;
  bool used = false;
  for (Runner& runner : runners_) {
    const State* state = runner.at;
    while (state != nullptr && state->from != nullptr) state = state->from;
    if (state != top.get()) continue;
    used = runner.useless = true;
  }
  if (used) dropped_.push_back(std::move(top));
}

}  // namespace strata::check
