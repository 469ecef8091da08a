// SPDX-License-Identifier: LGPL-2.1-only
#include "check/areas/schedule_run.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <map>
#include <span>
#include <tuple>
#include <utility>

#include "models/split_tree.h"

namespace strata::check {
namespace {

using mpix::Action;
using mpix::BlockRange;
using mpix::Buffer;
using mpix::Nbc;
using mpix::Round;
using mpix::Schedule;
using Kind = Action::Kind;

bool is_message(const Action& a) { return a.kind == Kind::kSend || a.kind == Kind::kReceive; }

bool overlap(const BlockRange& a, const BlockRange& b) {
  return a.buffer == b.buffer && a.first_block < b.first_block + b.blocks && b.first_block < a.first_block + a.blocks;
}

// Sets the initial contents of the caller's buffers. A buffer that has no meaning on this rank is empty, so any access
// is out of range.
void fill(const ScheduleCase& c, int rank, ScheduleRun::Memory& memory) {
  auto& send = memory[static_cast<int>(Buffer::kSend)];
  auto& receive = memory[static_cast<int>(Buffer::kReceive)];
  const bool is_root = rank == c.root;
  const bool in_place = in_place_at(c, rank);
  const Block garbage = {kGarbage};
  switch (c.collective) {
    case Nbc::kBarrier:
      return;
    case Nbc::kBcast:
      receive = {is_root ? Block{rank} : garbage};
      return;
    case Nbc::kScatter:
      for (int r = 0; is_root && r < c.ranks; ++r) send.push_back({r});
      if (!in_place) receive = {garbage};
      return;
    case Nbc::kGather:
      if (!in_place) send = {{rank}};
      if (is_root) receive.assign(c.ranks, garbage);
      if (in_place) receive[rank] = {rank};
      return;
    default:
      if (!in_place) send = {{rank}};
      if (is_root || c.collective != Nbc::kReduce) receive = {in_place ? Block{rank} : garbage};
  }
}

class Machine {
 public:
  Machine(const ScheduleCase& c, const std::vector<Schedule>& schedules, bool keep)
      : case_(c), schedules_(schedules), keep_(keep), ranks_(c.ranks) {
    run_.memory.resize(c.ranks);
    run_.heard.resize(c.ranks);
    for (int rank = 0; rank < c.ranks; ++rank) {
      auto& memory = run_.memory[rank];
      memory[static_cast<int>(Buffer::kScratch)].assign(schedules[rank].scratch_blocks, {kGarbage});
      memory[static_cast<int>(Buffer::kScratch2)].assign(schedules[rank].scratch2_blocks, {kGarbage});
      fill(c, rank, memory);
      if (c.collective != Nbc::kBarrier) continue;
      run_.heard[rank].assign(c.ranks, false);
      run_.heard[rank][rank] = true;
    }
  }

  ScheduleRun run() {
    int start = 0;
    for (const Part part : kParts) {
      for (auto& r : ranks_) r.clock = std::max(r.clock, start);
      for (int rank = 0; rank < case_.ranks; ++rank) ready_.push_back(rank);
      go_on_to(part);
      for (int rank = 0; rank < case_.ranks; ++rank) {
        if (ranks_[rank].under_way == 0 && ranks_[rank].part > part) continue;
        if (run_.waits_for_others.empty()) run_.waits_for_others = fmt::format("rank {}, {}", rank, name_of(part));
      }
      int end = start;
      for (const auto& r : ranks_) end = std::max(end, r.clock);
      run_.time[part] = end - std::exchange(start, end);
    }
    tell_who_waits();
    return std::move(run_);
  }

 private:
  struct Rank {
    int part = 0;      // the current part; the number of parts: done
    size_t round = 0;  // the next round to begin
    int under_way = 0;
    int clock = 0;      // when the current round began, or the previous one ended
    int round_end = 0;  // latest end of the actions of this round so far
    int core_free = 0;  // when the core that copies received data is free
    std::vector<bool> heard_before;
  };
  struct Posted {
    int rank;
    Part part;
    const Action* action;
    int time;
  };
  struct Channel {
    std::deque<Posted> sends, receives;
  };

  // Runs until no rank can continue in this part and earlier ones.
  void go_on_to(Part last) {
    while (!ready_.empty()) {
      const int rank = ready_.front();
      ready_.pop_front();
      if (ranks_[rank].under_way == 0) begin_round(rank, last);
    }
  }

