// SPDX-License-Identifier: LGPL-2.1-only
#include "records/foreign/goal_trace.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <memory>
#include <set>
#include <unordered_map>
#include <utility>

#include "base/error.h"
#include "records/trace/fold.h"

namespace strata {
namespace {

using Operation = GoalOperation;
using Kind = GoalOperation::Kind;
using Step = TraceStep;

constexpr double kNanosecond = 1e-9;  // s

// A rank's operations in order, and its waits between them.
struct Item {
  enum class What : std::uint8_t { kOperation, kWait, kWaitMore };
  What what = What::kOperation;
  std::uint32_t operation = 0;  // for a wait: that of the message
};

// --- the order of a rank's operations ---

class Sequencer {
 public:
  Sequencer(const GoalSchedule& schedule, std::size_t rank)
      : schedule_(schedule), rank_(rank), operations_(schedule.ranks[rank].operations), states_(operations_.size()) {
    for (const GoalDependency& d : schedule.ranks[rank].dependencies) {
      State& earlier = states_[d.earlier];
      (d.started ? earlier.after_start : earlier.after_end).push_back(d.later);
      ++states_[d.later].blockers;
    }
    for (const Operation& o : operations_) {
      several_cpus_ = several_cpus_ || o.cpu != operations_.front().cpu;
      if (o.kind != Kind::kReceive) continue;
      const auto [stream, first] = streams_.try_emplace(o.peer, Stream{.size = o.size, .started = {}});
      stream->second.ordered = stream->second.ordered && stream->second.size == o.size;
    }
  }

  std::vector<Item> run() {
    for (std::uint32_t o = 0; o < operations_.size(); ++o) {
      if (states_[o].blockers == 0) free(o);
    }
    end_of_batch();
    for (;;) {
      if (!receives_.empty()) {
        const std::uint32_t o = receives_.front();
        receives_.pop_front();
        start(o);
        end(o);
      } else if (!others_.empty()) {
        const std::uint32_t o = others_.front();
        others_.pop_front();
        take(o);
      } else if (!blocked_.empty()) {
        wait();
      } else {
        break;
      }
    }
    if (taken_ < operations_.size()) fail_circle();
    wait_for(std::vector<std::uint32_t>(outstanding_.begin(), outstanding_.end()));
    return std::move(items_);
  }

  /// The number of operations whose position in the order depends on time.
  long doubts() const { return static_cast<long>(doubtful_.size()); }
  long first_doubt() const { return operations_[*doubtful_.begin()].line; }
  /// Whether an operation can start after `o` has started, before `o` has ended.
  bool goes_on_after_start(std::uint32_t o) const { return !states_[o].after_start.empty(); }

 private:
  struct State {
    std::vector<std::uint32_t> after_start, after_end;  // operations that require it
    std::vector<std::uint32_t> needs;                   // messages that it requires, which are in flight
    std::vector<std::uint32_t> needed_by;               // for a message: blocked operations
    std::uint32_t blockers = 0;                         // number of operations that it requires and that have not been
                                                        // taken
    std::uint32_t missing = 0;                          // number of `needs` that have not ended
    long since = 0;                                     // the batch in which it became ready, or blocked only by needs
    bool over = false;                                  // for a message: the rank has waited for it
    bool taken = false;
  };

  // The receives from one sender. If all have the same size, they end in the order in which they were started.
  struct Stream {
    std::uint64_t size = 0;
    bool ordered = true;
    std::deque<std::uint32_t> started;  // in order
    std::size_t blocks = 0;             // blocked operations that need one of them
  };

  bool is_receive(std::uint32_t o) const { return operations_[o].kind == Kind::kReceive; }
  bool needs_any_of(std::uint32_t o, std::uint32_t sender) const {
    return std::any_of(states_[o].needs.begin(), states_[o].needs.end(), [&](std::uint32_t m) {
      return !states_[m].over && is_receive(m) && operations_[m].peer == sender;
    });
  }
  bool is_message(std::uint32_t o) const { return operations_[o].kind != Kind::kCalc; }
  bool takes_time(std::uint32_t o) const { return operations_[o].kind == Kind::kSend || operations_[o].size > 0; }

  // All operations that it requires have been taken.
  void free(std::uint32_t o) {
    State& s = states_[o];
    s.since = batch_;
    std::erase_if(s.needs, [this](std::uint32_t m) { return states_[m].over; });
    std::sort(s.needs.begin(), s.needs.end());
    s.needs.erase(std::unique(s.needs.begin(), s.needs.end()), s.needs.end());
    s.missing = static_cast<std::uint32_t>(s.needs.size());
    if (s.missing == 0) {
      fresh_.push_back(o);
      return;
    }
    std::set<std::uint32_t> senders;
    for (const std::uint32_t m : s.needs) {
      states_[m].needed_by.push_back(o);
      if (is_receive(m) && senders.insert(operations_[m].peer).second) ++streams_.at(operations_[m].peer).blocks;
    }
    blocked_.insert(o);
    blocked_since_.insert(s.since);
  }

