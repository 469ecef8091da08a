// SPDX-License-Identifier: LGPL-2.1-only
// Source: mca_coll_han_bcast_intra, ..._reduce_intra and ..._allreduce_intra with their tasks t0 to t3, coll_han_*.c,
// Open MPI 5.0.7.
#include "collectives/schedules/han_tasks.h"

#include <algorithm>

#include "collectives/schedules/han_levels.h"
#include "collectives/schedules/libnbc.h"
#include "collectives/schedules/vector_parts.h"

namespace strata::collectives {
namespace {

// A leader's sums of two segments; what libnbc allocates. Reductions on a node use the others.
constexpr Buffer kSums = Buffer::kFourth, kOfLibnbc = Buffer::kFifth;

class Pipeline {
 public:
  Pipeline(const Collective& call, const Settings& settings, int rank)
      : levels_(call, settings, rank), segments_(call, settings), number_(segments_.number()) {
    if (call.operation == Operation::kAllreduce) return;
    low_root_ = levels_.low_rank_of(call.root);
    leads_ = levels_.leads(low_root_);
    if (leads_) up_root_ = levels_.up_root();
  }

  std::vector<HanTask> broadcast() const {
    std::vector<HanTask> tasks(1);
    const Range first = segment(0);
    if (leads_) {
      levels_.on(levels_.up, Operation::kBcast, up_root_, first.count, false, {}, tasks[0].low);
    }
    for (int t = 1; t <= number_; ++t) {
      HanTask& task = tasks.emplace_back();
      start_broadcast(t, task);
      low_broadcast(t - 1, task);
    }
    return tasks;
  }

  std::vector<HanTask> reduce() const {
    std::vector<HanTask> tasks;
    for (int t = 0; t <= number_; ++t) {
      HanTask& task = tasks.emplace_back();
      start_reduce(t - 1, task);
      low_reduce(t, task);
    }
    return tasks;
  }

  std::vector<HanTask> allreduce() const {
    std::vector<HanTask> tasks;
    for (int t = 0; t < number_ + 3; ++t) {
      HanTask& task = tasks.emplace_back();
      start_broadcast(t - 2, task);
      start_reduce(t - 1, task);
      low_reduce(t, task);
      low_broadcast(t - 3, task);
    }
    return tasks;
  }

 private:
  bool exists(int s) const { return s >= 0 && s < number_; }
  Range segment(int s) const { return segments_.range(Buffer::kOutput, s); }

  // Where the sum of this node is in a leader.
  Range sum(int s) const {
    Range range = segment(s);
    if (levels_.call.operation == Operation::kReduce && levels_.rank != levels_.call.root) {
      range.in = kSums;
      range.first = s % 2 * segments_.elements;
    }
    return range;
  }

  Collective up_part(Operation operation, const Range& data) const {
    Collective part = part_of(levels_.call, operation, up_root_, true);
    part.ranks = static_cast<int>(levels_.up.size());
    part.count = data.count;
    return part;
  }
  // The whole vector of the nonblocking collective is `data`, its own buffers are one after the other in kOfLibnbc.
  Rounds placed(const Rounds& rounds, const Range& data) const {
    const auto moved = [&](Range range) {
      if (range.in == Buffer::kInput || range.in == Buffer::kOutput) {
        range.in = data.in;
        range.first += data.first;
      } else {
        if (range.in == Buffer::kSecond) range.first += segments_.elements;
        range.in = kOfLibnbc;
      }
      return range;
    };
    return rounds.placed(moved, [&](int peer) { return levels_.up[peer]; });
  }
  int up_rank() const { return place_in(levels_.up, levels_.rank); }

  void start_broadcast(int s, HanTask& task) const {
    if (!leads_ || !exists(s)) return;
    const Range data = segment(s);
    const Collective part = up_part(Operation::kBcast, data);
    task.up.push_back(placed(libnbc_broadcast(part, up_rank()), data));
    task.gets_broadcast_late = libnbc_gets_late(part, up_rank());
  }
  void start_reduce(int s, HanTask& task) const {
    if (!leads_ || !exists(s)) return;
    const Range data = sum(s);
    task.up.push_back(placed(libnbc_reduce(up_part(Operation::kReduce, data), up_rank()), data));
  }
  void low_broadcast(int s, HanTask& task) const {
    if (!exists(s)) return;
    const Range data = segment(s);
    levels_.on(levels_.low(), Operation::kBcast, low_root_, data.count, false, {.output_first = data.first}, task.low);
  }
  void low_reduce(int s, HanTask& task) const {
    if (!exists(s)) return;
    const Range input = segments_.range(Buffer::kInput, s), into = sum(s);
    const bool in_place = levels_.call.in_place &&
                          (levels_.call.operation == Operation::kAllreduce || levels_.is_on_node_of(levels_.call.root));
    if (levels_.low().size() == 1 && !in_place) task.low.copy(input, into);
    levels_.on(levels_.low(), Operation::kReduce, low_root_, into.count, in_place,
               {.output = into.in, .input_first = input.first, .output_first = into.first}, task.low);
  }