  void begin_round(int rank, Part last) {
    auto& r = ranks_[rank];
    while (r.part <= last && r.round == part_of(schedules_[rank], kParts[r.part]).size()) {
      ++r.part;
      r.round = 0;
    }
    if (r.part > last) return;
    const Part part = kParts[r.part];
    const Round& round = part_of(schedules_[rank], part)[r.round++];
    look_for_dependence(rank, round);
    r.under_way = static_cast<int>(round.size()) + 1;
    r.round_end = r.clock;
    r.heard_before = run_.heard[rank];
    for (const auto& action : round) {
      if (is_message(action)) {
        post({rank, part, &action, r.clock});
      } else {
        do_here(rank, action);
        end_action(rank);
      }
    }
    end_action(rank);
  }

  void do_here(int rank, const Action& action) {
    auto blocks = read(rank, action.from);
    if (action.kind == Kind::kCombine) {
      const auto behind = read(rank, action.to);
      for (size_t b = 0; b < std::min(blocks.size(), behind.size()); ++b) {
        blocks[b].insert(blocks[b].end(), behind[b].begin(), behind[b].end());
      }
    }
    write(rank, action.to, blocks);
  }

  void post(const Posted& p) {
    const bool is_send = p.action->kind == Kind::kSend;
    const int source = is_send ? p.rank : p.action->peer, target = is_send ? p.action->peer : p.rank;
    auto& [sends, receives] = channels_[{source, target, p.part == kOnThread}];
    (is_send ? sends : receives).push_back(p);
    if (sends.empty() || receives.empty()) return;
    const Posted sent = sends.front(), received = receives.front();
    sends.pop_front();
    receives.pop_front();
    deliver(sent, received);
  }

  void deliver(const Posted& sent, const Posted& received) {
    const int from = sent.rank, to = received.rank;
    auto blocks = read(from, sent.action->from);
    write(to, received.action->to, blocks);
    if (case_.collective == Nbc::kBarrier) {
      for (int r = 0; r < case_.ranks; ++r) {
        if (ranks_[from].heard_before[r]) run_.heard[to][r] = true;
      }
    }
    const int blocks_sent = sent.action->from.blocks;
    const bool by_block = case_.collective == Nbc::kGather || case_.collective == Nbc::kScatter;
    int& core_free = ranks_[to].core_free;
    core_free = std::max({sent.time, received.time, core_free}) + (by_block ? blocks_sent : std::min(blocks_sent, 1));
    run_.messages.push_back({from,
                             to,
                             sent.part,
                             received.part,
                             sent.action->level,
                             received.action->level,
                             blocks_sent,
                             received.action->to.blocks,
                             {}});
    if (keep_) run_.messages.back().carried = std::move(blocks);
    for (const int rank : {from, to}) {
      ranks_[rank].round_end = std::max(ranks_[rank].round_end, core_free);
      end_action(rank);
    }
  }

  void end_action(int rank) {
    auto& r = ranks_[rank];
    if (--r.under_way > 0) return;
    r.clock = r.round_end;
    ready_.push_back(rank);
  }

  // Checks that no action of a round writes memory that another one accesses, and that no two messages of it have the
  // same source and destination.
  void look_for_dependence(int rank, const Round& round) {
    for (size_t i = 0; i < round.size(); ++i) {
      for (size_t j = 0; j < round.size(); ++j) {
        const Action &a = round[i], &b = round[j];
        if (i == j || !run_.dependent.empty()) continue;
        const bool same_ends = is_message(a) && a.kind == b.kind && a.peer == b.peer;
        if (same_ends || overlap(a.to, b.to) || overlap(a.to, b.from)) {
          run_.dependent = fmt::format("rank {}: actions {} and {} of a round of {}", rank, i + 1, j + 1, round.size());
        }
      }
    }
  }

  bool is_there(int rank, const BlockRange& place, const char* does) {
    const auto& memory = run_.memory[rank][static_cast<int>(place.buffer)];
    if (place.first_block >= 0 && place.first_block + place.blocks <= std::ssize(memory)) return true;
    if (run_.out_of_memory.empty()) {
      run_.out_of_memory = fmt::format("rank {} {} blocks {} to {} of {}", rank, does, place.first_block,
                                       place.first_block + place.blocks - 1, memory.size());
    }
    return false;
  }