  // Operations that became ready through the same event are in LogGOPSim's order: sends first, otherwise as in the
  // file.
  void end_of_batch() {
    ++batch_;
    std::sort(fresh_.begin(), fresh_.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::pair(operations_[a].kind, a) < std::pair(operations_[b].kind, b);
    });
    for (const std::uint32_t o : fresh_) (operations_[o].kind == Kind::kReceive ? receives_ : others_).push_back(o);
    fresh_.clear();
  }

  void unblock(std::uint32_t later) {
    if (--states_[later].blockers == 0) free(later);
  }

  void start(std::uint32_t o) {
    states_[o].taken = true;
    ++taken_;
    for (const std::uint32_t later : states_[o].after_start) unblock(later);
    end_of_batch();
  }

  // The operation ends for the rank; a message is in flight from then on.
  void end(std::uint32_t o) {
    items_.push_back({Item::What::kOperation, o});
    if (is_message(o)) outstanding_.insert(o);
    if (is_receive(o)) streams_.at(operations_[o].peer).started.push_back(o);
    for (const std::uint32_t later : states_[o].after_end) {
      if (is_message(o)) states_[later].needs.push_back(o);
      unblock(later);
    }
    end_of_batch();
  }

  void take(std::uint32_t o) {
    if (takes_time(o)) {
      if (several_cpus_) refuse_overlap(o);
      // A blocked operation that has waited since before `o` became ready may start first, depending on its messages.
      if (!blocked_since_.empty() && std::max(*blocked_since_.begin(), certain_) < states_[o].since) doubt(o);
    }
    start(o);
    while (operations_[o].kind == Kind::kCalc && !receives_.empty()) {
      const std::uint32_t r = receives_.front();  // posted while it computes
      receives_.pop_front();
      start(r);
      end(r);
    }
    end(o);
  }

  void refuse_overlap(std::uint32_t o) const {
    const Operation& one = operations_[o];
    if (one.kind != Kind::kCalc) return;
    const auto refuse = [&](std::uint32_t other) {
      const Operation& two = operations_[other];
      throw InputError(schedule_.place(rank_, one.line),
                       fmt::format("calc on cpu {} may run beside {} {} on cpu {}, and a rank has one core", one.cpu,
                                   schedule_.binary ? "operation" : "line", two.line, two.cpu),
                       "make each cpu a rank of its own, or let one require the other");
    };
    for (const std::uint32_t other : others_) {
      if (operations_[other].cpu != one.cpu && takes_time(other)) refuse(other);
    }
    if (!blocked_.empty()) refuse(*blocked_.begin());
  }

  void doubt(std::uint32_t o) { doubtful_.insert(o); }

  // Waits for the messages that all blocked operations need, or for a receive that ends before any that they need. If
  // there is no such message, waits for those of the first blocked operation in the file.
  void wait() {
    const std::uint32_t first = *blocked_.begin();
    std::vector<std::uint32_t> all, left;
    for (const std::uint32_t m : states_[first].needs) {
      if (states_[m].over) continue;
      left.push_back(m);
      if (states_[m].needed_by.size() == blocked_.size()) all.push_back(m);
    }
    for (std::size_t i = 0; i < left.size() && all.empty(); ++i) {
      if (!is_receive(left[i])) continue;
      Stream& s = streams_.at(operations_[left[i]].peer);
      if (!s.ordered || s.blocks < blocked_.size()) continue;
      while (states_[s.started.front()].over) s.started.pop_front();
      all.push_back(s.started.front());
    }
    wait_for(all.empty() ? left : all);
    if (all.empty()) {
      doubt(first);
    } else {
      certain_ = batch_ - 1;
    }
  }

  void wait_for(const std::vector<std::uint32_t>& messages) {
    for (const std::uint32_t m : messages) {
      items_.push_back({m == messages.back() ? Item::What::kWait : Item::What::kWaitMore, m});
      outstanding_.erase(m);
      State& s = states_[m];
      s.over = true;
      for (const std::uint32_t o : s.needed_by) {
        if (is_receive(m) && !needs_any_of(o, operations_[m].peer)) --streams_.at(operations_[m].peer).blocks;
        if (--states_[o].missing > 0) continue;
        blocked_.erase(o);
        blocked_since_.erase(blocked_since_.find(states_[o].since));
        states_[o].since = batch_;
        fresh_.push_back(o);
      }
      s.needed_by.clear();
    }
    end_of_batch();
  }

  [[noreturn]] void fail_circle() const {
    for (std::uint32_t o = 0;; ++o) {
      if (states_[o].taken) continue;
      throw InputError(schedule_.place(rank_, operations_[o].line),
                       "the operation requires itself, by way of those that it requires", "break the circle");
    }
  }