  HanLevels levels_;
  Segments segments_;
  int number_;
  // An allreduce has the first ranks of the nodes as its roots.
  int low_root_ = 0, up_root_ = 0;
  bool leads_ = levels_.leads(0);
};

// The steps of a list one at a time.
class Appended {
 public:
  explicit Appended(const Steps& from) : from_(&from.list()) {}

  bool is_done() const { return next_ == from_->size(); }
  bool next_waits() const { return (*from_)[next_].kind == Step::Kind::kWait; }
  void append_next(Steps& steps) {
    const Step& step = (*from_)[next_++];
    switch (step.kind) {
      case Step::Kind::kSend:
        requests_.push_back(steps.start_send(step.peer, step.from));
        break;
      case Step::Kind::kSynchronousSend:
        requests_.push_back(steps.start_synchronous_send(step.peer, step.from));
        break;
      case Step::Kind::kReceive:
        requests_.push_back(steps.start_receive(step.peer, step.to));
        break;
      case Step::Kind::kWait:
        steps.wait(requests_[step.request]);
        break;
      case Step::Kind::kCopy:
        steps.copy(step.from, step.to);
        break;
      case Step::Kind::kCombine:
        steps.combine(step.from, step.to);
        break;
    }
  }
  const std::vector<int>& requests() const { return requests_; }

 private:
  const std::vector<Step>* from_;
  std::size_t next_ = 0;
  std::vector<int> requests_;
};

// A nonblocking collective, round by round.
class Nonblocking {
 public:
  explicit Nonblocking(const Rounds& rounds) : rounds_(&rounds.list()) {}

  bool has_next() const { return next_ < rounds_->size(); }
  bool has_messages() const { return !open_.empty(); }
  void start_round(Steps& steps) {
    Appended round((*rounds_)[next_++]);
    while (!round.is_done()) round.append_next(steps);
    open_ = round.requests();
  }
  /// The messages of this round are complete, and the next ones start.
  void advance(Steps& steps) {
    finish(steps);
    while (has_next() && open_.empty()) start_round(steps);
  }
  void finish(Steps& steps) {
    for (const int request : open_) steps.wait(request);
    open_.clear();
  }
  /// How often it advances until its last round.
  int turns() const {
    int turns = 0;
    for (std::size_t i = next_; i < rounds_->size(); ++turns) {
      while (i < rounds_->size() && !starts_messages((*rounds_)[i])) ++i;
      if (i < rounds_->size()) ++i;
    }
    return turns;
  }

 private:
  static bool starts_messages(const Steps& round) {
    const std::vector<Step>& list = round.list();
    return std::any_of(list.begin(), list.end(), [](const Step& step) { return step.request >= 0; });
  }

  const std::vector<Steps>* rounds_;
  std::size_t next_ = 0;
  std::vector<int> open_;
};

class TaskSteps {
 public:
  TaskSteps(const HanTask& task, Steps& steps) : task_(task), steps_(steps), low_(task.low) {
    for (const Rounds& rounds : task.up) up_.emplace_back(rounds);
  }

  void append() {
    for (std::size_t i = 0; i < up_.size(); ++i) {
      if (!is_late(i)) up_[i].start_round(steps_);
    }
    const auto& low = task_.low.list();
    const auto waits =
        std::count_if(low.begin(), low.end(), [](const Step& step) { return step.kind == Step::Kind::kWait; });
    std::int64_t turns = 0, waited = 0;
    for (; !low_.is_done(); low_.append_next(steps_)) {
      if (!low_.next_waits()) continue;
      if (waited == 0) turns = leave_rounds_without_messages();
      for (++waited; turned_ < waited * turns / waits;) turn();
    }
    while (turn()) {
    }
    for (Nonblocking& collective : up_) collective.finish(steps_);
  }

 private:
  bool is_late(std::size_t i) const { return i == 0 && task_.gets_broadcast_late && up_.size() > 1; }

  // A first round without messages is over when the rank waits for the first time. Returns how many turns follow.
  std::int64_t leave_rounds_without_messages() {
    std::int64_t turns = 0;
    for (std::size_t i = 0; i < up_.size(); ++i) {
      if (!is_late(i) && !up_[i].has_messages() && up_[i].has_next()) up_[i].advance(steps_);
      turns += up_[i].turns();
    }
    return turns;
  }
  // One of the collectives advances: the last that has further rounds, which is the reduction.
  bool turn() {
    for (std::size_t i = up_.size(); i-- > 0;) {
      if (!up_[i].has_next()) continue;
      up_[i].advance(steps_);
      ++turned_;
      return true;
    }
    return false;
  }

  const HanTask& task_;
  Steps& steps_;
  Appended low_;
  std::vector<Nonblocking> up_;
  std::int64_t turned_ = 0;
};

}  // namespace

std::vector<HanTask> han_tasks(const Collective& call, const Settings& settings, int rank) {
  if (call.count == 0) return {};
  const Pipeline pipeline(call, settings, rank);
  switch (call.operation) {
    case Operation::kBcast:
      return pipeline.broadcast();
    case Operation::kReduce:
      return pipeline.reduce();
    default:
      return pipeline.allreduce();
  }
}

void append_tasks(const std::vector<HanTask>& tasks, Steps& steps) {
  for (const HanTask& task : tasks) TaskSteps(task, steps).append();
}

}  // namespace strata::collectives