  std::vector<Block> read(int rank, const BlockRange& place) {
    if (!is_there(rank, place, "reads")) return std::vector<Block>(place.blocks, {kGarbage});
    const auto first = run_.memory[rank][static_cast<int>(place.buffer)].begin() + place.first_block;
    return {first, first + place.blocks};
  }

  // Writes blocks to a place. If there are too many, the rest is lost; if there are too few, the rest of the place
  // stays.
  void write(int rank, const BlockRange& place, std::span<const Block> blocks) {
    if (!is_there(rank, place, "writes")) return;
    auto& memory = run_.memory[rank][static_cast<int>(place.buffer)];
    std::ranges::copy(blocks.first(std::min<size_t>(blocks.size(), place.blocks)), memory.begin() + place.first_block);
  }

  void tell_who_waits() {
    for (const auto& [ends, channel] : channels_) {
      const auto& [from, to, on_threads] = ends;
      run_.unmatched += static_cast<int>(channel.sends.size() + channel.receives.size());
      for (const Posted& p : channel.sends) {
        run_.waiting.push_back(fmt::format("rank {}'s send to rank {} {} meets no receive", from, to, name_of(p.part)));
      }
      for (const Posted& p : channel.receives) {
        run_.waiting.push_back(
            fmt::format("rank {}'s receive from rank {} {} meets no send", to, from, name_of(p.part)));
      }
    }
  }

  const ScheduleCase& case_;
  const std::vector<Schedule>& schedules_;
  const bool keep_;
  std::vector<Rank> ranks_;
  std::map<std::tuple<int, int, bool>, Channel> channels_;
  std::deque<int> ready_;
  ScheduleRun run_;
};

}  // namespace

bool has_root(Nbc c) { return c == Nbc::kBcast || c == Nbc::kReduce || c == Nbc::kScatter || c == Nbc::kGather; }

bool is_reduction(Nbc c) { return c == Nbc::kReduce || c == Nbc::kAllreduce || c == Nbc::kScan; }

bool can_be_in_place(Nbc c) { return c != Nbc::kBcast && c != Nbc::kBarrier; }

bool has_steps(Nbc c) { return c != Nbc::kScan && c != Nbc::kBarrier; }

bool in_place_at(const ScheduleCase& c, int rank) {
  return c.in_place && can_be_in_place(c.collective) && (!has_root(c.collective) || rank == c.root);
}

bool must_be_over_nodes(const ScheduleCase& c) {
  if (c.node_of_rank.empty() || !c.commutes) return false;
  return c.collective != Nbc::kScatter && c.collective != Nbc::kGather && c.collective != Nbc::kScan;
}

int top_of(const ScheduleCase& c) {
  const bool in_order = c.collective == Nbc::kReduce && !c.commutes;
  return has_root(c.collective) && !in_order ? c.root : 0;
}

std::vector<int> node_sizes(const ScheduleCase& c) {
  if (!must_be_over_nodes(c)) return {c.ranks};
  std::map<int, int> sizes;
  for (const int node : c.node_of_rank) ++sizes[node];
  std::vector<int> all;
  for (const auto& [node, size] : sizes) all.push_back(size);
  return all;
}

int height_of(const ScheduleCase& c) {
  if (!has_steps(c.collective)) return 0;
  const std::vector<int> sizes = node_sizes(c);
  return models::height(std::ranges::max(sizes), c.arity) + models::height(static_cast<int>(sizes.size()), c.arity);
}

mpix::NbcCase of_rank(const ScheduleCase& c, int rank) {
  return {c.collective, rank, c.ranks, c.root, c.arity, c.steps, in_place_at(c, rank), c.commutes, c.node_of_rank};
}

std::vector<Schedule> schedules_of(const ScheduleCase& c) {
  std::vector<Schedule> all;
  for (int rank = 0; rank < c.ranks; ++rank) all.push_back(nbc_schedule(of_rank(c, rank)));
  return all;
}

const char* name_of(Part part) {
  return part == kInCall ? "in the call" : part == kOnThread ? "on the thread" : "in the wait";
}

const std::vector<Round>& part_of(const Schedule& s, Part part) {
  return part == kInCall ? s.in_call : part == kOnThread ? s.on_thread : s.in_wait;
}

ScheduleRun run_schedules(const ScheduleCase& c, const std::vector<Schedule>& schedules, bool keep) {
  return Machine(c, schedules, keep).run();
}

}  // namespace strata::check