  const GoalSchedule& schedule_;
  const std::size_t rank_;
  const std::vector<Operation>& operations_;
  std::vector<State> states_;
  std::vector<Item> items_;
  std::deque<std::uint32_t> receives_, others_;  // ready to start
  std::vector<std::uint32_t> fresh_;             // ready since the last event
  std::set<std::uint32_t> blocked_;              // only by messages in flight
  std::multiset<long> blocked_since_;            // batches of blocked_
  std::set<std::uint32_t> outstanding_;          // messages for which the rank has not waited
  std::size_t taken_ = 0;
  std::unordered_map<std::uint32_t, Stream> streams_;  // by sender
  std::set<std::uint32_t> doubtful_;
  long batch_ = 0;
  long certain_ = -1;  // no blocked operation could start when this batch became ready
  bool several_cpus_ = false;
};

// --- which message a receive gets ---

// The messages of one rank to another, in the order in which they are sent.
class Pair {
 public:
  struct Message {
    std::uint32_t operation = 0, tag = 0;
    bool claimed = false;
  };

  void send(std::uint32_t operation, std::uint32_t tag) {
    by_tag_[tag].push_back(messages_.size());
    messages_.push_back({operation, tag});
  }

  /// The first message with this tag that no receive has claimed, or nullptr. `passed`: the number of earlier unclaimed
  /// messages.
  const Message* claim(std::uint32_t tag, std::int32_t& passed) {
    std::size_t found = unclaimed_;
    if (tag != Operation::kAny) {
      std::deque<std::size_t>& alike = by_tag_[tag];
      while (!alike.empty() && messages_[alike.front()].claimed) alike.pop_front();
      found = alike.empty() ? messages_.size() : alike.front();
    }
    if (found == messages_.size()) return nullptr;
    passed = static_cast<std::int32_t>(std::count_if(messages_.begin() + static_cast<long>(unclaimed_),
                                                     messages_.begin() + static_cast<long>(found),
                                                     [](const Message& m) { return !m.claimed; }));
    messages_[found].claimed = true;
    while (unclaimed_ < messages_.size() && messages_[unclaimed_].claimed) ++unclaimed_;
    return &messages_[found];
  }

  const Message* unclaimed() const { return unclaimed_ < messages_.size() ? &messages_[unclaimed_] : nullptr; }

 private:
  std::vector<Message> messages_;
  std::unordered_map<std::uint32_t, std::deque<std::size_t>> by_tag_;
  std::size_t unclaimed_ = 0;  // index of the first one
};

class Converter {
 public:
  explicit Converter(const GoalSchedule& schedule) : schedule_(schedule) {}

  GoalTrace run() {
    const std::size_t ranks = schedule_.ranks.size();
    std::vector<std::vector<Item>> items;
    std::vector<std::vector<bool>> blocking;
    long doubts = 0;
    for (std::size_t r = 0; r < ranks; ++r) {
      check(r);
      Sequencer sequencer(schedule_, r);
      items.push_back(sequencer.run());
      blocking.push_back(blocking_sends(items.back(), sequencer));
      if (sequencer.doubts() > 0 && doubts == 0) first_doubt_ = schedule_.place(r, sequencer.first_doubt());
      doubts += sequencer.doubts();
      send_all(r, items.back());
    }
    Trace& t = result_.trace;
    t.program = std::filesystem::path(schedule_.file).filename();
    t.ended.assign(ranks, 0);
    for (std::size_t r = 0; r < ranks; ++r) {
      t.cores.push_back(static_cast<int>(r));
      t.ranks.push_back(std::make_shared<const std::vector<Step>>(steps(r, items[r], blocking[r])));
      items[r] = {};
    }
    refuse_unreceived();
    if (doubts > 0) {
      t.functions = {kGoalOrder};
      t.doubts = {doubts};
      result_.notes.push_back(
          fmt::format("{}: which of the rank's operations is first here depends on the time; the order of the file is "
                      "kept, here and at {} more",
                      first_doubt_, doubts - 1));
    }
    if (cards_ > 0) {
      result_.notes.push_back(
          fmt::format("{}: nic, here and at {} more, has no effect: the machine says which network card a core uses",
                      first_card_, cards_ - 1));
    }
    return std::move(result_);
  }

 private:
  void check(std::size_t rank) {
    for (const Operation& o : schedule_.ranks[rank].operations) {
      if (o.kind == Kind::kReceive && o.peer == Operation::kAny) {
        throw InputError(schedule_.place(rank, o.line), "a receive from any source: a trace has its sender",
                         "write the rank instead of -1");
      }
      if (o.kind == Kind::kSend && o.tag == Operation::kAny)
        throw InputError(schedule_.place(rank, o.line), "a send with any tag", "write the tag instead of -1");
      if (o.nic != 0 && cards_++ == 0) first_card_ = schedule_.place(rank, o.line);
    }
  }

  // Sends that must end before the rank continues.
  static std::vector<bool> blocking_sends(const std::vector<Item>& items, const Sequencer& sequencer) {
    std::vector<bool> blocking(items.size());
    for (std::size_t i = 0; i + 1 < items.size(); ++i) {
      const Item &one = items[i], &next = items[i + 1];
      const bool waits = one.what == Item::What::kOperation && next.what == Item::What::kWait;
      blocking[i] = waits && next.operation == one.operation && !sequencer.goes_on_after_start(one.operation);
    }
    return blocking;
  }

  Pair& pair(std::size_t from, std::size_t to) { return pairs_[from * schedule_.ranks.size() + to]; }

  void send_all(std::size_t rank, const std::vector<Item>& items) {
    for (const Item& i : items) {
      const Operation& o = schedule_.ranks[rank].operations[i.operation];
      if (i.what == Item::What::kOperation && o.kind == Kind::kSend) pair(rank, o.peer).send(i.operation, o.tag);
    }
  }

  std::vector<Step> steps(std::size_t rank, const std::vector<Item>& items, const std::vector<bool>& blocking) {
    StepFolder folder;
    std::unordered_map<std::uint32_t, std::int32_t> started;  // by operation
    std::int32_t count = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      const Operation& o = schedule_.ranks[rank].operations[items[i].operation];
      if (items[i].what != Item::What::kOperation) {
        const auto found = started.find(items[i].operation);
        folder.add({.kind = Step::Kind::kWait,
                    .modes = items[i].what == Item::What::kWaitMore ? Step::kMore : std::uint8_t{0},
                    .number = count - found->second});
        started.erase(found);
        continue;
      }
      if (o.kind == Kind::kCalc) {
        if (o.size > 0) folder.add({.kind = Step::Kind::kSeconds, .amount = static_cast<double>(o.size) * kNanosecond});
        continue;
      }
      folder.add(o.kind == Kind::kSend ? sent(rank, o, blocking[i]) : received(rank, o));
      started[items[i].operation] = count++;
    }
    return folder.steps();
  }

  std::int32_t relative(std::size_t rank, std::size_t peer) const {
    const std::size_t ranks = schedule_.ranks.size();
    return static_cast<std::int32_t>((peer + ranks - rank) % ranks);
  }
  // Only for display: the trace determines which message a receive gets without tags.
  static std::int32_t shown(std::uint32_t tag) { return static_cast<std::int32_t>(tag & 0x7fffffff); }

  Step sent(std::size_t rank, const Operation& o, bool blocking) const {
    return {.kind = Step::Kind::kSend,
            .modes = blocking ? std::uint8_t{0} : Step::kImmediate,
            .peer = relative(rank, o.peer),
            .tag = shown(o.tag),
            .amount = static_cast<double>(o.size)};
  }

  Step received(std::size_t rank, const Operation& o) {
    std::int32_t passed = 0;
    const Pair::Message* m = pair(o.peer, rank).claim(o.tag, passed);
    const std::string place = schedule_.place(rank, o.line);
    if (m == nullptr) {
      throw InputError(place, fmt::format("rank {} sends nothing that this receives", o.peer),
                       "a send and a receive with the same tag belong together");
    }
    const Operation& send = schedule_.ranks[o.peer].operations[m->operation];
    if (send.size > o.size) {
      throw InputError(place, fmt::format("receives {} B of a message of {} B", o.size, send.size),
                       "the send is " + schedule_.place(o.peer, send.line));
    }
    return {.kind = Step::Kind::kReceive,
            .peer = relative(rank, o.peer),
            .tag = shown(send.tag),
            .passed = passed,
            .amount = static_cast<double>(o.size)};
  }

  void refuse_unreceived() const {
    const std::size_t ranks = schedule_.ranks.size();
    std::pair<std::size_t, std::uint32_t> first{ranks, 0};
    for (const auto& [number, messages] : pairs_) {
      if (const Pair::Message* m = messages.unclaimed()) first = std::min(first, {number / ranks, m->operation});
    }
    if (first.first == ranks) return;
    throw InputError(schedule_.place(first.first, schedule_.ranks[first.first].operations[first.second].line),
                     "nothing receives this message", "a send and a receive with the same tag belong together");
  }

  const GoalSchedule& schedule_;
  GoalTrace result_;
  std::unordered_map<std::size_t, Pair> pairs_;  // from * ranks + to
  std::string first_doubt_, first_card_;
  long cards_ = 0;
};

}  // namespace

GoalTrace trace_of(const GoalSchedule& schedule) { return Converter(schedule).run(); }

}  // namespace strata
